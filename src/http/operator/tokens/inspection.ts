import { type Static, Type } from 'typebox'
import type { AuditTrail } from '../../../core/audit/audit.ts'
import { type Operator, reaches } from '../../../core/credentials/operator-permissions.ts'
import { inspectionEvent, pastedToken } from '../../../core/inspection/token-inspection.ts'
import type { Introspection } from '../../../core/introspection/introspection.ts'
import type { TokenFacts, Verdict } from '../../../core/introspection/token-facts.ts'
import { tokenReasons } from '../../../core/language/sub-reasons.ts'
import { causeOf } from '../guard.ts'
import { jsonOf } from '../json.ts'
import { operation, type Scope } from '../operation.ts'
import * as api from '../schemas.ts'

const factsSchema = Type.Object({
  kind: api.oneOf(['user', 'install', 'self_signed', 'key_set']),
  type: api.oneOf(['access_token', 'refresh_token', 'code', 'self_signed', 'secret_key']),
  interface: api.interfaceName,
  issuer: Type.String(),
  client_id: api.id,
  organization_id: api.id,
  user_id: api.nullable(api.id),
  permissions: Type.Array(Type.String(), { description: 'Current permissions of the token.' }),
  openid_scopes: Type.Array(Type.String(), { description: 'Scopes for the userinfo endpoint.' }),
  workspace_ids: api.nullable(Type.Array(Type.String(), { description: 'null: all.' })),
  issued_at: api.nullable(api.timestamp),
  expires_at: api.nullable(api.timestamp),
  jti: api.nullable(api.id),
  actors: Type.Array(api.id, {
    description: 'Apps that act with an exchanged token (RFC 8693), the current one first.',
  }),
  key_thumbprint: api.nullable(
    Type.String({
      description: 'Thumbprint of the key that the token is bound to (DPoP); null: not bound.',
    }),
  ),
})

const tokenInspectionSchema = api.component(
  'TokenInspection',
  'The current meaning of a token. The token itself is not stored.',
  {
    accepted: Type.Boolean({ description: 'True when the token would be accepted now.' }),
    refused: api.oneOfOrNull(tokenReasons, {
      description: 'Reason for a refusal: a stable sub-reason, explained in docs/errors.md.',
    }),
    token: api.nullable({
      ...factsSchema,
      description: 'null when the token is not authentic or no longer known.',
    }),
    named_client_id: api.nullable(
      Type.String({
        description: 'The key set that the token names although it was not signed with its secret.',
      }),
    ),
  },
)
export type TokenInspectionJson = Static<typeof tokenInspectionSchema>

const furthest = 8_640_000_000_000 // seconds: the largest value of a Date
const moment = (seconds: number | null) =>
  seconds === null ? null : new Date(Math.min(seconds, furthest) * 1000).toISOString()

const writeFacts = jsonOf(factsSchema)
const factsJson = (facts: TokenFacts) =>
  writeFacts({
    ...facts,
    userId: facts.kind === 'user' ? facts.subject : null,
    issuedAt: moment(facts.issuedAt),
    expiresAt: moment(facts.expiresAt),
    keyThumbprint: facts.jkt,
  })

const verdictJson = ({ facts, refused, named }: Verdict): TokenInspectionJson => ({
  accepted: refused === null,
  refused,
  token: facts && factsJson(facts),
  named_client_id: named?.clientId ?? null,
})

/** A token of an organization that the operator's token does not reach answers like any other text. */
const visibleTo = (operator: Operator, verdict: Verdict): Verdict => {
  if (operator.organizationIds === null) return verdict
  const organizationId = (verdict.facts ?? verdict.named)?.organizationId
  return organizationId !== undefined && reaches(operator, organizationId)
    ? verdict
    : { refused: 'unreadable', facts: null }
}

const inspect = operation({
  id: 'inspectToken',
  tag: 'tokens',
  permission: 'tokens:inspect',
  limited: 'checked',
  summary: 'Explain a token, a code or a secret key: its meaning now and the reason for a refusal',
  description:
    'Only reads, and does not count as use of the token. The token is neither logged nor stored. The inspection is audited.',
  answer: { status: 200, description: 'The meaning of the token.', schema: tokenInspectionSchema },
  body: api.closed({ token: Type.String({ pattern: '^[\\t\\r\\n\\x20-\\x7e]{1,16384}$' }) }),
})

export const tokenInspectionRoutes = (
  scope: Scope,
  { introspection, audit }: { introspection: Pick<Introspection, 'explain'>; audit: AuditTrail },
) => {
  scope.post('/tokens/inspect', inspect, async (request) => {
    const verdict = visibleTo(
      request.operator,
      await introspection.explain(pastedToken(request.body.token)),
    )
    const { facts, refused } = verdict
    const organizationId = facts?.organizationId ?? null
    audit.record(inspectionEvent(causeOf(request), { organizationId, facts, refused }))
    return verdictJson(verdict)
  })
}
