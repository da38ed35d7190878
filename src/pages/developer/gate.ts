import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Cause } from '../../core/audit/audit.ts'
import type { AppOwners, OwnedApp } from '../../core/clients/app-owners.ts'
import { isClientIdShaped } from '../../core/crypto/identifiers.ts'
import { NotFound } from '../../core/language/service-errors.ts'
import type { Session } from '../../core/people/session.ts'
import { type Browser, causeOf } from '../../http/browser/browser.ts'
import type { Text } from '../../words/text.ts'
import { textOf } from '../rendering/reader-text.ts'
import type { Renderer } from '../rendering/render.ts'
import type { Administering } from '../sign-in/administering.ts'
import { signInUrl } from '../sign-in/page.ts'

/** One visit of an owner to a page of their app. */
export interface OwnerVisit {
  request: FastifyRequest
  reply: FastifyReply
  text: Text
  session: Session
  cause: Cause
  owned: OwnedApp
  /** `/developer/apps/:client_id`, the prefix of the page's path. */
  base: string
}

export interface DeveloperGateDependencies {
  browser: Browser
  renderer: Renderer
  appOwners: Pick<AppOwners, 'read'>
  administering: Administering
}

/**
 * Guards every page and POST below `/developer/apps/:client_id`. A user who is not an owner at this moment gets the same
 * 404 for an app of others and for an unknown one. An owner who must use a passkey is asked for it first.
 */
export const createDeveloperGate =
  ({ browser, renderer, appOwners, administering }: DeveloperGateDependencies) =>
  (work: (visit: OwnerVisit) => Promise<FastifyReply>) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const session = await browser.session(request)
    if (!session)
      return reply.header('cache-control', 'no-store').redirect(signInUrl(request.url), 303)
    const { client_id: clientId } = request.params as { client_id: string }
    try {
      if (!isClientIdShaped(clientId)) throw new NotFound('app')
      const owned = await appOwners.read(session.user.id, clientId)
      const base = `/developer/apps/${encodeURIComponent(clientId)}`
      if (!administering.mayAdminister(session))
        // The fields of a form do not survive the redirect, so the user has to submit it again.
        return administering.askForPasskey(reply, request.method === 'GET' ? request.url : base)
      return await work({
        request,
        reply,
        text: textOf(request),
        session,
        cause: causeOf(request, session),
        owned,
        base,
      })
    } catch (error) {
      if (!(error instanceof NotFound)) throw error
      return renderer.notFound(request, reply)
    }
  }
