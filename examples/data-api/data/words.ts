import { kindOf } from './columns.ts'
import type { Field } from './fields.ts'
import type { Interface } from './reach.ts'
import type { Kind } from './types.ts'

const wordsOf = (text: string) => text.split(' ').filter(Boolean)

const texts = 'is is-not starts-with ends-with contains does-not-contain'
const numbers = 'is is-not is-more-than is-less-than'
const booleans = 'is-true is-false'
const dates = 'on after before between'

/** Words of each kind of field that the legacy interface has, besides those about presence. */
const legacy: Record<Kind, string> = {
  text: texts,
  number: `${numbers} is-between`,
  amount: `${numbers} is-between`,
  boolean: booleans,
  date: dates,
  moment: dates,
  file: '',
  choice: 'has-any-of',
  choices: 'has-any-of',
  reference: 'has-any-of',
  references: 'has-any-of',
}

const lists = 'has-any-of has-all-of is has-none-of'

/** The same of the current interface; Yes/No and Date, which have no list, have `is-not-set`. */
const current: Record<Kind, string> = {
  text: texts,
  number: numbers,
  amount: numbers,
  boolean: `${booleans} is-not-set`,
  date: `${dates} is-not-set`,
  moment: dates,
  file: '',
  choice: 'has-any-of is has-none-of',
  choices: lists,
  reference: 'is is-not',
  references: lists,
}

const calculated = `${texts} is-more-than is-less-than`

export const isResult = ({ type }: Field) => type === 'formula' || type === 'rollup'

/** The operators that an interface has for a field. */
export const operatorsOf = (field: Field, generation: Interface): string[] => {
  if (generation === 'legacy') {
    const some = takesList(field) ? '' : 'has-any-value'
    return wordsOf(`${legacy[kindOf(field)]} ${some} is-empty is-not-set`)
  }
  const words = isResult(field) ? calculated : current[kindOf(field)]
  return wordsOf(`${words} is-empty has-any-value`)
}

/** Fields that the legacy interface filters by `{values, otherValues}`. */
export const takesList = (field: Field): boolean => legacy[kindOf(field)] === 'has-any-of'

/** "Empty" means emptied in the legacy interface, and any absent value in the current one. */
export const meaningOf = (word: string, generation: Interface): string => {
  if (word !== 'is-empty') return word
  return generation === 'legacy' ? 'is-emptied' : 'has-no-value'
}
