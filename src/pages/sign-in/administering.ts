import type { FastifyReply } from 'fastify'
import type { Session } from '../../core/people/session.ts'

/** Guards every page on which an admin administers an organization. */
export interface Administering {
  /** false when the session has only a password, but the user is an operator or the configuration requires more. */
  mayAdminister(session: Session): boolean
  /** Redirects to a page that asks for a passkey or adds one, and then back. */
  askForPasskey(reply: FastifyReply, returnTo: string): FastifyReply
}

/**
 * ```ts
 * if (!administering.mayAdminister(session)) return administering.askForPasskey(reply, request.url)
 * ```
 * @param admins ADMIN_PASSKEY_REQUIRED
 * @param operators OPERATOR_PASSKEY_REQUIRED
 * @param withPasskeys false: browsers offer no passkeys at this address, or only the platform's provider signs in
 */
export const createAdministering = (rules: {
  admins: boolean
  operators: boolean
  withPasskeys: boolean
}): Administering => ({
  mayAdminister: ({ methods, isOperator }) => {
    const needsMore = isOperator && rules.operators
    if (needsMore && rules.withPasskeys) return methods.includes('passkey')
    return !(rules.admins || needsMore) || methods.some((one) => one !== 'password')
  },
  askForPasskey: (reply, returnTo) =>
    reply
      .header('cache-control', 'no-store')
      .redirect(`/account/confirm?${new URLSearchParams({ return_to: returnTo })}`, 303),
})
