import type { FastifyRequest } from 'fastify'
import type { Consents } from '../../core/authorization/consents.ts'
import type {
  AppAnswer,
  AuthorizationAnswer,
  AuthorizationRequest,
  AuthorizationRequests,
} from '../../core/authorization/requests.ts'
import type { App } from '../../core/clients/app.ts'
import { matchRedirectUri } from '../../core/clients/redirect-uri.ts'
import { invalidRequest } from '../../core/language/errors.ts'
import type { Interface } from '../../core/language/permissions.ts'
import type { Browser } from './browser.ts'
import { noteConcerned } from './concerned.ts'

export type InteractionRequest = FastifyRequest<{ Params: { id: string } }>

/** The last path segment of the address where an answered request continues. */
type Continuation = Interface | 'device' | 'setup'

export const continuationOf = (pending: AuthorizationRequest): Continuation => {
  if (pending.installLink) return 'setup'
  return pending.device ? 'device' : pending.interface
}

export const gone = () =>
  invalidRequest('this request has expired or was answered already', 'interaction_gone')

/** An empty one is that of a link whose admin stays on our pages. */
const demandSetupUri = (app: App, setupUri: string) => {
  if (setupUri !== '' && setupUri !== app.setupUri)
    throw invalidRequest('the setup URI is not registered any more', 'redirect_uri_unregistered')
}

/**
 * Checks the redirect URI again: a user may take an hour to answer, and the app may have lost the URI meanwhile.
 * @throws OAuthError when the redirect URI is no longer registered
 */
export const demandRedirectUri = (app: App, pending: AuthorizationRequest) => {
  const { redirectUri, webMessage, installLink } = pending
  if (installLink) return demandSetupUri(app, redirectUri)
  const isRegistered = webMessage
    ? app.redirectUris.includes(redirectUri)
    : matchRedirectUri(app.redirectUris, redirectUri, app.clientType) !== null
  if (!isRegistered)
    throw invalidRequest('the redirect URI is not registered any more', 'redirect_uri_unregistered')
}

/** An answer of one user counts only where that user is signed in. Anyone with the browser may refuse. */
export const isAnswerOfUser = async (
  { browser }: { browser: Pick<Browser, 'session'> },
  request: FastifyRequest,
  answer: AuthorizationAnswer | null,
): Promise<boolean> =>
  answer === null ||
  answer.kind === 'refused' ||
  (await browser.session(request))?.user.id === answer.userId

/**
 * Finds the request that was begun and answered in this browser. A request approved by one user continues only where
 * that user is signed in: a planted browser cookie must not deliver the code to another user.
 * @throws OAuthError when it is missing, not answered or approved by another user
 */
export const answeredRequest = async (
  deps: { requests: Pick<AuthorizationRequests, 'find'>; browser: Browser },
  request: InteractionRequest,
  end: Continuation,
): Promise<AuthorizationRequest & { answer: AuthorizationAnswer }> => {
  const { requests, browser } = deps
  const bound = browser.bound(request)
  const pending = bound === null ? null : await requests.find(request.params.id, bound)
  const answer = pending?.answer
  if (pending) noteConcerned(request, pending)
  const isOwnAnswer = await isAnswerOfUser(deps, request, answer ?? null)
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
  request: InteractionRequest,
  end: Interface,
): Promise<AuthorizationRequest & { answer: AppAnswer }> => {
  const pending = await answeredRequest(deps, request, end)
  const { answer } = pending
  const app = await deps.consents.findApp(pending.clientId)
  if (!app || app.disabled || answer.kind === 'installed') throw gone()
  demandRedirectUri(app, pending)
  return { ...pending, answer }
}
