/**
 * The reply to the consuming command is lost for good: the instance answers 503, and the client
 * tries another.
 */
import t, { type Test } from 'tap'
import { currentCode, exchangeCode, refresh } from '../support/flows.ts'
import { startLatchkey } from '../support/latchkey.ts'
import { relayTo } from '../support/relay.ts'
import { introspectAt, registerResourceServer } from '../support/resource-server.ts'
import { type StoreSetup, testStores } from '../support/stores.ts'
import { sql } from '../support/traces.ts'
import { createWorld } from '../support/world.ts'

/** Postgres sends a command again after a lost reply. Redis waits until its timeout. */
const sends = 2
const untilItHasRun = 100 // ms
const timeout = '1500' // of commands to Redis
const spending = /advance_family|\neval(sha)?\r\n/i

/** A relay that drops the replies to the next consuming command. */
const lossyRelay = async (url: string, isRedis: boolean) => {
  let left = 0
  const relay = await relayTo(url, () => (chunk) => {
    if (left === 0 || !spending.test(chunk.toString('latin1'))) return
    left--
    relay.stallAnswers()
    if (isRedis) return
    setTimeout(() => {
      relay.cut()
      relay.mend()
    }, untilItHasRun)
  })
  return {
    ...relay,
    lose: async <Result>(request: () => Promise<Result>) => {
      left = sends
      const result = await request()
      if (isRedis) {
        left = 0
        relay.cut()
        relay.mend()
      }
      return result
    },
  }
}

/** Two instances on the same stores; the first one connects through the relay. */
const startBoth = async (t: Test, stores: StoreSetup) => {
  const relay = await lossyRelay(stores.redisUrl ?? stores.databaseUrl, stores.redisUrl !== null)
  const through = stores.redisUrl ? { redisUrl: relay.url } : { databaseUrl: relay.url }
  const near = await startLatchkey(stores)
  const far = await startLatchkey(
    { ...stores, ...through },
    stores.redisUrl ? { environment: { STORE_TIMEOUT_MS: timeout } } : {},
  )
  t.teardown(async () => {
    await far.stop()
    await near.stop()
    await relay.close()
    await stores.drop()
  })
  return { near, far, relay }
}

const refused = { status: 400, body: { error: 'invalid_grant' } }

for (const stores of await testStores()) {
  t.test(`a lost reply (${stores.name})`, async (t) => {
    const { near, far, relay } = await startBoth(t, stores)
    const { confidential: app, ana } = await createWorld(near)
    const asker = await registerResourceServer(near)
    const isActive = async (token: string) =>
      (await introspectAt(near.issuer, asker, token)).body.active
    const newToken = async (): Promise<string> =>
      (await exchangeCode(near.issuer, app, await currentCode(near, app, ana))).body.refresh_token
    const unanswered = async (token: string) => {
      const { status, body } = await relay.lose(() => refresh(far.issuer, app, token))
      t.match({ status, body }, { status: 503, body: { error: 'temporarily_unavailable' } })
    }

    await t.test('after a 503 the other instance returns the successor, once', async (t) => {
      const token = await newToken()
      await unanswered(token)
      const [family] = await sql<{ unsettled: object | null }>(
        stores,
        'select unsettled from grants order by created_at desc limit 1',
      )
      t.match(family, { unsettled: { generation: 1, nonces: [String] } }, 'the command has run')
      t.equal(await isActive(token), true)
      const tooMuch = await refresh(near.issuer, app, token, { scope: 'records:delete nothing' })
      t.equal(tooMuch.status, 400, 'a refused request revokes nothing')
      const answer = await refresh(near.issuer, app, token)
      t.equal(answer.status, 200)
      const successor = answer.body.refresh_token as string
      t.same([await isActive(token), await isActive(successor)], [false, true])
      t.match(await refresh(near.issuer, app, token), refused, 'the same token again is a replay')
      t.match(await refresh(near.issuer, app, successor), refused, 'it revokes the family')
    })

    await t.test('after repeated losses the newest token is valid', async (t) => {
      const token = await newToken()
      for (let tries = 0; tries < 3; tries++) await unanswered(token)
      const { status, body } = await refresh(near.issuer, app, token)
      t.equal(status, 200)
      t.equal((await refresh(near.issuer, app, body.refresh_token)).status, 200)
    })

    await t.test('of many retries one succeeds', async (t) => {
      const token = await newToken()
      await unanswered(token)
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => refresh(near.issuer, app, token)),
      )
      const given = answers.filter(({ status }) => status === 200)
      t.equal(given.length, 1)
      const successor = given[0]?.body.refresh_token as string
      t.match(await refresh(near.issuer, app, successor), refused, 'the others were replays')
    })

    await t.test('a code can be retried too', async (t) => {
      const code = await currentCode(near, app, ana)
      const { status: first } = await relay.lose(() => exchangeCode(far.issuer, app, code))
      t.equal(first, 503)
      const { status, body } = await exchangeCode(near.issuer, app, code)
      t.equal(status, 200)
      t.match(await exchangeCode(near.issuer, app, code), refused, 'once')
      t.match(await refresh(near.issuer, app, body.refresh_token), refused)
    })
  })
}
