import type { UsageDayJson } from '../http/operator/usage.ts'
import type { Command } from './command.ts'
import { operatorAction } from './operator-action.ts'
import { pathSegment } from './operator-api.ts'
import type { Option } from './option.ts'
import { type Column, printList, shown } from './output.ts'

const sum = (counts: Record<string, number>) =>
  String(Object.values(counts).reduce((total, count) => total + count, 0))

/** Formats names with their counts. */
export const countsText = (counts: Record<string, number>) =>
  shown(
    Object.entries(counts)
      .map(([name, count]) => `${name} ${count}`)
      .join(', '),
  )

const columns: Column<UsageDayJson>[] = [
  ['day', (usage) => usage.day],
  ['app', (usage) => usage.client_id],
  ['tokens', (usage) => sum(usage.issued)],
  ['by grant type', (usage) => countsText(usage.issued)],
  ['refused', (usage) => sum(usage.refused)],
  ['by reason', (usage) => countsText(usage.refused)],
]

export const periodOptions: Record<string, Option> = {
  from: { value: 'day', help: 'the first day, such as 2026-05-03 (default: 30 days back)' },
  to: { value: 'day', help: 'the last day (default: today)' },
}

export const usage: Command = {
  name: 'usage',
  summary: 'tokens and refusals by day and app',
  actions: [
    operatorAction({
      name: '',
      summary: 'Count tokens and refusals of an organization, by day and app.',
      positionals: ['organization-id'],
      options: periodOptions,
      notes: ['Days are in UTC. Counts are written every few seconds and kept for 400 days.'],
      run: async (api, input, terminal) => {
        const path = `/organizations/${pathSegment(input.argument('organization-id'))}/usage`
        const query = { from: input.text('from'), to: input.text('to') }
        printList(terminal, input, columns, await api.list<UsageDayJson>(path, query))
      },
    }),
  ],
}
