/** `latchkey takeover --import` into a running server, and the refresh tokens of the old one there. */
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import t from 'tap'
import { operatorToken, startLatchkey } from '../../support/latchkey.ts'
import { testStores } from '../../support/stores.ts'
import { latchkey } from '../latchkey-command.ts'
import { createInPostgres, doorkeeperTables } from './old-stores.ts'

const folder = await mkdtemp(join(tmpdir(), 'latchkey-takeover-'))
t.teardown(() => rm(folder, { recursive: true, force: true }))
const map = join(folder, 'map.json')
await writeFile(map, '{"write":["records:create"]}')

for (const stores of await testStores()) {
  const [old] = await testStores({ only: stores.name, content: 'nothing' })
  if (!old) throw new Error('no database for the old store')
  t.teardown(() => Promise.all([stores.drop(), old.drop()]))
  t.test(`takes over what an unmodified app needs (${stores.name})`, async (t) => {
    const server = await startLatchkey(stores)
    t.teardown(() => server.stop())
    await createInPostgres(old.databaseUrl, doorkeeperTables())
    const env = {
      LATCHKEY_URL: server.issuer,
      LATCHKEY_OPERATOR_TOKEN: operatorToken,
      TAKEOVER_FROM: old.databaseUrl,
    }
    const run = (...more: string[]) => latchkey(['takeover', 'doorkeeper', ...more, '--json'], env)
    const importAll = async () => {
      const { code, stdout, stderr } = await run(
        ...['--organization', 'org1', '--scope-map', map, '--import'],
      )
      t.equal(code, 6, stderr)
      return JSON.parse(stdout)
    }
    const file = join(folder, `${stores.name}.ndjson`)
    const options = ['--organization', 'org1', '--scope-map', map, '--out', file]
    t.same(JSON.parse((await run(...options)).stdout).lines, {
      ...{ organization: 1, user: 2, member: 2, app: 5 },
      ...{ install: 3, grant: 5, ended_grant: 1, consent: 3 },
    })
    const imported = await latchkey(['import', file, '--json'], env)
    t.same(JSON.parse(imported.stdout), { created: 21, updated: 0, unchanged: 1, refused: 0 })

    await server.operator('PUT', '/organizations/org1/members/1', { role: 'admin' })
    const refresh = async (client_id: string, client_secret: string, refresh_token: string) => {
      const body = new URLSearchParams({
        ...{ grant_type: 'refresh_token', client_id, refresh_token },
        ...(client_secret && { client_secret }),
      })
      const response = await fetch(`${server.issuer}/api/oauth/token`, { method: 'POST', body })
      return { status: response.status, body: await response.json() }
    }
    const cases: [client: string, secret: string, token: string][] = [
      ['hashed', 'secret-of-hashed', 'hashed-refresh-token'],
      ['hashed', 'secret-of-hashed', 'refresh-2'],
      ['plain', 'plain-secret-of-the-app-0123456789', 'refresh-4'],
      ['public', '', 'refresh-12'],
    ]
    for (const [client, secret, token] of cases) {
      const { status, body } = await refresh(client, secret, token)
      t.equal(status, 200, `${client} ${token}: ${JSON.stringify(body)}`)
      t.match(body, { scope: 'records:create', organization_id: 'org1' })
    }
    t.equal(
      (await refresh('plain', 'plain-secret-of-the-app-0123456789', 'refresh-3')).status,
      400,
      'revoked there',
    )
    t.equal(
      (await refresh('hashed', 'secret-of-hashed', digestOf('hashed-refresh-token'))).status,
      400,
      'a digest is no token',
    )

    const client = new pg.Client(old.databaseUrl)
    await client.connect()
    await client.query(
      "update oauth_access_tokens set revoked_at = current_timestamp where refresh_token = 'refresh-11'",
    )
    await client.end()
    const install = '/organizations/org1/installs/plain'
    t.equal((await server.operator('DELETE', install)).status, 204)
    t.equal((await server.operator('PATCH', '/apps/public', { name: 'Here' })).status, 200)
    const second = await importAll()
    t.match(second.lines, { organization: undefined, grant: 4, ended_grant: 2 })
    t.equal((await refresh('public', '', 'refresh-11')).status, 400, 'ended there since')
    t.same(
      second.others.filter(({ reason }: { reason: string }) => reason === 'refused'),
      [],
    )
    t.equal((await server.operator('GET', install)).status, 404, 'not installed again')
    t.equal((await server.operator('GET', '/apps/public')).body.name, 'Here')
    t.equal((await refresh('public', '', 'refresh-12')).status, 400, 'a second run revives nothing')
    const { body } = await server.operator('GET', '/organizations/org1/members/1')
    t.equal(body.role, 'admin', 'a second run does not change an admin')

    const page = await readFile(join(import.meta.dirname, '../../../docs/move-in.md'), 'utf8')
    const lines = join(folder, 'lines')
    await writeFile(
      lines,
      /^```\n([\s\S]+?)^```$/m.exec(page.slice(page.indexOf('your own\n')))?.[1] ?? '',
    )
    const { code, stdout } = await latchkey(['import', lines, '--json'], env)
    t.equal(code, 0)
    t.match(JSON.parse(stdout), { created: 11, refused: 0 }, 'the lines of the documentation')

    const taken = await run('--taken')
    t.equal(taken.code, 0, taken.stderr)
    t.same(
      JSON.parse(taken.stdout)
        .items.map(
          (item: { client_id: string; user_id: string }) => `${item.client_id} ${item.user_id}`,
        )
        .sort(),
      ['hashed 1', 'hashed 1', 'plain 4', 'public 4'],
    )
  })
}

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex')
