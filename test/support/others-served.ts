/**
 * An honest app beside an attack: its token requests keep a p99 of three times that of the quiet server, or 100 ms,
 * whichever is more; it is never refused for longer than two seconds; readiness stays true; and afterwards the server is
 * as fast as before. A slow machine sets its own bounds, in the same run: a bare server is asked at the same time, and an
 * attacker sends no more than in proportion to what the quiet server serves.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { Agent, request } from 'undici'
import type { Attack } from './attacker.ts'
import { eventually } from './eventually.ts'
import { oneGoodTry } from './good-try.ts'
import type { ServerProcess } from './server-process.ts'
import { startAttacker } from './start-attacker.ts'
import type { World } from './world.ts'

/** Of each attack: long at night, and short in a test of a commit. */
const attackSeconds = Number(
  process.env.LATCHKEY_FAULT_SECONDS ?? (process.env.LATCHKEY_TEST_NIGHTLY ? 6 : 2),
)
/** A pattern of the attacks to run. */
export const onlyAttacks = new RegExp(process.env.LATCHKEY_FAULT_ONLY ?? '')

const rate = 50 // Honest token requests per second.
const leastBound = 100 // ms
const timesQuiet = 3
const longestRefusal = 2000 // ms
const longestRecovery = 10 // s
/** Small requests per second that a machine serves on which attackers need no slower pace. */
const fullPace = 6000
/** Work takes at most so much longer on a slow machine: four times. */
const leastPace = 0.25
const metricsToken = 'metrics-token-of-the-tests'
/** The default settings, and reports of long turns of the event loop. */
export const attackedSettings = {
  MAX_EVENT_LOOP_DELAY_MS: '500',
  STORE_TIMEOUT_MS: '1500',
  METRICS_TOKEN: metricsToken,
  NODE_OPTIONS: `--import=${new URL('turns.mjs', import.meta.url)}`,
}

interface Seen {
  /** Milliseconds of each response. */
  times: number[]
  /** Milliseconds of each response of the bare server. */
  bare: number[]
  /** Milliseconds of continuous refusals or failures. */
  refusedFor: number
  refused: string[]
  notReady: number
}

const p99 = (times: number[]) =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.99)] ??
  Number.POSITIVE_INFINITY

const inWords = ({ times, bare, refused, refusedFor, notReady }: Seen) =>
  `p99 ${Math.round(p99(times))} ms of ${times.length}, of a bare server ${Math.round(p99(bare))} ms; ` +
  `${refused.length} refused (${[...new Set(refused)].join()}) for ${Math.round(refusedFor)} ms, not ready ${notReady} times`

