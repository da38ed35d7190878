import { readFile, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Child, startChild } from './child.ts'
import { type Drift, driftOf, type Series } from './drift.ts'
import { fire, quantile } from './load.ts'
import { connections } from './measure.ts'
import { plot } from './plot.ts'
import { metricsToken, type Program, startProgram } from './program.ts'
import type { Shot } from './protocol.ts'
import { row } from './report.ts'
import type { Sample } from './seed.ts'
import { type Seeded, withSeededStores } from './seeded.ts'
import { type Events, startBeside } from './soak-beside.ts'

export interface Soak {
  seconds: number
  /** Token requests per second: at the peak, and during the run. */
  peak: number
  rate: number
  requests: number
  failed: number
  firstFailure: string | null
  events: Events
  /** Without the time in which the server warms up. */
  drifts: Drift[]
  series: Series[]
}

/** Parts of the load, of ten requests. */
const mixture = { refresh: 5, client_credentials: 3, introspection: 2 } as const
type Mixed = keyof typeof mixture

const sizes = { apps: 1000, organizations: 200, families: 12_000 }
const peakPart = 0.5
const peakSeconds = 5
/** Share of the samples that is not judged: caches and the young generation grow to the load. */
const warmUpPart = 0.1
const mostSamples = 240
const authorizations = 2000
/** Seconds after which the introspected tokens are replaced, because access tokens live an hour. */
const longestPart = 1800

/** Chains the requests of all operations, ten at a time. */
const mix = (shots: Record<Mixed, Shot[]>): Shot[] => {
  const tens = Math.floor(shots.refresh.length / mixture.refresh)
  return Array.from({ length: tens }, (_, ten) =>
    (Object.keys(mixture) as Mixed[]).flatMap((operation) =>
      Array.from({ length: mixture[operation] }, (_one, at) => {
        const all = shots[operation]
        return all[(ten * mixture[operation] + at) % all.length] as Shot
      }),
    ),
  ).flat()
}

/** The rate of the mixture at which each operation gets its part of the time at its own peak. */
const peakOf = async (port: number, shots: Record<Mixed, Shot[]>) => {
  let time = 0
  for (const operation of Object.keys(mixture) as Mixed[]) {
    const load = { port, shots: [...shots[operation]], connections, seconds: peakSeconds }
    await fire({ ...load, seconds: 1 }, false)
    const { requests, seconds, failed, firstFailure } = await fire(load, false)
    if (failed > 0) throw new Error(`${operation}: ${firstFailure}`)
    time += (mixture[operation] / 10) * (seconds / requests)
  }
  return 1 / time
}

const metric = (text: string, name: string) =>
  Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN)

