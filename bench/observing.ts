// What holds up the event loop of a server under test, and what it did meanwhile. Runs in the server's process.
import {
  constants,
  monitorEventLoopDelay,
  type PerformanceEntry,
  PerformanceObserver,
} from 'node:perf_hooks'
import argon2 from 'argon2'
import pg from 'pg'
import { type Gap, observeGaps } from './loop-gaps.ts'
import { type NamedSample, namedSamples } from './named-samples.ts'
import { sampleStacks } from './profiling.ts'

/** Something that began and ended, in ms of `performance.now()`. */
interface Span {
  /** The kind of garbage collection, the statement, 'wait for a connection' or 'password hash'. */
  name: string
  began: number
  ms: number
  /** Reads that shared the statement. */
  size: number
}

export type SpanKind = 'garbage collection' | 'statement' | 'pool' | 'hash'

/** A time between two turns of the event loop in ms. */
export interface Stretch extends Omit<Gap, 'began'> {
  /** What overlapped it. Statements and waits take longer than the stretch, and need no time of the loop. */
  beside: string[]
  /** Functions by the time of their samples, the longest first. */
  functions: { name: string; ms: number }[]
}

export interface Total {
  kind: SpanKind
  name: string
  count: number
  /** Milliseconds of the median and of the longest. */
  p50: number
  longest: number
  /** Mean number of reads that shared a statement. */
  size: number
}

export interface Observation {
  /** Delays of the event loop in ms. */
  delay: { p50: number; p99: number; longest: number }
  totals: Total[]
  /** Those in which the thread ran longest: one without a core tells about the machine. */
  stretches: Stretch[]
}

type Record = (kind: SpanKind, span: Span) => void

const collections = new Map<number, string>([
  [constants.NODE_PERFORMANCE_GC_MAJOR, 'mark and compact'],
  [constants.NODE_PERFORMANCE_GC_MINOR, 'scavenge'],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'incremental marking'],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, 'weak callbacks'],
])

const observeCollections = (record: Record) => {
  const take = (entries: readonly (PerformanceEntry & { detail?: unknown })[]) => {
    for (const { startTime, duration, detail } of entries) {
      const name = collections.get((detail as { kind: number }).kind) ?? 'other collection'
      record('garbage collection', { name, began: startTime, ms: duration, size: 1 })
    }
  }
  const observer = new PerformanceObserver((list) => take(list.getEntries()))
  observer.observe({ entryTypes: ['gc'] })
  return () => {
    take(observer.takeRecords())
    observer.disconnect()
  }
}

type Method = (...args: unknown[]) => unknown

/** Times a method until its promise or callback is settled. @returns puts the method back */
const timing = (
  of: object,
  method: string,
  named: (...args: unknown[]) => Pick<Span, 'name' | 'size'> | null,
  record: (span: Span) => void,
) => {
  const methods = of as { [name: string]: Method }
  const original = methods[method] as Method
  methods[method] = function (this: unknown, ...args: unknown[]) {
    const about = named(...args)
    if (!about) return original.apply(this, args)
    const began = performance.now()
    const done = () => record({ ...about, began, ms: performance.now() - began })
    const last = args.at(-1)
    if (typeof last === 'function') {
      const callback = (...answer: unknown[]) => {
        done()
        return last(...answer)
      }
      return original.apply(this, [...args.slice(0, -1), callback])
    }
    const answer = original.apply(this, args)
    if (answer instanceof Promise) answer.then(done, done)
    return answer
  }
  return () => {
    methods[method] = original
  }
}

const table = /\b(insert into|update|delete from|from)\s+(\w+)/i

/** The name of a prepared statement, or the verb and table of another one. */
const statementOf = (query: unknown) => {
  const { name, text, values } = query as { name?: string; text?: string; values?: unknown[] }
  if (text === undefined) return null
  const [first] = values ?? []
  const size = Array.isArray(first) && text.includes('with ordinality') ? first.length : 1
  return { name: name ?? table.exec(text)?.[0] ?? text.slice(0, 30), size }
}

const observeStores = (record: Record) => {
  const hashed = () => ({ name: 'password hash', size: 1 })
  const waited = () => ({ name: 'wait for a connection', size: 1 })
  const hash = (span: Span) => record('hash', span)
  const ends = [
    timing(pg.Client.prototype, 'query', statementOf, (span) => record('statement', span)),
    timing(pg.Pool.prototype, 'connect', waited, (span) => record('pool', span)),
    timing(argon2, 'hash', hashed, hash),
    timing(argon2, 'verify', hashed, hash),
  ]
  return () => {
    for (const end of ends) end()
  }
}

const mostFunctions = 4
const samplingInterval = 500 // µs

/** Each name once, as `3 × name, up to 12.3 ms`. */
const summaryOf = (spans: readonly Span[]) => {
  const found = new Map<string, number[]>()
  for (const { name, ms } of spans) found.set(name, [...(found.get(name) ?? []), ms])
  return [...found].map(([name, times]) => {
    const longest = Math.max(...times).toFixed(1)
    return `${times.length === 1 ? name : `${times.length} × ${name}, up to`} ${longest} ms`
  })
}

const quantileOf = (sorted: readonly number[], part: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN

const totalsOf = (kind: SpanKind, spans: readonly Span[]): Total[] =>
  [...new Set(spans.map(({ name }) => name))].map((name) => {
    const some = spans.filter((one) => one.name === name)
    const times = some.map(({ ms }) => ms).toSorted((a, b) => a - b)
    const size = some.reduce((sum, one) => sum + one.size, 0) / some.length
    const [p50, longest] = [quantileOf(times, 0.5), quantileOf(times, 1)]
    return { kind, name, count: some.length, p50, longest, size }
  })

/** What ran in a gap. */
const stretchOf = (
  { began, ms, cpuMs, waitedMs }: Gap,
  spans: readonly Span[],
  samples: readonly NamedSample[],
): Stretch => {
  const end = began + ms
  const beside = spans.filter((one) => one.began < end && one.began + one.ms > began)
  const times = new Map<string, number>()
  for (const { at, ms: time, name } of samples)
    if (at > began && at <= end) times.set(name, (times.get(name) ?? 0) + time)
  const functions = [...times]
    .map(([name, time]) => ({ name, ms: time }))
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, mostFunctions)
  return { ms, cpuMs, waitedMs, beside: summaryOf(beside), functions }
}

/** Observes this process until it is asked for what it found. Costs a few per cent of its CPU time. */
export const startObserving = async (): Promise<() => Promise<Observation>> => {
  const spans: { [kind in SpanKind]: Span[] } = {
    'garbage collection': [],
    statement: [],
    pool: [],
    hash: [],
  }
  const record: Record = (kind, span) => void spans[kind].push(span)
  const stopSampling = await sampleStacks(samplingInterval)
  const ends = [observeCollections(record), observeStores(record)]
  const delays = monitorEventLoopDelay({ resolution: 1 })
  delays.enable()
  const endGaps = observeGaps()

  return async () => {
    delays.disable()
    const gaps = endGaps()
    for (const end of ends) end()
    const samples = namedSamples(await stopSampling())
    const all = Object.values(spans).flat()
    const [p50 = 0, p99 = 0] = [50, 99].map((part) => delays.percentile(part) / 1e6)
    return {
      delay: { p50, p99, longest: delays.max / 1e6 },
      totals: (Object.keys(spans) as SpanKind[]).flatMap((kind) => totalsOf(kind, spans[kind])),
      stretches: gaps.map((gap) => stretchOf(gap, all, samples)),
    }
  }
}
