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

/** Where a request goes once it is answered, as the last part of its address. */
export const endOf = ({
  device,
  interface: generation,
}: AuthorizationRequest): Interface | 'device' => (device ? 'device' : generation)

const gone = () =>
  invalidRequest('this request has expired or was answered already', 'interaction_gone')

/**
 * A person takes an hour for an answer, and a redirect URI may have been taken from the app meanwhile.
 * @throws OAuthError when there is none to go back to
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
 * The request that was begun and answered in this browser. What one person has approved goes on only where that
 * person is signed in: a planted browser cookie must not bring the code to another.
 * @throws OAuthError when it is gone, not answered, or somebody else's
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
  const isOurs =
    answer?.kind !== 'approved' || (await browser.session(request))?.user.id === answer.userId
  if (!pending || endOf(pending) !== end || !answer || !isOurs) {
    throw gone()
  }
  return { ...pending, answer }
}

/** The same for an answer that goes to an app, which is there, and where it was. @throws OAuthError */
export const answeredForApp = async (
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
