import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { currentCode, exchangeCode, refresh } from './flows.ts'
import type { Running } from './latchkey.ts'
import { type Answers, createVisitor } from './visitor.ts'
import type { TestApp } from './world.ts'

/** A grant family from the view of its app. */
export interface Chain {
  /** Every refresh token that the app got; the last one is used next. */
  tokens: string[]
  /** A response was missing or not usable: the app does not know whether the token was consumed. */
  unsure: boolean
  ended: boolean
}

/** Results of the requests: by status, and those without a response. */
export interface Tally {
  ok: number
  invalidGrant: number
  away: number
  lost: number
  /** The connection was refused, so no request was made. */
  refused: number
  /** Anything else, as text. */
  odd: string[]
  /** A token was accepted twice. */
  twice: number
  /** `invalid_grant` for a token although no response was missing. */
  unexplained: number
  slowest: number
}

export const newTally = (): Tally => ({
  ok: 0,
  invalidGrant: 0,
  away: 0,
  lost: 0,
  refused: 0,
  odd: [],
  twice: 0,
  unexplained: 0,
  slowest: 0,
})

export const newChains = async (
  running: Pick<Running, 'issuer'>,
  app: TestApp,
  person: Answers,
  count: number,
  url: string = running.issuer,
): Promise<Chain[]> => {
  const visitor = createVisitor(running.issuer)
  const next = async (): Promise<Chain> => {
    const { body } = await exchangeCode(
      url,
      app,
      await currentCode(running, app, person, {}, visitor),
    )
    return { tokens: [body.refresh_token], unsure: false, ended: false }
  }
  const chains = [await next()] // Signs in and consents, so that the others need not.
  while (chains.length < count) {
    const size = Math.min(8, count - chains.length)
    chains.push(...(await Promise.all(Array.from({ length: size }, next))))
  }
  return chains
}

const failureOf = (error: Error) =>
  (error.cause as { code?: string } | undefined)?.code === 'ECONNREFUSED' ? 'refused' : 'lost'

/** One refresh with the newest token of a chain, as a patient app sends it. */
export const rotate = async (
  url: string,
  app: TestApp,
  chain: Chain,
  tally: Tally,
  headers: Record<string, string> = {},
) => {
  const began = performance.now()
  const token = chain.tokens.at(-1) as string
  const answer = await refresh(url, app, token, {}, headers).catch(failureOf)
  tally.slowest = Math.max(tally.slowest, performance.now() - began)
  if (answer === 'refused' || answer === 'lost') {
    tally[answer]++
    if (answer === 'lost') chain.unsure = true
    return null
  }
  if (answer.status === 200) {
    tally.ok++
    if (chain.tokens.includes(answer.body.refresh_token)) tally.twice++
    chain.tokens.push(answer.body.refresh_token)
  } else if (answer.status === 400 && answer.body.error === 'invalid_grant') {
    tally.invalidGrant++
    if (!chain.unsure) tally.unexplained++
    chain.ended = true
  } else if (answer.status === 503 && answer.headers.has('retry-after')) {
    tally.away++
    chain.unsure = true
  } else tally.odd.push(`${answer.status} ${JSON.stringify(answer.body)}`)
  return answer
}

export interface Rotating {
  tally: Tally
  /** Lets pending requests finish. */
  stop(): Promise<Tally>
}

/**
 * Refreshes each chain repeatedly, each in its own order, until stopped. @param urlOf the target of
 * the next request @param pause milliseconds after each request of one client @param atOnce clients
 * that share the chains @param headers of each request
 */
export const keepRotating = (
  chains: Chain[],
  app: TestApp,
  urlOf: () => string,
  pause = 5,
  atOnce = chains.length,
  headers: Record<string, string> = {},
): Rotating => {
  const tally = newTally()
  const queue = [...chains]
  let stopped = false
  const client = async () => {
    for (let chain = queue.shift(); chain && !stopped; chain = queue.shift()) {
      await rotate(urlOf(), app, chain, tally, headers)
      await sleep(pause)
      if (!chain.ended) queue.push(chain)
    }
  }
  const clients = Promise.all(Array.from({ length: atOnce }, client))
  return {
    tally,
    stop: async () => {
      stopped = true
      await clients
      return tally
    },
  }
}

/** For each family, besides the last used token; the first replay revokes it anyway. */
const fewReplayed = Number(process.env.LATCHKEY_FAULT_REPLAYS ?? 10)

/**
 * Replays issued tokens: of each family at most the newest token works, once. Half of the families
 * start with the newest token, the others with the used ones, so that neither hides the other.
 */
export const replayAll = async (
  t: Test,
  url: string,
  app: TestApp,
  chains: Chain[],
  mostReplayed = fewReplayed,
) => {
  let [replayed, accepted, alive, branches] = [0, 0, 0, 0]
  const send = async (token: string) => (await refresh(url, app, token)).status
  const check = async ({ tokens }: Chain, at: number) => {
    // The last used token is the one that a store with lost writes would accept again.
    const older = tokens.slice(0, -2).sort(() => Math.random() - 0.5)
    const spent = [...tokens.slice(-2, -1), ...older.slice(0, mostReplayed)]
    const newest = tokens.at(-1) as string
    const newestFirst = at % 2 === 0
    const first = newestFirst ? await send(newest) : null
    for (const token of spent) {
      replayed++
      if ((await send(token)) === 200) accepted++
    }
    if (first === 200) alive++
    if (!newestFirst && spent.length > 0 && (await send(newest)) === 200) branches++
  }
  const queue = chains.map((chain, at) => () => check(chain, at))
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) await next()
  }
  await Promise.all(Array.from({ length: 8 }, work))
  t.ok(replayed > 0, `${replayed} spent tokens of ${chains.length} families were presented again`)
  t.equal(accepted, 0, 'no used token is accepted')
  t.equal(branches, 0, 'no family is live after a replay')
  return { alive }
}
