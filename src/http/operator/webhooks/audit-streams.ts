import { type Static, Type } from 'typebox'
import { type AuditStreams, streamFormats } from '../../../core/audit-streams/audit-streams.ts'
import { operations, type Scope } from '../operations.ts'
import { listQuery } from '../paging.ts'
import * as api from '../schemas.ts'
import { refuseForeign } from '../token-rights.ts'
import { receiverUrl } from './webhooks.ts'

const format = api.oneOf(streamFormats, {
  description: '`latchkey`: as in `GET /audit`. `ocsf`: Open Cybersecurity Schema Framework 1.5.0.',
})

const auditStreamSchema = api.component('AuditStream', 'A receiver of the audit trail.', {
  id: api.id,
  url: Type.String(),
  format,
  organization_id: api.nullable(api.id),
  last_event_id: api.nullable(Type.String({ description: 'The last event that it has accepted.' })),
  last_success_at: api.nullable(api.timestamp),
  behind: Type.Integer({ description: 'Events that it has not accepted; at most 100000.' }),
  last_error: api.nullable(
    Type.String({
      description:
        'The status of the last answer, or why there was none. `events_expired`: events were removed before it accepted ' +
        'them, and it continues with the oldest that is kept.',
    }),
  ),
  created_at: api.timestamp,
})
export type AuditStreamJson = Static<typeof auditStreamSchema>

export const auditStreamRoutes = (
  scope: Scope,
  { auditStreams }: { auditStreams: AuditStreams },
) => {
  const on = operations(scope, {
    tag: 'audit',
    area: 'webhooks',
    limited: 'checked',
    schema: auditStreamSchema,
    one: 'The stream.',
    page: 'Streams.',
  })
  const path = '/audit-streams/:audit_stream_id'

  on.list('/audit-streams', 'listAuditStreams', 'List the receivers of the audit trail', {
    permission: 'audit:read',
    querystring: listQuery([], { organization_id: api.otherId }),
    run: ({ request }, page) => auditStreams.list(page, request.operator.organizationIds),
  })

  on.read(path, 'readAuditStream', 'Read a receiver of the audit trail', {
    permission: 'audit:read',
    run: ({ params, request }) =>
      auditStreams.read(params.auditStreamId, request.operator.organizationIds),
  })

  on.put(path, 'putAuditStream', 'Push the audit trail to a receiver, or change where', {
    description:
      'In order, in signed batches of lines of JSON (`application/x-ndjson`, Standard Webhooks). A batch that is not ' +
      'answered with 2xx is sent again, with the same `webhook-id`, after 1, 5 and 30 seconds, then every minute. A stream ' +
      'keeps its organization. A token that is limited to organizations has only their streams.',
    params: Type.Object({ audit_stream_id: api.ownId('auditStream') }),
    checked: 'audit_stream_id',
    limited: 'checked',
    refusals: [404, 409],
    body: api.closed({
      url: receiverUrl,
      format,
      ...api.optional({
        organization_id: api.nullable({
          ...api.otherId,
          'x-reason': 'unknown_organization',
          description: 'Only events of this organization. null, or absent for a new stream: all.',
        }),
        secret: api.webhookSecret('Required at first; absent: unchanged.'),
        from: api.oneOf(['start'], {
          description: 'Of a new stream: begin with the oldest event that is kept. Absent: now.',
        }),
      }),
    }),
    run: async ({ params, body, request }, ...context) => {
      if (body.organizationId != null) refuseForeign(request, body.organizationId)
      const reach = request.operator.organizationIds
      return (await auditStreams.put(params.auditStreamId, body, reach, ...context)).item
    },
  })

  on.remove(path, 'deleteAuditStream', 'Delete a receiver of the audit trail', {
    limited: 'checked',
    run: ({ params, request }, ...context) => {
      const key = { id: params.auditStreamId, reach: request.operator.organizationIds }
      return auditStreams.remove(key, ...context)
    },
  })

  on.act(`${path}/test`, 'testAuditStream', 'Send one event of the type `audit_stream.test`', {
    description: 'It is not in the audit trail, and is sent once.',
    limited: 'checked',
    answer: { status: 202, description: 'The stream. The event waits.', schema: auditStreamSchema },
    body: api.closed({}),
    run: async ({ params, request }) =>
      on.json(await auditStreams.test(params.auditStreamId, request.operator.organizationIds)),
  })
}
