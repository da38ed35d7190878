import type { AppPersonJson, AppUseJson } from '../../http/operator/apps/use.ts'
import { listing } from '../api-action.ts'
import type { Action } from '../command.ts'
import { type Column, listed, moment, shown, yesNo } from '../output.ts'
import { countsText, period } from './usage.ts'

const columns: Column<AppUseJson>[] = [
  ['organization', (use) => use.organization_id],
  ['name', (use) => use.organization_name],
  ['people', (use) => String(use.people)],
  ['last used', (use) => moment(use.last_used_at)],
  ['tokens', (use) => countsText(use.issued)],
  ['refused', (use) => countsText(use.refused)],
  [
    'twin installed',
    (use) => (use.twin_installed === null ? shown(null) : yesNo(use.twin_installed)),
  ],
  ['moved', (use) => String(use.moved)],
]

const personColumns: Column<AppPersonJson>[] = [
  ['user', (person) => person.user_id],
  ['name', (person) => person.name],
  ['e-mail', (person) => person.email],
  ['permissions', (person) => listed(person.permissions)],
  ['since', (person) => moment(person.since)],
  ['last used', (person) => moment(person.last_used_at)],
]

/** Actions that show the use of an app. */
export const useActions: readonly Action[] = [
  listing({
    name: 'usage',
    summary:
      'List the use of an app by organization; for a legacy app also the progress of its migration.',
    path: '/apps/{client-id}/usage',
    settings: period,
    columns,
    notes: [
      'Tokens and refusals are counted for the period. Last use and counts are written every few seconds.',
    ],
  }),
  listing({
    name: 'people',
    summary: 'List the users who have authorized an app in an organization, with the last use.',
    path: '/apps/{client-id}/usage/{organization-id}',
    columns: personColumns,
  }),
]
