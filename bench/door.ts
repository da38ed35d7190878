// The cost of a check of `latchkey door` for known tokens, over persistent connections, as a proxy asks. The floor is
// Node's HTTP server, which answers every request with 200 and headers of the same length.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { freePort } from './free-port.ts'
import { quantile } from './load.ts'
import { connections, median } from './measure.ts'
import { residentBytes } from './process-usage.ts'
import { cpuNanos, programs } from './program.ts'
import { row } from './report.ts'
import { audience, newToken, startIssuer } from './verification.ts'

/** Medians of one server. */
export interface DoorCost {
  name: string
  cpuMicros: number
  perSecond: number
  /** Milliseconds. */
  p99: number
  /** Bytes. */
  rss: number
}

const question = '/check?interface=current&permission=records:create'
const knownTokens = 1000

const floor = `require('node:http').createServer((request, response) => {
  response.writeHead(200, ['X-Latchkey', 'x'.repeat(900), 'Content-Length', '0'])
  response.end()
}).listen(Number(process.env.DOOR_PORT), '127.0.0.1')`

const startServer = async (args: string[], env: NodeJS.ProcessEnv) => {
  const port = await freePort()
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, ...env, DOOR_PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections, pipelining: 1 })
  return { child, pool }
}
type Started = Awaited<ReturnType<typeof startServer>>

const stop = async ({ child, pool }: Started) => {
  await pool.destroy()
  const ended: Promise<unknown> = child.exitCode === null ? once(child, 'exit') : Promise.resolve()
  child.kill('SIGKILL')
  await ended
}

const ask = async ({ pool }: Started, token: string): Promise<number> => {
  const headers = { authorization: `Bearer ${token}`, 'user-agent': 'bench', accept: '*/*' }
  const { statusCode, body } = await pool.request({ method: 'GET', path: question, headers })
  await body.dump()
  return statusCode
}

const mostTries = 1000
const untilReady = async (server: Started, child: ChildProcess, token: string) => {
  for (let tries = 0; tries < mostTries && child.exitCode === null; tries++) {
    if ((await ask(server, token).catch(() => 0)) === 200) return
    await sleep(20)
  }
  throw new Error('the door does not answer')
}

/** Asks about the tokens in turn, as fast as the answers arrive. */
const load = async (server: Started, tokens: readonly string[], seconds: number) => {
  const times: number[] = []
  const pid = server.child.pid as number
  const before = cpuNanos(pid)
  const began = performance.now()
  const end = began + seconds * 1000
  let next = 0
  const lane = async () => {
    while (performance.now() < end) {
      const sentAt = performance.now()
      const status = await ask(server, tokens[next++ % tokens.length] as string)
      if (status !== 200) throw new Error(`a check was answered with ${status}`)
      times.push(performance.now() - sentAt)
    }
  }
  await Promise.all(Array.from({ length: connections }, lane))
  return {
    cpuMicros: (cpuNanos(pid) - before) / 1000 / times.length,
    perSecond: times.length / ((performance.now() - began) / 1000),
    p99: quantile(Float64Array.from(times).sort(), 0.99),
    rss: residentBytes(pid),
  }
}

/** Measures both servers in turns. */
export const measureDoor = async (quick: boolean): Promise<DoorCost[]> => {
  const { rounds, seconds } = quick ? { rounds: 2, seconds: 1 } : { rounds: 5, seconds: 5 }
  const { server: issuing, port } = await startIssuer()
  const issuer = `http://127.0.0.1:${port}`
  const tokens = Array.from({ length: knownTokens }, () => newToken(issuer))
  const servers = new Map([
    ['floor', await startServer(['--eval', floor], {})],
    [
      'latchkey door',
      await startServer([programs.bundled, 'door'], {
        ISSUER: issuer,
        TOKEN_AUDIENCE: audience,
        RESOURCE_SERVER_ID: 'rsv',
        RESOURCE_SERVER_SECRET: 'secret',
      }),
    ],
  ])
  const found = new Map([...servers.keys()].map((name) => [name, [] as Omit<DoorCost, 'name'>[]]))
  try {
    for (const server of servers.values())
      await untilReady(server, server.child, tokens[0] as string)
    // Round 0 warms up, and the door sees each token for the first time.
    for (let round = 0; round <= rounds; round++) {
      for (const [name, server] of servers) {
        const result = await load(server, tokens, seconds)
        if (round > 0) found.get(name)?.push(result)
      }
    }
  } finally {
    await Promise.all([...servers.values()].map(stop))
    issuing.close()
    issuing.closeAllConnections()
  }
  return [...found].map(([name, all]) => ({
    name,
    cpuMicros: median(all.map(({ cpuMicros }) => cpuMicros)),
    perSecond: median(all.map(({ perSecond }) => perSecond)),
    p99: median(all.map(({ p99 }) => p99)),
    rss: median(all.map(({ rss }) => rss)),
  }))
}

const widths = [16, 12, 10, 8, 8]

export const printDoor = (costs: readonly DoorCost[]) => {
  row(widths, ['a known token', 'CPU µs', 'per s', 'p99 ms', 'RSS MB'])
  for (const { name, cpuMicros, perSecond, p99, rss } of costs)
    row(widths, [
      name,
      cpuMicros.toFixed(1),
      perSecond.toFixed(0),
      p99.toFixed(1),
      (rss / 1024 / 1024).toFixed(0),
    ])
}
