import type { FieldType } from './fields.ts'
import { currencyIn, dateIn, listIn, numberIn, rangeIn, textIn } from './operands.ts'

/** Passes a value as a parameter; returns its placeholder. */
export type Bind = (value: unknown) => string

/** The subject of an operator. */
interface Subject {
  /** The value of the field as SQL: an object with `val`, or null if it is not set. */
  cell: string
  operand: unknown
  currency: unknown
  bind: Bind
}

/** Writes SQL that is true for matching rows. */
type Operator = (subject: Subject) => string
type Operators = Readonly<Record<string, Operator>>

const text = ({ cell }: Subject) => `(${cell} ->> 'val')`

/** Also true for rows without a value. */
const not =
  (operator: Operator): Operator =>
  (subject) =>
    `(${operator(subject)}) is not true`

const presence: Operators = {
  'has-any-value': (subject) => `${text(subject)} is not null`,
  'has-no-value': (subject) => `${text(subject)} is null`,
  'is-emptied': (subject) => `${subject.cell} is not null and ${text(subject)} is null`,
  'is-not-set': ({ cell }) => `${cell} is null`,
}

const isText: Operator = (subject) =>
  `${text(subject)} = ${subject.bind(textIn(subject.operand))}::text`

const like =
  (before: string, after: string): Operator =>
  (subject) => {
    const literal = textIn(subject.operand).replace(/[\\%_]/g, '\\$&')
    return `${text(subject)} ilike ${subject.bind(`${before}${literal}${after}`)}::text`
  }

const texts: Operators = {
  is: isText,
  'is-not': not(isText),
  'starts-with': like('', '%'),
  'ends-with': like('%', ''),
  contains: like('%', '%'),
  'does-not-contain': not(like('%', '%')),
}

/** A type with an order: how its values and operands are written. */
interface Ordered {
  side(subject: Subject): string
  other(operand: unknown, bind: Bind): string
}

const numeric: Ordered = {
  side: (subject) => `${text(subject)}::numeric`,
  other: (operand, bind) => `${bind(numberIn(operand))}::numeric`,
}

// Timestamps of one form and length sort like their characters.
const dated: Ordered = {
  side: (subject) => `${text(subject)} collate "C"`,
  other: (operand, bind) => `${bind(dateIn(operand))}::text`,
}

const compared =
  ({ side, other }: Ordered, sign: '=' | '<' | '>'): Operator =>
  (subject) =>
    `${side(subject)} ${sign} ${other(subject.operand, subject.bind)}`

/** Both bounds are included. */
const between =
  ({ side, other }: Ordered): Operator =>
  (subject) => {
    const [low, high] = rangeIn(subject.operand).map((end) => other(end, subject.bind))
    return `${side(subject)} between ${low} and ${high}`
  }

const numbers: Operators = {
  is: compared(numeric, '='),
  'is-not': not(compared(numeric, '=')),
  'is-more-than': compared(numeric, '>'),
  'is-less-than': compared(numeric, '<'),
  'is-between': between(numeric),
}

/** Amounts in another currency never match. */
const inCurrency =
  (operator: Operator): Operator =>
  (subject) => {
    const code = subject.bind(currencyIn(subject.currency))
    return `${subject.cell} ->> 'currency' = ${code}::text and (${operator(subject)})`
  }

const amounts: Operators = Object.fromEntries(
  Object.entries(numbers).map(([word, operator]) => [word, inCurrency(operator)]),
)

const booleans: Operators = {
  'is-true': (subject) => `${text(subject)} = 'true'`,
  'is-false': (subject) => `${text(subject)} = 'false'`,
}

const dates: Operators = {
  on: compared(dated, '='),
  after: compared(dated, '>'),
  before: compared(dated, '<'),
  between: between(dated),
}

/** Uses `?|` or `?&`, which treat a single choice like a list of one. */
const among =
  (sign: '?|' | '?&'): Operator =>
  ({ cell, operand, bind }) =>
    `(${cell} -> 'val') ${sign} ${bind(listIn(operand))}::text[]`

const isExactly =
  (listOf: (val: string) => string): Operator =>
  ({ cell, operand, bind }) => {
    const list = listOf(`(${cell} -> 'val')`)
    const given = `to_jsonb(${bind(listIn(operand))}::text[])`
    return `${list} @> ${given} and ${list} <@ ${given}`
  }

const choices: Operators = {
  'has-any-of': among('?|'),
  'has-none-of': not(among('?|')),
}

const byType: Record<FieldType, Operators> = {
  string: texts,
  textBlock: texts,
  number: numbers,
  boolean: booleans,
  date: dates,
  currency: amounts,
  enum: { ...choices, is: isExactly((val) => `jsonb_build_array(${val})`) },
  enumTags: { ...choices, 'has-all-of': among('?&'), is: isExactly((val) => val) },
}

/** @returns null if this type has no operator of this name */
export const operatorOf = (type: FieldType, name: string): Operator | null => {
  const operators = { ...presence, ...byType[type] }
  return Object.hasOwn(operators, name) ? (operators[name] ?? null) : null
}
