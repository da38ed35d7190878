// Nightly: it judges times, which takes minutes.
/**
 * F-19: four times as many requests as a server can serve. Some are refused at admission, the
 * others are served as fast and as many as before. The capacity is measured in the same run by the
 * same generator, which takes a good part of the machine, and so may other load: one good try of a
 * few is enough, and a server that breaks down under load has none. The bounds are those of the
 * promise: 80 % of the peak, 99 of 100 within a second, 5 s until recovery.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { authorizeUrl, challengeOf, currentCode, newVerifier } from '../support/flows.ts'
import { oneGoodTry } from '../support/good-try.ts'
import {
  ask,
  connect,
  type Load,
  type Outcome,
  offer,
  percentile,
  rateOf,
  type Send,
  saturate,
} from '../support/load.ts'
import { relayTo } from '../support/relay.ts'
import { type ServerProcess, startServerProcess, unlimited } from '../support/server-process.ts'
import { filled } from '../support/signed-in.ts'
import { testStores } from '../support/stores.ts'
import { createVisitor } from '../support/visitor.ts'
import { createWorld, type World } from '../support/world.ts'

const [stores, ...others] = await testStores()
if (!stores) throw new Error('there is no store to test with')
t.teardown(() => Promise.all([stores, ...others].map((one) => one.drop())))

const seconds = Number(process.env.LATCHKEY_FAULT_SECONDS ?? 8)
const times = 4
const leastShare = 0.8
/** Of each kind, so that none starves the others. */
const leastOfEach = 0.33
const longest = 1000 // ms
const longestReturn = 5000 // ms
const megabytes = 150
const mostLost = 0.01

/** Megabytes of memory in use; 0 if the system does not report it. */
const memoryOf = ({ child }: ServerProcess) => {
  try {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
  } catch {
    return 0
  }
}

/** The maximum until stopped. */
const watchMemory = (server: ServerProcess) => {
  let most = 0
  const timer = setInterval(() => {
    most = Math.max(most, memoryOf(server))
  }, 100)
  return () => {
    clearInterval(timer)
    return most
  }
}

/** The default settings: the test is about timely refusals. */
const defaults = { MAX_EVENT_LOOP_DELAY_MS: '500', STORE_TIMEOUT_MS: '1500' }

const form = { 'content-type': 'application/x-www-form-urlencoded' }

const tokenRequest = (server: ServerProcess, { confidential, acme }: World): Send => {
  const body = `${new URLSearchParams({
    grant_type: 'client_credentials',
    organization_id: acme,
    client_id: confidential.client_id,
    client_secret: confidential.client_secret,
  })}`
  return () => ask(`${server.url}/api/oauth/token`, { method: 'POST', headers: form, body })
}

const cookieOf = (cookies: Map<string, string>) =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

/** One user's sign-in form, sent repeatedly. */
const signInRequest = async ({ url }: ServerProcess, { kim }: World): Promise<Send> => {
  const visitor = createVisitor(url)
  const page = await visitor.get('/login')
  const body = `${filled(page, { email: kim.email, password: kim.password })}`
  const headers = { ...form, cookie: cookieOf(visitor.cookies) }
  return () => ask(`${url}/login`, { method: 'POST', headers, body })
}

/**
 * The authorization page for a signed-in user with a remembered consent: a redirect with a code.
 */
const authorizeRequest = async (
  server: ServerProcess,
  { confidential, ana }: World,
): Promise<Send> => {
  const visitor = createVisitor(server.url)
  await currentCode(server, confidential, ana, {}, visitor)
  const code_challenge = challengeOf(newVerifier())
  const url = authorizeUrl(server.url, confidential, { code_challenge })
  const headers = { cookie: cookieOf(visitor.cookies) }
  return () => ask(url, { headers })
}

/** Milliseconds until all requests are served normally again. */
const untilUsual = async (load: Load) => {
  const began = performance.now()
  for (;;) {
    const at = performance.now()
    const outcome = await saturate(load, 2, 0.3)
    if (outcome.away === 0 && percentile(outcome, 0.99) < longest / 2) return at - began
  }
}

