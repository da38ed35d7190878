import type { AppPersonJson, AppUseJson } from '../http/operator/app-use.ts'
import type { Action } from './action.ts'
import { operatorAction } from './operator-action.ts'
import { pathSegment } from './operator-api.ts'
import { type Column, listed, moment, printList, shown, yesNo } from './output.ts'
import { countsText, periodOptions } from './usage.ts'

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

const usage = operatorAction({
  name: 'usage',
  summary:
    'List the use of an app by organization; for a legacy app also the progress of its migration.',
  positionals: ['client-id'],
  options: periodOptions,
  notes: [
    'Tokens and refusals are counted for the period. Last use and counts are written every few seconds.',
  ],
  run: async (api, input, terminal) => {
    const path = `/apps/${pathSegment(input.argument('client-id'))}/usage`
    const query = { from: input.text('from'), to: input.text('to') }
    printList(terminal, input, columns, await api.list<AppUseJson>(path, query))
  },
})

const people = operatorAction({
  name: 'people',
  summary: 'List the users who have authorized an app in an organization, with the last use.',
  positionals: ['client-id', 'organization-id'],
  run: async (api, input, terminal) => {
    const [app, organization] = [input.argument('client-id'), input.argument('organization-id')]
    const path = `/apps/${pathSegment(app)}/usage/${pathSegment(organization)}`
    printList(terminal, input, personColumns, await api.list<AppPersonJson>(path))
  },
})

/** Actions that show the use of an app. */
export const useActions: readonly Action[] = [usage, people]
