import pg from 'pg'
import t, { type Test } from 'tap'
import {
  clientCredentials,
  currentCode,
  exchangeCode,
  legacyAuthorizeUrl,
  legacyCode,
  legacyToken,
  refresh,
  type TokenResponse,
} from '../support/flows.ts'
import { type Json, type Running, startLatchkey } from '../support/latchkey.ts'
import { withinOneDay } from '../support/one-day.ts'
import { signedIn } from '../support/signed-in.ts'
import { type StoreSetup, testStores } from '../support/stores.ts'
import { createVisitor, walk } from '../support/visitor.ts'
import { createApp, createWorld, currentPermissions, install } from '../support/world.ts'

const parallel = 60
const hostileName = '"><script>alert(1)</script>'

interface UsageItem {
  day: string
  client_id: string
  issued: Record<string, number>
  refused: Record<string, number>
}

const query = async (stores: StoreSetup, text: string, values: unknown[] = []): Promise<Json[]> => {
  const client = new pg.Client(stores.databaseUrl)
  await client.connect()
  const { rows } = await client.query(text, values).finally(() => client.end())
  return rows
}

const started = async (t: Test, stores: StoreSetup, instances = 1) => {
  const running = await startLatchkey(stores, { instances })
  let stopped = false
  const stop = async () => {
    if (!stopped) await running.stop()
    stopped = true
  }
  t.teardown(stop)
  return { running, stop }
}