const readMetrics = async (port: number) => {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`, {
    headers: { authorization: `Bearer ${metricsToken}` },
  })
  return answer.text()
}

/** Samples the server until `isOver`. */
const watch = async (server: Program, every: number, times: number[], isOver: () => boolean) => {
  const at: number[] = []
  const rss: number[] = []
  const heap: number[] = []
  const delay: number[] = []
  const p50: number[] = []
  const p99: number[] = []
  const began = performance.now()
  await readMetrics(server.port) // resets the delays
  for (let next = every; !isOver(); next += every) {
    await sleep(Math.max(0, next * 1000 - (performance.now() - began)))
    if (isOver()) break
    const text = await readMetrics(server.port)
    const sorted = Float64Array.from(times.splice(0)).sort()
    at.push((performance.now() - began) / 1000)
    rss.push(server.rss() / 1024 / 1024)
    heap.push(metric(text, 'nodejs_heap_size_used_bytes') / 1024 / 1024)
    delay.push(metric(text, 'nodejs_eventloop_lag_p99_seconds') * 1000)
    p50.push(quantile(sorted, 0.5))
    p99.push(quantile(sorted, 0.99))
  }
  const series: Series[] = [
    { name: 'Resident memory', unit: 'MB', at, values: rss, tolerance: 1.1 },
    { name: 'Used heap', unit: 'MB', at, values: heap, tolerance: 1.15 },
    { name: 'Response time, median', unit: 'ms', at, values: p50, tolerance: 1.5 },
    { name: 'Response time, 99th percentile', unit: 'ms', at, values: p99, tolerance: 1.5 },
    { name: 'Event-loop delay, 99th percentile', unit: 'ms', at, values: delay, tolerance: 1.5 },
  ]
  return series
}

const withoutWarmUp = (series: Series): Series => {
  const from = Math.floor(series.values.length * warmUpPart)
  return { ...series, at: series.at.slice(from), values: series.values.slice(from) }
}

const run = async (seeded: Seeded, server: Program, maker: Child, seconds: number) => {
  const { port } = server
  const sample = JSON.parse(await readFile(seeded.env.BENCH_SAMPLE as string, 'utf8')) as Sample
  const shots = {
    refresh: await maker.prepare('refresh', sizes.families),
    client_credentials: await maker.prepare('client_credentials', sizes.families),
    introspection: await maker.prepare('introspection', sizes.families),
  }
  const peak = await peakOf(port, shots)
  const rate = peak * peakPart
  const beside = await startBeside(port, sample, await maker.prepare('authorize', authorizations))
  const times: number[] = []
  let over = false
  const every = Math.max(1, seconds / mostSamples)
  const watching = watch(server, every, times, () => over || beside.failure() !== null)
  let requests = 0
  let failed = 0
  let firstFailure: string | null = null
  for (let left = seconds; left > 0; left -= longestPart) {
    shots.introspection = await maker.prepare('introspection', sizes.families)
    const part = Math.min(left, longestPart)
    const load = { port, shots: mix(shots), connections, seconds: part, rate }
    const result = await fire({ ...load, onAnswer: (one) => times.push(one) }, false)
    requests += result.requests
    failed += result.failed
    firstFailure ??= result.firstFailure
  }
  over = true
  await beside.stop()
  const series = await watching
  const drifts = series.map((one) => driftOf(withoutWarmUp(one)))
  const { events } = beside
  return { seconds, peak, rate, requests, failed, firstFailure, events, drifts, series }
}

/** Loads the built server at half its peak for this time, and reports whether its measures drift. */
export const soak = async (seconds: number): Promise<Soak> =>
  withSeededStores(sizes, async (seeded) => {
    const server = await startProgram(seeded)
    const environment = { ...seeded.env, BENCH_PORT: String(server.port) }
    const maker = await startChild('ours-requests', environment)
    try {
      return await run(seeded, server, maker, seconds)
    } finally {
      await maker.stop()
      await server.stop()
    }
  })

const widths = [38, 14, 14, 14, 10]

export const printSoak = ({
  seconds,
  peak,
  rate,
  requests,
  failed,
  firstFailure,
  events,
  drifts,
}: Soak) => {
  console.log(
    `${seconds} s at ${rate.toFixed(0)} of ${peak.toFixed(0)} requests/s: ${requests} token requests, ${failed} failed`,
  )
  if (firstFailure !== null) console.log(`first failure: ${firstFailure}`)
  console.log(
    Object.entries(events)
      .map(([name, count]) => `${count} ${name}`)
      .join(', '),
  )
  row(widths, ['', 'first third', 'last third', 'per hour', 'drifts'])
  for (const { name, unit, first, last, perHour, drifts: drifting } of drifts) {
    const cells = [first, last, perHour].map((value) => value.toFixed(1))
    row(widths, [`${name}, ${unit}`, ...cells, drifting ? 'YES' : 'no'])
  }
}

/** Writes the plot of a soak. */
export const plotSoak = (path: string, { series, seconds, rate }: Soak) =>
  writeFile(
    path,
    plot(`A server under ${rate.toFixed(0)} token requests per second for ${seconds} s`, series),
  )
