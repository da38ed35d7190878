import { OAuthError } from '../language/errors.ts'
import { networkOf } from '../language/network.ts'

/** For whom something is done that takes a whole processor. */
export interface Caller {
  account: string
  /** null: unknown. */
  address: string | null
}

interface Waiting {
  account: string
  since: number
  enter(): void
  refuse(error: OAuthError): void
}

/** Those of one network who wait, in the order in which they came. */
interface Lane {
  waiting: Waiting[]
  /** When nobody of this network waited last. */
  emptyAt: number
}

/** Callers who wait, in all, of one network, and of one account. */
const most = { all: 32, network: 8, account: 4 }
/** Of operators, who have shown a token and come from anywhere. */
const trusted = ''
/** Milliseconds: a line that has stood for so long is no passing crowd; then nobody waits longer than the other. */
const standing = 1000
const longestWait = 300

/** 503: more sign-ins than can be checked. */
export const overload = () =>
  new OAuthError('temporarily_unavailable', 'too many people are signing in right now', {
    reason: 'sign_in_overload',
    retryAfter: 2,
  })

/** The last one in line of those of whom most wait, so that one more who has fewer finds room; null: all have one. */
const longest = <Key>(counts: Map<Key, number>): Key | null => {
  let found: Key | null = null
  for (const [key, count] of counts)
    if (count > (found === null ? 1 : (counts.get(found) ?? 0))) found = key
  return found
}

/**
 * Lets a few callers work at once, one of an account, and a few more wait. The networks take turns, so that those who
 * come from one address wait for each other and keep nobody else waiting. When more come than go, some are refused and
 * the others are quick.
 * @param now milliseconds of a clock that nobody sets
 * @param mostRunning at once
 */
export const createFairLine = (now: () => number, mostRunning: number) => {
  /** In the order in which the networks have their turns. */
  const lanes = new Map<string, Lane>()
  const busy = new Set<string>()
  let running = 0
  let total = 0

  const drop = (network: string, lane: Lane, at: number): Waiting | undefined => {
    const [one] = lane.waiting.splice(at, 1)
    if (one) total--
    if (lane.waiting.length === 0) lanes.delete(network)
    return one
  }

  /** Refuses the last who came of this network, or of this account in it. */
  const dropLast = (network: string, account: string | null = null) => {
    const lane = lanes.get(network)
    const at =
      lane?.waiting.findLastIndex((one) => account === null || one.account === account) ?? -1
    if (lane && at >= 0) drop(network, lane, at)?.refuse(overload())
  }

  const accountsOf = (lane: Lane) => {
    const counts = new Map<string, number>()
    for (const { account } of lane.waiting) counts.set(account, (counts.get(account) ?? 0) + 1)
    return counts
  }

  /** Makes room for one more, at the cost of those of whom more wait already. @throws OAuthError */
  const makeRoom = (network: string, account: string) => {
    const own = lanes.get(network)
    const counts = own ? accountsOf(own) : new Map<string, number>()
    if ((counts.get(account) ?? 0) >= most.account) throw overload()
    if (own && network !== trusted && own.waiting.length >= most.network) {
      const greedy = longest(counts)
      if (greedy === null || counts.has(account)) throw overload()
      dropLast(network, greedy)
    } else if (total >= most.all) {
      const greedy = longest(new Map([...lanes].map(([name, lane]) => [name, lane.waiting.length])))
      if (greedy === null || own) throw overload()
      dropLast(greedy)
    }
  }

  const isTooLate = (lane: Lane, { since }: Waiting) =>
    now() - lane.emptyAt > standing && now() - since > longestWait

  /** The next of this network whose account is not being served; those who have waited too long are refused. */
  const nextOf = (network: string, lane: Lane): Waiting | undefined => {
    for (const one of [...lane.waiting]) {
      const at = lane.waiting.indexOf(one)
      if (isTooLate(lane, one)) drop(network, lane, at)?.refuse(overload())
      else if (!busy.has(one.account)) return drop(network, lane, at)
    }
    return undefined
  }

  /** @returns false when nobody can be admitted */
  const admitOne = (): boolean => {
    if (running >= mostRunning) return false
    for (const [network, lane] of [...lanes]) {
      const next = nextOf(network, lane)
      if (!next) continue
      // To the end of the turns.
      if (lanes.delete(network)) lanes.set(network, lane)
      running++
      busy.add(next.account)
      next.enter()
      return true
    }
    return false
  }

  const enter = (network: string, account: string) => {
    if (running < mostRunning && !busy.has(account)) {
      running++
      busy.add(account)
      return Promise.resolve()
    }
    makeRoom(network, account)
    const lane = lanes.get(network) ?? { waiting: [], emptyAt: now() }
    lanes.set(network, lane)
    total++
    return new Promise<void>((resolve, refuse) => {
      lane.waiting.push({ account, since: now(), enter: resolve, refuse })
    })
  }

  return async <Result>(
    { account, address }: Caller,
    work: () => Promise<Result>,
  ): Promise<Result> => {
    await enter(address === null ? trusted : networkOf(address), account)
    try {
      return await work()
    } finally {
      running--
      busy.delete(account)
      while (admitOne());
    }
  }
}
