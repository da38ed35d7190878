import { type Column, keyLength } from './columns.ts'
import { currencyIn, type Given, type Read, reads } from './operands.ts'
import type { FieldType, Kind } from './types.ts'

/** Passes a value as a parameter; returns its placeholder. */
export type Bind = (value: unknown) => string

/** Writes SQL that is true for matching rows. */
export type Test = (column: Column, bind: Bind) => string

/** Reads what it compares with. @throws Fault for an operand of another type */
export type Operator = (given: Given) => Test
type Operators = Readonly<Record<string, Operator>>

const operator =
  <Operand>(
    read: Read<Operand>,
    write: (column: Column, operand: Operand, bind: Bind) => string,
  ): Operator =>
  (given) => {
    const operand = read(given)
    return (column, bind) => write(column, operand, bind)
  }

const simple = (write: (column: Column) => string) => operator(reads.nothing, write)

/** Also true for rows without a value. */
const not =
  (negated: Operator): Operator =>
  (given) => {
    const test = negated(given)
    return (column, bind) => `(${test(column, bind)}) is not true`
  }

const hasValue = simple(({ key }) => `${key} is not null`)
const hasNoValue = simple(({ key }) => `${key} is null`)
// In the form of the index.
const isEmptied = simple(({ cell, key }) => `${key} is null and (${cell} is null) is false`)
const isNotSet = simple(({ cell, key }) => `${key} is null and ${cell} is null`)

const presence: Operators = {
  'has-any-value': hasValue,
  'has-no-value': hasNoValue,
  'is-emptied': isEmptied,
  'is-not-set': isNotSet,
}

const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&')

// Named in the condition, the key ends the search among the rows without a value.
const like = (before: string, after: string): Operator =>
  operator(reads.text, ({ key, lower, folded }, operand, bind) => {
    const pattern = bind(`${before}${escaped(operand)}${after}`)
    return `${key} is not null and ${lower} like ${folded(`${pattern}::text`)}`
  })

/** Characters; one can become two in lower case. */
const longestBeginning = 50

// Parts that many texts have make the index of parts slow. Beginnings have an index of their own.
const startsWith = operator(reads.text, ({ key, lower, beginning, folded }, operand, bind) => {
  const pattern = folded(`${bind(`${escaped(operand)}%`)}::text`)
  const matches =
    operand.length > longestBeginning
      ? `${lower} like ${pattern}`
      : `${beginning} like (${pattern} collate "C")`
  return `${key} is not null and ${matches}`
})

const parts: Operators = {
  'starts-with': startsWith,
  'ends-with': like('%', ''),
  contains: like('%', '%'),
  'does-not-contain': not(like('%', '%')),
}

// The key has the beginning of a text. A second condition would make the planner expect far fewer rows.
const isText = operator(reads.text, ({ key, text }, operand, bind) => {
  const same = `${bind(operand)}::text`
  return operand.length < keyLength
    ? `${key} = ${same}`
    : `${key} = left(${same}, ${keyLength}) and ${text} = ${same}`
})

const texts: Operators = { is: isText, 'is-not': not(isText), ...parts }

type Sign = '=' | '<' | '>'

const compared = <Operand>(read: Read<Operand>, cast: string, sign: Sign): Operator =>
  operator(read, ({ key }, operand, bind) => `${key} ${sign} ${bind(operand)}::${cast}`)

/** Both bounds are included. */
const between = <Bound>(read: Read<[Bound, Bound]>, cast: string): Operator =>
  operator(
    read,
    ({ key }, [low, high], bind) =>
      `${key} between ${bind(low)}::${cast} and ${bind(high)}::${cast}`,
  )

const ordered = <Operand>(read: Read<Operand>, cast: string): Operators => ({
  is: compared(read, cast, '='),
  'is-not': not(compared(read, cast, '=')),
  'is-more-than': compared(read, cast, '>'),
  'is-less-than': compared(read, cast, '<'),
})

const numbers: Operators = {
  ...ordered(reads.number, 'numeric'),
  'is-between': between(reads.numbers, 'numeric'),
}

/** Amounts in another currency never match. */
const inCurrency =
  (amount: Operator): Operator =>
  (given) => {
    const test = amount(given)
    const code = currencyIn(given)
    return (column, bind) =>
      `${column.cell} ->> 'currency' = ${bind(code)}::text and (${test(column, bind)})`
  }

