import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AuditTrail, Cause } from '../../core/audit/audit.ts'
import type { Limits } from '../../core/limits/limits.ts'
import { ScimError } from '../../core/provisioning/scim-error.ts'
import type { ScimProvider, ScimTokens } from '../../core/provisioning/scim-tokens.ts'
import { bearerTokenOf, callerOf } from '../oauth/bearer-token.ts'

export interface GuardOptions {
  scimTokens: Pick<ScimTokens, 'verify'>
  /** Wrong tokens count like wrong operator tokens. */
  limits: Pick<
    Limits,
    'alsoProvisioned' | 'operatorFailed' | 'provisioned' | 'refuseRepeatedOperator'
  >
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

/** Accepts requests with a SCIM token only, before the body is read. */
export const guard = (scope: FastifyInstance, options: GuardOptions) => {
  const { scimTokens, ...others } = options
  const accepted = {
    ...others,
    find: (token: string) => scimTokens.verify(token),
    refusedEvent: 'scim_token.refused',
  } as const

  scope.decorateRequest('provider')
  scope.addHook('onRequest', async (request, reply) => {
    const token = bearerTokenOf(request)
    const provider = token === null ? null : await callerOf(request, token, accepted)
    if (!provider) {
      const error = token === null ? '' : ', error="invalid_token"'
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
