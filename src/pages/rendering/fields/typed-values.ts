// What is stored now beside what an operator has typed, when another person has changed it meanwhile.

import type { Text } from '../../../words/text.ts'
import { table } from '../forms/blocks.ts'
import { type Field, isTicked } from '../forms/form-field.ts'
import type { Block } from '../view-models/blocks.ts'

const filled = (values: readonly string[]) =>
  values
    .flatMap((value) => value.split(/\r?\n/))
    .map((value) => value.trim())
    .filter(Boolean)

const labelsOf = (text: Text, { options = [], groups, workspaces }: Field) =>
  new Map([
    ...options.map(({ value, label }) => [value, label] as const),
    ...(groups?.([]) ?? [])
      .flatMap(({ lines }) => lines)
      .map(({ permission, sentence }) => [permission ?? '', sentence] as const),
    ...(workspaces?.([]).options.map(({ id, name }) => [id, name] as const) ?? []),
    ...(workspaces ? [['*', text.workspaces.all] as const] : []),
  ])

const wordsOf = (text: Text, one: Field, values: readonly string[]): string => {
  if (one.kind === 'tick') return values[0] === 'yes' ? text.form.yes : text.form.no
  const labels = labelsOf(text, one)
  const shown = filled(values).map((value) => labels.get(value) ?? value)
  return shown.length === 0 ? text.form.none : shown.join(', ')
}

const isSame = (one: Field, stored: readonly string[], typed: readonly string[]) => {
  const [a, b] = [filled(stored), filled(typed)]
  if (one.kind === 'tick') return (a[0] === 'yes') === (b[0] === 'yes')
  const inOrder = (values: string[]) => (isTicked(one) ? values.toSorted() : values)
  return inOrder(a).join('\n') === inOrder(b).join('\n')
}

/** Each setting of the form that differs. A password is never shown, so it has no line. */
export const typedValuesTable = (
  text: Text,
  fields: readonly Field[],
  typedIn: (one: Field) => readonly string[],
): Block => {
  const { heading, setting, now, yours, same } = text.form.conflict
  const rows = fields
    .filter(({ kind }) => kind !== 'password')
    .map((one) => ({ one, stored: one.values ?? [], typed: typedIn(one) }))
    .filter(({ one, stored, typed }) => !isSame(one, stored, typed))
  return table({
    id: 'differences',
    heading,
    columns: [setting, now, yours],
    rows: rows.map(({ one, stored, typed }) => [
      one.label,
      wordsOf(text, one, stored),
      wordsOf(text, one, typed),
    ]),
    empty: same,
  })
}
