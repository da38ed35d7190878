import { type Static, Type } from 'typebox'
import { type AuditLog, auditPeriod } from '../../../core/audit/audit-log.ts'
import { edgePattern } from '../../../core/language/period.ts'
import { jsonOf } from '../json.ts'
import { operation, type Scope } from '../operation.ts'
import { pageJson, pageParameters, readPage } from '../paging.ts'
import {
  closed,
  component,
  id,
  nullable,
  oneOf,
  otherClientId,
  otherId,
  timestamp,
} from '../schemas.ts'
import { refuseForeign, refuseLimited } from '../token-rights.ts'

const auditEventSchema = component(
  'AuditEvent',
  'Actor, action, time and address of an event. Contains no secrets.',
  {
    id,
    at: timestamp,
    type: Type.String(),
    actor: Type.Object({
      kind: oneOf(['user', 'client', 'operator', 'system', 'anonymous']),
      id: nullable(id),
    }),
    organization_id: nullable(id),
    client_id: nullable(id),
    user_id: nullable(id),
    address: nullable(Type.String()),
    request_id: nullable(Type.String()),
    detail: Type.Record(Type.String(), Type.Unknown()),
  },
)
export type AuditEventJson = Static<typeof auditEventSchema>

const eventJson = jsonOf(auditEventSchema)

const timeFilter = (what: string) =>
  Type.Optional(
    Type.String({
      'x-pattern': edgePattern,
      description: `${what}: a time (RFC 3339), or a whole day (UTC).`,
    }),
  )

const idFilter = Type.Optional(otherId)

const query = operation({
  id: 'queryAudit',
  tag: 'audit',
  permission: 'audit:read',
  limited: 'checked',
  summary: 'Read the audit trail, newest first',
  description: 'A token that is limited to organizations needs the filter `organization_id`.',
  answer: { status: 200, description: 'Events.', items: auditEventSchema },
  querystring: closed({
    ...pageParameters,
    organization_id: idFilter,
    client_id: Type.Optional(otherClientId),
    actor_id: idFilter,
    from: timeFilter('Not earlier'),
    to: timeFilter('Earlier than this'),
    type: Type.Optional(
      Type.String({ pattern: '^[a-z_.]{1,64}$', description: 'For example `app.created`.' }),
    ),
    request_id: Type.Optional(
      Type.String({ pattern: '^[\\x21-\\x7e]{1,128}$', description: 'Value of X-Request-Id.' }),
    ),
  }),
})

/** The audit trail. */
export const auditRoutes = (scope: Scope, { auditLog }: { auditLog: AuditLog }) => {
  scope.get('/audit', query, async (request) => {
    const { query, operator } = request
    if (query.organization_id !== undefined) refuseForeign(request, query.organization_id)
    else if (operator.organizationIds !== null)
      refuseLimited(request, 'the operator token needs the filter organization_id')
    const filter = {
      organizationId: query.organization_id ?? null,
      clientId: query.client_id ?? null,
      type: query.type ?? null,
      requestId: query.request_id ?? null,
      actorId: query.actor_id ?? null,
      ...auditPeriod(query),
    }
    return pageJson(await auditLog.query(filter, readPage(query)), eventJson)
  })
}