interface Seen {
  peak: Outcome
  storm: Outcome
  grown: number
  back: number
  /** Health checks are always answered. */
  healthy: boolean
}

const inWords = ({ peak, storm, grown, back }: Seen) => {
  const kinds = Object.keys(peak.done).map(
    (kind) => `${kind} ${Math.round(rateOf(peak, kind))} → ${Math.round(rateOf(storm, kind))}/s`,
  )
  const rates = `${Math.round(rateOf(peak))}/s at most, ${Math.round(storm.offered / storm.seconds)}/s offered`
  const late = `p99 ${Math.round(percentile(storm, 0.99))} ms`
  return `${rates}, done: ${kinds.join(', ')}; ${storm.away} refused, ${storm.lost} lost; ${late}; +${Math.round(grown)} MB; back after ${Math.round(back)} ms`
}

const isGood = ({ peak, storm, grown, back, healthy }: Seen) =>
  healthy &&
  storm.offered / storm.seconds > 2 * rateOf(peak) &&
  storm.away > 0 &&
  storm.lost < storm.offered * mostLost &&
  rateOf(storm) >= leastShare * rateOf(peak) &&
  Object.keys(peak.done).every((kind) => rateOf(storm, kind) >= leastOfEach * rateOf(peak, kind)) &&
  percentile(storm, 0.99) < longest &&
  grown < megabytes &&
  back <= longestReturn

/** The peak, then four times as much, then the recovery. */
const overload = async (
  t: Test,
  server: ServerProcess,
  load: Load,
  clients: number,
  usual: Load,
) => {
  // Its code is compiled and its caches are filled: a cold server has a lower peak, and is offered less.
  await saturate(load, clients, seconds / 2)
  const attempt = async () => {
    const peak = await saturate(load, clients, seconds / 2)
    await connect(server.url)
    const before = memoryOf(server)
    const most = watchMemory(server)
    const rate = rateOf(peak)
    const storming = offer(load, times * rate, seconds)
    await sleep(1000)
    const paths = ['/health/live', '/health/ready']
    const requested = await Promise.all(paths.map((path) => fetch(`${server.url}${path}`)))
    const healthy = requested.every(({ ok }) => ok)
    const storm = await storming
    const back = await untilUsual(usual)
    const one = { peak, storm, grown: most() - before, back, healthy }
    t.same([peak.odd, storm.odd], [[], []], 'only served or refused with Retry-After')
    return { good: isGood(one), words: inWords(one) }
  }
  await oneGoodTry(t, 'serves its capacity in time, and recovers', server.child.pid, attempt)
  t.equal(server.child.exitCode, null)
}

t.test(
  'F-19 serves its capacity at four times the load of sign-ins, tokens and authorizations (1:8:1)',
  async (t) => {
    const server = await startServerProcess(t, {
      stores,
      environment: { ...defaults, ...unlimited },
    })
    const world = await createWorld(server)
    const token = tokenRequest(server, world)
    const kinds = {
      'sign-ins': await signInRequest(server, world),
      tokens: token,
      authorizations: await authorizeRequest(server, world),
    }
    const mix = [
      'sign-ins',
      ...Array(4).fill('tokens'),
      'authorizations',
      ...Array(4).fill('tokens'),
    ]
    const load = { mix, kinds, done: [200, 303] }
    await overload(t, server, load, 24, { ...load, mix: ['tokens'] })
  },
)

t.test(
  'F-19 serves its capacity at four times the load when Postgres is the bottleneck',
  async (t) => {
    // So slow that neither the processor nor the generator is the limit.
    const relay = await relayTo(stores.databaseUrl)
    t.teardown(relay.close)
    const environment = { ...defaults, MAX_REQUESTS_UNDER_WAY: '20', DATABASE_POOL_SIZE: '5' }
    const slow = { databaseUrl: relay.url, redisUrl: stores.redisUrl }
    const server = await startServerProcess(t, { stores: slow, environment })
    const world = await createWorld(server)
    relay.delay(100)
    const load: Load = {
      mix: ['tokens'],
      kinds: { tokens: tokenRequest(server, world) },
      done: [200],
    }
    await overload(t, server, load, 20, load)
  },
)
