import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { eventually } from '../support/eventually.ts'
import { claimsOf, refresh } from '../support/flows.ts'
import { createVisitor, walk as walkThrough } from '../support/visitor.ts'
import type { DemoScene } from './demo-scene.ts'
import type { Part } from './follow.ts'
import type { Reader } from './reader.ts'

const packages = join(import.meta.dirname, '../../node_modules')

/**
 * Runs the example in a terminal, and answers its question.
 * @param allow opens the printed address, and returns that of the next page
 * @returns what the example printed to stdout
 */
const runWithUser = async (
  { directory, env }: Reader,
  example: string,
  allow: (address: string) => Promise<string>,
) => {
  await symlink(packages, join(directory, 'node_modules'), 'dir')
  await writeFile(join(directory, 'dpop.mjs'), example)
  const child = spawn(process.execPath, ['dpop.mjs'], { cwd: directory, env })
  const exit = once(child, 'exit')
  const output = text(child.stdout)
  let shown = ''
  child.stderr.on('data', (chunk) => {
    shown += chunk
  })
  try {
    await eventually(() => {
      if (child.exitCode !== null) throw new Error(`the example ended: ${shown}`)
      return shown.includes('Address of the next page')
    })
    const [, address = ''] = /^Open (\S+)$/m.exec(shown) ?? []
    child.stdin.end(`${await allow(address)}\n`)
    const [code] = await exit
    if (code !== 0) throw new Error(`the example ended with ${code}: ${shown}`)
    return output
  } finally {
    child.kill()
  }
}

/** A public app binds its tokens to a key, and sends proofs to the data API of the demo. */
export const bindsTokens = ({ issuer, ana }: DemoScene): Part => ({
  languages: ['js'],
  instead: async ({ t, reader }, example) => {
    const { env } = reader
    const answers = { ...ana, organizationId: env.ORGANIZATION_ID ?? '' }
    const printed = await runWithUser(reader, example, async (address) => {
      const { left } = await walkThrough(createVisitor(issuer), address, answers)
      return (left as URL).href
    })
    const said = JSON.parse(printed)
    t.equal(said.token_type, 'dpop')
    t.type(claimsOf(said.access_token).cnf.jkt, 'string')
    t.match(said.data.workspaces, [{ id: String, name: String }], 'the data API took the proof')

    const publicApp = {
      client_id: env.CLIENT_ID ?? '',
      client_secret: '',
      redirect_uri: env.REDIRECT_URI ?? '',
    }
    const { body } = await refresh(issuer, publicApp, said.refresh_token)
    t.equal(body.error, 'invalid_dpop_proof', 'the refresh token is bound too')
    const stolen = await fetch(env.DATA_API as string, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${said.access_token}`,
        'content-type': 'application/json',
      },
      body: '{"query":"{ workspaces { id } }"}',
    })
    t.equal(stolen.status, 401, 'the access token is bound')
  },
})
