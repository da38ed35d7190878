import formbody from '@fastify/formbody'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AuditTrail } from '../../core/audit/audit.ts'
import type { Usage } from '../../core/audit/usage.ts'
import { OAuthError } from '../../core/language/errors.ts'
import type { Interface } from '../../core/language/permissions.ts'
import type { Limits } from '../../core/limits/limits.ts'
import { claimedClientId, showsSecret } from './client-credentials.ts'
import {
  auditRefusal,
  countFailure,
  isAuditedFailure,
  namedClient,
  refuseRepeated,
  secretAttempt,
} from './client-failures.ts'
import type { AnswerRequest } from './either-interface.ts'
import { demandReadable } from './foreign-page.ts'
import { type Form, readForm } from './form.ts'
import { publicError, sendOAuthError } from './oauth-errors.ts'
import { countedGrant, type RequestOutcome } from './outcome.ts'
import { type IsPublicOrigin, showRefusal } from './page-origin.ts'
import type { TokenOutcome } from './token-answer.ts'

export interface ClientEndpointDependencies {
  limits: Limits
  audit: AuditTrail
}

export interface ClientEndpointOptions {
  url: string
  /** Answers on this Host only. Absent or null: on every Host. */
  host?: RegExp | null
  /** `resource` may be repeated (RFC 8707 §2). */
  takesResources?: boolean
  /** Set for endpoints that the web page of a public app may call. */
  isPublicOrigin?: IsPublicOrigin
  /** Set for endpoints that issue tokens: counts the outcome of each request. */
  issues?: { interface: Interface; usage: Pick<Usage, 'refused'>; outcome: TokenOutcome }
  /** Finds the endpoint that answers a request at an alias instead, after its body is parsed; null: none. */
  delegate?(request: FastifyRequest): Promise<AnswerRequest | null>
  /** Receives the parameters, each once. Its result is the JSON answer. */
  handle(form: Form, request: FastifyRequest, reply: FastifyReply): Promise<object>
}

/** These errors are thrown only after the client is authenticated. */
const afterAuthentication = [
  'invalid_grant',
  'invalid_scope',
  'invalid_target',
  'unauthorized_client',
  'invalid_dpop_proof',
]

/** RFC 6749 §5.2 allows only 400. Other endpoints use 405 as HTTP and RFC 9126 §2.3 do. */
const wrongMethod = (isTokenEndpoint: boolean) =>
  new OAuthError('invalid_request', 'the method must be POST', {
    reason: 'method',
    status: isTokenEndpoint ? 400 : 405,
  })

/** True for refusals of known clients that have a specific reason, and for failed authentication of known clients. */
const isAudited = (error: OAuthError, named: string | null) =>
  (afterAuthentication.includes(error.code) && error.reason !== error.code) ||
  isAuditedFailure(error, named)

/**
 * An endpoint for clients (token, revocation …): form in, JSON out, never cached, errors in OAuth's format, failed
 * client authentication counted. It is a Fastify scope, so that its parsers and error handler stay inside.
 */
export const clientEndpoint = (
  { limits, audit }: ClientEndpointDependencies,
  options: ClientEndpointOptions,
) => {
  const { url, issues, isPublicOrigin } = options
  const constraints = options.host ? { host: options.host } : {}
  const config = { forPrograms: true }

  const record = (reply: FastifyReply, form: Form | null, result: RequestOutcome) => {
    reply.request.outcome = result
    if (!issues) return
    const grantType = countedGrant(form)
    result.grant = grantType
    const { outcome, reason } = result
    const seconds = reply.elapsedTime / 1000
    issues.outcome({ interface: issues.interface, grantType, outcome, reason, seconds })
  }

  const fail = async (reply: FastifyReply, caught: unknown, form: Form | null) => {
    const { request } = reply
    const failure = publicError(caught)
    const error = request.secretAttempt?.hasFailed
      ? failure
      : await countFailure(limits, request, form, failure)
    const named = namedClient(request, form)
    const { about } = error
    if (about) issues?.usage.refused({ ...about, reason: error.reason })
    const isKnown = about !== null || isAudited(error, named)
    const refused = isKnown ? (about?.clientId ?? named) : null
    // Anyone can send a public app's id with any request, and the audit trail is kept for long. So such failures are
    // only counted.
    const anyoneCanSend =
      about === null &&
      error.code !== 'invalid_client' &&
      !showsSecret(request.headers.authorization, form)
    if (isKnown && !anyoneCanSend) auditRefusal(audit, request, refused, error, form)
    record(reply, form, { outcome: error.code, reason: error.reason, clientId: refused })
    return sendOAuthError(request, reply, error)
  }

  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    let form: Form | null = null
    try {
      form = readForm(request, options.takesResources)
      refuseRepeated(limits, request, form)
      request.secretAttempt = secretAttempt(limits, request, form)
      if (isPublicOrigin) reply.header('vary', 'Origin')
      const body = await options.handle(form, request, reply)
      const clientId = claimedClientId(request.headers.authorization, form) ?? null
      record(reply, form, { outcome: 'ok', reason: 'ok', clientId })
      reply.header('cache-control', 'no-store').header('pragma', 'no-cache')
      return body
    } catch (caught) {
      const error = publicError(caught)
      if (isPublicOrigin) await showRefusal(reply, form, error.reason, isPublicOrigin)
      return fail(reply, error, form)
    }
  }

  const serve = async (scope: FastifyInstance) => {
    await scope.register(formbody)
    scope.addHook('onRequest', demandReadable)
    scope.setErrorHandler((error, _request, reply) => fail(reply, error, null))
    scope.post(url, { constraints, config }, async (request, reply) => {
      const delegated = request.raw.alias && (await options.delegate?.(request))
      return (delegated || answer)(request, reply)
    })

    scope.route({
      method: ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'TRACE'],
      url,
      constraints,
      config: { ...config, refusesMethod: true },
      handler: (_request, reply) =>
        fail(reply.header('allow', 'POST'), wrongMethod(issues !== undefined), null),
    })
  }
  return Object.assign(serve, { answer })
}
