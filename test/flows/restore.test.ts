// Nightly, and when src/stores, src/cli or migrations/ changes: it starts stores of its own and restores them.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Redis } from 'ioredis'
import t from 'tap'
import { latchkey, latchkeyProcess } from '../cli/latchkey-command.ts'
import { currentCode, exchangeCode, refresh } from '../support/flows.ts'
import { masterKey, startLatchkey } from '../support/latchkey.ts'
import { nextVersion } from '../support/next-version.ts'
import { storesNamed } from '../support/open-stores.ts'
import { signedIn } from '../support/signed-in.ts'
import type { StoreSetup } from '../support/stores.ts'
import { findSystemPostgres } from '../support/system-postgres.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { countRows, sql } from '../support/traces.ts'
import { createApp, createWorld, install, password } from '../support/world.ts'

const run = promisify(execFile)
const bin = await findSystemPostgres()
const notTested = 'NOT TESTED: no Postgres with its tools, or no Redis'
const ended = { status: 400, body: { error: 'invalid_grant' } }

/** The commands of docs/deploying.md. */
const tools = (folder: string, stores: StoreSetup, file: string) => ({
  backUp: () =>
    run(join(folder, 'pg_dump'), ['--format=custom', `--file=${file}`, stores.databaseUrl]),
  restore: async () => {
    await run(join(folder, 'psql'), [
      '--set',
      'ON_ERROR_STOP=1',
      '--single-transaction',
      stores.databaseUrl,
      '--command',
      'drop schema public cascade',
      '--command',
      'create schema public',
    ])
    await run(join(folder, 'pg_restore'), [
      '--single-transaction',
      '--exit-on-error',
      '--no-owner',
      `--dbname=${stores.databaseUrl}`,
      file,
    ])
  },
  end: async () => {
    const { code, stderr } = await onDatabase(stores)('after-restore')
    if (code !== 0) throw new Error(stderr)
  },
})

/** A fresh database; without Redis, tables of the same Postgres replace it. */
const setUp = async (redis: boolean): Promise<StoreSetup | null> => {
  const stores = bin === null ? null : await storesNamed('servers')
  return stores && { ...stores, redisUrl: redis ? stores.redisUrl : null }
}

const environmentOf = ({ databaseUrl }: StoreSetup) => ({
  DATABASE_URL: databaseUrl,
  LATCHKEY_MASTER_KEY: masterKey,
})

/** Commands that need no server. */
const onDatabase =
  (stores: StoreSetup) =>
  (...args: string[]) =>
    latchkey([...args, '--json'], environmentOf(stores))

/**
 * The role has the limit that docs/deploying.md advises behind a pooler; a large table takes
 * longer.
 */
const limitStatements = (stores: StoreSetup) =>
  sql(
    stores,
    `do $$ begin
       execute format('alter role current_user in database %I set statement_timeout = 100', current_database());
     end $$;
     create function take_long() returns trigger language plpgsql as
       $$ begin perform pg_sleep(0.3); return null; end $$;
     create trigger take_long after update on users execute function take_long()`,
  )

