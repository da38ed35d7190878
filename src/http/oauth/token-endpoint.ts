import type { FastifyReply, FastifyRequest } from 'fastify'
import { type AuditTrail, auditEvent } from '../../core/audit/audit.ts'
import type { Usage } from '../../core/audit/usage.ts'
import type { ClientRequest } from '../../core/clients/authenticate.ts'
import { type ProvenWorkload, provenName } from '../../core/clients/workload-assertion.ts'
import type { Narrowing } from '../../core/grants/approval.ts'
import type { TokenRequest, Tokens } from '../../core/grants/token-request.ts'
import { OAuthError } from '../../core/language/errors.ts'
import type { Interface } from '../../core/language/permissions.ts'
import type { DpopProof } from '../../core/tokens/dpop.ts'
import {
  type ClientEndpointDependencies,
  type ClientEndpointOptions,
  clientEndpoint,
} from './client-endpoint.ts'
import { readClientRequest } from './client-request.ts'
import type { Form } from './form.ts'
import { countedGrant } from './outcome.ts'
import { answerTokens, type TokenOutcome } from './token-answer.ts'

export interface TokenEndpointDependencies extends ClientEndpointDependencies {
  /** Of a request that is refused before it has a grant type. @throws OAuthError invalid_client */
  authenticateClient(request: ClientRequest): Promise<unknown>
  usage: Usage
  outcome: TokenOutcome
}

/** Answers a request whose grant is read. @throws OAuthError */
export type AnswerGrant = (request: TokenRequest) => Promise<Tokens>

/** The parts of a token endpoint that differ between the two interfaces. */
export interface TokenEndpointOptions extends Omit<ClientEndpointOptions, 'issues' | 'handle'> {
  interface: Interface
  /** Reads each parameter of the grant type once. @throws OAuthError invalid_request, unsupported_grant_type */
  readGrant(form: Form): AnswerGrant
  /** `scope`, `workspace_ids` and `resource` narrow the access token at every grant. @throws OAuthError invalid_target */
  readNarrowing(form: Form): Narrowing
  /** @throws OAuthError invalid_dpop_proof, use_dpop_nonce */
  readProof(reply: FastifyReply): DpopProof | null
  /** Set for token exchange; null for other grants. */
  issuedTokenType(form: Form): string | null
}

/**
 * True when the request names neither a client nor a supported grant type. It is not a token request, and there is no
 * client to authenticate.
 */
const hasNoClient = (fault: unknown, authorization: string | undefined, form: Form) =>
  authorization === undefined &&
  !form.has('client_id') &&
  !form.has('client_assertion') &&
  fault instanceof OAuthError &&
  (fault.code === 'unsupported_grant_type' || fault.reason === 'grant_type_missing')

/**
 * Audits which workload got a token: an app or a key set may trust several, and a claim may be of many.
 * @param receiver the app or key set that it acted as
 */
const auditWorkload = (
  audit: AuditTrail,
  request: FastifyRequest,
  workload: ProvenWorkload,
  receiver: string,
  { organizationId }: Tokens['subject'],
): void => {
  const actor = { kind: 'client', id: receiver } as const
  audit.record(
    auditEvent({ actor, address: request.ip, requestId: request.id }, 'token.issued_to_workload', {
      clientId: receiver,
      organizationId,
      detail: { workload: provenName(workload) },
    }),
  )
}

/** A token endpoint: converts the form to a `TokenRequest`, and `Tokens` to JSON. */
export const tokenEndpoint = (deps: TokenEndpointDependencies, options: TokenEndpointOptions) => {
  const { usage } = deps
  const { isPublicOrigin } = options

  const readClient = (form: Form, request: FastifyRequest, reply: FastifyReply) =>
    readClientRequest(options.interface, form, request, isPublicOrigin ? reply : null)

  const readRequest = (form: Form, request: FastifyRequest, reply: FastifyReply): TokenRequest => ({
    ...readClient(form, request, reply),
    requested: options.readNarrowing(form),
    address: request.ip,
    requestId: request.id,
    readProof: () => options.readProof(reply),
  })

  /**
   * Refuses a malformed request. Client authentication comes first: a wrong client gets `invalid_client` instead of the
   * fault (decision 0005). Only requests that are refused anyway cost this extra query.
   * @throws OAuthError what `authenticateClient` throws, or the fault
   */
  const refuse = async (fault: unknown, form: Form, reply: FastifyReply): Promise<never> => {
    if (hasNoClient(fault, reply.request.headers.authorization, form)) throw fault
    const client = readClient(form, reply.request, reply)
    // Only an endpoint for pages checks the origin of a malformed request.
    await deps.authenticateClient(isPublicOrigin ? client : { ...client, origin: undefined })
    throw fault
  }

  return clientEndpoint(deps, {
    ...options,
    issues: { interface: options.interface, usage, outcome: deps.outcome },
    handle: async (form, request, reply) => {
      let answer: AnswerGrant
      let read: TokenRequest
      try {
        answer = options.readGrant(form)
        read = readRequest(form, request, reply)
      } catch (fault) {
        return refuse(fault, form, reply)
      }
      const by: { workload?: ProvenWorkload } = {}
      const provenBy = (workload: ProvenWorkload) => {
        by.workload = workload
      }
      const tokens = await answer({ ...read, provenBy })
      const { clientId, organizationId, delegated } = tokens.subject
      // An exchanged token belongs to another app's authorization. The app that got it is the one to count.
      const receiver = delegated?.actors[0]?.clientId ?? clientId
      usage.issued({ organizationId, clientId: receiver, reason: countedGrant(form) })
      if (by.workload) auditWorkload(deps.audit, request, by.workload, receiver, tokens.subject)
      return answerTokens(tokens, options.issuedTokenType(form))
    },
  })
}
