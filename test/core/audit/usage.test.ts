import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { createUsage, type UsageCount } from '../../../src/core/audit/usage.ts'
import { onEachStores, openTestStores } from '../../support/open-stores.ts'
import { relayTo } from '../../support/relay.ts'
import type { StoreSetup } from '../../support/stores.ts'
import { sql } from '../../support/traces.ts'

const noon = Date.parse('2026-05-03T12:00:00Z')

const counted = async (setup: StoreSetup) =>
  sql<{ row: string }>(
    setup,
    `select concat_ws(' ', organization_id, day, client_id, outcome, reason, count) as row
       from usage_days order by 1`,
  ).then((rows) => rows.map(({ row }) => row))

const onLost = (count: number, cause: unknown) => {
  throw new Error(`${count} lost`, { cause })
}

const one = { organizationId: 'org1', clientId: 'app1', reason: 'refresh_token' }

await onEachStores(t, 'usage', async (t, stores, setup) => {
  await sql(setup, `insert into organizations (id, name) values ('org1', 'A'), ('org2', 'B')`)
  t.afterEach(() => sql(setup, 'delete from usage_days'))

  t.test('usage is counted in memory and written in one statement, by day in UTC', async (t) => {
    const batches: number[] = []
    const store = {
      add: (counts: readonly UsageCount[]) => {
        batches.push(counts.length)
        return stores.usage.add(counts)
      },
    }
    let at = Date.parse('2026-05-03T23:59:59.999Z')
    const usage = createUsage({ store, now: () => at, onLost })
    for (let n = 0; n < 3; n++) usage.issued(one)
    at += 1
    usage.issued(one)
    usage.refused({ ...one, reason: 'code_reused' })
    usage.issued({ ...one, organizationId: 'org2' })
    t.same(batches, [], 'nothing on the request path')
    await usage.close()
    t.same(batches, [4])
    t.same(await counted(setup), [
      'org1 2026-05-03 app1 issued refresh_token 3',
      'org1 2026-05-04 app1 issued refresh_token 1',
      'org1 2026-05-04 app1 refused code_reused 1',
      'org2 2026-05-04 app1 issued refresh_token 1',
    ])
    await usage.close()
    t.equal(batches.length, 1, 'without any count there is no query')
  })

  t.test('counts of concurrent instances are summed, in any order', async (t) => {
    const instances = Array.from({ length: 8 }, () =>
      createUsage({ store: stores.usage, now: () => noon, onLost }),
    )
    for (const [at, usage] of instances.entries()) {
      for (let n = 0; n < 200; n++) {
        const app = at % 2 === 0 ? n % 20 : 19 - (n % 20)
        usage.issued({ ...one, clientId: `app${app}` })
      }
    }
    await Promise.all(instances.map((usage) => usage.close()))
    const [{ total } = { total: '' }] = await sql<{ total: string }>(
      setup,
      'select sum(count)::text as total from usage_days',
    )
    t.equal(total, String(8 * 200))
  })

  t.test('counts survive an unavailable database, and count once', async (t) => {
    const relay = await relayTo(setup.databaseUrl)
    const away = await openTestStores(
      { databaseUrl: relay.url, redisUrl: null },
      { STORE_TIMEOUT_MS: '400' },
    )
    const lost: number[] = []
    const usage = createUsage({
      store: away.usage,
      now: () => noon,
      onLost: (count) => void lost.push(count),
      flushEvery: 30,
    })
    relay.cut()
    for (let n = 0; n < 5; n++) usage.issued(one)
    await sleep(200)
    usage.issued(one)
    t.same(await counted(setup), [])
    relay.mend()
    while ((await counted(setup)).length === 0) await sleep(30)
    await usage.close()
    t.same(await counted(setup), ['org1 2026-05-03 app1 issued refresh_token 6'])
    t.same(lost, [])

    const last = createUsage({
      store: away.usage,
      now: () => noon,
      onLost: (count) => void lost.push(count),
    })
    relay.cut()
    for (let n = 0; n < 3; n++) last.issued(one)
    await last.close()
    t.same(lost, [3], 'counts that cannot be written at the end are logged')
    relay.mend()
    await away.close()
    await relay.close()
  })

  t.test('a limited number of counters is kept, and the overflow is reported', async (t) => {
    const lost: number[] = []
    const usage = createUsage({
      store: stores.usage,
      now: () => noon,
      onLost: (count) => void lost.push(count),
    })
    for (let n = 0; n < 10_050; n++) usage.issued({ ...one, clientId: `app${n}` })
    usage.issued({ ...one, clientId: 'app0' })
    await usage.close()
    t.equal((await counted(setup)).length, 10_000)
    t.ok((await counted(setup)).includes('org1 2026-05-03 app0 issued refresh_token 2'))
    t.same(lost, [50], 'reported once')
  })

  t.test('a batch that is refused for good is not repeated', async (t) => {
    const lost: number[] = []
    const usage = createUsage({
      store: stores.usage,
      now: () => noon,
      onLost: (count) => void lost.push(count),
      flushEvery: 30,
    })
    usage.refused({ ...one, reason: 'nul \u0000' })
    while (lost.length === 0) await sleep(30)
    usage.refused({ ...one, reason: 'code_reused' })
    await usage.close()
    t.same(lost, [1])
    t.same(await counted(setup), ['org1 2026-05-03 app1 refused code_reused 1'])
  })
})
