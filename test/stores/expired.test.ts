import { randomUUID } from 'node:crypto'
import t from 'tap'
import { cleanUps, overGrants } from '../../src/stores/postgres/expired.ts'
import { onEachStores } from '../support/open-stores.ts'
import type { StoreSetup } from '../support/stores.ts'
import { sql } from '../support/traces.ts'

const world = `
  insert into users (id, email, name) values ('usr1', 'a@b.c', 'A');
  insert into organizations (id, name) values ('org1', 'O');
  insert into apps (client_id, name, interface, client_type, redirect_uris, permissions)
    values ('app1', 'App', 'current', 'confidential', '{}', '{}');
  insert into installs (id, organization_id, client_id, permissions) values ('ins1', 'org1', 'app1', '{}');
  insert into key_sets (id, client_id, organization_id, interface, name, permissions)
    values ('kst1', 'kcl1', 'org1', 'current', 'K', '{}');
  insert into webhooks (id, url) values ('whk1', 'https://hooks.example/');`

const month = "now() - interval '30 days 1 minute'"
const long = "now() - interval '31 days'"
const lately = "now() - interval '29 days'"
const gone = "now() - interval '1 second'"
const today = "(now() at time zone 'utc')::date"
const coming = "now() + interval '1 hour'"

/** Rows that have expired, one that has not, and one that never will. */
const rows = `
  insert into records (collection, key, state, value, expires_at) values
    ('session', 'gone', '', '', ${gone}), ('session', 'live', '', '', ${coming});
  insert into families (id, generation, expires_at) values
    ('00000000-0000-4000-8000-000000000001', 0, ${gone}),
    ('00000000-0000-4000-8000-000000000002', 0, ${coming}),
    ('00000000-0000-4000-8000-000000000003', 1, null);
  insert into counters (key, count, expires_at) values ('gone', 1, ${gone}), ('live', 1, ${coming});
  insert into app_secrets (id, client_id, digest, hint, expires_at) values
    ('gone', 'app1', '', '', ${long}), ('lately', 'app1', '', '', ${lately}),
    ('coming', 'app1', '', '', ${coming}), ('never', 'app1', '', '', null);
  insert into key_set_secrets (id, key_set_id, digest, hint, expires_at) values
    ('gone', 'kst1', '1', '', ${long}), ('lately', 'kst1', '2', '', ${lately}), ('never', 'kst1', '3', '', null);
  insert into operator_tokens (id, name, digest, hint, expires_at) values
    ('gone', '', '1', '', ${long}), ('lately', '', '2', '', ${lately}), ('never', '', '3', '', null);
  insert into usage_days (organization_id, day, client_id, outcome, reason, count) values
    ('org1', ${today} - 400, 'gone', 'issued', 'implicit', 1),
    ('org1', ${today} - 399, 'lately', 'issued', 'implicit', 1);
  insert into webhook_secrets (id, webhook_id, sealed, hint, expires_at) values
    ('gone', 'whk1', '', '', ${long}), ('lately', 'whk1', '', '', ${lately}), ('never', 'whk1', '', '', null);
  insert into webhook_deliveries (webhook_id, id, type, data, created_at) values
    ('whk1', 'gone', 'x', '{}', ${month}), ('whkDeleted', 'gone', 'x', '{}', ${month}),
    ('whk1', 'lately', 'x', '{}', ${lately});`

const kept: Record<string, [string, string[]]> = {
  records: ['key', ['live']],
  counters: ['key', ['live']],
  families: ['right(id::text, 1)', ['2', '3']],
  app_secrets: ['id', ['coming', 'lately', 'never']],
  key_set_secrets: ['id', ['lately', 'never']],
  operator_tokens: ['id', ['lately', 'never']],
  usage_days: ['client_id', ['lately']],
  webhook_secrets: ['id', ['lately', 'never']],
  webhook_deliveries: ['id', ['lately']],
}

const insertGrants = (
  setup: StoreSetup,
  ids: readonly string[],
  made: string,
  part: { used?: boolean; ended?: boolean } = {},
) =>
  sql(
    setup,
    `insert into grants (id, user_id, client_id, organization_id, install_id, app_epoch, user_epoch,
       permissions, redirect_uri, created_at, last_used_at, ended_at)
     select id, 'usr1', 'app1', 'org1', 'ins1', 0, 0, '{}', '', now() - $2::interval,
       case when $3 then now() end, case when $4 then now() end
       from unnest($1::uuid[]) as id`,
    [ids, made, part.used ?? false, part.ended ?? false],
  )

