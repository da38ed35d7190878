// Changes of apps that their owners have asked for.
import type { AppChangeJson } from '../http/operator/app-changes.ts'
import type { Input } from './action.ts'
import { changeLines } from './app-documents.ts'
import { operatorAction } from './operator-action.ts'
import { pathSegment } from './operator-api.ts'
import {
  type Column,
  fields,
  listed,
  moment,
  print,
  printDone,
  printList,
  shown,
} from './output.ts'

const columns: Column<AppChangeJson>[] = [
  ['change id', (one) => one.id],
  ['client id', (one) => one.client_id],
  ['name', (one) => one.name],
  ['changes', (one) => listed(one.changes.map(({ field }) => field))],
  ['asked by', (one) => one.requested_by],
  ['reason', (one) => shown(one.reason)],
  ['outdated', (one) => (one.outdated ? 'yes' : 'no')],
  ['since', (one) => moment(one.created_at)],
]

const one = ['change-id']
const pathOf = (input: Input) => `/app-changes/${pathSegment(input.argument('change-id'))}`
const noteOption = { note: { value: 'text', help: 'words for the owners of the app' } }

const list = operatorAction({
  name: 'changes',
  summary: 'List the changes that owners of apps have asked for.',
  run: async (api, input, terminal) =>
    printList(terminal, input, columns, await api.list<AppChangeJson>('/app-changes')),
})

const show = operatorAction({
  name: 'change',
  summary: 'Show a change that an owner of an app has asked for.',
  positionals: one,
  run: async (api, input, terminal) => {
    const change = await api.call<AppChangeJson>('GET', pathOf(input))
    print(terminal, input, change, () =>
      [
        fields(columns.map(([heading, text]) => [heading, text(change)])),
        changeLines(change.changes),
      ].join('\n\n'),
    )
  },
})

const decide = (name: string, decision: 'approve' | 'refuse', summary: string, done: string) =>
  operatorAction({
    name,
    summary,
    positionals: one,
    options: noteOption,
    run: async (api, input, terminal) => {
      const note = input.text('note')
      await api.call('POST', pathOf(input), { decision, ...(note !== undefined && { note }) })
      printDone(terminal, input, done)
    },
  })

export const changeActions = [
  list,
  show,
  decide(
    'approve-change',
    'approve',
    'Approve a change: exactly what it shows is changed, and a review of the app stays.',
    'Approved.',
  ),
  decide('refuse-change', 'refuse', 'Refuse a change: nothing changes.', 'Refused.'),
]
