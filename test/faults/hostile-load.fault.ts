/**
 * F-28: one address attacks, and an honest app on another address is served as before. Its token
 * requests keep a p99 of three times that of the quiet server, or 100 ms, whichever is more; it is
 * never refused for longer than two seconds; readiness stays true; and afterwards no restart is
 * needed. The attacker is a process of its own, with up to 500 KB/s or 64 connections.
 * `LATCHKEY_FAULT_NODE` names the binary of another Node version for the server.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { Agent, request } from 'undici'
import type { Attack } from '../support/attacker.ts'
import { eventually } from '../support/eventually.ts'
import { oneGoodTry } from '../support/good-try.ts'
import { type ServerProcess, startServerProcess } from '../support/server-process.ts'
import { startAttacker } from '../support/start-attacker.ts'
import { testStores } from '../support/stores.ts'
import { createWorld, type World } from '../support/world.ts'

const seconds = Number(process.env.LATCHKEY_FAULT_SECONDS ?? 6)
const node = process.env.LATCHKEY_FAULT_NODE ?? process.execPath
const only = new RegExp(process.env.LATCHKEY_FAULT_ONLY ?? '')
const rate = 50 // Honest token requests per second.
const leastBound = 100 // ms
const timesQuiet = 3
const longestRefusal = 2000 // ms
const longestRecovery = 10 // s
const metricsToken = 'metrics-token-of-the-tests'
/** The default settings. */
const defaults = {
  MAX_EVENT_LOOP_DELAY_MS: '500',
  STORE_TIMEOUT_MS: '1500',
  METRICS_TOKEN: metricsToken,
}

interface Seen {
  /** Milliseconds of each response, sorted. */
  times: number[]
  /** Milliseconds of continuous refusals or failures. */
  refusedFor: number
  refused: string[]
  notReady: number
}

const p99 = ({ times }: Seen) => times[Math.floor(times.length * 0.99)] ?? Number.POSITIVE_INFINITY

const get = (text: string) => `GET ${text} HTTP/1.1\r\nHost: x\r\n\r\n`
const post = (path: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n` +
  `Content-Length: ${body.length}\r\n\r\n${body}`

/** Sends the token requests of an honest app and polls readiness, from an address of their own. */
const measure = async (server: ServerProcess, { confidential, acme }: World, duration: number) => {
  const dispatcher = new Agent({ connections: 50, localAddress: '127.0.0.2' })
  const body = `${new URLSearchParams({
    grant_type: 'client_credentials',
    organization_id: acme,
    client_id: confidential.client_id,
    client_secret: confidential.client_secret,
  })}`
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const seen: Seen = { times: [], refusedFor: 0, refused: [], notReady: 0 }
  let refusedSince: number | null = null
  const token = async () => {
    const sent = performance.now()
    let outcome: string
    try {
      const answer = await request(`${server.url}/api/oauth/token`, {
        method: 'POST',
        headers,
        body,
        dispatcher,
        headersTimeout: 10_000,
      })
      await answer.body.dump()
      outcome = String(answer.statusCode)
    } catch (error) {
      outcome = String(error)
    }
    const now = performance.now()
    if (outcome === '200') {
      seen.times.push(now - sent)
      refusedSince = null
      return
    }
    seen.refused.push(outcome)
    refusedSince ??= sent
    seen.refusedFor = Math.max(seen.refusedFor, now - refusedSince)
  }
  const readiness = async () => {
    const answer = await request(`${server.url}/health/ready`, { dispatcher }).catch(() => null)
    await answer?.body.dump()
    if (answer?.statusCode !== 200) seen.notReady++
  }
  const began = performance.now()
  const underWay: Promise<void>[] = []
  for (let at = 0; performance.now() - began < duration * 1000; at++) {
    underWay.push(token())
    if (at % rate === 0) underWay.push(readiness())
    await sleep(Math.max(0, began + ((at + 1) * 1000) / rate - performance.now()))
  }
  await Promise.all(underWay)
  await dispatcher.close()
  seen.times.sort((one, other) => one - other)
  return seen
}

const slotsOf = async ({ url }: ServerProcess) => {
  const headers = { authorization: `Bearer ${metricsToken}` }
  const text = await (await fetch(`${url}/metrics`, { headers })).text()
  return Number(/^latchkey_requests_under_way (\d+)/m.exec(text)?.[1])
}

const inWords = (seen: Seen) =>
  `p99 ${Math.round(p99(seen))} ms of ${seen.times.length}, ${seen.refused.length} refused ` +
  `(${[...new Set(seen.refused)].join()}) for ${Math.round(seen.refusedFor)} ms, not ready ${seen.notReady} times`

const standard = { connections: 1, bytesPerSecond: 500_000, reads: true } as const
const openapi = '/api/admin/v1/openapi.json'
const notReading = { kind: 'hold', connections: 12, reads: false } as const
const wrong = { client_id: 'app0000000000000001', client_secret: 'wrong' }

/** Each from one address. */
const attacks = (
  world: World,
): Record<string, Partial<Attack> & { payload: string; kind: Attack['kind'] }> => {
  const wrongSecret = post(
    '/api/oauth/token',
    `${new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x', client_id: world.second.client_id, client_secret: 'wrong' })}`,
  )
  const unknownClient = post(
    '/api/oauth/token',
    `${new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x', ...wrong })}`,
  )
  const basic = `Authorization: Basic ${Buffer.from('rs:wrong').toString('base64')}\r\n`
  const feed = `GET /api/oauth/revocations HTTP/1.1\r\nHost: x\r\n${basic}\r\n`
  const device = post('/api/oauth/device_authorization', `client_id=${world.publicApp.client_id}`)
  const authorize = get(`/authorize?client_id=${world.publicApp.client_id}&redirect_uri=x`)
  const many = { connections: 64 }
  return {
    'pipelined requests and a reset': {
      kind: 'reset',
      payload: get('/health/ready').repeat(4) + get('/.well-known/jwks.json').repeat(600),
      connections: 4,
    },
    'requests and a reset': { kind: 'reset', payload: unknownClient, ...many },
    'pipelines of the OpenAPI document whose responses are not read': {
      ...notReading,
      payload: get(openapi).repeat(70),
    },
    'pipelines of other large routes whose responses are not read': {
      ...notReading,
      payload: (get('/docs') + get('/sdk/v1.js') + get('/.well-known/jwks.json')).repeat(100),
    },
    'a pipeline of readiness': {
      kind: 'flood',
      payload: get('/health/ready').repeat(10),
      bytesPerSecond: 120_000,
    },
    'a pipeline of liveness': { kind: 'flood', payload: get('/health/live').repeat(10) },
    'a pipeline of metrics': { kind: 'flood', payload: get('/metrics').repeat(10) },
    'revocations with wrong credentials': {
      kind: 'flood',
      payload: feed.repeat(5),
      bytesPerSecond: 190_000,
    },
    'revocations with wrong credentials, many connections': { kind: 'ask', payload: feed, ...many },
    'slow senders': { kind: 'drip', payload: post('/api/oauth/token', 'a'.repeat(200)), ...many },
    'connections that send half a request': {
      kind: 'hold',
      payload: wrongSecret.slice(0, 150),
      ...many,
    },
    'connections that send nothing': { kind: 'hold', payload: '', ...many },
    'token requests with wrong secrets': { kind: 'ask', payload: wrongSecret, ...many },
    'token requests of an unknown client': { kind: 'ask', payload: unknownClient, ...many },
    'pipelined token requests': { kind: 'flood', payload: unknownClient.repeat(5), connections: 8 },
    'device authorizations': { kind: 'ask', payload: device, ...many },
    'authorization requests': { kind: 'ask', payload: authorize, ...many },
    'sign-in pages': { kind: 'ask', payload: get('/login'), ...many },
    'operator API without a valid token': {
      kind: 'ask',
      payload: `GET /api/admin/v1/apps HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer wrong\r\n\r\n`,
      ...many,
    },
    'bytes that are not HTTP': { kind: 'ask', payload: '\0garbage\r\n\r\n', ...many },
  }
}

