// Filters of SCIM (RFC 7644 §3.4.2.2), and the value filters of PATCH paths (§3.5.2).
import { ScimError, type ScimType } from './scim-error.ts'
import type { WorkBudget } from './work-budget.ts'

const operators = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'lt', 'ge', 'le'] as const
export type Operator = (typeof operators)[number]
export type Literal = string | number | boolean | null

export type Filter =
  | { kind: 'compare'; path: readonly string[]; operator: Operator; value: Literal }
  | { kind: 'present'; path: readonly string[] }
  | { kind: 'and' | 'or'; parts: readonly Filter[] }
  | { kind: 'not'; part: Filter }
  /** `emails[type eq "work"]`: some value of the attribute meets the filter. */
  | { kind: 'some'; path: readonly string[]; part: Filter }

const longest = 4096
const deepest = 20
const mostTerms = 100

const tokenShape =
  /\s*(?:([()[\]]|\.[A-Za-z$][\w$-]*)|("(?:[^"\\]|\\.)*")|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.:])|((?:[A-Za-z$][\w$-]*)(?:[:.][\w$-]+)*))/y

const coreUrn = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/

/**
 * The names of an attribute path, in lower case: attributes are case-insensitive (RFC 7643 §2.1). The URN of the core
 * schema is optional (RFC 7644 §3.10); an attribute of an extension stays one name.
 */
export const attributePath = (name: string): string[] => {
  const plain = name.toLowerCase().replace(coreUrn, '')
  return plain.startsWith('urn:') ? [plain] : plain.split('.')
}

const literalOf = (token: string, fail: () => Error): Literal => {
  if (token === 'true' || token === 'True') return true
  if (token === 'false' || token === 'False') return false
  if (token === 'null') return null
  try {
    const value = JSON.parse(token) as Literal
    // Postgres has no NUL in texts.
    if (typeof value === 'string' && /\0|\p{Cs}/u.test(value)) throw fail()
    return value
  } catch {
    throw fail()
  }
}

const tokensOf = (text: string, fail: () => Error): string[] => {
  const tokens: string[] = []
  const source = text.trimEnd()
  tokenShape.lastIndex = 0
  while (tokenShape.lastIndex < source.length) {
    const match = tokenShape.exec(source)
    if (!match) throw fail()
    tokens.push(match[1] ?? match[2] ?? match[3] ?? (match[4] as string))
  }
  return tokens
}

const isName = (token: string | undefined): token is string =>
  token !== undefined && /^[A-Za-z$]/.test(token)

/**
 * Reads a filter. `not` binds tightest, then `and`, then `or`.
 * @param scimType of the error for an unreadable one
 * @throws ScimError
 */
export const readFilter = (text: string, scimType: ScimType = 'invalidFilter'): Filter => {
  const fail = () => new ScimError(400, scimType, 'the filter cannot be read')
  if (text.length > longest) throw fail()
  const tokens = tokensOf(text, fail)
  let at = 0
  let terms = 0
  const next = () => tokens[at++]
  const word = () => tokens[at]?.toLowerCase()
  const expect = (token: string) => {
    if (next() !== token) throw fail()
  }

  const comparison = (path: string[]): Filter => {
    const operator = next()?.toLowerCase()
    if (operator === 'pr') return { kind: 'present', path }
    const value = next()
    const known = operators.find((one) => one === operator)
    if (!known || value === undefined) throw fail()
    return { kind: 'compare', path, operator: known, value: literalOf(value, fail) }
  }

  const sequence = (kind: 'and' | 'or', read: () => Filter): Filter => {
    const parts = [read()]
    while (word() === kind) {
      at++
      parts.push(read())
    }
    return parts.length === 1 ? (parts[0] as Filter) : { kind, parts }
  }

  const any = (depth: number): Filter => {
    if (depth > deepest) throw fail()
    return sequence('or', () => sequence('and', () => term(depth)))
  }

  const inside = (depth: number, end: string): Filter => {
    const part = any(depth + 1)
    expect(end)
    return part
  }

  const term = (depth: number): Filter => {
    if (++terms > mostTerms) throw fail()
    if (tokens[at] === '(') {
      at++
      return inside(depth, ')')
    }
    if (word() === 'not' && tokens[at + 1] === '(') {
      at += 2
      return { kind: 'not', part: inside(depth, ')') }
    }
    const name = next()
    if (!isName(name)) throw fail()
    const path = attributePath(name)
    if (path.some((part) => part === '')) throw fail()
    if (tokens[at] === '[') {
      at++
      const part = inside(depth, ']')
      if (!tokens[at]?.startsWith('.')) return { kind: 'some', path, part }
      // `emails[type eq "work"].value eq "…"` is not in the grammar, but Entra ID sends it.
      const sub = next()?.slice(1).toLowerCase() ?? ''
      return { kind: 'some', path, part: { kind: 'and', parts: [part, comparison([sub])] } }
    }
    return comparison(path)
  }

  const filter = any(0)
  if (at !== tokens.length) throw fail()
  return filter
}

