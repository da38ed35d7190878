/** AI clients by name. */
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { matchRedirectUri } from '../../src/core/clients/redirect-uri.ts'
import { startDocumentServer } from '../support/document-server.ts'
import { operatorToken, startLatchkey } from '../support/latchkey.ts'
import { testStores } from '../support/stores.ts'
import { latchkey } from './latchkey-command.ts'

interface Listed {
  name: string
  url?: string
  redirect_uris?: string[]
  source: string
  read_on: string
}

const listed = async (): Promise<Listed[]> =>
  JSON.parse((await latchkey(['app', 'import', '--list', '--json'])).stdout)

t.test('the list needs no server, and names the page and the day of each entry', async (t) => {
  const clients = await listed()
  for (const name of ['claude', 'chatgpt', 'vscode', 'cursor', 'codex', 'inspector'])
    t.ok(
      clients.some((one) => one.name === name),
      name,
    )
  t.equal(new Set(clients.map(({ name }) => name)).size, clients.length)
  for (const { name, url, redirect_uris, source, read_on, ...others } of clients) {
    t.same(others, {}, name)
    t.match(name, /^[a-z][a-z-]*$/)
    t.ok((url === undefined) !== (redirect_uris === undefined), `${name}: one of both`)
    t.match(source, /^https:\/\//)
    t.match(read_on, /^20\d\d-[01]\d-[0-3]\d$/)
    if (url) t.match(new URL(url), { protocol: 'https:', hash: '', search: '' })
  }
  const { code, stdout, stderr } = await latchkey(['app', 'import', '--list'])
  t.equal(code, 0)
  t.equal(stderr, '')
  for (const { name, source } of clients) t.match(stdout, new RegExp(`^${name} .*${source}`, 'm'))
})

t.test('the documentation has each name', async (t) => {
  const page = await readFile('docs/for-ai-clients.md', 'utf8')
  for (const { name, redirect_uris = [] } of await listed()) {
    t.match(page, `| \`${name}\` |`)
    for (const uri of redirect_uris.slice(0, 1)) t.match(page, uri)
  }
})

const [stores, ...others] = await testStores()
if (!stores) throw new Error('there is no store to test with')
const running = await startLatchkey(stores, { environment: { WEBHOOK_ALLOW_PRIVATE: 'true' } })
t.teardown(async () => {
  await running.stop()
  await Promise.all([stores, ...others].map((one) => one.drop()))
})
const env = { LATCHKEY_URL: running.issuer, LATCHKEY_OPERATOR_TOKEN: operatorToken }

const imported = async (...words: string[]) => {
  const { code, stdout, stderr } = await latchkey(['app', 'import', ...words, '--json'], env)
  t.equal(code, 0, stderr)
  return JSON.parse(stdout)
}

t.test('clients without a document become public apps, once', async (t) => {
  const names = (await listed()).filter(({ redirect_uris }) => redirect_uris)
  for (const { name, redirect_uris = [] } of names) {
    const app = await imported(name, '--permissions', 'records:create')
    t.match(app, { client_type: 'public', interface: 'current', redirect_uris })
    t.same(app.permissions, ['records:create'])
    for (const uri of redirect_uris) t.ok(matchRedirectUri(app.redirect_uris, uri, 'public'), uri)
    await running.operator('PATCH', `/apps/${app.client_id}`, { redirect_uris: [redirect_uris[0]] })
    const again = await imported(name)
    t.match(again, { client_id: app.client_id, redirect_uris, permissions: ['records:create'] })
  }
})

t.test('several are imported at once, by name and by URL', async (t) => {
  const documents = await startDocumentServer(t)
  const url = documents.publish('/agent.json', {
    client_name: 'Agent',
    redirect_uris: ['http://localhost/callback'],
    scope: 'records:create offline_access',
  })
  const { items } = await imported(url, 'cursor')
  t.match(items, [{ client_id: url, name: 'Agent' }, { name: 'Cursor' }])
  const { stdout, stderr } = await latchkey(['app', 'import', url, 'cursor'], env)
  t.match(stdout, /Agent[\s\S]*Cursor/)
  t.match(stderr, 'Ignored scopes, which are no permissions here: offline_access')
})

t.test('wrong use exits with 2', async (t) => {
  const unknown = await latchkey(['app', 'import', 'nobody'], env)
  t.equal(unknown.code, 2)
  t.match(unknown.stderr, 'unknown client nobody\n  latchkey app import --list')
  t.equal((await latchkey(['app', 'import'], env)).code, 2)
})
