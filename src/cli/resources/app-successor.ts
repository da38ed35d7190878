import type { AppJson, CreatedAppJson } from '../../http/operator/apps/schemas.ts'
import type { SuccessorJson } from '../../http/operator/apps/successors.ts'
import { operatorAction } from '../api-action.ts'
import type { Action, Input, Option } from '../command.ts'
import { usageError } from '../exit-codes.ts'
import { type Column, columnsOf, listed, moment, noteSecret, printOne } from '../output.ts'
import { resource } from '../resource.ts'
import { note } from '../terminal.ts'
import { copiedSettings, createdColumns } from './app-fields.ts'

type PermissionMap = Record<string, string[]>

const permissionMapText = (worth: PermissionMap) =>
  listed(Object.entries(worth).map(([legacy, current]) => `${legacy}=${current.join(',')}`))

const columns: Column<SuccessorJson>[] = [
  ...columnsOf<SuccessorJson>(['legacy_client_id', 'legacy app'], ['client_id', 'twin']),
  ['worth', (twin) => permissionMapText(twin.worth)],
  ['since', (twin) => moment(twin.created_at)],
]

const { show, remove } = resource('/apps/{legacy-client-id}/twin', columns)

const positionals = ['legacy-client-id']
const permissionMapOption: Record<string, Option> = {
  worth: {
    value: 'old=new,…',
    multiple: true,
    help: 'maps a legacy permission, such as insertData=records:create; repeat for more',
  },
}
const permissionMapNotes = [
  'A legacy permission that is not named maps to none. readData needs no entry: every current token may read.',
]

const legacyPath = (input: Input) =>
  `/apps/${encodeURIComponent(input.argument('legacy-client-id'))}`

const readPermissionMap = (input: Input): PermissionMap => {
  const pairs = (input.values('worth') ?? []).map((text): [string, string[]] => {
    const [legacy = '', current, ...rest] = text.split('=')
    if (legacy === '' || current === undefined || rest.length > 0)
      throw usageError('--worth must be such as insertData=records:create')
    return [legacy, current.split(',').filter(Boolean)]
  })
  // The API needs at least one entry. This one maps reading, which needs no permission.
  return pairs.length === 0 ? { readData: [] } : Object.fromEntries(pairs)
}

/** Actions for the migration of a legacy app to the current interface. */
export const successorActions: readonly Action[] = [
  operatorAction('make-twin', {
    summary: 'Set the current twin of a legacy app: a new app like it, or an existing one.',
    positionals,
    options: {
      ...permissionMapOption,
      to: {
        value: 'client-id',
        help: 'an existing current app (default: a new app like the legacy one)',
      },
    },
    notes: [
      ...permissionMapNotes,
      'A new twin gets the name, type, redirect URIs and links of the legacy app, and the mapped permissions. The secret',
      'of a confidential twin is printed to stdout, once.',
      '',
      'Example: latchkey app make-twin app… --worth insertData=records:create --worth updateData=records:update',
    ],
    run: async (api, input, terminal) => {
      const path = legacyPath(input)
      const worth = readPermissionMap(input)
      const to = input.text('to')
      if (to !== undefined) {
        const twin = await api.call<SuccessorJson>('PUT', `${path}/twin`, { client_id: to, worth })
        printOne(terminal, input, columns, twin)
        return
      }
      const legacy = await api.call<AppJson>('GET', path)
      if (legacy.interface !== 'legacy')
        throw usageError('this app does not belong to the legacy interface')
      const app = await api.call<CreatedAppJson>('POST', '/apps', {
        ...copiedSettings(legacy),
        interface: 'current',
        permissions: [...new Set(Object.values(worth).flat())],
      })
      printOne(terminal, input, createdColumns(app), app)
      if (app.client_secret) noteSecret(terminal)
      await api.call('PUT', `${path}/twin`, { client_id: app.client_id, worth })
      note(terminal, 'It is now the twin.')
    },
  }),
  show('Show the twin of a legacy app and its permission map.', 'show-twin'),
  operatorAction('set-worth', {
    summary: 'Replace the permission map of a legacy app and its twin.',
    positionals,
    options: permissionMapOption,
    notes: [...permissionMapNotes, 'Migrated grants do not change.'],
    run: async (api, input, terminal) => {
      const path = `${legacyPath(input)}/twin`
      const { client_id } = await api.call<SuccessorJson>('GET', path)
      const body = { client_id, worth: readPermissionMap(input) }
      printOne(terminal, input, columns, await api.call<SuccessorJson>('PUT', path, body))
    },
  }),
  remove('Stop the migration; the twin app and migrated grants stay.', 'remove-twin'),
]
