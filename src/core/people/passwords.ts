import { availableParallelism } from 'node:os'
import argon2 from 'argon2'
import { type Caller, createFairQueue, type QueueBounds } from '../limits/fair-queue.ts'
import { matchesHash } from './foreign-hash.ts'

export interface Passwords {
  /** @throws OAuthError temporarily_unavailable when too many callers wait */
  hash(password: string, caller: Caller): Promise<string>
  /**
   * Takes the same time with and without a hash.
   * @throws OAuthError temporarily_unavailable when too many callers wait
   */
  verify(hash: string | null, password: string, caller: Caller): Promise<boolean>
  /** The same for the secret of a client, on half of the threads at most. @param hash in a form of another server */
  verifySecret(hash: string, secret: string, caller: Caller): Promise<boolean>
}

const foreignMark = 'foreign:'

/** A hash of another server, as stored until the user signs in. */
export const asForeign = (hash: string) => foreignMark + hash

export const isForeign = (hash: string | null): hash is string =>
  hash?.startsWith(foreignMark) === true

/** All apps of a platform may come from one address, each with one request at a time. */
const forSecrets: QueueBounds = {
  most: { all: 5000, network: 2000, account: 4 },
  longestWait: 20_000,
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
  const secretsInLine = createFairQueue(now, Math.max(1, Math.floor(most / 2)), forSecrets)
  let absent: Promise<string> | undefined
  return {
    hash: (password, caller) => inLine(caller, () => argon2.hash(password, parameters)),
    verify: (hash, password, caller) =>
      inLine(caller, async () => {
        if (isForeign(hash)) return matchesHash(hash.slice(foreignMark.length), password)
        absent ??= argon2.hash('nobody', parameters)
        const matches = await argon2.verify(hash ?? (await absent), password)
        return matches && hash !== null
      }),
    verifySecret: (hash, secret, caller) =>
      secretsInLine(caller, () => inLine(caller, () => matchesHash(hash, secret))),
  }
}
