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
const mostRunning = 2
const mostWaiting = 32

/** Lets a few hashes run at once and a few more wait, so that sign-ins cannot starve token requests. */
const createGate = () => {
  const waiting: (() => void)[] = []
  let running = 0

  const enter = async () => {
    if (running < mostRunning) {
      running++
      return
    }
    if (waiting.length >= mostWaiting) {
      throw new OAuthError('temporarily_unavailable', 'too many people are signing in right now', {
        reason: 'sign_in_overload',
        retryAfter: 2,
      })
    }
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
  /** Hands the place to who has waited longest, so that nobody slips in between. */
  const leave = () => {
    const next = waiting.shift()
    if (next) next()
    else running--
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

export const createPasswords = (): Passwords => {
  const gate = createGate()
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