const usageOf = async (running: Running, organization: string, search = '') => {
  const items: UsageItem[] = []
  let cursor: string | null = null
  do {
    const more: string = cursor === null ? '' : `&cursor=${cursor}`
    const path = `/organizations/${organization}/usage?limit=2${search}${more}`
    const answer = await running.operator('GET', path)
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`)
    items.push(...answer.body.items)
    cursor = answer.body.next
  } while (cursor !== null)
  return items
}

const outcome = (answers: TokenResponse[]) => ({
  issued: answers.filter(({ status }) => status === 200).length,
  refused: answers.filter(({ status }) => status !== 200).length,
})

await withinOneDay()
for (const stores of await testStores()) {
  t.test(`usage counters (${stores.name})`, async (t) => {
    t.teardown(() => stores.drop())

    t.test('every token and every refusal counts once across two instances', async (t) => {
      const { running, stop } = await started(t, stores, 2)
      const world = await createWorld(running)
      const { acme, other, ana, confidential, second, publicApp, legacy, legacyPublic } = world
      const url = (at: number) => running.urls[at % 2] as string
      const many = <Result>(work: (at: number) => Promise<Result>) =>
        Promise.all(Array.from({ length: parallel }, (_, at) => work(at)))
      const visitor = createVisitor(running.issuer)

      const own = outcome(await many((at) => clientCredentials(url(at), confidential, acme)))
      t.equal(own.issued, parallel)
      const tooMuch = await many((at) =>
        clientCredentials(url(at), confidential, acme, { scope: 'table:create' }),
      )
      t.ok(tooMuch.every(({ body }) => body.error === 'invalid_scope'))

      const grant = await currentCode(running, second, ana, {}, visitor)
      const codes = outcome(await many((at) => exchangeCode(url(at), second, grant)))
      t.equal(codes.issued, 1)
      const fresh = await currentCode(running, publicApp, ana, {}, visitor)
      const { refresh_token } = (await exchangeCode(url(1), publicApp, fresh)).body
      t.equal((await refresh(url(0), publicApp, refresh_token)).status, 200)
      const old = await legacyCode(running, legacy, ana, {}, visitor)
      const fields = { grant_type: 'authorization_code', code: old.code }
      t.equal((await legacyToken(url(1), legacy, fields)).status, 200)
      const implicit = legacyAuthorizeUrl(running.issuer, legacyPublic, { response_type: 'token' })
      t.match((await walk(visitor, implicit, ana)).left?.hash, /access_token/)

      // A refusal that cannot be attributed to an organization is shown to none.
      await clientCredentials(url(0), confidential, other)
      await clientCredentials(url(0), { ...confidential, client_secret: 'wrong' }, acme)
      await refresh(url(0), confidential, 'lkrt_nonsense')

      await stop()
      const again = await started(t, stores)
      const items = await usageOf(again.running, acme)
      const of = (app: { client_id: string }) =>
        items.find(({ client_id }) => client_id === app.client_id)
      t.match(of(confidential), {
        issued: { client_credentials: parallel },
        refused: { permission_not_approved: parallel },
      })
      t.same(of(second)?.issued, { authorization_code: 1 })
      const refusals = Object.values(of(second)?.refused ?? {}).reduce((all, one) => all + one, 0)
      t.equal(refusals, codes.refused, 'replays, and requests after the family was revoked')
      t.same(of(publicApp)?.issued, { authorization_code: 1, refresh_token: 1 })
      t.same(of(legacy)?.issued, { authorization_code: 1 })
      t.same(of(legacyPublic)?.issued, { implicit: 1 })
      t.equal(items.length, 5)
      t.ok(items.every(({ day }) => day === new Date().toISOString().slice(0, 10)))
      t.same(await usageOf(again.running, other), [])

      const page = await (await signedIn(again.running.issuer, world.kim)).get(
        `/organizations/${acme}/activity`,
      )
      const total = parallel + 5
      const summary = page.dom.querySelector('.plot-area')?.getAttribute('aria-label')
      t.match(summary, `${total} tokens for 5 apps`)
      const cells = page.dom.querySelectorAll('.chart.whole td').map((one) => Number(one.text))
      t.equal(
        cells.reduce((all, one) => all + one, 0),
        total,
        'the table shows the same',
      )
      const bars = page.dom.querySelectorAll('.bar-count').map((one) => one.text)
      t.ok(bars.includes(String(parallel)), 'refusals by reason')
      await again.stop()
    })

    t.test('counts by day, deleted apps and hostile names', async (t) => {
      const { running, stop } = await started(t, stores)
      const world = await createWorld(running)
      const { acme, other, kim } = world
      const app = await createApp(running, { name: hostileName })
      await install(running, acme, app, { permissions: currentPermissions })
      const insert = (organization: string, client: string, daysAgo: number, amount: number) =>
        query(
          stores,
          `insert into usage_days values ($1, (now() at time zone 'utc')::date - $3::integer, $2,
             'issued', 'refresh_token', $4)`,
          [organization, client, daysAgo, amount],
        )
      await insert(acme, app.client_id, 0, 7)
      await insert(acme, app.client_id, 29, 5)
      await insert(acme, app.client_id, 30, 100)
      await insert(acme, 'appGone', 1, 3)
      await insert(other, app.client_id, 1, 1000)
      for (let n = 0; n < 9; n++) await insert(acme, `appMany${n}`, 2, 1)
      const day = (ago: number) =>
        new Date(Date.now() - ago * 24 * 3600 * 1000).toISOString().slice(0, 10)

      const items = await usageOf(running, acme)
      t.equal(items.length, 12, 'the last 30 days')
      t.same(
        items,
        items.toSorted((a, b) => (`${a.day}${a.client_id}` < `${b.day}${b.client_id}` ? -1 : 1)),
      )
      t.equal((await usageOf(running, acme, `&from=${day(40)}`)).length, 13)
      t.same(
        (await usageOf(running, acme, `&from=${day(1)}&to=${day(1)}`)).map((one) => one.client_id),
        ['appGone'],
      )
      for (const search of [
        'from=x',
        'to=2026-02-30',
        'from=1969-12-31',
        `from=${day(0)}&to=${day(1)}`,
      ])
        t.equal(
          (await running.operator('GET', `/organizations/${acme}/usage?${search}`)).status,
          400,
        )
      for (const place of ['9999999999999999.x', '0', '2932897', '0.x']) {
        const path = `/organizations/${acme}/usage?cursor=${place}`
        t.equal((await running.operator('GET', path)).status, 200, place)
      }
      t.equal((await running.operator('GET', '/organizations/orgNone/usage')).status, 404)

      const page = await (await signedIn(running.issuer, kim)).get(
        `/organizations/${acme}/activity`,
      )
      t.match(page.dom.querySelector('.plot-area')?.getAttribute('aria-label'), '24 tokens')
      const legend = page.dom.querySelectorAll('.legend li').map((one) => one.text.trim())
      t.same(
        [legend[0], legend[1], legend.at(-1)],
        [hostileName, 'appGone (deleted)', 'Other apps'],
      )
      t.equal(page.dom.querySelectorAll('script:not([src^="/assets/"])').length, 0)
      t.notOk(page.text.includes(hostileName))
      await running.operator('DELETE', `/organizations/${other}`)
      const left = await query(stores, 'select 1 from usage_days where organization_id = $1', [
        other,
      ])
      t.equal(left.length, 0, 'a deleted organization loses its counts')
      await stop()
    })

    t.test('a deleted organization does not block the counts of others', async (t) => {
      const { running, stop } = await started(t, stores)
      const world = await createWorld(running)
      await clientCredentials(running.issuer, world.confidential, world.acme)
      const gone = await createWorld(running)
      await clientCredentials(running.issuer, gone.confidential, gone.acme)
      t.equal((await running.operator('DELETE', `/organizations/${gone.acme}`)).status, 204)
      await stop()
      const rows = await query(
        stores,
        'select organization_id, count from usage_days where organization_id = any($1)',
        [[world.acme, gone.acme]],
      )
      t.match(rows, [{ organization_id: world.acme, count: '1' }])
      t.notOk(running.log.some((line) => line.includes('not counted')))
    })
  })
}
