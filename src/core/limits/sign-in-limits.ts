import { fingerprintOf } from '../crypto/digests.ts'
import { networkOf } from '../language/ip-address.ts'
import type { LimitReason, LimitSettings } from './limit-settings.ts'
import type { CounterStore } from './records.ts'

export const tenMinutes = 600 // seconds

/** The name of a counter. */
export const nameOf = (...parts: string[]) => fingerprintOf(parts)

/** Sign-ins count by network, and by network and account. */
export const createSignInLimits = (deps: {
  counters: CounterStore
  settings: LimitSettings
  refusal(resetsIn: number, reason: LimitReason): Error
  hold(key: string, most: number, reason: LimitReason): Promise<void>
}) => {
  const { counters, settings, refusal, hold } = deps
  const signInsFrom = (address: string) => nameOf('sign-in', networkOf(address))
  const anySignInFrom = (address: string) => nameOf('any sign-in', networkOf(address))

  return {
    /**
     * Counts a sign-in attempt before the password is checked. From other addresses the account stays open.
     * @param email normalised
     * @returns undoes the count as a failure after a success; as a sign-in it stays counted
     */
    signInAttempt: async (address: string, email: string) => {
      const network = networkOf(address)
      const failures = [nameOf('sign-in', network, email), signInsFrom(address)] as const
      const all = [nameOf('any sign-in', network, email), anySignInFrom(address)] as const
      const add = (keys: readonly string[], by: number) =>
        Promise.all(keys.map((key) => counters.hit(key, by, tenMinutes)))
      const counted = await add([...failures, ...all], 1)
      const limits: [number, LimitReason][] = [
        [settings.signInFailures, 'sign_in_failures'],
        [settings.signInFailuresPerAddress, 'sign_in_failures'],
        [settings.signIns, 'sign_ins'],
        [settings.signInsPerAddress, 'sign_ins_of_address'],
      ]
      const reached = limits.find(([most], at) => (counted[at]?.count ?? 0) > most)
      if (reached) {
        // A refused event does not stay counted.
        await add([...failures, ...all], -1)
        throw refusal(Math.max(...counted.map((one) => one.resetsIn)), reached[1])
      }
      return () => add(failures, -1)
    },

    /** Counts a sign-in that begins without an e-mail address (provider, passkey), within the same limit per address. */
    signInBegun: async (address: string) => {
      await hold(anySignInFrom(address), settings.signInsPerAddress, 'sign_ins_of_address')
      await hold(signInsFrom(address), settings.signInFailuresPerAddress, 'sign_in_failures')
    },

    /** Undoes the count after a successful sign-in that began at this address. */
    signInDone: async (address: string) => {
      await counters.hit(signInsFrom(address), -1, tenMinutes)
    },
  }
}
