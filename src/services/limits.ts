import { createHash } from 'node:crypto'
import { OAuthError } from '../domain/errors.ts'
import type { CounterStore } from './records.ts'

export interface LimitSettings {
  /** Failed client authentications per address and client in a minute. */
  clientFailures: number
  /** Failed sign-ins per account and address in ten minutes. */
  signInFailures: number
  /** Failed sign-ins per address in ten minutes. */
  signInFailuresPerAddress: number
}

export interface Limits {
  /** Counts a failed client authentication. @throws OAuthError slow_down (429) when there were too many */
  clientFailed(address: string, clientId: string): Promise<void>
  /**
   * Counts a sign-in attempt before the password is looked at.
   * @param email in its one spelling
   * @returns takes the count back when it succeeds
   * @throws OAuthError slow_down (429); from other addresses the account stays open
   */
  signInAttempt(address: string, email: string): Promise<() => Promise<void>>
}

const minute = 60
const tenMinutes = 600
const name = (...parts: string[]) =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22)

const tooMany = (resetsIn: number, reason: string) =>
  new OAuthError('slow_down', 'too many failed attempts; try again later', {
    reason,
    retryAfter: resetsIn,
  })

export const createLimits = (counters: CounterStore, settings: LimitSettings): Limits => ({
  clientFailed: async (address, clientId) => {
    const { count, resetsIn } = await counters.hit(name('client', address, clientId), 1, minute)
    if (count > settings.clientFailures) throw tooMany(resetsIn, 'client_failures')
  },
  signInAttempt: async (address, email) => {
    const keys = [name('sign-in', address, email), name('sign-in', address)] as const
    const [account, all] = await Promise.all([
      counters.hit(keys[0], 1, tenMinutes),
      counters.hit(keys[1], 1, tenMinutes),
    ])
    const giveBack = async () => {
      await Promise.all(keys.map((key) => counters.hit(key, -1, tenMinutes)))
    }
    if (account.count > settings.signInFailures || all.count > settings.signInFailuresPerAddress) {
      await giveBack()
      throw tooMany(Math.max(account.resetsIn, all.resetsIn), 'sign_in_failures')
    }
    return giveBack
  },
})
