import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import type { Limits } from '../limits/limits.ts'
import { normaliseEmail } from '../people/email-address.ts'

/** The request that asked for a link. */
export type RequestCause = Pick<Cause, 'address' | 'requestId'>

export interface PasswordRequestStore {
  /** Queues a request. The queue decides later whether a user has the address, so each request costs the same. */
  request(email: string, cause: RequestCause): Promise<void>
}

/** A request whose mail is queued: its user exists, and has not got too many of these mails. */
export type QueuedPasswordRequest = RequestCause & { userId: string }

/** Only the queue knows the user. So the event is written later, and none for other addresses. */
export const passwordRequested = ({ userId, ...from }: QueuedPasswordRequest): AuditEvent =>
  auditEvent({ actor: { kind: 'anonymous', id: null }, ...from }, 'user.password_requested', {
    userId,
  })

export const createPasswordRequests = (deps: {
  store: PasswordRequestStore
  limits: Pick<Limits, 'passwordRequested'>
}) => ({
  /**
   * Requests a link for a new password. The result and its time are the same for unknown addresses.
   * @throws OAuthError slow_down (429) after too many requests of this network
   */
  request: async (sentEmail: string, cause: RequestCause & { address: string }) => {
    await deps.limits.passwordRequested(cause.address)
    await deps.store.request(normaliseEmail(sentEmail), cause)
  },
})

export type PasswordRequests = ReturnType<typeof createPasswordRequests>
