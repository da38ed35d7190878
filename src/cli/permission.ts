import {
  permissionGroups,
  permissionMarks,
  type Sentence,
  sentenceIn,
} from '../core/language/permission-catalogue.ts'
import type { PermissionJson } from '../http/operator/permissions.ts'
import type { Input } from './action.ts'
import type { Command } from './command.ts'
import { usageError } from './exit-codes.ts'
import { operatorAction } from './operator-action.ts'
import { pathSegment } from './operator-api.ts'
import { type Column, printDone, printList, printOne, shown, yesNo } from './output.ts'

const columns: Column<PermissionJson>[] = [
  ['interface', (one) => one.interface],
  ['name', (one) => one.name],
  ['sentence', (one) => sentenceIn(one.sentence, 'en')],
  ['group', (one) => one.group],
  ['mark', (one) => shown(one.mark)],
  ['built in', (one) => yesNo(one.built_in)],
  ['for reading', (one) => yesNo(one.read_permission)],
]

const interfaces = ['current', 'legacy'] as const
const interfaceOption = { value: 'current|legacy', help: 'the API generation (default: current)' }

const pathOf = (input: Input) => {
  const generation = input.choice('interface', interfaces) ?? 'current'
  return `/permissions/${generation}/${pathSegment(input.argument('name'))}`
}

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

const add = operatorAction({
  name: 'add',
  summary: 'Add a permission to the catalogue, or replace its words.',
  positionals: ['name'],
  options: {
    interface: interfaceOption,
    sentence: {
      value: 'text',
      multiple: true,
      help: 'what pages say; or language=text, repeated for more languages',
    },
    group: { value: permissionGroups.join('|'), help: 'the heading on pages (default: other)' },
    mark: { value: permissionMarks.join('|'), help: 'why it is sensitive (default: it is not)' },
    'read-permission': { help: 'reading on the current interface needs this permission' },
  },
  notes: [
    'Every instance knows it within two seconds.',
    '',
    'Example: latchkey permission add invoices:approve --sentence "Approve invoices" --group write',
  ],
  run: async (api, input, terminal) => {
    const texts = input.values('sentence')
    if (!texts) throw usageError('--sentence is missing')
    const body = {
      sentence: sentenceOf(texts),
      group: input.choice('group', permissionGroups) ?? 'other',
      mark: input.choice('mark', permissionMarks) ?? null,
      read_permission: input.flag('read-permission'),
    }
    printOne(terminal, input, columns, await api.call<PermissionJson>('PUT', pathOf(input), body))
  },
})

const list = operatorAction({
  name: 'list',
  summary: 'List the permissions of both interfaces.',
  run: async (api, input, terminal) =>
    printList(terminal, input, columns, await api.list<PermissionJson>('/permissions')),
})

const remove = operatorAction({
  name: 'remove',
  summary: 'Retire a permission that no app, install or key set has.',
  positionals: ['name'],
  options: { interface: interfaceOption },
  run: async (api, input, terminal) => {
    await api.call('DELETE', pathOf(input))
    printDone(terminal, input, 'Removed.')
  },
})

export const permission: Command = {
  name: 'permission',
  summary: 'the permission catalogue',
  actions: [list, add, remove],
}
