// What happened, and how apps are used.
import type { AuditEventJson } from '../../http/operator/reports/audit.ts'
import type { FoundJson } from '../../http/operator/reports/search.ts'
import type { AppPersonJson, AppUseJson, UsageDayJson } from '../../http/operator/reports/usage.ts'
import { listing, operatorAction } from '../api-action.ts'
import { type Action, singleAction } from '../command.ts'
import { type Column, columnsOf, moment, printList, shown } from '../output.ts'
import { type Settings, text } from '../setting.ts'

const eventColumns: Column<AuditEventJson>[] = [
  ['at', (event) => moment(event.at)],
  ['event', (event) => event.type],
  ['by', ({ actor }) => (actor.id === null ? actor.kind : `${actor.kind} ${actor.id}`)],
  ...columnsOf<AuditEventJson>(
    ['organization_id', 'organization'],
    ['client_id', 'app or key set'],
  ),
  ...columnsOf<AuditEventJson>(['user_id', 'user'], ['address', 'from']),
  ['reason', ({ detail }) => (typeof detail.reason === 'string' ? detail.reason : shown(null))],
]

const usual = 50

const readAudit = listing('', '/audit', {
  summary: 'Read the audit trail, newest first.',
  settings: {
    organization_id: text('organization <id>', 'only of this organization'),
    client_id: text('client <id>', 'only about this app or key set'),
    actor_id: text('actor <id>', 'only events caused by this user, app or operator'),
    from: text('from <time>', 'only since this time or day (UTC)'),
    to: text('to <time>', 'only before this time, or until the end of this day (UTC)'),
    type: text('type <name>', 'only this event, such as app.created'),
    request_id: text('request <id>', 'only of the request with this X-Request-Id'),
  },
  options: { limit: { value: 'number', help: `at most this many (default: ${usual})` } },
  columns: eventColumns,
  limit: (input) => Math.max(1, input.number('limit') ?? usual),
  notes: [
    'A time is 2026-05-03T12:00:00Z, a day 2026-05-03.',
    '--json also prints the details of each event.',
  ],
})

export const audit = singleAction('audit', 'the audit trail, newest first', readAudit)

const foundColumns = columnsOf<FoundJson>('kind', 'id', 'name', ['organization_id', 'organization'])

const find = operatorAction('', {
  summary: 'Find what has a name that begins with these words, or such an id or e-mail address.',
  positionals: ['word…'],
  run: async (api, input, terminal) => {
    const query = new URLSearchParams({ q: input.argument('word…') })
    const { items } = await api.call<{ items: FoundJson[] }>('GET', `/search?${query}`)
    printList(terminal, input, foundColumns, items)
  },
})

export const search = singleAction('search', 'find by name, id or e-mail address', find)

const sum = (counts: Record<string, number>) =>
  String(Object.values(counts).reduce((total, count) => total + count, 0))

/** Formats names with their counts. */
const countsText = (counts: Record<string, number>) =>
  shown(
    Object.entries(counts)
      .map(([name, count]) => `${name} ${count}`)
      .join(', '),
  )

const dayColumns: Column<UsageDayJson>[] = [
  ...columnsOf<UsageDayJson>('day', ['client_id', 'app']),
  ['tokens', (usage) => sum(usage.issued)],
  ['by grant type', (usage) => countsText(usage.issued)],
  ['refused', (usage) => sum(usage.refused)],
  ['by reason', (usage) => countsText(usage.refused)],
]

const period: Settings = {
  from: text('from <day>', 'the first day, such as 2026-05-03 (default: 30 days back)'),
  to: text('to <day>', 'the last day (default: today)'),
}

const countUsage = listing('', '/organizations/{organization-id}/usage', {
  summary: 'Count tokens and refusals of an organization, by day and app.',
  settings: period,
  columns: dayColumns,
  notes: ['Days are in UTC. Counts are written every few seconds and kept for 400 days.'],
})

export const usage = singleAction('usage', 'tokens and refusals by day and app', countUsage)

const useColumns: Column<AppUseJson>[] = [
  ...columnsOf<AppUseJson>(['organization_id', 'organization'], ['organization_name', 'name']),
  ...columnsOf<AppUseJson>('people', 'last_used_at'),
  ['tokens', (use) => countsText(use.issued)],
  ['refused', (use) => countsText(use.refused)],
  ...columnsOf<AppUseJson>('twin_installed', 'moved'),
]

const personColumns: Column<AppPersonJson>[] = [
  ...columnsOf<AppPersonJson>(['user_id', 'user'], 'name', ['email', 'e-mail'], 'permissions'),
  ['since', (person) => moment(person.since)],
  ...columnsOf<AppPersonJson>('last_used_at'),
]

export const useActions: readonly Action[] = [
  listing('usage', '/apps/{client-id}/usage', {
    summary:
      'List the use of an app by organization; for a legacy app also the progress of its migration.',
    settings: period,
    columns: useColumns,
    notes: [
      'Tokens and refusals are counted for the period. Last use and counts are written every few seconds.',
    ],
  }),
  listing('people', '/apps/{client-id}/usage/{organization-id}', {
    summary: 'List the users who have authorized an app in an organization, with the last use.',
    columns: personColumns,
  }),
]
