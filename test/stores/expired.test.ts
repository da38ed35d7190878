import { randomUUID } from 'node:crypto'
import t from 'tap'
import { createCleanUp, usualRetention } from '../../src/stores/postgres/grants/expired.ts'
import { createGrantStore } from '../../src/stores/postgres/grants/grants.ts'
import { eventually } from '../support/eventually.ts'
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

/** Expired rows, one live row, and one without an expiry. */
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
  insert into permission_days (organization_id, client_id, permission, day, count) values
    ('org1', 'gone', 'read', ${today} - 400, 1), ('org1', 'lately', 'read', ${today} - 399, 1);
  insert into resource_servers (client_id, name, digest, hint) values ('rsv1', '', '', '');
  insert into resource_server_days (client_id, day, reported) values
    ('rsv1', ${today} - 400, true), ('rsv1', ${today} - 399, true);
  insert into usage_keys (client_id, key, at) values
    ('rsv1', 'gone', now() - interval '25 hours'), ('rsv1', 'lately', now() - interval '23 hours');
  insert into webhook_secrets (id, webhook_id, sealed, hint, expires_at) values
    ('gone', 'whk1', '', '', ${long}), ('lately', 'whk1', '', '', ${lately}), ('never', 'whk1', '', '', null);
  insert into webhook_deliveries (webhook_id, id, type, data, created_at) values
    ('whk1', 'gone', 'x', '{}', ${month}), ('whkDeleted', 'gone', 'x', '{}', ${month}),
    ('whk1', 'lately', 'x', '{}', ${lately});
  insert into mails (user_id, event_id, type, category, detail, created_at) values
    ('usr1', 'gone', 'x', 'apps', '{}', ${month}), ('usr1', 'lately', 'x', 'apps', '{}', ${lately});
  insert into mail_events (id, type, created_at) values ('gone', 'x', ${month}), ('lately', 'x', now());
  insert into sign_in_places (user_id, place, seen_at) values
    ('usr1', 'gone', now() - interval '181 days'), ('usr1', 'lately', ${lately});
  insert into refused_pages (request_id, at, detail) values
    ('gone', now() - interval '8 days', '{}'), ('lately', now() - interval '6 days', '{}');
  insert into reminders (id, expires_at) values ('gone', ${gone}), ('live', ${coming});`

const kept: Record<string, [string, string[]]> = {
  records: ['key', ['live']],
  counters: ['key', ['live']],
  families: ['right(id::text, 1)', ['2', '3']],
  app_secrets: ['id', ['coming', 'lately', 'never']],
  key_set_secrets: ['id', ['lately', 'never']],
  operator_tokens: ['id', ['lately', 'never']],
  usage_days: ['client_id', ['lately']],
  permission_days: ['client_id', ['lately']],
  resource_server_days: ['client_id', ['rsv1']],
  usage_keys: ['key', ['lately']],
  webhook_secrets: ['id', ['lately', 'never']],
  webhook_deliveries: ['id', ['lately']],
  mails: ['event_id', ['lately']],
  mail_events: ['id', ['lately']],
  sign_in_places: ['place', ['lately']],
  refused_pages: ['request_id', ['lately']],
  reminders: ['id', ['live']],
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
       permissions, redirect_uri, created_at, last_used_at, used, ended_at)
     select id, 'usr1', 'app1', 'org1', 'ins1', 0, 0, '{}', '', now() - $2::interval,
       case when $3 then now() - interval '2 minutes' end, $3, case when $4 then now() end
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

  t.test('the sweeper leaves rows that are renewed while it runs', async (t) => {
    const insert = "insert into counters (key, count, expires_at) values ('renewed', 1, "
    await sql(setup, `${insert}${gone})`)
    const removed = await stores.database.transaction(async (tx) => {
      await tx.query(`${insert}${coming}) on conflict (key) do update set expires_at = ${coming}`)
      const removing = stores.removeExpired()
      await eventually(async () => {
        const [found] = await sql<{ waiting: number }>(
          setup,
          `select count(*)::int as waiting from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`,
        )
        return found?.waiting === 1
      })
      return { removing }
    })
    t.equal(await removed.removing, 0)
    t.equal((await sql(setup, "delete from counters where key = 'renewed' returning 1")).length, 1)
  })

  t.test('the sweeper removes expired rows only', async (t) => {
    await sql(setup, rows)
    t.equal(await stores.removeExpired(), 18)
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

  t.test('the sweeper removes grants with unredeemed codes only', async (t) => {
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
      'never refreshed: it is live',
    )
    await stores.families.end(redeemed)
    t.equal(await stores.removeExpired(), 1)
  })

  t.test('the sweeper removes grants that expired by themselves, and their families', async (t) => {
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

  t.test('the sweeper removes more than one batch of expired grants', async (t) => {
    await sql(setup, 'delete from grants')
    await insertGrants(setup, fresh(2300), '1 hour', { used: true })
    await sql(setup, `update grants set expires_at = ${gone}`)
    t.equal(await stores.removeExpired(), 2300)
  })

  t.test('live grants do not delay the sweeper', async (t) => {
    await sql(setup, 'delete from grants')
    const living = fresh(1100)
    await insertGrants(setup, living, '1 hour')
    for (const id of living) await stores.families.create(id, 1, 60)
    const dead = fresh(3)
    await insertGrants(setup, dead, '11 minutes')
    t.equal(await stores.removeExpired(), dead.length)
    t.same(await grantsLeft(), living.toSorted())
  })

  t.test('the sweeper removes more than one batch of dead grants', async (t) => {
    await sql(setup, 'delete from grants')
    await insertGrants(setup, fresh(2500), '1 hour')
    t.equal(await stores.removeExpired(), 2500)
    t.same(await grantsLeft(), [])
  })

  t.test('the sweeper empties a full table in one run', async (t) => {
    await sql(
      setup,
      `insert into counters (key, count, expires_at)
         select n::text, 1, ${gone} from generate_series(1, 3500) n`,
    )
    t.equal(await stores.removeExpired(), 3500)
  })

  t.test('the sweeper keeps the audit trail unless a retention is set', async (t) => {
    await sql(
      setup,
      `insert into audit_events (at, type, actor_kind)
       select now() - n * interval '1 day', 'test.event', 'system' from generate_series(2499, 0, -1) n`,
    )
    const events = async () =>
      (
        await sql<{ count: number }>(setup, 'select count(*)::integer as count from audit_events')
      )[0]?.count
    t.equal(await stores.removeExpired(), 0)
    t.equal(await events(), 2500)
    const { database, families } = stores
    const cleanUp = createCleanUp(database, families, { ...usualRetention, audit: 30 })
    t.equal(await cleanUp(), 2470)
    t.equal(await cleanUp(), 0)
    t.equal(await events(), 30)
  })

  t.test('the sweeper removes long-dead grants with their families', async (t) => {
    await sql(setup, 'delete from grants')
    const living = fresh(1500)
    const kinds = fresh(4) as [string, string, string, string]
    const [ended, lately, uninstalled, outdated] = kinds
    await insertGrants(setup, [...living, ...kinds], '1 year', { used: true })
    for (const id of [living[0] as string, ...kinds]) await stores.families.create(id, 1, 3600)
    const ago = (id: string, time: string) =>
      sql(setup, `update grants set ended_at = now() - $2::interval where id = $1`, [id, time])
    await ago(ended, '31 days')
    await ago(lately, '29 days')
    await sql(
      setup,
      `insert into installs (id, organization_id, client_id, permissions, ended_at)
       values ('insEnded', 'org1', 'app1', '{}', now() - interval '31 days')`,
    )
    await sql(setup, `update grants set install_id = 'insEnded' where id = $1`, [uninstalled])
    // Created before the password changed, and not used since.
    await sql(setup, `update grants set user_epoch = -1, last_used_at = null where id = $1`, [
      outdated,
    ])
    t.equal(await stores.removeExpired(), 3)
    t.same(await grantsLeft(), [...living, lately].toSorted())
    const lives = await Promise.all(
      [living[0] as string, ...kinds].map((id) => stores.families.live(id)),
    )
    t.same(lives, [1, null, 1, null, null])
    t.equal(await stores.removeExpired(), 0)
  })

  t.test('the sweeper keeps the last use of an approved app', async (t) => {
    await sql(setup, 'delete from grants; update installs set last_used_at = null')
    await sql(
      setup,
      `insert into consents (user_id, organization_id, client_id, install_id, offered, permissions)
       values ('usr1', 'org1', 'app1', 'ins1', '{}', '{}')`,
    )
    const lastUses = async () => {
      const [found] = await sql<Record<'consent' | 'install', string | null>>(
        setup,
        `select c.last_used_at::text as consent, i.last_used_at::text as install
           from consents c join installs i on i.id = c.install_id`,
      )
      return found
    }
    const use = async (id: string, at: string, over: string) => {
      await insertGrants(setup, [id], '1 hour', { used: true })
      const [found] = await sql<{ used: string }>(
        setup,
        `update grants set last_used_at = ${at}, ${over} where id = $1
         returning last_used_at::text as used`,
        [id],
      )
      t.equal(await stores.removeExpired(), 1)
      return found?.used ?? null
    }
    const [unredeemed, earlier, later, ended] = fresh(4) as [string, string, string, string]
    const brief = `expires_at = ${gone}`
    await insertGrants(setup, [unredeemed], '11 minutes')
    t.equal(await stores.removeExpired(), 1)
    t.same(await lastUses(), { consent: null, install: null })
    const used = await use(earlier, "now() - interval '1 hour'", brief)
    t.same(await lastUses(), { consent: used, install: used })
    await use(later, "now() - interval '2 hours'", brief)
    t.same(await lastUses(), { consent: used, install: used }, 'the latest')
    const again = await use(ended, 'now()', `ended_at = ${long}`)
    t.same(await lastUses(), { consent: again, install: again })
  })

  t.test('the sweeper revokes the families of deleted users only', async (t) => {
    await sql(setup, 'delete from grants')
    await sql(setup, `insert into users (id, email, name) values ('usr2', 'd@e.f', 'D')`)
    const [left, staying] = [fresh(1100), fresh(2)]
    await insertGrants(setup, [...left, ...staying], '1 day', { used: true })
    await sql(setup, `update grants set user_id = 'usr2' where id = any($1::uuid[])`, [left])
    const some = [left[0], left.at(-1), ...staying] as string[]
    for (const id of some) await stores.families.create(id, 1, 3600)
    await sql(setup, `delete from users where id = 'usr2'`)
    t.equal(await stores.removeExpired(), left.length)
    t.same(await Promise.all(some.map((id) => stores.families.live(id))), [null, null, 1, 1])
    t.equal(await stores.removeExpired(), 0)
  })

  t.test('recording a repeated use updates no index', async (t) => {
    const used = fresh(100)
    await insertGrants(setup, used, '1 day', { used: true })
    const touched = await stores.database.transaction(async (tx) => {
      const note = () =>
        createGrantStore({ ...stores.database, query: tx.query }).touch({
          grants: used.slice(0, 5), // A page has room for some of its rows.
          secrets: [],
          installs: [],
          keySetSecrets: [],
          endless: [],
        })
      await note()
      await note() // Within the minute.
      const { rows } = await tx.query(
        `select pg_stat_get_xact_tuples_updated('grants'::regclass)::integer as updated,
           pg_stat_get_xact_tuples_hot_updated('grants'::regclass)::integer as hot`,
      )
      return rows[0]
    })
    t.same(touched, { updated: 5, hot: 5 })
  })
})
