import type { FastifyReply } from 'fastify'
import type { Session } from '../../../core/people/sessions.ts'

/** The guard in front of every page on which somebody administers an organization. */
export interface Administering {
  /** false for who has shown a password alone, where the operator asks for more. */
  mayAdminister(session: Session): boolean
  /** Sends them to show a passkey, or to add one, and then back here. */
  askForPasskey(reply: FastifyReply, returnTo: string): FastifyReply
}

/**
 * ```ts
 * if (!administering.mayAdminister(session)) return administering.askForPasskey(reply, request.url)
 * ```
 * @param required ADMIN_PASSKEY_REQUIRED
 */
export const createAdministering = (required: boolean): Administering => ({
  mayAdminister: ({ methods }) => !required || methods.some((one) => one !== 'password'),
  askForPasskey: (reply, returnTo) =>
    reply
      .header('cache-control', 'no-store')
      .redirect(`/account/confirm?${new URLSearchParams({ return_to: returnTo })}`, 303),
})
