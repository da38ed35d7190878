// What is stored now beside what an operator has typed, when another person has changed it meanwhile.

import type { Text } from '../../../words/text.ts'
import type { Block } from '../rendering/operator-view-models.ts'
import { plain, table } from './blocks.ts'
import type { Field } from './console-field.ts'

const filled = (values: readonly string[]) =>
  values
    .flatMap((value) => value.split(/\r?\n/))
    .map((value) => value.trim())
    .filter(Boolean)

const wordsOf = (text: Text, one: Field, values: readonly string[]): string => {
  if (one.kind === 'tick') return values[0] === 'yes' ? text.operator.yes : text.operator.no
  const labels = new Map(one.options?.map(({ value, label }) => [value, label]))
  const shown = filled(values).map((value) => labels.get(value) ?? value)
  return shown.length === 0 ? text.operator.none : shown.join(', ')
}

const isSame = (one: Field, stored: readonly string[], typed: readonly string[]) => {
  const [a, b] = [filled(stored), filled(typed)]
  if (one.kind === 'tick') return (a[0] === 'yes') === (b[0] === 'yes')
  const inOrder = (values: string[]) => (one.kind === 'ticks' ? values.toSorted() : values)
  return inOrder(a).join('\n') === inOrder(b).join('\n')
}

/** Each setting of the form that differs. A password is never shown, so it has no line. */
export const typedValuesTable = (
  text: Text,
  fields: readonly Field[],
  typedIn: (one: Field) => readonly string[],
): Block => {
  const { heading, now, yours, same } = text.operator.daily.conflict
  const rows = fields
    .filter(({ kind }) => kind !== 'password')
    .map((one) => ({ one, stored: one.values ?? [], typed: typedIn(one) }))
    .filter(({ one, stored, typed }) => !isSame(one, stored, typed))
  return table({
    id: 'differences',
    heading,
    columns: [text.operator.columns.setting, now, yours],
    rows: rows.map(({ one, stored, typed }) => [
      plain(one.label),
      plain(wordsOf(text, one, stored)),
      plain(wordsOf(text, one, typed)),
    ]),
    empty: same,
  })
}
