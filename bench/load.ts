import { Agent, Pool } from 'undici'
import { openBrowser } from './browser.ts'
import type { Shot } from './protocol.ts'

export interface LoadResult {
  requests: number
  seconds: number
  /** Milliseconds. */
  p50: number
  p99: number
  failed: number
  /** Status and body of the first wrong answer. */
  firstFailure: string | null
}

export interface LoadOptions {
  port: number
  shots: Shot[]
  connections: number
  /** Maximum seconds; a list of single-use shots may end sooner. */
  seconds: number
  /** Total requests per second; absent: as fast as answers arrive. */
  rate?: number
  /** Seconds at the beginning whose response times do not count, because connections are being opened. */
  warmUp?: number
  /** Receives each response time in ms, instead of the result. */
  onAnswer?: (milliseconds: number) => void
}

export const quantile = (sorted: Float64Array, part: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN

interface Answer {
  statusCode: number
  /** '' if the answer does not redirect. */
  location: string
  text: string
}

/** An introspection of a valid token has the same status as one of an invalid token. */
const isAnswered = ({ body }: Shot, { statusCode, location, text }: Answer) =>
  body === null
    ? [302, 303].includes(statusCode) && /[?&]code=/.test(location)
    : statusCode === 200 && !/"active": ?false/.test(text)

const send = async (pool: Pool, { path, headers, body, token }: Shot): Promise<Answer> => {
  const answer = await pool.request({
    method: body === null ? 'GET' : 'POST',
    path,
    headers,
    body: token === undefined ? body : (body?.replace('{token}', token) ?? null),
  })
  const { statusCode, headers: answered } = answer
  return { statusCode, location: String(answered.location ?? ''), text: await answer.body.text() }
}

/**
 * Sends shots over persistent connections, one at a time on each. Chains continue with their new token. Other shots are
 * repeated unless `once`.
 */
export const fire = async (
  { port, shots, connections, seconds, rate, warmUp = 0, onAnswer }: LoadOptions,
  once: boolean,
): Promise<LoadResult> => {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections, pipelining: 1 })
  const agent = new Agent({ connections, pipelining: 1 })
  const times: number[] = []
  const record = onAnswer ?? ((milliseconds: number) => times.push(milliseconds))
  let answered = 0
  let failed = 0
  let firstFailure: string | null = null
  let next = 0
  const began = performance.now()
  const end = began + seconds * 1000

  const takeTurn = () => {
    if (once && next >= shots.length) return null
    return shots[next++ % shots.length] as Shot
  }

  const shoot = async (shot: Shot, startedAt: number) => {
    const answer = await (shot.follow
      ? openBrowser(agent, shot.headers.cookie).get(`http://127.0.0.1:${port}${shot.path}`)
      : send(pool, shot))
    answered++
    if (startedAt - began >= warmUp * 1000) record(performance.now() - startedAt)
    if (!isAnswered(shot, answer)) {
      failed++
      firstFailure ??= `${answer.statusCode} ${answer.location} ${answer.text}`
    } else if (shot.token !== undefined) {
      shot.token = JSON.parse(answer.text).refresh_token
    }
  }

  const asFastAsItGoes = async (lane: number) => {
    // Each lane has its own chains, so that a token is never in two requests at once.
    for (let at = lane; performance.now() < end; at += connections) {
      const shot = shots[lane]?.token !== undefined ? shots[at % shots.length] : takeTurn()
      if (!shot) return
      await shoot(shot, performance.now())
    }
  }

  const atRate = async (perSecond: number) => {
    const underWay = new Set<Promise<void>>()
    const busy = new Set<Shot>()
    let sent = 0
    while (performance.now() < end) {
      // A timer, not a busy loop: the generator must leave its core to the servers.
      await new Promise((resolve) => setTimeout(resolve, 1))
      const due = Math.floor(((performance.now() - began) / 1000) * perSecond)
      for (; sent < due; sent++) {
        const shot = takeTurn()
        if (!shot || busy.has(shot)) continue
        busy.add(shot)
        const shooting = shoot(shot, began + (sent * 1000) / perSecond).finally(() => {
          underWay.delete(shooting)
          busy.delete(shot)
        })
        underWay.add(shooting)
      }
    }
    await Promise.all(underWay)
  }

  if (rate) await atRate(rate)
  else {
    // A multiple of the lanes, so that a chain stays in its lane.
    shots.length -= shots.length % connections
    await Promise.all(Array.from({ length: connections }, (_, lane) => asFastAsItGoes(lane)))
  }
  const elapsed = (performance.now() - began) / 1000
  await Promise.all([pool.close(), agent.close()])
  const sorted = Float64Array.from(times).sort()
  return {
    requests: answered,
    seconds: elapsed,
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    failed,
    firstFailure,
  }
}
