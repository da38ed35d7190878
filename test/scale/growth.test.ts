// Nightly, and when migrations/ changes: it refreshes hundreds of times.
/** A refresh changes existing rows and adds none, however often it happens. */
import { Redis } from 'ioredis'
import t from 'tap'
import {
  clientCredentials,
  currentCode,
  exchangeCode,
  legacyCode,
  legacyToken,
  refresh,
} from '../support/flows.ts'
import { startLatchkey } from '../support/latchkey.ts'
import { type StoreSetup, testStores } from '../support/stores.ts'
import { countRows, sql } from '../support/traces.ts'
import { createVisitor } from '../support/visitor.ts'
import { createWorld } from '../support/world.ts'

const refreshes = 150

/** Rows of every table, and keys in Redis. */
const rowsOf = async (stores: StoreSetup) => {
  const tables = await sql<{ name: string }>(
    stores,
    `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  )
  const counted = tables.map(async ({ name }) => [name, await countRows(stores, name)] as const)
  const rows = Object.fromEntries(await Promise.all(counted))
  if (stores.redisUrl === null) return rows
  const redis = new Redis(stores.redisUrl)
  return { ...rows, redis: await redis.dbsize().finally(() => redis.disconnect()) }
}

for (const stores of await testStores()) {
  void t.test(`refreshes add no rows (${stores.name})`, async (t) => {
    t.teardown(() => stores.drop())
    const first = await startLatchkey(stores)
    const { confidential, legacy, ana, acme } = await createWorld(first)
    const visitor = createVisitor(first.issuer)
    const grant = await currentCode(first, confidential, ana, {}, visitor)
    const current = (await exchangeCode(first.issuer, confidential, grant)).body
    const { code } = await legacyCode(first, legacy, ana, {}, visitor)
    const requested = { grant_type: 'authorization_code', code }
    const tokens = {
      current: current.refresh_token as string,
      legacy: (await legacyToken(first.issuer, legacy, requested)).body.refresh_token as string,
    }

    const use = async (url: string) => {
      const { status, body } = await refresh(url, confidential, tokens.current)
      const fresh = { grant_type: 'refresh_token', refresh_token: tokens.legacy }
      const old = await legacyToken(url, legacy, fresh)
      const machine = await clientCredentials(url, confidential, acme)
      if (status !== 200 || old.status !== 200 || machine.status !== 200)
        throw new Error(`${status} ${old.status} ${machine.status}`)
      tokens.current = body.refresh_token
      tokens.legacy = old.body.refresh_token
    }
    await use(first.issuer)
    await first.stop() // This writes the counters: a row for each day, app and kind of request.
    const before = await rowsOf(stores)

    const second = await startLatchkey(stores, { environment: { ISSUER: first.issuer } })
    for (let turn = 0; turn < refreshes; turn++) await use(second.urls[0] as string)
    await second.stop()
    const after = await rowsOf(stores)
    // If a UTC day ended meanwhile, its counts have rows of their own.
    const { usage_days: _before, ...those } = before
    const { usage_days: _after, ...these } = after
    t.same(these, those)
    t.ok(Object.keys(these).length > 20)
    const [counts] = await sql<{ rows: number; days: number }>(
      stores,
      `select count(*)::integer as rows, count(distinct day)::integer as days from usage_days`,
    )
    t.ok(counts && counts.rows <= counts.days * 5, `${counts?.rows} counts of ${counts?.days} days`)
  })
}