const amounts: Operators = {
  ...Object.fromEntries(Object.entries(numbers).map(([word, one]) => [word, inCurrency(one)])),
  'has-any-value': (given) =>
    ((given.currency ?? null) === null ? hasValue : inCurrency(hasValue))(given),
}

const booleans: Operators = {
  'is-true': simple(({ key }) => key),
  'is-false': simple(({ key }) => `not ${key}`),
}

const dayMs = 86_400_000

/** The whole day in UTC. */
const on = (cast: string) =>
  operator(reads.date, ({ key }, day, bind) => {
    const next = new Date(Date.parse(day) + dayMs).toISOString()
    return `${key} >= ${bind(day)}::${cast} and ${key} < ${bind(next)}::${cast}`
  })

// Timestamps of one form and length sort like their characters.
const dates: Operators = {
  on: on('text'),
  after: compared(reads.date, 'text', '>'),
  before: compared(reads.date, 'text', '<'),
  between: between(reads.dates, 'text'),
}

const moments: Operators = {
  on: on('timestamptz'),
  after: compared(reads.moment, 'timestamptz', '>'),
  before: compared(reads.moment, 'timestamptz', '<'),
  between: between(reads.moments, 'timestamptz'),
}

const oneOf = operator(reads.list, ({ key }, list, bind) => `${key} = any(${bind(list)}::text[])`)

const isChoice = operator(reads.list, ({ key }, list, bind) =>
  list.length === 1 ? `${key} = ${bind(list[0])}::text` : 'false',
)

const among = (sign: '?|' | '?&') =>
  operator(reads.list, ({ cell }, list, bind) => `(${cell} -> 'val') ${sign} ${bind(list)}::text[]`)

/** The same entries, in any order. */
const isExactly = operator(reads.list, ({ cell }, list, bind) => {
  const given = `to_jsonb(${bind(list)}::text[])`
  return `(${cell} -> 'val') @> ${given} and (${cell} -> 'val') <@ ${given}`
})

const lists: Operators = {
  'has-any-of': among('?|'),
  'has-all-of': among('?&'),
  'has-none-of': not(among('?|')),
  is: isExactly,
}

const amongJson = operator(
  reads.values,
  ({ cell }, list, bind) =>
    `(${cell} -> 'val') @> any(${bind(list.map((one) => JSON.stringify(one)))}::jsonb[])`,
)

const allJson = (signs: readonly ('@>' | '<@')[]) =>
  operator(reads.values, ({ cell }, list, bind) => {
    const given = `${bind(JSON.stringify(list))}::jsonb`
    return signs.map((sign) => `(${cell} -> 'val') ${sign} ${given}`).join(' and ')
  })

/** Values that are looked up through several references have the type of their field. */
const lookedUp: Operators = {
  'has-any-of': amongJson,
  'has-all-of': allJson(['@>']),
  'has-none-of': not(amongJson),
  is: allJson(['@>', '<@']),
}

const isRow = compared(reads.rowId, 'text', '=')

const byKind: Record<Kind, Operators> = {
  text: texts,
  number: numbers,
  amount: amounts,
  boolean: booleans,
  date: dates,
  moment: moments,
  file: {},
  choice: { 'has-any-of': oneOf, 'has-none-of': not(oneOf), is: isChoice },
  choices: lists,
  reference: { is: isRow, 'is-not': not(isRow), 'has-any-of': oneOf },
  references: lists,
}

/** Formulas and rollups compare by their result, and their text has all operators of texts. */
const byResult: Partial<Record<Kind, Operators>> = {
  text: { ...ordered(reads.text, 'text'), ...texts },
  number: { ...parts, ...numbers },
  boolean: { ...ordered(reads.boolean, 'boolean'), ...parts },
  date: { ...ordered(reads.date, 'text'), ...parts },
}

const operatorsOf = (kind: Kind, type: FieldType): Operators | undefined => {
  if (type === 'formula' || type === 'rollup') return byResult[kind]
  return type === 'lookup' && kind === 'choices' ? lookedUp : byKind[kind]
}

export const operatorNamed = (kind: Kind, type: FieldType, word: string): Operator | null => {
  const operators = { ...presence, ...operatorsOf(kind, type) }
  return Object.hasOwn(operators, word) ? (operators[word] ?? null) : null
}
