import type { ActivityStore, Names } from '../audit/activity.ts'
import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import type { Introspection } from '../introspection/introspection.ts'
import type { TokenFacts } from '../introspection/token-facts.ts'
import type { TokenReason } from '../language/sub-reasons.ts'
import type { SimulatedRequest } from './simulation.ts'
import type { Simulation } from './simulation-rules.ts'

/** The result that an organization's admin sees for a presented token. */
export type Inspection =
  | { kind: 'explained'; facts: TokenFacts; refused: TokenReason | null; names: Names }
  /** The token names a key set of the organization, but none of its secrets has signed it. */
  | { kind: 'signed_otherwise'; clientId: string; names: Names }
  /** Unknown, or of another organization: the response is the same. */
  | { kind: 'unknown' }

/**
 * Extracts the token from pasted text: removes header words, and white space that a terminal or mail program has
 * inserted.
 */
export const pastedToken = (text: string): string =>
  text.replace(/^\s*(authorization\s*:\s*)?(bearer|dpop)\s+/i, '').replaceAll(/\s+/g, '')

/** The audit event of an inspection or simulation: whose access was examined, never the token. */
export const inspectionEvent = (
  cause: Cause,
  about: { organizationId: string | null; facts: TokenFacts | null; refused: string | null },
): AuditEvent =>
  auditEvent(cause, 'token.inspected', {
    organizationId: about.organizationId,
    clientId: about.facts?.clientId ?? null,
    userId: about.facts?.kind === 'user' ? about.facts.subject : null,
    detail: { outcome: about.refused ?? 'accepted' },
  })

export const simulationEvent = (
  cause: Cause,
  {
    organizationId,
    clientId,
    userId,
  }: Pick<SimulatedRequest, 'organizationId' | 'clientId' | 'userId'>,
  { obstacles }: Pick<Simulation, 'obstacles'>,
): AuditEvent =>
  auditEvent(cause, 'token.simulated', {
    organizationId,
    clientId,
    userId,
    detail: { outcome: obstacles[0] ?? 'accepted' },
  })

/** Explains tokens to admins. The token is not stored. */
export const createTokenInspection = (deps: {
  introspection: Pick<Introspection, 'explain'>
  store: Pick<ActivityStore, 'names'>
}) => {
  const { introspection, store } = deps

  const namesFor = (organizationId: string, facts: TokenFacts) =>
    store.names(organizationId, {
      clients: [facts.clientId, ...facts.actors],
      people: facts.kind === 'user' ? [facts.subject] : [],
      workspaces: facts.workspaceIds ?? [],
    })

  return {
    inspect: async (organizationId: string, text: string): Promise<Inspection> => {
      const { facts, refused, named } = await introspection.explain(pastedToken(text))
      if (facts?.organizationId === organizationId) {
        const names = await namesFor(organizationId, facts)
        return { kind: 'explained', facts, refused, names }
      }
      if (named?.organizationId === organizationId) {
        const { clientId } = named
        const names = await store.names(organizationId, { clients: [clientId] })
        return { kind: 'signed_otherwise', clientId, names }
      }
      return { kind: 'unknown' }
    },
  }
}

export type TokenInspection = ReturnType<typeof createTokenInspection>
