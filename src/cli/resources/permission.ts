import {
  permissionGroups,
  permissionMarks,
  type Sentence,
  sentenceIn,
} from '../../core/language/permission-catalogue.ts'
import type { PermissionJson } from '../../http/operator/tokens/permissions.ts'
import { listing, operatorAction } from '../api-action.ts'
import type { Command, Input } from '../command.ts'
import { usageError } from '../exit-codes.ts'
import { type Column, columnsOf, printDone, printOne } from '../output.ts'
import {
  choice,
  flag,
  generation,
  generationIn,
  optionsOf,
  readSettings,
  repeated,
  type Setting,
  type Settings,
  text,
} from '../setting.ts'

const columns: Column<PermissionJson>[] = [
  ...columnsOf<PermissionJson>('interface', 'name'),
  ['sentence', (one) => sentenceIn(one.sentence, 'en')],
  ...columnsOf<PermissionJson>('group', 'mark', 'built_in', ['read_permission', 'for reading']),
]

const tagged = /^([A-Za-z0-9-]+)=(.+)$/s

/** One text, or a text for each language. */
const sentenceOf = (texts: readonly string[]): Sentence => {
  const [only] = texts
  if (only !== undefined && texts.length === 1 && !tagged.test(only)) return only
  const pairs = texts.map((text) => {
    const [, language, words] = tagged.exec(text) ?? []
    if (!language || !words)
      throw usageError('of several --sentence options, each must be language=text')
    return [language, words] as const
  })
  return Object.fromEntries(pairs)
}

const sentence: Setting = {
  ...repeated('sentence <text>', 'what pages say; or language=text, repeated for more languages'),
  read: (input) => {
    const texts = input.values('sentence')
    if (!texts) throw usageError('--sentence is missing')
    return sentenceOf(texts)
  },
}

const settings: Settings = {
  sentence,
  group: choice('group', permissionGroups, 'the heading on pages (default: other)'),
  mark: choice('mark', permissionMarks, 'why it is sensitive (default: it is not)'),
  read_permission: flag(
    'read-permission',
    'reading on the current interface needs this permission',
  ),
}

const interfaceOption = { interface: generation('the API generation (default: current)').option }

const pathOf = (input: Input) =>
  `/permissions/${generationIn(input)}/${encodeURIComponent(input.argument('name'))}`

export const permission: Command = {
  name: 'permission',
  summary: 'the permission catalogue',
  actions: [
    listing('list', '/permissions', {
      summary: 'List the permissions of both interfaces.',
      columns,
      settings: {
        q: text('search <text>', 'only those with it in the name or the sentence'),
        sort: text(
          'sort <order>',
          'interface (the default) or name; --sort=-name begins at the end',
        ),
      },
    }),
    operatorAction('add', {
      summary: 'Add a permission to the catalogue, or replace its words.',
      positionals: ['name'],
      options: { ...interfaceOption, ...optionsOf(settings) },
      notes: [
        'Every instance knows it within two seconds.',
        '',
        'Example: latchkey permission add invoices:approve --sentence "Approve invoices" --group write',
      ],
      run: async (api, input, terminal) => {
        const usual = { group: 'other', mark: null, read_permission: false }
        const body = { ...usual, ...(await readSettings(settings, input, terminal)) }
        const added = await api.call<PermissionJson>('PUT', pathOf(input), body)
        printOne(terminal, input, columns, added)
      },
    }),
    operatorAction('remove', {
      summary: 'Retire a permission that no app, install or key set has.',
      positionals: ['name'],
      options: interfaceOption,
      run: async (api, input, terminal) => {
        await api.call('DELETE', pathOf(input))
        printDone(terminal, input, 'Removed.')
      },
    }),
  ],
}
