// Nightly: it runs for minutes.
/**
 * F-23: many operations of every kind. Expired data is gone from the stores, and the process keeps
 * none of it.
 */
import { readFileSync } from 'node:fs'
import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { newChains } from '../support/chains.ts'
import {
  authorizeUrl,
  challengeOf,
  clientCredentials,
  credentials,
  currentCode,
  exchangeCode,
  newVerifier,
  post,
  refresh,
} from '../support/flows.ts'
import { inspected, openInspector } from '../support/inspector.ts'
import { openTestStores } from '../support/open-stores.ts'
import { introspectAt, registerResourceServer } from '../support/resource-server.ts'
import { type ServerProcess, startServerProcess, unlimited } from '../support/server-process.ts'
import { signedIn, signIn } from '../support/signed-in.ts'
import { type StoreSetup, testStores } from '../support/stores.ts'
import { countRows, expireAll } from '../support/traces.ts'
import { createVisitor } from '../support/visitor.ts'
import { createWorld, type World } from '../support/world.ts'

/** LATCHKEY_FAULT_OPERATIONS=300000 for a long run. */
const operations = Number(process.env.LATCHKEY_FAULT_OPERATIONS ?? 4500)
const clients = 12
const heapShare = 1.05
const heapSlack = 3 // MB
const memoryShare = 1.25

const memoryOf = ({ child }: ServerProcess) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024

/** Every operation that leaves temporary data. */
const turnsOf = async (server: ServerProcess, world: World) => {
  const { url } = server
  const { confidential: app, acme, ana } = world
  const resourceServer = await registerResourceServer(server)
  const visitor = await signedIn(url, ana)
  const authorized = () => currentCode(server, app, ana, {}, visitor)
  await authorized()
  let token = ''
  const turns = [
    async () => {
      const grant = await authorized()
      const { body } = await exchangeCode(url, app, grant)
      const next = await refresh(url, app, body.refresh_token)
      token = next.body.access_token
      await post(`${url}/api/oauth/revoke`, {
        token: next.body.refresh_token,
        ...credentials(app),
      })
    },
    async () => void (await authorized()), // Never redeemed.
    async () => void (await clientCredentials(url, app, acme)),
    async () => void (await clientCredentials(url, { ...app, client_secret: 'wrong' }, acme)),
    async () => void (await introspectAt(url, resourceServer, token)),
    async () => {
      const query = { code_challenge: challengeOf(newVerifier()) }
      await createVisitor(url).get(authorizeUrl(url, app, query)) // Never signed in.
    },
    async () => {
      await post(`${url}/api/oauth/par`, {
        redirect_uri: app.redirect_uri,
        code_challenge: challengeOf(newVerifier()),
        ...credentials(app),
      })
    },
    async () => void (await signIn(createVisitor(url), { ...ana, password: 'wrong' })),
    async () => void (await visitor.get('/account/apps')),
    async () => void (await refresh(url, app, 'nonsense')),
  ]
  return { turns, authorized }
}

const work = async (turns: (() => Promise<void>)[], count: number) => {
  let done = 0
  const client = async () => {
    while (done < count) await turns[done++ % turns.length]?.()
  }
  await Promise.all(Array.from({ length: clients }, client))
}

/** The amount of temporary data. */
const amount = async (stores: StoreSetup) => {
  const tables = ['families', 'records', 'counters', 'grants']
  const rows = await Promise.all(tables.map((table) => countRows(stores, table)))
  const counts = Object.fromEntries(tables.map((table, at) => [table, rows[at]]))
  if (!stores.redisUrl) return counts
  const redis = new Redis(stores.redisUrl)
  const keys = (await redis.keys('*')).length // Not its size, which includes expired entries that are not removed yet.
  redis.disconnect()
  return { ...counts, keys }
}

/** Lets everything expire, and cleans up as a server does each minute. */
const letPass = async (t: Test, stores: StoreSetup) => {
  await expireAll(stores)
  const opened = await openTestStores(stores)
  t.teardown(() => opened.close())
  await opened.database.query(`update grants set created_at = created_at - interval '1 hour'`)
  await opened.removeExpired()
}

for (const stores of await testStores()) {
  t.test(`F-23 many operations leave no temporary data (${stores.name})`, async (t) => {
    t.teardown(() => stores.drop())
    const server = await startServerProcess(t, {
      stores,
      environment: {
        ...inspected,
        ...unlimited,
      },
    })
    const world = await createWorld(server)
    const inspector = await openInspector(t, server)
    // These grants stay, and their last use is written later.
    await newChains(server, world.second, world.kim, 2)
    const { turns, authorized } = await turnsOf(server, world)
    await work(turns, operations / 3)
    await letPass(t, stores)
    const [first, before] = [await amount(stores), await inspector.heap()]
    const memoryBefore = memoryOf(server)
    await authorized() // Signs in again: sessions have expired too, and the clients share one.
    await work(turns, operations)
    const [after, memory] = [await inspector.heap(), memoryOf(server)]
    const between = await amount(stores)
    await letPass(t, stores)
    const last = await amount(stores)
    const { grants: grantsBefore, ...livingBefore } = first
    const { grants, ...living } = last
    t.same(living, livingBefore, `all that expires is gone: ${JSON.stringify(between)} before`)
    // Used and revoked ones stay, for the audit trail.
    t.ok(
      Number(grants) - Number(grantsBefore) <= operations / turns.length + clients,
      'no code remains',
    )
    t.ok(
      after < before * heapShare + heapSlack,
      `heap: ${before.toFixed(1)} MB, ${after.toFixed(1)} MB after ${operations} operations`,
    )
    t.ok(
      memory < memoryBefore * memoryShare,
      `memory: ${memoryBefore.toFixed(0)} MB, ${memory.toFixed(0)} MB`,
    )
    t.notMatch(server.log(), /"level":[56]0/)
  })
}
