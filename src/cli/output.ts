import { withoutHidden } from '../core/language/display-text.ts'
import type { Input } from './command.ts'
import { note, say, type Terminal } from './terminal.ts'

/** A column of a table: its heading and its text for an item. */
export type Column<Item> = readonly [heading: string, text: (item: Item) => string]

const blank = '–'

export const shown = (value: string | null | undefined): string =>
  value === null || value === undefined || value === '' ? blank : value

export const listed = (values: readonly string[] | null | undefined): string =>
  shown(values?.join(' '))

export const yesNo = (value: boolean) => (value ? 'yes' : 'no')

/** A time in UTC, to the second. */
export const moment = (time: string | null): string =>
  time === null ? blank : `${time.slice(0, 19).replace('T', ' ')}Z`

type Member<Item> = keyof Item & string

/** The names of times in the API. */
const isTime = (name: string) => name.endsWith('_at')

const headingOf = (name: string) =>
  (isTime(name) ? name.slice(0, -'_at'.length) : name).replaceAll('_', ' ')

const memberText = (name: string, value: unknown): string => {
  if (typeof value === 'boolean') return yesNo(value)
  if (Array.isArray(value)) return listed(value)
  return isTime(name) ? moment(value as string | null) : shown(value?.toString())
}

/** Columns of members by their names, with a heading where it is not the name. */
export const columnsOf = <Item>(
  ...members: readonly (Member<Item> | readonly [Member<Item>, heading: string])[]
): Column<Item>[] =>
  members.map((one) => {
    const [name, heading]: readonly [Member<Item>, string] =
      typeof one === 'string' ? [one, headingOf(one)] : one
    return [heading, (item) => memberText(name, item[name])]
  })

// Text from other people must not move the cursor or colour the terminal.
const clean = (text: string) => withoutHidden(text, '\u{fffd}').replace(/\p{Cc}/gu, '\u{fffd}')

export const table = <Item>(columns: readonly Column<Item>[], items: readonly Item[]): string => {
  const rows = [
    columns.map(([heading]) => heading.toUpperCase()),
    ...items.map((item) => columns.map(([, text]) => clean(text(item)))),
  ]
  const widths = columns.map((_, at) => Math.max(...rows.map((row) => (row[at] as string).length)))
  return rows
    .map((row) =>
      row
        .map((text, at) => text.padEnd(widths[at] as number))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** The pairs that have a value. */
export const givenPairs = (pairs: readonly (readonly [string, string | null | undefined])[]) =>
  pairs.filter((pair): pair is readonly [string, string] => Boolean(pair[1]))

/** Formats names and values, one pair per line. */
export const fields = (pairs: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...pairs.map(([name]) => name.length))
  return pairs.map(([name, value]) => `${name.padEnd(width)}  ${clean(value)}`).join('\n')
}

/** Formats an item with the columns of its table, one per line. */
export const fieldsOf = <Item>(columns: readonly Column<Item>[], item: Item): string =>
  fields(columns.map(([heading, text]) => [heading, text(item)]))

type Format = Pick<Input, 'json'>

/** Prints a result: as JSON when requested, otherwise as text. */
export const print = (terminal: Terminal, { json }: Format, value: unknown, words: () => string) =>
  say(terminal, json ? JSON.stringify(value, null, 2) : words())

/** Prints a list: `{ "items": [] }` as JSON, a table otherwise. */
export const printList = <Item>(
  terminal: Terminal,
  input: Format,
  columns: readonly Column<Item>[],
  items: readonly Item[],
) => print(terminal, input, { items }, () => (items.length === 0 ? 'none' : table(columns, items)))

/** Prints one item with the columns of its table, one per line. */
export const printOne = <Item>(
  terminal: Terminal,
  input: Format,
  columns: readonly Column<Item>[],
  item: Item,
) => print(terminal, input, item, () => fieldsOf(columns, item))

/** Reports a completed action that has no result. */
export const printDone = (terminal: Terminal, { json }: Format, sentence: string) =>
  json ? say(terminal, JSON.stringify({ done: true })) : note(terminal, sentence)

/** Follows each secret that is printed. */
export const noteSecret = (terminal: Terminal) =>
  note(terminal, 'Keep the secret now: it is not shown again.')

/** Prints a new secret to stdout, alone on its line so that it can be piped. Hints go to stderr. */
export const printSecret = (terminal: Terminal, input: Format, value: object, secret: string) => {
  print(terminal, input, value, () => secret)
  noteSecret(terminal)
}
