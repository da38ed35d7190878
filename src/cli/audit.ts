import type { AuditEventJson } from '../http/operator/audit.ts'
import type { Command } from './command.ts'
import { operatorAction } from './operator-action.ts'
import { type Column, moment, printList, shown } from './output.ts'

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
    operatorAction({
      name: '',
      summary: 'Read the audit trail, newest first.',
      options: {
        organization: { value: 'id', help: 'only of this organization' },
        client: { value: 'id', help: 'only about this app or key set' },
        actor: { value: 'id', help: 'only events caused by this user, app or operator' },
        from: { value: 'time', help: 'only since this time or day (UTC)' },
        to: { value: 'time', help: 'only before this time, or until the end of this day (UTC)' },
        type: { value: 'name', help: 'only this event, such as app.created' },
        request: { value: 'id', help: 'only of the request with this X-Request-Id' },
        limit: { value: 'number', help: `at most this many (default: ${usual})` },
      },
      notes: [
        'A time is 2026-05-03T12:00:00Z, a day 2026-05-03.',
        '--json also prints the details of each event.',
      ],
      run: async (api, input, terminal) => {
        const query = {
          organization_id: input.text('organization'),
          client_id: input.text('client'),
          actor_id: input.text('actor'),
          from: input.text('from'),
          to: input.text('to'),
          type: input.text('type'),
          request_id: input.text('request'),
        }
        const limit = Math.max(1, input.number('limit') ?? usual)
        const events = await api.list<AuditEventJson>('/audit', query, limit)
        printList(terminal, input, columns, events)
      },
    }),
  ],
}
