// Changes of apps that their owners have asked for.
import type { AppChangeJson } from '../../http/operator/apps/changes.ts'
import { apiAction, done } from '../api-action.ts'
import { type Column, columnsOf, listed } from '../output.ts'
import { resource } from '../resource.ts'
import { ownersNote, printWithChanges, reachColumns } from './app-documents.ts'

const columns: Column<AppChangeJson>[] = [
  ...columnsOf<AppChangeJson>(['id', 'change id'], 'client_id', 'name'),
  ['changes', (one) => listed(one.changes.map(({ field }) => field))],
  ...columnsOf<AppChangeJson>(['requested_by', 'asked by'], 'reason', 'outdated'),
  ...columnsOf<AppChangeJson>(['created_at', 'since']),
]

const { list } = resource('/app-changes/{change-id}', columns)

const decide = (name: string, decision: 'approve' | 'refuse', summary: string, sentence: string) =>
  apiAction(name, 'POST /app-changes/{change-id}', {
    summary,
    body: { decision },
    settings: { note: ownersNote },
    print: done(sentence),
  })

export const changeActions = [
  list('List the changes that owners of apps have asked for.', 'changes'),
  apiAction('change', 'GET /app-changes/{change-id}', {
    summary: 'Show a change that an owner of an app has asked for.',
    print: printWithChanges([...columns, ...reachColumns]),
  }),
  decide(
    'approve-change',
    'approve',
    'Approve a change: exactly what it shows is changed, and a review of the app stays.',
    'Approved.',
  ),
  decide('refuse-change', 'refuse', 'Refuse a change: nothing changes.', 'Refused.'),
]
