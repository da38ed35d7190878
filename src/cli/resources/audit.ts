import type { AuditEventJson } from '../../http/operator/reports/audit.ts'
import { listing } from '../api-action.ts'
import type { Command } from '../command.ts'
import { type Column, moment, shown } from '../output.ts'
import { text } from '../setting.ts'

const columns: Column<AuditEventJson>[] = [
  ['at', (event) => moment(event.at)],
  ['event', (event) => event.type],
  ['by', ({ actor }) => (actor.id === null ? actor.kind : `${actor.kind} ${actor.id}`)],
  ['organization', (event) => shown(event.organization_id)],
  ['app or key set', (event) => shown(event.client_id)],
  ['user', (event) => shown(event.user_id)],
  ['from', (event) => shown(event.address)],
  ['reason', ({ detail }) => (typeof detail.reason === 'string' ? detail.reason : shown(null))],
]

const usual = 50

export const audit: Command = {
  name: 'audit',
  summary: 'the audit trail, newest first',
  actions: [
    listing({
      name: '',
      summary: 'Read the audit trail, newest first.',
      path: '/audit',
      settings: {
        organization_id: text('organization', 'id', 'only of this organization'),
        client_id: text('client', 'id', 'only about this app or key set'),
        actor_id: text('actor', 'id', 'only events caused by this user, app or operator'),
        from: text('from', 'time', 'only since this time or day (UTC)'),
        to: text('to', 'time', 'only before this time, or until the end of this day (UTC)'),
        type: text('type', 'name', 'only this event, such as app.created'),
        request_id: text('request', 'id', 'only of the request with this X-Request-Id'),
      },
      options: { limit: { value: 'number', help: `at most this many (default: ${usual})` } },
      columns,
      limit: (input) => Math.max(1, input.number('limit') ?? usual),
      notes: [
        'A time is 2026-05-03T12:00:00Z, a day 2026-05-03.',
        '--json also prints the details of each event.',
      ],
    }),
  ],
}
