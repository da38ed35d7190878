import { availableParallelism } from 'node:os'
import argon2 from 'argon2'
import { type Caller, createFairQueue } from '../limits/fair-queue.ts'

export interface Passwords {
  /** @throws OAuthError temporarily_unavailable when too many callers wait */
  hash(password: string, caller: Caller): Promise<string>
  /**
   * Takes the same time with and without a hash.
   * @throws OAuthError temporarily_unavailable when too many callers wait
   */
  verify(hash: string | null, password: string, caller: Caller): Promise<boolean>
}

// OWASP password storage: argon2id, 19 MiB, 2 passes, 1 lane.
const parameters = {
  type: argon2.argon2id,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
} as const
/** A hash keeps one processor busy. One processor stays free for other requests. */
const mostRunning = Math.max(1, Math.min(2, availableParallelism() - 1))

/** @param now milliseconds of a monotonic clock @param most hashes at once */
export const createPasswords = (
  now: () => number = () => performance.now(),
  most: number = mostRunning,
): Passwords => {
  const inLine = createFairQueue(now, most)
  let absent: Promise<string> | undefined
  return {
    hash: (password, caller) => inLine(caller, () => argon2.hash(password, parameters)),
    verify: (hash, password, caller) =>
      inLine(caller, async () => {
        absent ??= argon2.hash('nobody', parameters)
        const matches = await argon2.verify(hash ?? (await absent), password)
        return matches && hash !== null
      }),
  }
}
