import type { UsageDayJson } from '../../http/operator/reports/usage.ts'
import { listing } from '../api-action.ts'
import type { Command } from '../command.ts'
import { type Column, shown } from '../output.ts'
import { type Settings, text } from '../setting.ts'

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

export const period: Settings = {
  from: text('from', 'day', 'the first day, such as 2026-05-03 (default: 30 days back)'),
  to: text('to', 'day', 'the last day (default: today)'),
}

export const usage: Command = {
  name: 'usage',
  summary: 'tokens and refusals by day and app',
  actions: [
    listing({
      name: '',
      summary: 'Count tokens and refusals of an organization, by day and app.',
      path: '/organizations/{organization-id}/usage',
      settings: period,
      columns,
      notes: ['Days are in UTC. Counts are written every few seconds and kept for 400 days.'],
    }),
  ],
}