/** A server that does nothing, in a process of its own. @returns its URL */
const startBareServer = async (t: Test) => {
  const program = `require('node:http').createServer((_, response) => response.end())
    .listen(0, '127.0.0.1', function () { console.log(this.address().port) })`
  const child = spawn(process.execPath, ['--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.teardown(() => child.kill())
  const [port] = await once(child.stdout, 'data')
  return `http://127.0.0.1:${Number(port)}`
}

/** Sends the token requests of an honest app and polls readiness, from an address of their own. */
const createMeasure = (server: ServerProcess, { confidential, acme }: World, bareUrl: string) => {
  const body = `${new URLSearchParams({
    grant_type: 'client_credentials',
    organization_id: acme,
    client_id: confidential.client_id,
    client_secret: confidential.client_secret,
  })}`
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const tokenRequest = { method: 'POST', headers, body, headersTimeout: 10_000 } as const

  return async (duration: number) => {
    const dispatcher = new Agent({ connections: 50, localAddress: '127.0.0.2' })
    const seen: Seen = { times: [], bare: [], refusedFor: 0, refused: [], notReady: 0 }
    let refusedSince: number | null = null
    const statusOf = async (url: string, options = {}) => {
      try {
        const answer = await request(url, { ...options, dispatcher })
        await answer.body.dump()
        return String(answer.statusCode)
      } catch (error) {
        return String(error)
      }
    }
    const token = async () => {
      const sent = performance.now()
      const outcome = await statusOf(`${server.url}/api/oauth/token`, tokenRequest)
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
    const bare = async () => {
      const sent = performance.now()
      await statusOf(bareUrl)
      seen.bare.push(performance.now() - sent)
    }
    const readiness = async () => {
      if ((await statusOf(`${server.url}/health/ready`)) !== '200') seen.notReady++
    }
    const began = performance.now()
    const underWay: Promise<void>[] = []
    for (let at = 0; performance.now() - began < duration * 1000; at++) {
      underWay.push(token(), bare())
      if (at % rate === 0) underWay.push(readiness())
      await sleep(Math.max(0, began + ((at + 1) * 1000) / rate - performance.now()))
    }
    await Promise.all(underWay)
    await dispatcher.close()
    return seen
  }
}

const slotsOf = async ({ url }: ServerProcess) => {
  const headers = { authorization: `Bearer ${metricsToken}` }
  const text = await (await fetch(`${url}/metrics`, { headers })).text()
  return Number(/^latchkey_requests_under_way (\d+)/m.exec(text)?.[1])
}

/** How fast an attacker may be on this machine, now: 1, or less where it is slow. */
const paceOf = async ({ url }: ServerProcess) => {
  const attack = {
    kind: 'ask',
    connections: 8,
    bytesPerSecond: 1e9,
    seconds: 1,
    reads: true,
  } as const
  const payload = 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n'
  const { answers } = await (await startAttacker(url, { ...attack, payload })).tally
  return Math.min(1, answers / fullPace)
}

/** Starts an attacker that sends as fast as its connections allow, at this pace. */
export const startPaced = (
  { url }: ServerProcess,
  attack: Omit<Attack, 'seconds'>,
  pace: number,
  seconds: number,
) => {
  const isWork = attack.kind === 'ask' || attack.kind === 'reset'
  const connections = isWork ? Math.ceil(attack.connections * pace) : attack.connections
  const bytesPerSecond = attack.bytesPerSecond * pace
  return startAttacker(url, { ...attack, connections, bytesPerSecond, seconds })
}

/** The longest turn of the event loop since the call, in milliseconds of CPU. */
const watchTurns = (server: ServerProcess) => {
  const began = server.log().length
  return () =>
    Math.max(
      0,
      ...[
        ...server
          .log()
          .slice(began)
          .matchAll(/^turn of (\d+) ms$/gm),
      ].map(([, ms]) => Number(ms)),
    )
}

export interface UnderWay {
  /** What the attacker did, at its end; `waited`: milliseconds for which another tenant waited. */
  tally: Promise<unknown>
}

const waitedOf = (tally: unknown) => (tally as { waited?: number } | null)?.waited ?? 0

export interface AttackOptions {
  /** Starts the attack. @param pace 1, or less on a slow machine @param seconds how long it lasts */
  begin(pace: number, seconds: number): Promise<UnderWay>
  /** Milliseconds of CPU for a turn of the event loop. */
  longestTurn?: number
  /** Milliseconds for which another tenant may wait. */
  longestWait?: number
}

/** @returns a function that attacks the server while its honest app is served, and judges */
export const createOthers = async (t: Test, server: ServerProcess, world: World) => {
  const measure = createMeasure(server, world, await startBareServer(t))
  await measure(2) // Warm up.
  let quiet: Seen | null = null
  let pace = 1

  /** The server refuses no one, and has finished the attacker's requests. */
  const isFree = async () =>
    (await measure(0.2)).refused.length === 0 && (await slotsOf(server)) <= 1

  /** Is the server as fast as before, within some seconds? */
  const recovers = async (bound: number) => {
    for (let second = 0; second < longestRecovery; second++) {
      const { times, bare } = await measure(1)
      if (p99(times) <= Math.max(bound, timesQuiet * p99(bare))) return true
    }
    return false
  }

  return async (
    t: Test,
    name: string,
    {
      begin,
      longestTurn = Number.POSITIVE_INFINITY,
      longestWait = Number.POSITIVE_INFINITY,
    }: AttackOptions,
  ) =>
    oneGoodTry(t, name, server.child.pid, async (turn) => {
      // Another try measures again: other load may have come. So does a slow machine, whose quiet times set the bound.
      if (quiet === null || turn > 1 || timesQuiet * p99(quiet.times) > leastBound) {
        quiet = await measure(2)
        pace = await paceOf(server)
      }
      const bound = Math.max(timesQuiet * p99(quiet.times), leastBound)
      const turns = watchTurns(server)
      const attacking = await begin(pace, attackSeconds + 1)
      const during = await measure(attackSeconds)
      const tally = await attacking.tally
      const longest = turns()
      t.ok(during.times.length > 0, `${name}: others are served`)
      await eventually(isFree)
      const isFast = await recovers(bound)
      const inTime = p99(during.times) <= Math.max(bound, timesQuiet * p99(during.bare))
      const slow = Math.max(pace, leastPace)
      const inTurn = longest <= longestTurn / slow && waitedOf(tally) <= longestWait / slow
      return {
        good:
          inTime &&
          inTurn &&
          during.refusedFor <= longestRefusal &&
          during.notReady === 0 &&
          isFast,
        words:
          `quiet p99 ${Math.round(p99(quiet.times))} ms; ${inWords(during)}; longest turn ${longest} ms; ` +
          `attacker at ${Math.round(pace * 100)} %: ${JSON.stringify(tally)}; ${isFast ? 'recovered' : 'slow afterwards'}`,
      }
    })
}
