import { OAuthError } from '../language/errors.ts'
import { networkOf } from '../language/ip-address.ts'

/** The account and address for which CPU-bound work is done. */
export interface Caller {
  account: string
  /** null: unknown */
  address: string | null
}

interface Waiting {
  account: string
  since: number
  enter(): void
  refuse(error: OAuthError): void
}

/** The callers of one network that wait, in order of arrival. */
interface Lane {
  waiting: Waiting[]
  /** The last time when no caller of this network waited. */
  emptyAt: number
}

export interface QueueBounds {
  /** Maximum number of waiting callers: in all, per network and per account. */
  most: Record<'all' | 'network' | 'account', number>
  /** Milliseconds that a caller waits at most under lasting overload. */
  longestWait: number
}

const usualBounds: QueueBounds = {
  most: { all: 32, network: 8, account: 4 },
  longestWait: 300,
}
/** Operators have shown a token and may come from any address, so they share a lane without the network limit. */
const trusted = ''
/**
 * Milliseconds. A line that stands for longer is a lasting overload; from then on no caller waits longer than
 * `longestWait`.
 */
const standing = 1000

/** 503: more sign-ins than can be checked. */
export const overload = () =>
  new OAuthError('temporarily_unavailable', 'too many sign-ins at the moment', {
    reason: 'sign_in_overload',
    retryAfter: 2,
  })

/**
 * The key with most waiting callers, at least two: its last caller makes room for a newcomer with fewer. Null when
 * every key has one.
 */
const longest = <Key>(counts: Map<Key, number>): Key | null => {
  let found: Key | null = null
  for (const [key, count] of counts)
    if (count > (found === null ? 1 : (counts.get(found) ?? 0))) found = key
  return found
}

/**
 * Runs the work of a few callers at once, one per account, and lets a few more wait. Networks take turns, so callers
 * of one network delay each other but no other network. Under lasting overload some callers are refused and the
 * others stay fast.
 * @param now milliseconds of a monotonic clock
 * @param mostRunning at once
 */
export const createFairQueue = (
  now: () => number,
  mostRunning: number,
  { most, longestWait } = usualBounds,
) => {
  /** In the order of the networks' turns. */
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

  /** Refuses the last caller of this network, or of this account in it. */
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

  /**
   * Makes room for one more caller, at the cost of the networks and accounts with most waiting callers.
   * @throws OAuthError when there is no room
   */
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

  /** The next caller of this network whose account is not being served. Refuses those that have waited too long. */
  const nextOf = (network: string, lane: Lane): Waiting | undefined => {
    for (const one of [...lane.waiting]) {
      const at = lane.waiting.indexOf(one)
      if (isTooLate(lane, one)) drop(network, lane, at)?.refuse(overload())
      else if (!busy.has(one.account)) return drop(network, lane, at)
    }
    return undefined
  }

  /** @returns false when no caller can be admitted */
  const admitOne = (): boolean => {
    if (running >= mostRunning) return false
    for (const [network, lane] of [...lanes]) {
      const next = nextOf(network, lane)
      if (!next) continue
      // The network moves to the end of the turns.
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

  return async <Result>({ account, address }: Caller, work: () => Promise<Result>) => {
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
