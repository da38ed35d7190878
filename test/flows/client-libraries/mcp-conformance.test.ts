// Nightly, and when src/http/current or src/core/client-documents changes: it downloads the suite.
/** The conformance suite of the Model Context Protocol, for authorization servers: docs/for-ai-clients.md prints its result. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import tap from 'tap'
import { startDocumentServer } from '../../support/document-server.ts'
import { freePort } from '../../support/free-port.ts'
import { unlessMissing } from '../../support/installed.ts'
import { npmEnvironment } from '../../support/npm-package.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { registerResourceServer } from '../../support/resource-server.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { createVisitor, walk } from '../../support/visitor.ts'
import { createApp, install } from '../../support/world.ts'

const suite = ['--yes', '-p', 'node@24', '-p', '@modelcontextprotocol/conformance@0.2.0-alpha.12']
const folder = await temporaryDirectory('conformance')
tap.teardown(() => rm(folder, { recursive: true, force: true }))

/**
 * Runs the suite in an empty folder until its last line. Its process would stay for five minutes more, for a timer.
 * @param opened gets the address that the suite asks a person to open
 * @returns all that it has said
 */
const conformance = async (
  args: string[],
  last: RegExp,
  opened?: (url: string) => Promise<void>,
) => {
  const child = spawn('npx', [...suite, 'conformance', 'authorization', ...args], {
    cwd: folder,
    env: npmEnvironment,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // npx does not end what it has started
  })
  let said = ''
  let visit: Promise<void> | undefined
  const read = (chunk: Buffer) => {
    said += chunk
    const [url] = /^https?:\S+response_type=code\S*(?=\n)/m.exec(said) ?? []
    if (url) visit ??= opened?.(url)
    if (last.test(said)) process.kill(-(child.pid ?? 0))
  }
  for (const stream of [child.stdout, child.stderr]) stream.on('data', read)
  await once(child, 'close')
  await visit
  return said
}

const hasSuite = (await conformance(['--help'], /display help/)).includes('--client-id')

await onEachBackend(
  'the MCP conformance suite',
  async (t, { issuer, running, world }) => {
    const { acme, ana } = world
    const permissions = ['records:create']
    const resource = 'https://mcp.example.com/mcp'
    await registerResourceServer(running, { resource: [resource] })
    const documents = await startDocumentServer(t)
    const fields = { redirect_uris: ['http://127.0.0.1/callback'] }
    const document = documents.publish('/agent.json', { client_name: 'Agent', ...fields })
    await running.operator('POST', '/apps/import', { url: document, permissions })
    const app = await createApp(running, {
      name: 'Agent',
      client_type: 'public',
      permissions,
      ...fields,
    })
    for (const id of [app.client_id, encodeURIComponent(document)])
      await install(running, acme, { ...app, client_id: id }, { permissions })

    const cases: [name: string, args: string[]][] = [
      ['a public client', ['--client-id', app.client_id]],
      ['with a resource', ['--client-id', app.client_id, '--resource', resource]],
      ['a client by its document', ['--client-id', document]],
    ]
    for (const [name, args] of cases)
      t.test(name, unlessMissing(hasSuite, 'the registry of npm'), async (t) => {
        const said = await conformance(
          ['--url', issuer, '--port', String(await freePort()), ...args],
          /^Total: .*$/m,
          async (url) => {
            const page = await walk(createVisitor(issuer), url, ana)
            if (!page.left) throw new Error(`the browser stayed at ${page.url.href}`)
            await fetch(page.left)
          },
        )
        t.match(said, /✓ authorization-server-metadata-endpoint: \d+ passed, 0 failed/)
        t.match(said, /✓ authorization-code-grant: 1 passed, 0 failed/)
      })
  },
  { environment: { WEBHOOK_ALLOW_PRIVATE: 'true' } },
)
