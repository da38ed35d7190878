import type { AuditStreamJson } from '../../http/operator/webhooks/audit-streams.ts'
import { apiAction, inColumns } from '../api-action.ts'
import type { Command } from '../command.ts'
import { type Column, columnsOf, shown } from '../output.ts'
import { resource } from '../resource.ts'
import { secretFromEnvironment, secretFromStdin } from '../secret-input.ts'
import { choice, flag, required, text } from '../setting.ts'

const columns: Column<AuditStreamJson>[] = [
  ...columnsOf<AuditStreamJson>('id', 'url', 'format', ['organization_id', 'organization']),
  ...columnsOf<AuditStreamJson>('behind', 'last_event_id', 'last_success_at'),
  ['last error', ({ last_error }) => shown(last_error)],
]

const { put, list, show, remove } = resource('/audit-streams/{stream-id}', columns)

export const auditStream: Command = {
  name: 'audit-stream',
  summary: 'receivers to which the audit trail is pushed',
  actions: [
    put('put', 'Push the audit trail to a receiver, or change where.', {
      settings: {
        url: required(text('url <url>', 'the https address that receives batches')),
        format: required(choice('format', ['latchkey', 'ocsf'], 'the form of an event')),
        organization_id: text('organization <id>', 'only its events (default: all)'),
        secret: {
          ...flag('secret-stdin', 'the signing secret, from stdin (at a terminal: without echo)'),
          read: (input, terminal) =>
            input.flag('secret-stdin')
              ? secretFromStdin(terminal, 'signing secret')
              : secretFromEnvironment(terminal, 'LATCHKEY_STREAM_SECRET'),
        },
        from: choice('from', ['start'], 'begin with the oldest event that is kept (default: now)'),
      },
      notes: [
        'The signing secret is whsec_ and 24 to 64 bytes in base64. It may also come from LATCHKEY_STREAM_SECRET or',
        'LATCHKEY_STREAM_SECRET_FILE. A new receiver needs one; without one it stays.',
      ],
    }),
    list('List the receivers of the audit trail.', 'list', {
      organization_id: text('organization <id>', 'only those of this organization'),
    }),
    show('Show a receiver, and how far behind it is.'),
    apiAction('test', 'POST /audit-streams/{stream-id}/test', {
      summary: 'Send one test event, which is not in the audit trail.',
      body: {},
      print: inColumns(columns),
    }),
    remove('Delete a receiver.'),
  ],
}
