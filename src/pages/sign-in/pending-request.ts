import type { FastifyRequest } from 'fastify'
import type { AuthorizationRequest } from '../../core/authorization/requests.ts'
import type { App } from '../../core/clients/app.ts'
import { gone } from '../../http/browser/answered-request.ts'
import { noteConcerned } from '../../http/browser/concerned.ts'
import { noteWish } from '../../http/browser/reader-language.ts'
import type { PageServices } from './services.ts'

/** An authorization request that continues after the current page. */
export interface PendingRequest {
  pending: AuthorizationRequest
  app: App
}

/** True when a form that ends at this path can lead to an app. A device, or a link without a setup URI, leads to none. */
export const leadsToApp = (returnTo: string, found: PendingRequest | null) =>
  found
    ? !found.pending.device && found.pending.redirectUri !== ''
    : /^\/(authorize|oauth\/authorize|end-session)\b/.test(returnTo)

/**
 * Finds the authorization request that a page returns to, with its app.
 * @throws OAuthError `interaction_gone` when the request is over: nobody should sign in for it
 */
export const createFindPendingRequest =
  ({ requests, consents, browser }: PageServices) =>
  async (request: FastifyRequest, returnTo: string): Promise<PendingRequest | null> => {
    const id = /^\/interaction\/([A-Za-z0-9_-]+)/.exec(returnTo)?.[1]
    const bound = browser.bound(request)
    const pending = id && bound !== null ? await requests.find(id, bound) : null
    if (pending) noteConcerned(request, pending)
    if (id && (!pending || pending.answer)) throw gone()
    if (pending) noteWish(request, { app: pending.uiLocales ?? null, interaction: pending.id })
    const app = pending && (await consents.findApp(pending.clientId))
    return pending && app ? { pending, app } : null
  }
