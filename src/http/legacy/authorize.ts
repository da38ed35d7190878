import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Usage } from '../../core/audit/usage.ts'
import type { Consents } from '../../core/authorization/consents.ts'
import type {
  AppAnswer,
  AuthorizationParameters,
  AuthorizationRequests,
  ConsentAnswer,
} from '../../core/authorization/requests.ts'
import { registeredTarget } from '../../core/authorization/web-message.ts'
import type { App } from '../../core/clients/app.ts'
import { matchRedirectUri, withAnswer, withFragment } from '../../core/clients/redirect-uri.ts'
import type { TokenLifetimes } from '../../core/clients/token-lifetime.ts'
import { isClientIdShaped } from '../../core/crypto/identifiers.ts'
import { briefGrantLifetime } from '../../core/grants/code-lifetime.ts'
import type { GrantIssuance } from '../../core/grants/issue.ts'
import { OAuthError } from '../../core/language/errors.ts'
import type { Limits } from '../../core/limits/limits.ts'
import { interactionError } from '../../core/people/prompt.ts'
import type { AccessTokens } from '../../core/tokens/access-tokens.ts'
import { answeredRequestWithApp, type InteractionRequest } from '../browser/answered-request.ts'
import { type Browser, signedOf } from '../browser/browser.ts'
import { noteConcerned } from '../browser/concerned.ts'
import { demandTopLevel } from '../browser/top-level.ts'
import { type AnswerPageText, sendWebMessage } from '../browser/web-message.ts'
import type { AnswerRequest } from '../oauth/either-interface.ts'
import { type AnswerError, answerErrors, logRefusal, publicError } from '../oauth/oauth-errors.ts'
import { queryPairs } from '../oauth/query.ts'
import {
  isSilentRequest,
  notRedirectable,
  readParameters,
  singleValue,
  type Target,
  valuesOf,
} from './authorization-request.ts'
import { announceEnd, endHeaders, type LegacyEnd } from './deprecation.ts'

export interface LegacyAuthorizeDependencies {
  consents: Consents
  requests: AuthorizationRequests
  limits: Pick<Limits, 'authorizationBegun'>
  issuance: GrantIssuance
  accessTokens: AccessTokens
  lifetimes: TokenLifetimes
  usage: Usage
  browser: Browser
  /** The Host on which legacy endpoints answer; null: every Host. */
  legacyHost: RegExp | null
  /** Origins of the platform's pages that show apps in frames. */
  platformOrigins: readonly string[]
  legacyEnd: LegacyEnd
  answerPageText(request: FastifyRequest): AnswerPageText
  showError: AnswerError
}

