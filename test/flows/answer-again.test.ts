/**
 * A store fails after the user answered and before the app gets its response: reloading the page
 * continues.
 */
import { Redis } from 'ioredis'
import pg from 'pg'
import t, { type Test } from 'tap'
import { beginDevice, createDeviceApp, enterCode, poll } from '../support/device.ts'
import {
  authorizeUrl,
  challengeOf,
  credentials,
  exchangeCode,
  legacyAuthorizeUrl,
  legacyToken,
  newVerifier,
  post,
} from '../support/flows.ts'
import { type Running, startLatchkey } from '../support/latchkey.ts'
import { startOwnRedis } from '../support/own-redis.ts'
import { approve, signedIn } from '../support/signed-in.ts'
import { testStores } from '../support/stores.ts'
import type { VisitedPage, Visitor } from '../support/visitor.ts'
import { createWorld, type World } from '../support/world.ts'

/** Blocks writes to a table until released. */
const locked = async (databaseUrl: string, table: string) => {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  await client.query(`begin; lock table ${table} in exclusive mode`)
  return () => client.end()
}

/** Answers every command about a family with an error. */
const withoutFamilies = async (redisUrl: string) => {
  const redis = new Redis(redisUrl)
  await redis.call('ACL', 'SETUSER', 'default', 'resetkeys', '~lk:[^f]*')
  return async () => {
    await redis.call('ACL', 'SETUSER', 'default', 'allkeys')
    redis.disconnect()
  }
}

type Block = () => Promise<() => Promise<unknown>>

/** The last page while a store fails, and after its return. */
const answerTwice = async (t: Test, visitor: Visitor, page: VisitedPage, block: Block) => {
  const end = await approve(visitor, page)
  t.match(end.pathname, /^\/interaction\/[^/]+\/(current|legacy|device)$/)
  const free = await block()
  const failed = await visitor.get(end)
  await free()
  t.ok(failed.status >= 500, `${failed.status} while it is away`)
  t.equal(failed.left, null)
  const page2 = await visitor.get(end)
  t.ok(page2.status < 400, `${page2.status} when loaded again`)
  return page2
}

const current = async (t: Test, { issuer }: Running, world: World, block: Block) => {
  const { confidential: app, ana } = world
  for (const isPushed of [false, true]) {
    const visitor = await signedIn(issuer, ana)
    const verifier = newVerifier()
    const requested = { prompt: 'consent', code_challenge: challengeOf(verifier) }
    const pushed = { redirect_uri: app.redirect_uri, ...requested, ...credentials(app) }
    const { body } = await post(`${issuer}/api/oauth/par`, pushed)
    const reference = new URLSearchParams({
      client_id: app.client_id,
      request_uri: body.request_uri,
    })
    const url = isPushed ? `${issuer}/authorize?${reference}` : authorizeUrl(issuer, app, requested)
    const end = await answerTwice(t, visitor, await visitor.get(url), block)
    const code = end.left?.searchParams.get('code') ?? ''
    t.equal((await exchangeCode(issuer, app, { code, verifier })).status, 200, `${isPushed}`)
    if (!isPushed) continue
    const again = await visitor.get(url)
    t.equal(again.left?.searchParams.get('code') ?? null, null, 'a pushed request is used once')
  }
}

const legacy = async (t: Test, { issuer }: Running, world: World, block: Block) => {
  const { legacy: app, ana, kim } = world
  const visitor = await signedIn(issuer, ana)
  const page = await visitor.get(legacyAuthorizeUrl(issuer, app))
  const { left } = await answerTwice(t, visitor, page, block)
  const requested = {
    grant_type: 'authorization_code',
    code: left?.searchParams.get('code') ?? '',
    redirect_uri: app.redirect_uri,
  }
  t.equal((await legacyToken(issuer, app, requested)).status, 200, 'a code')

  const other = await signedIn(issuer, kim)
  const implicit = await other.get(legacyAuthorizeUrl(issuer, app, { response_type: 'token' }))
  const end = await answerTwice(t, other, implicit, block)
  t.match(end.left?.hash, /^#access_token=/, 'a token')
}

const device = async (t: Test, running: Running, world: World, block: Block) => {
  const { issuer } = running
  const app = await createDeviceApp(running, world)
  const begun = await beginDevice(issuer, app)
  const visitor = await signedIn(issuer, world.ana)
  const end = await answerTwice(t, visitor, await enterCode(visitor, begun.body.user_code), block)
  t.match(end.text, 'The device is connected')
  t.equal((await poll(issuer, app, begun.body.device_code)).status, 200, 'and it is')
}

t.jobs = 2
for (const stores of await testStores()) {
  t.test(`an answer survives a store failure (${stores.name})`, { buffered: true }, async (t) => {
    t.teardown(() => stores.drop())
    const redisUrl = stores.redisUrl === null ? null : (await startOwnRedis(t)).url
    const environment = { STORE_TIMEOUT_MS: '1000' }
    const running = await startLatchkey({ ...stores, redisUrl }, { environment })
    t.teardown(() => running.stop())
    const rows = () => locked(stores.databaseUrl, 'grants')
    const families = () =>
      redisUrl === null ? locked(stores.databaseUrl, 'families') : withoutFamilies(redisUrl)
    for (const [what, block] of [
      ['without the row', rows],
      ['without the family', families],
    ] as const) {
      await t.test(what, async (t) => {
        const world = await createWorld(running)
        for (const flow of [current, legacy, device])
          await t.test(flow.name, (t) => flow(t, running, world, block))
      })
    }
  })
}
