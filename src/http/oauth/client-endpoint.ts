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
} from './client-failures.ts'
import { demandReadable } from './foreign-page.ts'
import { type Form, readForm } from './form.ts'
import { publicError, sendOAuthError } from './oauth-errors.ts'
import { countedGrant, type RequestOutcome } from './outcome.ts'
import { type IsPublicOrigin, showRefusal } from './page-origin.ts'
import type { TokenOutcome } from './token-answer.ts'

export interface ClientEndpointOptions {
  url: string
  /** Answer on this Host only; absent: on every one. */
  host?: RegExp | null
  limits: Limits
  audit: AuditTrail
  /** For endpoints that a public app's page may call. */
  isPublicOrigin?: IsPublicOrigin
  /** For endpoints that issue tokens: who counts what becomes of a request. */
  issues?: { interface: Interface; usage: Pick<Usage, 'refused'>; outcome: TokenOutcome }
  /** Called with the parameters, each once. What it returns is the JSON answer. */
  handle(form: Form, request: FastifyRequest, reply: FastifyReply): Promise<object>
}

/** Thrown once the client is known, and not before. */
const afterAuthentication = [
  'invalid_grant',
  'invalid_scope',
  'unauthorized_client',
  'invalid_dpop_proof',
]

/** RFC 6749 §5.2 knows 400 only; RFC 9126 §2.3 and HTTP itself have a status of its own. */
const wrongMethod = (isTokenEndpoint: boolean) =>
  new OAuthError('invalid_request', 'the method must be POST', {
    reason: 'method',
    status: isTokenEndpoint ? 400 : 405,
  })

/** Is this audited, by its sub-reason: what known clients are refused, and that they fail to authenticate? */
const isAudited = (error: OAuthError, named: string | null) =>
  (afterAuthentication.includes(error.code) && error.reason !== error.code) ||
  isAuditedFailure(error, named)

/**
 * An endpoint for clients (token, revocation …): form in, JSON out, never cached, errors in OAuth's own form,
 * failed client authentication counted. In a scope of its own, so that its parsers and errors are its own.
 */
export const clientEndpoint =
  (options: ClientEndpointOptions) => async (scope: FastifyInstance) => {
    const { url, limits, audit, issues, isPublicOrigin } = options
    const constraints = options.host ? { host: options.host } : {}
    const config = { forPrograms: true }
    await scope.register(formbody)
    scope.addHook('onRequest', (request, _reply, done) => {
      demandReadable(request)
      done()
    })

    const record = (
      request: FastifyRequest,
      reply: FastifyReply,
      form: Form | null,
      became: RequestOutcome,
    ) => {
      request.outcome = became
      if (!issues) return
      const grantType = countedGrant(form)
      became.grant = grantType
      const { outcome, reason } = became
      const seconds = reply.elapsedTime / 1000
      issues.outcome({ interface: issues.interface, grantType, outcome, reason, seconds })
    }

    const fail = async (
      request: FastifyRequest,
      reply: FastifyReply,
      caught: unknown,
      form: Form | null,
    ) => {
      const error = await countFailure(limits, request, form, publicError(caught))
      const named = namedClient(request, form)
      const { about } = error
      if (about) issues?.usage.refused(about.organizationId, about.clientId, error.reason)
      const isKnown = about !== null || isAudited(error, named)
      const refused = isKnown ? (about?.clientId ?? named) : null
      // Anybody may send a public app's id, and anything with it: the trail is kept for long. Failures are counted.
      const anyoneCanSend =
        about === null &&
        error.code !== 'invalid_client' &&
        !showsSecret(request.headers.authorization, form)
      if (isKnown && !anyoneCanSend) auditRefusal(audit, request, refused, error)
      record(request, reply, form, { outcome: error.code, reason: error.reason, clientId: refused })
      return sendOAuthError(request, reply, error)
    }

    scope.setErrorHandler((error, request, reply) => fail(request, reply, error, null))

    scope.post(url, { constraints, config }, async (request, reply) => {
      let form: Form | null = null
      try {
        form = readForm(request)
        refuseRepeated(limits, request, form)
        const body = await options.handle(form, request, reply)
        const clientId = claimedClientId(request.headers.authorization, form) ?? null
        record(request, reply, form, { outcome: 'ok', reason: 'ok', clientId })
        reply.header('cache-control', 'no-store').header('pragma', 'no-cache')
        return body
      } catch (caught) {
        const error = publicError(caught)
        if (isPublicOrigin) await showRefusal(reply, form, error.reason, isPublicOrigin)
        return fail(request, reply, error, form)
      }
    })

    scope.route({
      method: ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'TRACE'],
      url,
      constraints,
      config: { ...config, refusesMethod: true },
      handler: (request, reply) =>
        fail(request, reply.header('allow', 'POST'), wrongMethod(issues !== undefined), null),
    })
  }
