import { type Static, Type } from 'typebox'
import { type AuditLog, auditPeriod } from '../../../core/audit/audit-log.ts'
import type { AuditTail } from '../../../core/audit/audit-tail.ts'
import { faultIf } from '../../../core/language/faults.ts'
import { edgePattern } from '../../../core/language/period.ts'
import { refuse } from '../../../core/language/service-errors.ts'
import { goneSignal } from '../../oauth/gone-signal.ts'
import { jsonOf } from '../json.ts'
import { operation, type Scope } from '../operation.ts'
import { pageJson, pageParameters, readPage } from '../paging.ts'
import * as api from '../schemas.ts'
import { refuseForeign, refuseLimited } from '../token-rights.ts'

const auditEventSchema = api.component(
  'AuditEvent',
  'Actor, action, time and address of an event. Contains no secrets.',
  {
    id: api.id,
    at: api.timestamp,
    type: Type.String(),
    actor: Type.Object({
      kind: api.oneOf(['user', 'client', 'operator', 'system', 'anonymous']),
      id: api.nullable(api.id),
    }),
    organization_id: api.nullable(api.id),
    client_id: api.nullable(api.id),
    user_id: api.nullable(api.id),
    address: api.nullable(Type.String()),
    request_id: api.nullable(Type.String()),
    detail: Type.Record(Type.String(), Type.Unknown()),
  },
)
export type AuditEventJson = Static<typeof auditEventSchema>

export const auditEventJson = jsonOf(auditEventSchema)

const timeFilter = (what: string) =>
  Type.Optional(
    Type.String({
      'x-pattern': edgePattern,
      description: `${what}: a time (RFC 3339), or a whole day (UTC).`,
    }),
  )

const idFilter = Type.Optional(api.otherId)

const query = operation({
  id: 'queryAudit',
  tag: 'audit',
  permission: 'audit:read',
  limited: 'checked',
  summary: 'Read the audit trail',
  description:
    'Newest first. With `after`, oldest first, for programs that follow the trail: in one order on all instances, without ' +
    'gaps, and each event once. `next` is never null there, and leads on. 410: what the cursor leads to is no longer ' +
    'kept. A token that is limited to organizations needs the filter `organization_id`.',
  answer: { status: 200, description: 'Events.', items: auditEventSchema },
  querystring: api.closed({
    ...pageParameters,
    after: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9_-]{1,200}$',
        description: '`start`, or `next` of the previous answer with the same filters and token.',
      }),
    ),
    wait: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 25,
        description: 'With `after`: seconds to wait when there is no event yet.',
      }),
    ),
    organization_id: idFilter,
    client_id: Type.Optional(api.otherClientId),
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

export const auditRoutes = (
  scope: Scope,
  { auditLog, auditTail }: { auditLog: AuditLog; auditTail: Pick<AuditTail, 'read'> },
) => {
  scope.get('/audit', query, async (request, reply) => {
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
    const { after, wait, cursor } = query
    if (after === undefined) refuse(faultIf(wait !== undefined, '/wait', 'form', 'needs after'))
    else {
      refuse(faultIf(cursor !== undefined, '/cursor', 'form', 'cannot stand beside after'))
      request.releaseSlot?.()
      const page = await auditTail.read({
        ...{ filter, after, wait: wait ?? 0, limit: readPage(query).limit },
        organizationIds: operator.organizationIds,
        signal: goneSignal(reply),
      })
      return pageJson(page, auditEventJson)
    }
    return pageJson(await auditLog.query(filter, readPage(query)), auditEventJson)
  })
}
