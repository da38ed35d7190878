// Apps by their metadata documents: imports, reviews, and policies of hosts.
import type { AppReviewJson, ImportedAppJson } from '../http/operator/app-documents.ts'
import type { SettingChangeJson } from '../http/operator/app-schemas.ts'
import type { ClientHostJson } from '../http/operator/client-hosts.ts'
import type { Input } from './action.ts'
import { allColumns } from './app-fields.ts'
import { operatorAction } from './operator-action.ts'
import { pathSegment } from './operator-api.ts'
import { type Column, fields, listed, moment, print, printDone, printList } from './output.ts'
import { note } from './terminal.ts'

const permissionsOption = {
  permissions: {
    value: 'names',
    multiple: true as const,
    help: 'maximum permissions of the app (default: those in the scope of the document)',
  },
}

const shownValue = (value: unknown): string => {
  if (value === null) return '–'
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map(shownValue).join(' ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export const changeLines = (changes: readonly SettingChangeJson[]) =>
  changes.length === 0
    ? 'No setting has changed.'
    : fields(
        changes.map(({ field, before, after }) => [
          field,
          `${shownValue(before)} → ${shownValue(after)}`,
        ]),
      )

const ignoredNote = (scopes: readonly string[]) =>
  `Ignored scopes, which are no permissions here: ${listed(scopes)}`

const importAction = operatorAction({
  name: 'import',
  summary: 'Import an app by the URL of its metadata document, or read the document again.',
  positionals: ['url'],
  options: permissionsOption,
  notes: [
    'The URL is the client id of the app. Prints what the document changes.',
    '',
    'Example: latchkey app import https://client.example.com/oauth/metadata.json --permissions records:create',
  ],
  run: async (api, input, terminal) => {
    const permissions = input.words('permissions')
    const body = { url: input.argument('url'), ...(permissions && { permissions }) }
    const app = await api.call<ImportedAppJson>('POST', '/apps/import', body)
    print(terminal, input, app, () =>
      [
        changeLines(app.changes),
        fields(allColumns.map(([heading, text]) => [heading, text(app)])),
      ].join('\n\n'),
    )
    if (app.ignored_scopes.length > 0) note(terminal, ignoredNote(app.ignored_scopes))
  },
})

const reviewColumns: Column<AppReviewJson>[] = [
  ['review id', (one) => one.id],
  ['client id', (one) => one.client_id],
  ['kind', (one) => one.kind],
  ['name', (one) => one.name],
  ['changes', (one) => listed(one.changes.map(({ field }) => field))],
  ['since', (one) => moment(one.created_at)],
]

const reviews = operatorAction({
  name: 'reviews',
  summary: 'List the apps that wait for a review.',
  run: async (api, input, terminal) =>
    printList(terminal, input, reviewColumns, await api.list<AppReviewJson>('/app-reviews')),
})

const reviewPath = (input: Input) => `/app-reviews/${pathSegment(input.argument('review-id'))}`

const review = operatorAction({
  name: 'review',
  summary: 'Show what an app that waits for a review would get.',
  positionals: ['review-id'],
  run: async (api, input, terminal) => {
    const one = await api.call<AppReviewJson>('GET', reviewPath(input))
    print(terminal, input, one, () =>
      [
        fields(reviewColumns.map(([heading, text]) => [heading, text(one)])),
        changeLines(one.changes),
      ].join('\n\n'),
    )
    if (one.ignored_scopes.length > 0) note(terminal, ignoredNote(one.ignored_scopes))
  },
})

const approve = operatorAction({
  name: 'approve',
  summary: 'Approve a review: the app gets everything in the document that it shows.',
  positionals: ['review-id'],
  options: permissionsOption,
  run: async (api, input, terminal) => {
    const permissions = input.words('permissions')
    const body = { decision: 'approve', ...(permissions && { permissions }) }
    await api.call('POST', reviewPath(input), body)
    printDone(terminal, input, 'Approved.')
  },
})

const refuse = operatorAction({
  name: 'refuse',
  summary: 'Refuse a review: nothing changes, and the document is not asked for again for 30 days.',
  positionals: ['review-id'],
  run: async (api, input, terminal) => {
    await api.call('POST', reviewPath(input), { decision: 'refuse' })
    printDone(terminal, input, 'Refused.')
  },
})

const hostColumns: Column<ClientHostJson>[] = [
  ['host', (one) => one.host],
  ['policy', (one) => one.policy],
  ['since', (one) => moment(one.updated_at)],
]

const hostPath = (input: Input) => `/client-hosts/${pathSegment(input.argument('host'))}`

const hosts = operatorAction({
  name: 'hosts',
  summary: 'List the hosts of metadata documents that have a policy.',
  run: async (api, input, terminal) =>
    printList(terminal, input, hostColumns, await api.list<ClientHostJson>('/client-hosts')),
})

const policies = ['review', 'refuse'] as const

const setHost = operatorAction({
  name: 'set-host',
  summary: 'Set the policy for metadata documents of a host.',
  positionals: ['host'],
  options: {
    policy: {
      value: policies.join('|'),
      help: 'review: unknown apps of the host wait for a review (default); refuse: none is read or imported',
    },
  },
  run: async (api, input, terminal) => {
    const policy = input.choice('policy', policies) ?? 'review'
    await api.call('PUT', hostPath(input), { policy })
    printDone(terminal, input, 'Set.')
  },
})

const removeHost = operatorAction({
  name: 'remove-host',
  summary: 'Remove the policy of a host; its apps stay.',
  positionals: ['host'],
  run: async (api, input, terminal) => {
    await api.call('DELETE', hostPath(input))
    printDone(terminal, input, 'Removed.')
  },
})

export const documentActions = [
  importAction,
  reviews,
  review,
  approve,
  refuse,
  hosts,
  setHost,
  removeHost,
]
