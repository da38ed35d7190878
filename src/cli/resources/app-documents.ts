// Apps by their metadata documents: imports, reviews, and policies of hosts.
import type { SettingChangeJson } from '../../http/operator/apps/changes.ts'
import type { ClientHostJson } from '../../http/operator/apps/client-hosts.ts'
import type { AppReviewJson } from '../../http/operator/apps/documents.ts'
import { apiAction, done, operatorAction, type Print } from '../api-action.ts'
import type { Action } from '../command.ts'
import { usageError } from '../exit-codes.ts'
import { type Column, columnsOf, fields, fieldsOf, listed, moment, print } from '../output.ts'
import { resource } from '../resource.ts'
import { choice, number, optionsOf, readSettings, text, words } from '../setting.ts'
import { note, type Terminal } from '../terminal.ts'
import { clientOf, importClient, listClients } from './ai-clients.ts'
import { allColumns } from './app-fields.ts'

const permissions = words(
  'permissions <names>',
  'maximum permissions of the app (default: those in the scope of the document)',
)

const shownValue = (value: unknown): string => {
  if (value === null) return '–'
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map(shownValue).join(' ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const changeLines = (changes: readonly SettingChangeJson[]) =>
  changes.length === 0
    ? 'No setting has changed.'
    : fields(
        changes.map(({ field, before, after }) => [
          field,
          `${shownValue(before)} → ${shownValue(after)}`,
        ]),
      )

/** Prints the answer, and then the changes of settings in it. */
export const printWithChanges =
  <Answer extends { changes: readonly SettingChangeJson[] }>(
    columns: readonly Column<Answer>[],
  ): Print<Answer> =>
  (answer, { input, terminal }) =>
    print(terminal, input, answer, () =>
      [fieldsOf(columns, answer), changeLines(answer.changes)].join('\n\n'),
    )

const noteIgnored = (terminal: Terminal, scopes: readonly string[]) => {
  if (scopes.length > 0)
    note(terminal, `Ignored scopes, which are no permissions here: ${listed(scopes)}`)
}

const reviewColumns: Column<AppReviewJson>[] = [
  ...columnsOf<AppReviewJson>(['id', 'review id'], 'client_id', 'kind', 'name'),
  ['changes', (one) => listed(one.changes.map(({ field }) => field))],
  ['since', (one) => moment(one.created_at)],
]

const hostColumns: Column<ClientHostJson>[] = [
  ...columnsOf<ClientHostJson>('host', 'policy'),
  ['path', (one) => one.path_prefix ?? '/'],
  ['limit', (one) => String(one.limit)],
  ['ceiling', (one) => listed(one.ceiling?.permissions ?? [])],
  ['since', (one) => moment(one.updated_at)],
]

const hosts = resource('/client-hosts/{host}', hostColumns)

const hostRule = {
  policy: choice(
    'policy',
    ['review', 'refuse', 'admit'],
    'review: unknown apps of the host wait for a review (default); refuse: none is read or imported; admit: they come in by themselves',
  ),
  path_prefix: text(
    'path-prefix <path>',
    'admit only documents in this path; others wait for a review',
  ),
  limit: number(
    'limit <number>',
    'apps of the host, beyond which documents wait for a review (default: 100)',
  ),
}

const ceiling = words(
  'ceiling <names>',
  'the most that admitted apps may have; "" for no permission',
)

const hostDefaults = {
  optional_permissions: words(
    'optional-permissions <names>',
    'permissions that new apps can do without (default: each)',
  ),
  access_token_seconds: number(
    'access-token-seconds <seconds>',
    'lifetime of access tokens of new apps',
  ),
  retry_window_seconds: number(
    'retry-window <seconds>',
    'how long a consumed refresh token of new apps returns its successor',
  ),
  expires_days: number(
    'expires-days <days>',
    'new installs of apps of the host end after so many days',
  ),
}

/** Whom a change of an app concerns. */
export const reachColumns: Column<Pick<AppReviewJson, 'organizations' | 'people'>>[] = [
  ['organizations', (one) => String(one.organizations ?? 0)],
  ['people', (one) => String(one.people ?? 0)],
]

export const ownersNote = text('note <text>', 'words for the owners of the app')

const importing = operatorAction('import', {
  summary: 'Import apps by name, or by the URL of their metadata documents, or read these again.',
  positionals: ['[name…]'],
  options: {
    list: { help: 'print the AI clients that have a name, and the page that states the address' },
    [permissions.name]: permissions.option,
  },
  notes: [
    'The URL of a document is the client id of its app. Prints what the document changes. A client that publishes none',
    'becomes a public app with its redirect URIs. docs/for-ai-clients.md has the rest.',
    '',
    'Example: latchkey app import claude vscode --permissions records:create',
  ],
  run: async (api, input, terminal) => {
    const words = input.argument('[name…]').split(' ').filter(Boolean)
    if (words.length === 0) throw usageError('<name> is missing, or --list')
    const apps: Awaited<ReturnType<typeof importClient>>[] = []
    for (const client of words.map(clientOf))
      apps.push(await importClient(api, client, input.words('permissions')))
    print(terminal, input, apps.length === 1 ? apps[0] : { items: apps }, () =>
      apps
        .flatMap((app) => [
          ...(app.changes ? [changeLines(app.changes)] : []),
          fieldsOf(allColumns, app),
        ])
        .join('\n\n'),
    )
    noteIgnored(
      terminal,
      apps.flatMap((app) => app.ignored_scopes ?? []),
    )
  },
})

/** The list needs no server. */
const importAction: Action = {
  ...importing,
  run: (input, terminal) => (input.flag('list') ? listClients : importing.run)(input, terminal),
}

export const documentActions = [
  importAction,
  resource('/app-reviews/{review-id}', reviewColumns).list(
    'List the apps that wait for a review.',
    'reviews',
  ),
  apiAction<AppReviewJson>('review', 'GET /app-reviews/{review-id}', {
    summary: 'Show what an app that waits for a review would get.',
    print: async (review, calling) => {
      await printWithChanges([...reviewColumns, ...reachColumns])(review, calling)
      noteIgnored(calling.terminal, review.ignored_scopes)
    },
  }),
  apiAction('approve', 'POST /app-reviews/{review-id}', {
    summary: 'Approve a review: the app gets everything in the document that it shows.',
    body: { decision: 'approve' },
    settings: {
      permissions,
      retry_window_seconds: number(
        'retry-window <seconds>',
        'how long a consumed refresh token returns its successor',
      ),
    },
    print: done('Approved.'),
  }),
  apiAction('refuse', 'POST /app-reviews/{review-id}', {
    summary:
      'Refuse a review: nothing changes, and the document is not asked for again for 30 days.',
    body: { decision: 'refuse' },
    settings: { note: ownersNote },
    print: done('Refused.'),
  }),
  hosts.list('List the hosts of metadata documents that have a policy.', 'hosts'),
  operatorAction('set-host', {
    summary:
      'Set the policy for metadata documents of a host. Options that are left out have their defaults again.',
    positionals: ['host'],
    options: optionsOf({ ...hostRule, ceiling, ...hostDefaults }),
    notes: [
      'Example: latchkey app set-host agents.example.com --policy admit --ceiling records:create --limit 20',
    ],
    run: async (api, input, terminal) => {
      const permissions = ceiling.read(input, terminal)
      const body = {
        policy: 'review',
        ...(await readSettings(hostRule, input, terminal)),
        ...(permissions !== undefined && { ceiling: { interface: 'current', permissions } }),
        defaults: await readSettings(hostDefaults, input, terminal),
      }
      const path = `/client-hosts/${encodeURIComponent(input.argument('host'))}`
      const host = await api.call<ClientHostJson>('PUT', path, body)
      await done('Set.')(host, { api, input, terminal })
    },
  }),
  hosts.remove('Remove the policy of a host; its apps stay.', 'remove-host'),
]
