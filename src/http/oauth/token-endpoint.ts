import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AuditTrail } from '../../core/audit/audit.ts'
import type { Usage } from '../../core/audit/usage.ts'
import type { ClientRequest } from '../../core/clients/authenticate.ts'
import type { ProvenWorkload } from '../../core/clients/workload-assertion.ts'
import type { Narrowing } from '../../core/grants/approval.ts'
import type { TokenRequest, Tokens } from '../../core/grants/token-request.ts'
import type { Interface } from '../../core/language/permissions.ts'
import type { Limits } from '../../core/limits/limits.ts'
import type { DpopProof } from '../../core/tokens/dpop.ts'
import { auditWorkload } from './audit-workload.ts'
import { clientEndpoint } from './client-endpoint.ts'
import { readClientRequest } from './client-request.ts'
import type { Form } from './form.ts'
import { countedGrant } from './outcome.ts'
import type { IsPublicOrigin } from './page-origin.ts'
import { refuseUnreadable } from './refuse-unreadable.ts'
import { answerTokens, type TokenOutcome } from './token-answer.ts'

export interface TokenEndpointDependencies {
  /** Of a request that is refused before it has a grant type. @throws OAuthError invalid_client */
  authenticateClient(request: ClientRequest): Promise<unknown>
  limits: Limits
  audit: AuditTrail
  usage: Usage
  outcome: TokenOutcome
}

/** The parts of a token endpoint that differ between the two interfaces. */
export interface TokenEndpointOptions<Fields> {
  interface: Interface
  url: string
  /** `resource` may be repeated (RFC 8707 §2). */
  takesResources: boolean
  /** Answers on this Host only; null: on every Host. */
  host: RegExp | null
  /** Public origins that may read the answers; null: none. */
  isPublicOrigin: IsPublicOrigin | null
  /** Reads each parameter of the grant type once. @throws OAuthError invalid_request, unsupported_grant_type */
  readFields(form: Form): Fields
  /**
   * `scope`, `workspace_ids` and `resource` narrow the access token at every grant.
   * @throws OAuthError invalid_target
   */
  readNarrowing(form: Form): Narrowing
  /** @throws OAuthError invalid_dpop_proof, use_dpop_nonce */
  readProof(reply: FastifyReply): DpopProof | null
  /**
   * Answers the request according to its grant type.
   * @throws OAuthError
   */
  answer(fields: Fields, request: TokenRequest): Promise<Tokens>
  /** Set for token exchange; null for other grants. */
  issuedTokenType(fields: Fields): string | null
}

/** A token endpoint: converts the form to a `TokenRequest`, and `Tokens` to JSON. */
export const tokenEndpoint =
  <Fields>(deps: TokenEndpointDependencies, options: TokenEndpointOptions<Fields>) =>
  (scope: FastifyInstance) => {
    const { usage } = deps
    const { isPublicOrigin } = options

    const readClient = (form: Form, request: FastifyRequest, reply: FastifyReply) =>
      readClientRequest(options.interface, form, request, (origin) => {
        if (isPublicOrigin) reply.header('access-control-allow-origin', origin)
      })

    const readRequest = (
      form: Form,
      request: FastifyRequest,
      reply: FastifyReply,
    ): TokenRequest => ({
      ...readClient(form, request, reply),
      asked: options.readNarrowing(form),
      address: request.ip,
      requestId: request.id,
      readProof: () => options.readProof(reply),
    })

    const refuse = (fault: unknown, form: Form, request: FastifyRequest, reply: FastifyReply) =>
      refuseUnreadable(fault, request.headers.authorization, form, () => {
        const client = readClient(form, request, reply)
        // Only an endpoint for pages checks the origin of a malformed request.
        return deps.authenticateClient(isPublicOrigin ? client : { ...client, origin: undefined })
      })

    return clientEndpoint({
      url: options.url,
      host: options.host,
      limits: deps.limits,
      audit: deps.audit,
      takesResources: options.takesResources,
      ...(isPublicOrigin && { isPublicOrigin }),
      issues: { interface: options.interface, usage, outcome: deps.outcome },
      handle: async (form, request, reply) => {
        if (isPublicOrigin) reply.header('vary', 'Origin')
        let fields: Fields
        let read: TokenRequest
        try {
          fields = options.readFields(form)
          read = readRequest(form, request, reply)
        } catch (fault) {
          return refuse(fault, form, request, reply)
        }
        const by: { workload?: ProvenWorkload } = {}
        const provenBy = (workload: ProvenWorkload) => {
          by.workload = workload
        }
        const tokens = await options.answer(fields, { ...read, provenBy })
        const { clientId, organizationId, delegated } = tokens.subject
        // An exchanged token belongs to another app's authorization. The app that got it is the one to count.
        const receiver = delegated?.actors[0]?.clientId ?? clientId
        usage.issued(organizationId, receiver, countedGrant(form))
        if (by.workload) auditWorkload(deps.audit, request, by.workload, receiver, tokens.subject)
        return answerTokens(tokens, options.issuedTokenType(fields))
      },
    })(scope)
  }
