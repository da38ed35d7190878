import type { FastifyRequest } from 'fastify'
import type { Consents } from '../../core/authorization/consents.ts'
import type {
  Answer,
  AuthorizationRequest,
  AuthorizationRequests,
} from '../../core/authorization/requests.ts'
import type { App } from '../../core/clients/app.ts'
import { matchRedirectUri } from '../../core/clients/redirect-uri.ts'
import { invalidRequest } from '../../core/language/errors.ts'
import type { Interface } from '../../core/language/permissions.ts'
import type { Browser } from './browser.ts'

/** The last path segment of the address where an answered request continues. */
export const continuationOf = ({
  device,
  interface: generation,
}: AuthorizationRequest): Interface | 'device' => (device ? 'device' : generation)

const gone = () =>
  invalidRequest('this request has expired or was answered already', 'interaction_gone')

/**
 * Checks the redirect URI again: a user may take an hour to answer, and the app may have lost the URI meanwhile.
 * @throws OAuthError when the redirect URI is no longer registered
 */
export const demandRedirectUri = (app: App, pending: AuthorizationRequest) => {
  const { redirectUri, webMessage } = pending
  const isRegistered = webMessage
    ? app.redirectUris.includes(redirectUri)
    : matchRedirectUri(app.redirectUris, redirectUri, app.clientType) !== null
  if (!isRegistered)
    throw invalidRequest('the redirect URI is not registered any more', 'redirect_uri_unregistered')
}

/**
 * Finds the request that was begun and answered in this browser. A request approved by one user continues only where
 * that user is signed in: a planted browser cookie must not deliver the code to another user.
 * @throws OAuthError when it is missing, not answered or approved by another user
 */
export const answeredRequest = async (
  deps: { requests: Pick<AuthorizationRequests, 'find'>; browser: Browser },
  request: FastifyRequest<{ Params: { id: string } }>,
  end: Interface | 'device',
): Promise<AuthorizationRequest & { answer: Answer }> => {
  const { requests, browser } = deps
  const bound = browser.bound(request)
  const pending = bound === null ? null : await requests.find(request.params.id, bound)
  const answer = pending?.answer
  const isOwnAnswer =
    answer?.kind !== 'approved' || (await browser.session(request))?.user.id === answer.userId
  if (!pending || continuationOf(pending) !== end || !answer || !isOwnAnswer) {
    throw gone()
  }
  return { ...pending, answer }
}

/**
 * Finds an answered request as above, and checks that its app still exists and that its redirect URI is registered.
 * @throws OAuthError
 */
export const answeredRequestWithApp = async (
  deps: {
    requests: Pick<AuthorizationRequests, 'find'>
    consents: Pick<Consents, 'findApp'>
    browser: Browser
  },
  request: FastifyRequest<{ Params: { id: string } }>,
  end: Interface,
) => {
  const pending = await answeredRequest(deps, request, end)
  const app = await deps.consents.findApp(pending.clientId)
  if (!app || app.disabled) throw gone()
  demandRedirectUri(app, pending)
  return pending
}
