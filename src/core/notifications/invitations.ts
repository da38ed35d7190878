import { auditEvent } from '../audit/audit.ts'
import { Conflict, found } from '../language/service-errors.ts'
import { type AccountCause, refuseGuarded } from '../people/account-guard.ts'
import type { UserStore } from '../people/user.ts'

export const createInvitations = (deps: {
  store: Pick<UserStore, 'change' | 'passwordHashOf'>
  /** Mails can be sent. */
  withMails: boolean
  /** Users may sign in with a password. */
  withPasswords: boolean
}) => {
  const { store, withMails, withPasswords } = deps

  /** @throws Conflict mail_not_configured, passwords_refused */
  const checkOffered = () => {
    if (!withMails)
      throw new Conflict('mail_not_configured', 'the server sends no mails: set SMTP_URL')
    if (!withPasswords)
      throw new Conflict('passwords_refused', 'users sign in through the provider only (OIDC_ONLY)')
  }

  return {
    checkOffered,
    /**
     * Queues a mail with a link to set a password. A newer invitation does not end an older one; the first password does.
     * @throws Forbidden, NotFound, Conflict mail_not_configured, passwords_refused, user_disabled, has_password
     */
    invite: async (userId: string, cause: AccountCause) => {
      checkOffered()
      const hasPassword = (await store.passwordHashOf(userId)) !== null
      const user = await store.change(userId, null, (current) => {
        refuseGuarded(cause, current)
        if (current.disabled) throw new Conflict('user_disabled', 'the user is disabled')
        if (hasPassword) throw new Conflict('has_password', 'the user has a password already')
        return { values: current, events: [auditEvent(cause, 'user.invited', { userId })] }
      })
      // No address is changed, so none can be taken.
      found(user === 'email_taken' ? null : user, 'user')
    },
  }
}

export type Invitations = ReturnType<typeof createInvitations>
