import { availableParallelism } from 'node:os'
import argon2 from 'argon2'
import { OAuthError } from '../domain/errors.ts'

export interface Passwords {
  hash(password: string): Promise<string>
  /** Costs the same whether there is a hash or not. @throws OAuthError temporarily_unavailable when too many wait */
  verify(hash: string | null, password: string): Promise<boolean>
}

// OWASP password storage: argon2id, 19 MiB, 2 passes, 1 lane.
const parameters = {
  type: argon2.argon2id,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
} as const
/** One processor is left to whoever does not sign in: a hash takes a whole one. */
const mostRunning = Math.max(1, Math.min(2, availableParallelism() - 1))
const mostWaiting = 32
/** Milliseconds: a line that has stood for so long is no passing crowd; then nobody waits longer than the other. */
const standing = 1000
const longestWait = 300

interface Waiting {
  since: number
  enter(): void
  refuse(error: OAuthError): void
}

const overload = () =>
  new OAuthError('temporarily_unavailable', 'too many people are signing in right now', {
    reason: 'sign_in_overload',
    retryAfter: 2,
  })

/**
 * Lets a few hashes run at once and a few more wait, so that sign-ins cannot starve token requests. When more come
 * than go, all who are let in would have waited for the whole line: some are sent away instead, and the others are quick.
 * @param now milliseconds of a clock that nobody sets
 * @param most at once
 */
const createGate = (now: () => number, most: number) => {
  const waiting: Waiting[] = []
  let running = 0
  let emptyAt = now()

  const enter = async () => {
    if (running < most) {
      running++
      return
    }
    if (waiting.length >= mostWaiting) throw overload()
    if (waiting.length === 0) emptyAt = now()
    await new Promise<void>((resolve, refuse) =>
      waiting.push({ since: now(), enter: resolve, refuse }),
    )
  }

  const isTooLate = ({ since }: Waiting) =>
    now() - emptyAt > standing && now() - since > longestWait

  /** Hands the place to who has waited longest, so that nobody slips in between. */
  const leave = () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      if (!isTooLate(next)) return next.enter()
      next.refuse(overload())
    }
    running--
  }

  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    await enter()
    try {
      return await work()
    } finally {
      leave()
    }
  }
}

/**
 * @param now milliseconds of a clock that nobody sets
 * @param most hashes at once
 */
export const createPasswords = (
  now: () => number = () => performance.now(),
  most: number = mostRunning,
): Passwords => {
  const gate = createGate(now, most)
  let absent: Promise<string> | undefined
  return {
    hash: (password) => gate(() => argon2.hash(password, parameters)),
    verify: (hash, password) =>
      gate(async () => {
        absent ??= argon2.hash('nobody', parameters)
        const matches = await argon2.verify(hash ?? (await absent), password)
        return matches && hash !== null
      }),
  }
}
