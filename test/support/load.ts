import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'

/** Sends one request of a kind. */
export type Send = () => Promise<Answer>

interface Answer {
  status: number
  comeAgain: boolean
}

const connections = 1000
const agent = new Agent({ connections })

/**
 * A request that is as cheap as possible for the generator, which shares the machine with the
 * server.
 */
export const ask = async (
  url: string,
  options: { method?: 'GET' | 'POST'; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> => {
  const { statusCode, headers, body } = await request(url, { ...options, dispatcher: agent })
  await body.dump()
  return { status: statusCode, comeAgain: headers['retry-after'] !== undefined }
}

/**
 * Opens all connections of the generator, as a proxy in front of the server keeps them. Node accepts
 * one new connection in each turn of its event loop, so connections that are opened during the
 * overload would measure the queue of the kernel instead of the server.
 */
export const connect = async (url: string): Promise<void> => {
  const opened = Array.from({ length: connections }, () => ask(`${url}/health/live`))
  await Promise.allSettled(opened)
}

export interface Load {
  /** The repeated order of requests: their kinds, in their shares. */
  mix: readonly string[]
  kinds: Readonly<Record<string, Send>>
  /** Statuses that count as served. */
  done: readonly number[]
}

export interface Outcome {
  seconds: number
  offered: number
  /** Served, by kind. */
  done: Record<string, number>
  /** Refused with Retry-After. */
  away: number
  /** No response: refused or cut off by the machine, not by the server. */
  lost: number
  /** Anything else. */
  odd: string[]
  /** Milliseconds of the served ones, sorted. */
  times: number[]
}

export const rateOf = (outcome: Outcome, kind?: string): number => {
  const all = Object.values(outcome.done).reduce((sum, one) => sum + one, 0)
  return (kind === undefined ? all : (outcome.done[kind] ?? 0)) / outcome.seconds
}

/** Milliseconds within which this percentage was served. */
export const percentile = ({ times }: Outcome, share: number): number =>
  times[Math.floor(times.length * share)] ?? 0

const sending = ({ mix, kinds, done }: Load) => {
  const outcome: Outcome = {
    seconds: 0,
    offered: 0,
    done: {},
    away: 0,
    lost: 0,
    odd: [],
    times: [],
  }
  const began = performance.now()
  const send = async () => {
    const kind = mix[outcome.offered++ % mix.length] as string
    const sent = performance.now()
    try {
      const { status, comeAgain } = await (kinds[kind] as Send)()
      if (done.includes(status)) {
        outcome.done[kind] = (outcome.done[kind] ?? 0) + 1
        outcome.times.push(performance.now() - sent)
      } else if (status === 503 && comeAgain) outcome.away++
      else outcome.odd.push(`${kind}: ${status}`)
    } catch {
      outcome.lost++
    }
  }
  const end = (): Outcome => {
    outcome.times.sort((one, other) => one - other)
    return outcome
  }
  const sinceBegin = () => (performance.now() - began) / 1000
  return { outcome, send, end, sinceBegin }
}

/**
 * A fixed number of clients, each sending its next request after the last response: the maximum
 * throughput.
 */
export const saturate = async (load: Load, clients: number, seconds: number): Promise<Outcome> => {
  const { outcome, send, end, sinceBegin } = sending(load)
  const client = async () => {
    while (sinceBegin() < seconds) await send()
  }
  await Promise.all(Array.from({ length: clients }, client))
  outcome.seconds = sinceBegin()
  return end()
}

const tick = 10 // ms

/** A fixed number of requests per second, independent of their responses. */
export const offer = async (load: Load, rate: number, seconds: number): Promise<Outcome> => {
  const { outcome, send, end, sinceBegin } = sending(load)
  const underWay: Promise<void>[] = []
  while (sinceBegin() < seconds) {
    const due = Math.floor(Math.min(sinceBegin(), seconds) * rate)
    while (outcome.offered < due) underWay.push(send())
    await sleep(tick)
  }
  outcome.seconds = sinceBegin()
  await Promise.all(underWay)
  return end()
}
