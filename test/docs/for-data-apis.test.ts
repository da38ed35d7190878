// Nightly, and when docs/ or packages/ changes: it runs each example for data APIs.
/** Runs every example of docs/for-data-apis.md unchanged. */
import { spawn } from 'node:child_process'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { eventually } from '../support/eventually.ts'
import { currentCode, exchangeCode } from '../support/flows.ts'
import { freePort } from '../support/free-port.ts'
import { isInstalled, unlessMissing } from '../support/installed.ts'
import { addCommand, canRunCommands } from './command-line.ts'
import { type DemoScene, startDemoScene } from './demo-scene.ts'
import { examplesOf } from './examples.ts'
import { commandLine, everyPaste, followPage, type Parts, type Walk } from './follow.ts'
import { isEquipped } from './reader.ts'

const packages = join(import.meta.dirname, '../../node_modules')
const page = 'docs/for-data-apis.md'

/** Starts the data API of the page, as a reader in another terminal does. */
const startQuickStart = async ({ t, reader }: Walk) => {
  const { directory, env } = reader
  const program = examplesOf(page)
    .find(({ name }) => name === 'Quick start 2')
    ?.texts.get('js')
  await reader.run('js', program ?? '')
  await symlink(packages, join(directory, 'node_modules'), 'dir')
  env.PORT = String(await freePort())
  const server = spawn(process.execPath, ['server.mjs'], { cwd: directory, env, stdio: 'inherit' })
  t.teardown(() => server.kill())
  const url = `http://127.0.0.1:${env.PORT}/`
  await eventually(async () => (await fetch(url).catch(() => null))?.status === 401)
}

const partsFor = ({ operator, issuer, ana }: DemoScene): Parts => {
  const permit = async (env: Record<string, string>, permissions: string[]) => {
    const path = `/organizations/${env.ORGANIZATION_ID}/installs/${env.CLIENT_ID}`
    const { status } = await operator('PUT', path, { permissions, workspace_ids: null })
    if (status >= 300) throw new Error(`install: ${status}`)
  }
  return {
    'The beginning': {
      languages: commandLine,
      after: ({ t }, said) => {
        t.match(said.text, /client id +\S+/)
        t.match(said.text, /secret +lk\w+/)
      },
    },
    'Quick start': 'test/packages/tarballs.test.ts installs it',
    'Quick start 2': { languages: ['js'] },
    'Quick start 3': {
      languages: commandLine,
      before: startQuickStart,
      after: ({ t }, said) => t.match(said.json, { kind: 'install' }),
    },
    'Use of permissions': 'test/http/usage.test.ts sends such reports',
    'In another language / Revocation feed': {
      before: ({ reader: { env } }) => permit(env, ['records:create']),
      after: async ({ t, reader: { env }, repeat }, said) => {
        t.equal(said.json?.reset, true)
        await permit(env, ['records:create', 'records:update', 'workspace_members:read'])
        const next = await repeat('In another language / Revocation feed')
        t.match(next.json, { reset: false, changes: [{ type: 'install' }] })
      },
    },
    'In another language / Introspection (RFC 7662)': {
      before: async ({ reader: { env } }) => {
        const app = {
          client_id: env.CLIENT_ID ?? '',
          client_secret: env.CLIENT_SECRET ?? '',
          redirect_uri: env.REDIRECT_URI ?? '',
        }
        const code = await currentCode({ issuer }, app, ana)
        env.TOKEN = (await exchangeCode(issuer, app, code)).body.access_token
      },
      after: async ({ t, reader, repeat }, said) => {
        t.match(said.json, { active: true, client_id: reader.env.CLIENT_ID })
        reader.env.TOKEN = 'unknown'
        const unknown = await repeat('In another language / Introspection (RFC 7662)')
        t.same(unknown.json, { active: false })
      },
    },
  }
}

const scene = await startDemoScene(t)
for (const [language, shell] of everyPaste) {
  const isThere = isEquipped[language]() && isInstalled(shell) && canRunCommands()
  const skip = unlessMissing(isThere, `what the examples in ${language} (${shell}) need`)
  t.test(`the examples in ${language} (${shell}) do what the page says`, skip, async (t) => {
    const reader = await scene.reader(t, shell)
    await addCommand(reader)
    await followPage(t, page, partsFor(scene), language, reader)
  })
}
