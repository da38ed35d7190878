import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type AuditTrail, auditEvent, type Cause } from '../../core/audit/audit.ts'
import { OAuthError } from '../../core/language/errors.ts'
import type { Limits } from '../../core/limits/limits.ts'
import { ScimError } from '../../core/provisioning/scim-error.ts'
import type { ScimProvider, ScimTokens } from '../../core/provisioning/scim-tokens.ts'

export interface GuardOptions {
  scimTokens: Pick<ScimTokens, 'verify'>
  /** Wrong tokens count like wrong operator tokens. */
  limits: Pick<Limits, 'operatorFailed' | 'refuseRepeatedOperator'>
  audit: AuditTrail
  /** Counts a request with a wrong token. */
  refused(): void
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on requests of SCIM, once their token is verified. */
    provider: ScimProvider
  }
}

const bearer = /^Bearer +([\x21-\x7e]{1,512})$/i
const markOf = (token: string) => createHash('sha256').update(token).digest('base64')

const countWrongToken = async (
  request: FastifyRequest,
  token: string,
  { limits, audit, refused }: GuardOptions,
) => {
  refused()
  await limits.operatorFailed(request.ip, markOf(token)).catch((error) => {
    // An unavailable store must not turn a refusal into another error.
    if (error instanceof OAuthError) throw error
  })
  const actor = { kind: 'anonymous', id: null } as const
  const cause: Cause = { actor, address: request.ip, requestId: request.id }
  audit.record(auditEvent(cause, 'scim_token.refused', { detail: { reason: 'wrong_token' } }))
}

/** Accepts requests with a SCIM token only, before the body is read. */
export const guard = (scope: FastifyInstance, options: GuardOptions) => {
  const { limits, scimTokens } = options
  const providerOf = async (request: FastifyRequest, token: string) => {
    try {
      limits.refuseRepeatedOperator(request.ip, () => markOf(token))
    } catch (refusal) {
      options.refused()
      throw refusal
    }
    const provider = await scimTokens.verify(token)
    if (provider === null) await countWrongToken(request, token, options)
    return provider
  }

  scope.decorateRequest('provider')
  scope.addHook('onRequest', async (request, reply) => {
    const token = bearer.exec(request.headers.authorization ?? '')?.[1]
    const provider = token === undefined ? null : await providerOf(request, token)
    if (!provider) {
      const error = token === undefined ? '' : ', error="invalid_token"'
      reply.header('www-authenticate', `Bearer realm="latchkey-scim"${error}`)
      throw new ScimError(401, null, 'a SCIM token is needed')
    }
    request.provider = provider
  })
}

/** The audited cause of the changes that this request makes. */
export const causeOf = (request: FastifyRequest): Cause => ({
  actor: { kind: 'operator', id: request.provider.id },
  address: request.ip,
  requestId: request.id,
})