const fresh = (count: number) => Array.from({ length: count }, () => randomUUID())

await onEachStores(t, 'the sweeper', async (t, stores, setup) => {
  await sql(setup, world)
  const grantsLeft = async () => {
    const found = await sql<{ id: string }>(setup, 'select id from grants order by id')
    return found.map((row) => row.id)
  }

  t.test('removes what has expired and nothing else', async (t) => {
    await sql(setup, rows)
    t.equal(await stores.removeExpired(), 10)
    for (const [table, [column, expected]] of Object.entries(kept)) {
      const found = await sql<{ name: string }>(
        setup,
        `select ${column} as name from ${table} order by 1`,
      )
      t.same(
        found.map((row) => row.name),
        expected,
        table,
      )
    }
    t.equal(await stores.removeExpired(), 0)
  })

  t.test('removes grants whose code nobody redeemed, and no other', async (t) => {
    const [unredeemed, recent, redeemed, used, ended] = fresh(5) as [
      string,
      string,
      string,
      string,
      string,
    ]
    await insertGrants(setup, [unredeemed, redeemed], '11 minutes')
    await insertGrants(setup, [recent], '9 minutes')
    await insertGrants(setup, [used], '1 year', { used: true })
    await insertGrants(setup, [ended], '1 year', { used: true, ended: true })
    await stores.families.create(redeemed, 0, 60)
    await stores.families.advance(redeemed, 0, 'nonce', 0)
    t.equal(await stores.removeExpired(), 1)
    t.same(
      await grantsLeft(),
      [recent, redeemed, used, ended].toSorted(),
      'never refreshed: it lives',
    )
    await stores.families.end(redeemed)
    t.equal(await stores.removeExpired(), 1)
  })

  t.test('removes grants that are over by themselves, and their families', async (t) => {
    await sql(setup, 'delete from grants')
    const [over, running, lasting] = fresh(3) as [string, string, string]
    await insertGrants(setup, [over, running, lasting], '1 hour', { used: true })
    await sql(setup, `update grants set expires_at = ${gone} where id = $1`, [over])
    await sql(setup, `update grants set expires_at = ${coming} where id = $1`, [running])
    for (const id of [over, running, lasting]) {
      await stores.families.create(id, 0, 60)
      await stores.families.advance(id, 0, 'nonce', 0)
    }
    t.equal(await stores.removeExpired(), 1)
    t.same(await grantsLeft(), [running, lasting].toSorted())
    t.equal(await stores.families.live(over), null)
    t.equal(await stores.families.live(running), 1)
  })

  t.test('removes more than one batch of grants that are over', async (t) => {
    await sql(setup, 'delete from grants')
    await insertGrants(setup, fresh(2300), '1 hour', { used: true })
    await sql(setup, `update grants set expires_at = ${gone}`)
    t.equal(await stores.removeExpired(), 2300)
  })

  t.test('is held up by no number of grants that live', async (t) => {
    await sql(setup, 'delete from grants')
    const living = fresh(1100)
    await insertGrants(setup, living, '1 hour')
    for (const id of living) await stores.families.create(id, 1, 60)
    const dead = fresh(3)
    await insertGrants(setup, dead, '11 minutes')
    t.equal(await stores.removeExpired(), dead.length)
    t.same(await grantsLeft(), living.toSorted())
  })

  t.test('removes more than one batch of dead grants', async (t) => {
    await sql(setup, 'delete from grants')
    await insertGrants(setup, fresh(2500), '1 hour')
    t.equal(await stores.removeExpired(), 2500)
    t.same(await grantsLeft(), [])
  })

  t.test('empties a full table in one run', async (t) => {
    await sql(
      setup,
      `insert into counters (key, count, expires_at)
         select n::text, 1, ${gone} from generate_series(1, 3500) n`,
    )
    t.equal(await stores.removeExpired(), 3500)
  })

  t.test('finds what has expired by an index', async (t) => {
    for (const statement of [...cleanUps, overGrants]) {
      const plan = await stores.database.transaction(async (tx) => {
        await tx.query('set local enable_seqscan = off')
        const { rows } = await tx.query<{ 'QUERY PLAN': string }>(`explain ${statement}`)
        return rows.map((row) => row['QUERY PLAN']).join('\n')
      })
      t.notMatch(plan, 'Seq Scan', statement.slice(0, 40))
    }
  })
})