type Json = unknown

/** The values at a path: each value of a multi-valued attribute counts, and names are case-insensitive. */
const valuesAt = (value: Json, path: readonly string[]): Json[] => {
  if (Array.isArray(value)) return value.flatMap((one) => valuesAt(one, path))
  const [name, ...rest] = path
  if (name === undefined) return value === undefined || value === null ? [] : [value]
  if (typeof value !== 'object' || value === null) return []
  const found = Object.entries(value).find(([key]) => key.toLowerCase() === name)
  return found ? valuesAt(found[1], rest) : []
}

/** A complex value is compared by its `value`. */
const simple = (value: Json): Json =>
  typeof value === 'object' && value !== null ? (value as { value?: Json }).value : value

const exactly = ['id', 'externalid']

type Operand = string | number

const comparisons: Record<Operator, (left: Operand, right: Operand) => boolean> = {
  eq: (left, right) => left === right,
  ne: (left, right) => left !== right,
  gt: (left, right) => left > right,
  lt: (left, right) => left < right,
  ge: (left, right) => left >= right,
  le: (left, right) => left <= right,
  co: (left, right) => String(left).includes(String(right)),
  sw: (left, right) => String(left).startsWith(String(right)),
  ew: (left, right) => String(left).endsWith(String(right)),
}

/** Boolean attributes come as text from some providers. */
const alike = (value: Json, literal: Literal): [Operand, Operand] | null => {
  if (typeof value === 'boolean') return [String(value), String(literal).toLowerCase()]
  if (typeof value === 'number' && typeof literal === 'number') return [value, literal]
  return typeof value === 'string' && typeof literal === 'string' ? [value, literal] : null
}

const matchesOne = (
  value: Json,
  { path, operator, value: literal }: Filter & { kind: 'compare' },
): boolean => {
  const pair = alike(simple(value), literal)
  if (!pair) return operator === 'ne'
  const isExact = exactly.includes(path.at(-1) ?? '')
  const compared = (one: Operand) => (typeof one === 'string' && !isExact ? one.toLowerCase() : one)
  return comparisons[operator](compared(pair[0]), compared(pair[1]))
}

/** Values cost even where no term compares them: reading them is work too. */
const paidValues = (resource: Json, path: readonly string[], budget: WorkBudget): Json[] => {
  const values = valuesAt(resource, path)
  budget.spend(1 + values.length)
  return values
}

/**
 * Does the resource, or a value of a multi-valued attribute, meet the filter?
 * @throws ScimError tooMany when the budget is used up
 */
export const meets = (resource: Json, filter: Filter, budget: WorkBudget): boolean => {
  switch (filter.kind) {
    case 'and':
      return filter.parts.every((part) => meets(resource, part, budget))
    case 'or':
      return filter.parts.some((part) => meets(resource, part, budget))
    case 'not':
      return !meets(resource, filter.part, budget)
    case 'some':
      return paidValues(resource, filter.path, budget).some((value) =>
        meets(value, filter.part, budget),
      )
    case 'present':
      return paidValues(resource, filter.path, budget).some((value) => value !== '')
    case 'compare': {
      const values = paidValues(resource, filter.path, budget)
      const { operator, value } = filter
      if (value === null) return (values.length === 0) === (operator === 'eq')
      if (operator === 'ne') return values.every((one) => matchesOne(one, filter))
      return values.some((one) => matchesOne(one, filter))
    }
  }
}
