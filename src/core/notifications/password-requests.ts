import type { Limits } from '../limits/limits.ts'
import { normaliseEmail } from '../people/email-address.ts'

export interface PasswordRequestStore {
  /** Queues a request. The queue decides later whether a user has the address, so each request costs the same. */
  request(email: string): Promise<void>
}

export interface PasswordRequests {
  /**
   * Requests a link for a new password. The result and its time are the same for unknown addresses.
   * @throws OAuthError slow_down (429) after too many requests of this network
   */
  request(sentEmail: string, address: string): Promise<void>
}

export const createPasswordRequests = (deps: {
  store: PasswordRequestStore
  limits: Pick<Limits, 'passwordRequested'>
}): PasswordRequests => ({
  request: async (sentEmail, address) => {
    await deps.limits.passwordRequested(address)
    await deps.store.request(normaliseEmail(sentEmail))
  },
})