for (const [name, redis] of [
  ['with Redis', true],
  ['without Redis', false],
] as const) {
  t.test(`F-26 Postgres is restored to an earlier point (${name})`, async (t) => {
    const stores = await setUp(redis)
    if (!stores) return void t.pass(notTested)
    const { backUp, restore, end } = tools(
      bin as string,
      stores,
      join(await temporaryDirectory('backup'), 'latchkey.dump'),
    )
    t.teardown(() => stores.drop())
    let running = await startLatchkey(stores)
    t.teardown(() => running.stop())
    const { ana, kim, acme, confidential, second } = await createWorld(running)
    const tokenOf = async (app: typeof confidential, person = ana) => {
      const grant = await currentCode(running, app, person)
      return (await exchangeCode(running.issuer, app, grant)).body.refresh_token as string
    }
    const next = async (app: typeof confidential, token: string) =>
      (await refresh(running.issuer, app, token)).body.refresh_token as string

    const spent = await tokenOf(confidential)
    const uninstalled = await tokenOf(second)
    const session = await signedIn(running.issuer, kim)
    const operators = onDatabase(stores)
    const made = await operators('operator-token', 'create', '--name', 'deploy')
    const [deploy] = JSON.parse((await operators('operator-token', 'list')).stdout).items
    await backUp()

    const current = await next(confidential, spent)
    const removed = `/organizations/${acme}/installs/${second.client_id}`
    t.equal((await running.operator('DELETE', removed)).status, 204)
    await operators('operator-token', 'revoke', deploy.id)
    const late = await createApp(running, { name: 'Late' })
    await install(running, acme, late)
    const unknown = await tokenOf(late)
    await running.stop()

    await restore()
    t.equal(await countRows(stores, "grants where ended_reason = 'restored'"), 0)
    await end()
    running = await startLatchkey(stores, { environment: { ISSUER: running.issuer } })
    const url = running.urls[0] as string

    t.match(await refresh(url, second, uninstalled), ended, 'an uninstall stays in force')
    t.match(await refresh(url, confidential, spent), ended, 'used tokens are not valid again')
    t.match(await refresh(url, confidential, current), ended)
    t.match(await refresh(url, late, unknown), { status: 401 }, 'a later app is unknown')
    const page = await session.fetch(`${url}/account/apps`, { redirect: 'manual' })
    t.equal(page.status, 303, 'signed out')
    const revoked = await fetch(`${url}/api/admin/v1/users`, {
      headers: { authorization: `Bearer ${JSON.parse(made.stdout).token}` },
    })
    t.equal(revoked.status, 401, 'a revoked operator token stays revoked')
    t.equal((await running.operator('POST', '/signing-keys/rotate')).status, 200)
    const trail = await sql(stores, `select 1 from audit_events where type = 'server.restored'`)
    t.equal(trail.length, 1)
  })

  t.test(`a restored server works (${name})`, async (t) => {
    const stores = await setUp(redis)
    if (!stores) return void t.pass(notTested)
    t.teardown(() => stores.drop())
    const { backUp, restore, end } = tools(
      bin as string,
      stores,
      join(await temporaryDirectory('backup'), 'latchkey.dump'),
    )
    const before = await startLatchkey(stores)
    const { ana, confidential } = await createWorld(before)
    await before.stop()
    await backUp()
    await restore()
    await limitStatements(stores)
    await end()
    await sql(stores, 'drop trigger take_long on users')
    const running = await startLatchkey(stores)
    t.teardown(() => running.stop())
    const grant = await currentCode(running, confidential, { ...ana, password })
    const tokens = await exchangeCode(running.issuer, confidential, grant)
    t.equal(tokens.status, 200, 'secrets, passwords and signing keys are valid')
    t.equal((await refresh(running.issuer, confidential, tokens.body.refresh_token)).status, 200)
  })
}

t.test('downgrades to this version and upgrades again', async (t) => {
  const stores = await setUp(false)
  if (!stores) return void t.pass(notTested)
  t.teardown(() => stores.drop())
  const directory = await temporaryDirectory('backup')
  const steps = tools(bin as string, stores, join(directory, 'latchkey.dump'))
  const later = tools(bin as string, stores, join(directory, 'later.dump'))
  const path = await nextVersion(t, {
    '9001_notes.sql': `create table app_notes (client_id text references apps on delete cascade);
      create function note() returns integer language sql as 'select 1';`,
  })
  const update = () => latchkeyProcess(['migrate'], environmentOf(stores), path).ended
  const before = await startLatchkey(stores)
  await createWorld(before)
  await before.stop()
  await steps.backUp()
  t.match(await update(), { code: 0, stdout: /applied 9001_notes/ })

  await steps.restore()
  await steps.end()
  t.equal(await countRows(stores, `pg_tables where tablename = 'app_notes'`), 0)
  const running = await startLatchkey(stores)
  t.equal((await fetch(`${running.issuer}/health/ready`)).status, 200)
  await running.stop()
  t.match(await update(), { code: 0, stdout: /applied 9001_notes/ })
  await later.backUp()
  await later.restore()
  t.match(await update(), { code: 0 }, 'a copy of the restored database can be restored too')
})

t.test('after a loss of Redis apps start again and users stay signed in', async (t) => {
  const stores = await setUp(true)
  if (!stores) return void t.pass(notTested)
  const running = await startLatchkey(stores)
  t.teardown(async () => {
    await running.stop()
    await stores.drop()
  })
  const { ana, confidential } = await createWorld(running)
  const { issuer } = running
  const grant = await currentCode(running, confidential, ana)
  const { body } = await exchangeCode(issuer, confidential, grant)
  const redis = new Redis(stores.redisUrl as string)
  await redis.flushdb()
  redis.disconnect()
  t.match(await refresh(issuer, confidential, body.refresh_token), ended)
  t.equal((await grant.visitor.get('/account/apps')).url.pathname, '/account/apps')
  const again = await currentCode(running, confidential, ana, {}, grant.visitor)
  t.equal((await exchangeCode(issuer, confidential, again)).status, 200)
})
