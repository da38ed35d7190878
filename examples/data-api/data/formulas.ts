import jsep, { type Expression } from 'jsep'
import { kindOf } from './columns.ts'
import { badInput } from './faults.ts'
import type { Field } from './fields.ts'
import { functions, type Plain, type Result } from './functions.ts'
import { readText } from './texts.ts'
import type { Value } from './values.ts'

/** What is calculated: a constant, a field of the same row by its id, or a function. */
type Tree = { value: Plain } | { field: string } | { fn: string; on: Tree[] }

export interface Formula {
  /** As it was given. */
  text: string
  tree: Tree
}

const mostCharacters = 1000
const mostParts = 200

/** The part of the parser that a hook uses. */
interface Parser {
  char: string
  expr: string
  index: number
  throwError(message: string): never
}

// `{Unit price}` is a field whose name is no identifier.
jsep.hooks.add('gobble-token', function (this: Parser, env: { node?: unknown }) {
  if (this.char !== '{') return
  const end = this.expr.indexOf('}', this.index)
  if (end < 0) this.throwError('a field has no }')
  env.node = { type: 'Identifier', name: this.expr.slice(this.index + 1, end).trim() }
  this.index = end + 1
})

/** Kinds of fields as formulas see them. */
const results: Partial<Record<string, Result>> = {
  text: 'text',
  choice: 'text',
  number: 'number',
  amount: 'number',
  boolean: 'boolean',
  date: 'date',
}

interface Typed {
  tree: Tree
  result: Result
}

const constant = (value: unknown): Typed | null => {
  if (typeof value === 'string') return { tree: { value }, result: 'text' }
  if (typeof value === 'number' && Number.isFinite(value))
    return { tree: { value }, result: 'number' }
  return typeof value === 'boolean' ? { tree: { value }, result: 'boolean' } : null
}

/** Checks the parts of an expression and what they give. */
const createReader = (fields: readonly Field[], place: string) => {
  let parts = 0
  const refuse = (message: string) => badInput(message, place)

  const call = (name: string, parsed: readonly Expression[]): Typed => {
    const on = parsed.map(read)
    const known = Object.hasOwn(functions, name) ? functions[name] : undefined
    if (!known) throw badInput(`there is no function ${name}`, place, Object.keys(functions))
    const result = known.gives(on.map((one) => one.result))
    if (!result) throw refuse(`${name} does not take these values`)
    return { tree: { fn: name, on: on.map(({ tree }) => tree) }, result }
  }

  const fieldNamed = (name: string): Typed => {
    const field = fields.find((one) => one.name === name)
    if (!field) throw refuse(`there is no field ${name} before this one`)
    const result = field.via ? undefined : results[kindOf(field)]
    if (!result) throw refuse(`the field ${name} cannot be used in a formula`)
    return { tree: { field: field.id }, result }
  }

  // biome-ignore lint/suspicious/noExplicitAny: the parts of an expression depend on its type
  const read = (parsed: any): Typed => {
    parts += 1
    if (parts > mostParts) throw refuse(`at most ${mostParts} parts`)
    switch (parsed?.type) {
      case 'Literal': {
        const typed = constant(parsed.value)
        if (typed) return typed
        break
      }
      case 'Identifier':
        return fieldNamed(parsed.name)
      case 'BinaryExpression':
      case 'LogicalExpression':
        return call(parsed.operator, [parsed.left, parsed.right])
      case 'UnaryExpression':
        return call(parsed.operator === '-' ? 'negative' : parsed.operator, [parsed.argument])
      case 'ConditionalExpression':
        return call('if', [parsed.test, parsed.consequent, parsed.alternate])
      case 'CallExpression':
        if (parsed.callee.type === 'Identifier') return call(parsed.callee.name, parsed.arguments)
    }
    throw refuse('this is no formula')
  }
  return read
}

const parse = (text: string, place: string): Expression => {
  try {
    return jsep(text)
  } catch (error) {
    throw badInput(error instanceof Error ? error.message : 'this is no formula', place)
  }
}

/** @throws Fault if it is no formula over these fields */
export const readFormula = (
  text: string | null | undefined,
  fields: readonly Field[],
  place: string,
): { formula: Formula; result: Result } => {
  if (!text?.trim() || readText(text, mostCharacters) === null)
    throw badInput(`an expression of at most ${mostCharacters} characters`, place)
  const { tree, result } = createReader(fields, place)(parse(text, place))
  return { formula: { text, tree }, result }
}

type Cells = Readonly<Record<string, Value>>

const emptyAsNull = (value: Plain): Plain => (value === '' ? null : value)

const resultOf = (tree: Tree, cells: Cells): Plain => {
  if ('value' in tree) return tree.value
  if ('field' in tree) return (cells[tree.field]?.val ?? null) as Plain
  return functions[tree.fn]?.run(tree.on.map((one) => resultOf(one, cells))) ?? null
}

/** Adds the results of all formulas. */
export const calculate = (fields: readonly Field[], cells: Cells): Record<string, Value> => {
  const all: Record<string, Value> = { ...cells }
  for (const { id, formula } of fields)
    if (formula) all[id] = { val: emptyAsNull(resultOf(formula.tree, all)) }
  return all
}