export const legacyAuthorize = (deps: LegacyAuthorizeDependencies) => {
  const { consents, requests, limits, issuance, accessTokens, browser } = deps

  const send = (
    reply: FastifyReply,
    target: Target,
    parameters: Record<string, string | undefined>,
  ) => {
    const all = { ...parameters, state: target.state }
    if (target.webMessage)
      return sendWebMessage(reply, target.webMessage, all, deps.answerPageText(reply.request))
    const location =
      target.responseType === 'token'
        ? withFragment(target.redirectUri, all)
        : withAnswer(target.redirectUri, all)
    return reply.header('cache-control', 'no-store').redirect(location, 303)
  }

  const sendError = (reply: FastifyReply, target: Target, error: OAuthError) => {
    logRefusal(reply.request, error)
    return send(reply, target, { error: error.code, error_description: error.description })
  }

  const issue = async (parameters: AuthorizationParameters, approval: ConsentAnswer) => {
    const { kind: _, grantId, ...approved } = approval
    const grant = {
      ...approved,
      id: grantId,
      clientId: parameters.clientId,
      redirectUri: parameters.redirectUri,
      codeChallenge: parameters.codeChallenge,
      dpopJkt: null,
    }
    if (parameters.responseType === 'code') {
      const lifetime = parameters.webMessage ? briefGrantLifetime('legacy', deps.lifetimes) : null
      return { code: await issuance.issueCode({ ...grant, lifetime }) }
    }
    const lifetime = deps.lifetimes.legacy
    const subject = await issuance.openImplicit({ ...grant, lifetime })
    const { accessToken, expiresIn } = accessTokens.issue(subject)
    const { organizationId, clientId } = grant
    deps.usage.issued({ organizationId, clientId, reason: 'implicit' })
    return {
      access_token: accessToken,
      token_type: 'bearer',
      expires_in: String(expiresIn),
      scope: subject.permissions.join(' '),
      // A page asks repeatedly and needs the organization for its next request.
      ...(parameters.webMessage && { organization_id: grant.organizationId }),
    }
  }

  const respond = async (
    reply: FastifyReply,
    parameters: AuthorizationParameters,
    answer: AppAnswer,
  ) => {
    const target = {
      ...parameters,
      state: parameters.state ?? undefined,
      webMessage: parameters.webMessage ?? null, // absent in requests that an earlier version stored
    }
    if (answer.kind === 'refused')
      return sendError(reply, target, new OAuthError(answer.error, 'the request was refused'))
    try {
      return await send(reply, target, await issue(parameters, answer))
    } catch (error) {
      if (error instanceof OAuthError && ['access_denied', 'invalid_scope'].includes(error.code))
        return sendError(reply, target, error)
      throw error
    }
  }

  /** Until client and redirect URI are known to belong together, nothing is redirected. */
  const readTarget = async (
    request: FastifyRequest,
    values: Map<string, string[]>,
  ): Promise<{ app: App; target: Target }> => {
    const clientId = singleValue(values, 'client_id')
    if (clientId === undefined || !isClientIdShaped(clientId))
      throw notRedirectable('client_unknown')
    const app = await consents.findApp(clientId)
    if (app?.interface !== 'legacy' || app.disabled) throw notRedirectable('client_unknown')
    noteConcerned(request, app)
    const requested = singleValue(values, 'redirect_uri') ?? app.redirectUris[0]
    const redirectUri = requested && matchRedirectUri(app.redirectUris, requested, app.clientType)
    if (!redirectUri) throw notRedirectable('redirect_uri_unregistered')
    const states = values.get('state') ?? []
    const isPosted = values.get('response_mode')?.includes('web_message') ?? false
    const platform = singleValue(values, 'platform_origin')
    return {
      app,
      target: {
        redirectUri,
        responseType: values.get('response_type')?.[0] === 'token' ? 'token' : 'code',
        state: states.length === 1 ? states[0] : undefined,
        webMessage: isPosted
          ? registeredTarget(app.redirectUris, redirectUri, platform, deps.platformOrigins)
          : null,
      },
    }
  }

  const authorize = async (request: FastifyRequest, reply: FastifyReply) => {
    const values = valuesOf(queryPairs(request))
    const { app, target } = await readTarget(request, values)
    let parameters: AuthorizationParameters
    try {
      const read = readParameters(app, target, values)
      parameters = { ...read, isSilent: isSilentRequest(target, values) }
    } catch (error) {
      return sendError(reply, target, publicError(error))
    }
    const session = await browser.session(request)
    const signed = session && signedOf(session)
    const step = await consents.next(parameters, app, signed)
    if (step.kind === 'answered') return respond(reply, parameters, step.answer)
    if (parameters.isSilent) {
      const error = new OAuthError(interactionError(step.kind), 'user interaction is required')
      return sendError(reply, target, error)
    }
    demandTopLevel(request)
    const countedAs = await limits.authorizationBegun(request.ip, session?.user.id ?? null)
    const from = { browser: browser.bind(request, reply), countedAs }
    const { id } = await requests.begin(parameters, from)
    return reply.header('cache-control', 'no-store').redirect(`/interaction/${id}`, 303)
  }

  const finish = async (request: InteractionRequest, reply: FastifyReply) => {
    const pending = await answeredRequestWithApp(deps, request, 'legacy')
    return respond(reply, pending, pending.answer)
  }

  const serve = async (scope: FastifyInstance) => {
    announceEnd(scope, deps.legacyEnd)
    answerErrors(scope, deps.showError)
    const constraints = deps.legacyHost ? { host: deps.legacyHost } : {}
    scope.get('/oauth/authorize', { constraints, exposeHeadRoute: false }, authorize)
    scope.get('/interaction/:id/legacy', { exposeHeadRoute: false }, finish)
  }
  const answer: AnswerRequest = (request, reply) =>
    authorize(request, reply.headers(endHeaders(deps.legacyEnd)))
  return Object.assign(serve, { host: deps.legacyHost, answer })
}
