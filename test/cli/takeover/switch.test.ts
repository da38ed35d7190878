// Nightly, and when src/cli/takeover or src/core/grants changes: it moves from one server to another under load.
/** Clients refresh at an old server while its store is taken over, the new server is restarted, and then it takes over. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import t from 'tap'
import { refresh } from '../../support/flows.ts'
import { operatorToken, startLatchkey } from '../../support/latchkey.ts'
import { testStores } from '../../support/stores.ts'
import { latchkey } from '../latchkey-command.ts'
import { createInPostgres, doorkeeperTables } from './old-stores.ts'

const clients = 100

const folder = await mkdtemp(join(tmpdir(), 'latchkey-switch-'))
t.teardown(() => rm(folder, { recursive: true, force: true }))
const map = join(folder, 'map.json')
await writeFile(map, '{"write":["records:create"]}')
const app = { client_id: 'moved', client_secret: 'a-secret-of-the-old-server', redirect_uri: '' }

/** A refresh at the old server: one statement, as its transaction. */
const rotate = `with used as (
    update oauth_access_tokens set revoked_at = current_timestamp
     where refresh_token = $1 and revoked_at is null returning *)
  insert into oauth_access_tokens (id, application_id, resource_owner_id, token, refresh_token, scopes, expires_in, created_at)
  select nextval('tokens'), application_id, resource_owner_id, $2, $2, scopes, 7200, current_timestamp from used`

for (const stores of await testStores()) {
  const [old] = await testStores({ only: stores.name, content: 'nothing' })
  if (!old) throw new Error('no database for the old store')
  t.teardown(() => Promise.all([stores.drop(), old.drop()]))
  t.test(`a switch under load (${stores.name})`, async (t) => {
    const empty = doorkeeperTables().map((table) => ({ ...table, rows: [] }))
    await createInPostgres(old.databaseUrl, empty)
    const pool = new pg.Pool({ connectionString: old.databaseUrl, max: 8 })
    t.teardown(() => pool.end())
    await pool.query(`create sequence tokens;
      create index on oauth_access_tokens (refresh_token);
      insert into oauth_applications values (1, 'Moved', '${app.client_id}', '${app.client_secret}', 'https://a.example/cb', '', true);
      insert into users select n, n || '@example.com', null from generate_series(1, ${clients}) n;
      insert into oauth_access_tokens (id, application_id, resource_owner_id, token, refresh_token, scopes, created_at)
        select nextval('tokens'), 1, n, 'first-' || n, 'first-' || n, 'write', current_timestamp from generate_series(1, ${clients}) n`)

    let running = await startLatchkey(stores, { instances: 2 })
    t.teardown(() => running.stop())
    const takeOver = async () => {
      const options = ['--organization', 'org1', '--scope-map', map, '--import', '--json']
      const env = {
        LATCHKEY_URL: running.issuer,
        LATCHKEY_OPERATOR_TOKEN: operatorToken,
        TAKEOVER_FROM: old.databaseUrl,
      }
      const { code, stdout, stderr } = await latchkey(['takeover', 'doorkeeper', ...options], env)
      return { code, stderr, report: code === 0 ? JSON.parse(stdout) : null }
    }

    /** The refresh tokens that each client had, the present one last. */
    const held = Array.from({ length: clients }, (_, at) => [`first-${at + 1}`])
    let isOpen = true
    const work = held.map(async (tokens, at) => {
      for (let time = 1; isOpen; time++) {
        await sleep(500 + ((at * 37) % 1000))
        if (!isOpen) return
        const next = `next-${at}-${time}`
        const { rowCount } = await pool.query(rotate, [tokens.at(-1), next])
        if (rowCount === 1) tokens.push(next)
      }
    })
    t.equal((await takeOver()).code, 0)
    const [broken] = await Promise.all([takeOver(), sleep(300).then(() => running.stop())])
    t.comment(`a run during a restart ended with ${broken.code}`)
    running = await startLatchkey(stores, { instances: 2 })
    t.equal((await takeOver()).code, 0)
    isOpen = false
    await Promise.all(work)
    const { code, stderr, report } = await takeOver()
    t.equal(code, 0, stderr)
    t.equal(report.lines.grant, clients)
    t.ok(report.lines.ended_grant >= clients / 2, 'clients have refreshed there meanwhile')

    const url = (at: number) => running.urls[at % 2] as string
    const lost: string[] = []
    await Promise.all(
      held.map(async (tokens, at) => {
        const present = tokens.pop() ?? ''
        for (const earlier of tokens)
          if ((await refresh(url(at), app, earlier)).status !== 400)
            lost.push(`${at}: ${earlier} works`)
        const first = await refresh(url(at), app, present)
        if (first.status !== 200) lost.push(`${at}: ${first.status}`)
        else if ((await refresh(url(at + 1), app, first.body.refresh_token)).status !== 200)
          lost.push(`${at}: its successor`)
      }),
    )
    t.same(lost, [], 'each client goes on, with the token that it has')
  })
}