/** The server refuses no one, and has finished the attacker's requests. */
const isFree = async (server: ServerProcess, world: World) => {
  const { refused } = await measure(server, world, 0.2)
  return refused.length === 0 && (await slotsOf(server)) <= 1
}

/** Is the server as fast as before, within some seconds? */
const recovers = async (server: ServerProcess, world: World, bound: number) => {
  for (let second = 0; second < longestRecovery; second++)
    if (p99(await measure(server, world, 1)) <= bound) return true
  return false
}

const [stores, ...others] = await testStores()
if (!stores) throw new Error('there is no store to test with')
t.teardown(() => Promise.all([stores, ...others].map((one) => one.drop())))

t.test('F-28 while one address attacks, other addresses are served', async (t: Test) => {
  const server = await startServerProcess(t, { stores, node, environment: defaults })
  const world = await createWorld(server)
  await measure(server, world, 2) // Warm up.
  const atFirst = await measure(server, world, 2)
  for (const [name, part] of Object.entries(attacks(world)).filter(([name]) => only.test(name))) {
    const attack: Attack = { ...standard, seconds: seconds + 1, ...part }
    await oneGoodTry(t, name, server.child.pid, async (turn) => {
      // Another try measures again: other load may have come. So does a slow machine, whose quiet times set the bound.
      const isKnown = turn === 1 && timesQuiet * p99(atFirst) <= leastBound
      const quiet = isKnown ? atFirst : await measure(server, world, 2)
      const bound = Math.max(timesQuiet * p99(quiet), leastBound)
      const attacking = await startAttacker(server.url, attack)
      const during = await measure(server, world, seconds)
      const tally = JSON.stringify(await attacking.tally)
      t.ok(during.times.length > 0, `${name}: others are served`)
      await eventually(() => isFree(server, world))
      const isFast = await recovers(server, world, bound)
      const inTime = p99(during) <= bound && during.refusedFor <= longestRefusal
      return {
        good: inTime && during.notReady === 0 && isFast,
        words: `quiet p99 ${Math.round(p99(quiet))} ms; ${inWords(during)}; attacker ${tally}; ${isFast ? 'recovered' : 'slow afterwards'}`,
      }
    })
  }
  t.equal(server.child.exitCode, null, 'the process was not restarted')
})
