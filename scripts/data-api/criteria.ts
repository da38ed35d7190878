import { kindOf } from '../../examples/data-api/data/columns.ts'
import {
  type Condition,
  type Criterion,
  readCriterion,
} from '../../examples/data-api/data/conditions.ts'
import type { Field } from '../../examples/data-api/data/fields.ts'
import type { Interface } from '../../examples/data-api/data/reach.ts'
import type { Table } from '../../examples/data-api/data/table.ts'
import type { Kind } from '../../examples/data-api/data/types.ts'
import { operatorsOf } from '../../examples/data-api/data/words.ts'

/** A condition on the table of many rows. */
export interface Case {
  name: string
  condition: Condition
}

/** What an operator is measured with, by its word. */
type Operands = Record<string, unknown[]>

const texts: Operands = {
  is: ['Customer c4ca4238 1'],
  'is-not': ['Customer c4ca4238 1'],
  'is-more-than': ['Customer f'],
  'is-less-than': ['Customer f'],
  'starts-with': ['customer c4', 'customer'],
  'ends-with': [' 4711'],
  contains: ['c4ca', 'customer', 'no such text'],
  'does-not-contain': ['c4ca'],
}
const numbers: Operands = {
  ...texts,
  is: [4711],
  'is-not': [4711],
  'is-more-than': [50_000, 99_990],
  'is-less-than': [10, 50_000],
  'is-between': [{ val1: 10, val2: 1000 }],
  'starts-with': ['471'],
  'ends-with': ['4711'],
  contains: ['4711'],
}
const dates: Operands = {
  ...texts,
  on: ['2021-03-04'],
  after: ['2025-06-01', '2021-01-01'],
  before: ['2020-02-01', '2025-01-01'],
  between: [{ val1: '2021-03-01', val2: '2021-04-01' }],
  is: ['2021-03-04T00:00:00.000Z'],
  'is-not': ['2021-03-04T00:00:00.000Z'],
  'is-more-than': ['2025-06-01T00:00:00.000Z'],
  'is-less-than': ['2020-02-01T00:00:00.000Z'],
}
const booleans: Operands = {
  ...texts,
  is: [true],
  'is-not': [true],
  'is-more-than': [false],
  'is-less-than': [true],
}
const listed = (...lists: string[][]): Operands => ({
  'has-any-of': lists,
  'has-all-of': lists,
  'has-none-of': lists,
  is: lists,
})

/** The id of a row of the referenced table. */
const rowOf = ({ database }: Field, number: number) =>
  `rec${database?.slice(3, 15)}${number.toString(16).padStart(24, '0')}`

const operandsOf = (field: Field): Operands => {
  const row = rowOf(field, 7)
  const byKind: Partial<Record<Kind, Operands>> = {
    text: texts,
    number: numbers,
    amount: numbers,
    boolean: booleans,
    date: dates,
    moment: dates,
    choice: listed(['Won'], ['Rare'], ['Open', 'Lost']),
    choices: listed(['c'], ['a', 'b'], ['no such choice']),
    reference: { ...listed([row]), is: [row], 'is-not': [row] },
    references: listed([row], [row, rowOf(field, 14)]),
  }
  return byKind[kindOf(field)] ?? {}
}

/** Of a path in the input, for faults. */
const places = { operator: 'operator', operand: 'operand', currency: 'currency' }

export const criterionOf = (
  field: Field,
  generation: Interface,
  operator: string,
  operand?: unknown,
): Criterion => readCriterion(field, generation, { operator, operand, currency: 'EUR', places })

/** Every operator that the interface has for a field. */
export const casesOf = (field: Field, generation: Interface): Case[] =>
  operatorsOf(field, generation).flatMap((operator) =>
    (operandsOf(field)[operator] ?? [undefined]).map((operand) => ({
      name: `${field.name} ${operator} ${JSON.stringify(operand) ?? ''}`.trim(),
      condition: criterionOf(field, generation, operator, operand),
    })),
  )

/** Conditions together, and through references. */
export const combinedCases = ({ fields, targets }: Table): Case[] => {
  const named = (list: readonly Field[], name: string) =>
    list.find((field) => field.name === name) as Field
  const one = (name: string, operator: string, operand?: unknown) =>
    criterionOf(named(fields, name), 'current', operator, operand)
  const through = (name: string, subfield: string, operator: string, operand: unknown) => {
    const via = named(fields, name)
    const table = targets.get(via.database ?? '') as Table
    const condition = criterionOf(named(table.fields, subfield), 'current', operator, operand)
    return { via, table, condition }
  }
  const won = one('Status', 'is', ['Won'])
  const cases: [name: string, condition: Condition][] = [
    [
      'Status is Won and Amount is-less-than 500',
      { all: [won, one('Amount', 'is-less-than', 500)] },
    ],
    ['Status is Won and Done is-true', { all: [won, one('Done', 'is-true')] }],
    [
      'Status is Rare and Tags has-any-of c',
      { all: [one('Status', 'is', ['Rare']), one('Tags', 'has-any-of', ['c'])] },
    ],
    [
      'Amount is 5 or Name ends-with 4711',
      { any: [one('Amount', 'is', 5), one('Name', 'ends-with', ' 4711')] },
    ],
    [
      'Done is-true and (Amount is 5 or Day on a day)',
      {
        all: [
          one('Done', 'is-true'),
          { any: [one('Amount', 'is', 5), one('Day', 'on', '2021-03-04')] },
        ],
      },
    ],
    ['the Name of Owner is a name', through('Owner', 'Name', 'is', 'Person 77')],
    ['the Name of Owner contains a part', through('Owner', 'Name', 'contains', 'Person')],
    ['the Name of Owner contains another text', through('Owner', 'Name', 'contains', 'Nobody')],
    ['the City of Owner is a city', through('Owner', 'City', 'is', 'City 7')],
    ['the City of Members is a city', through('Members', 'City', 'is', 'City 7')],
    [
      'the Score of Owner is-more-than 990 and Done is-true',
      { all: [through('Owner', 'Score', 'is-more-than', 990), one('Done', 'is-true')] },
    ],
  ]
  return cases.map(([name, condition]) => ({ name, condition }))
}
