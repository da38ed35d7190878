// Filters of SCIM (RFC 7644 §3.4.2.2) as conditions of SQL.
import type { Filter, Literal, Operator } from '../../../core/provisioning/filter.ts'
import type { Search, SearchStore } from '../../../core/provisioning/search.ts'
import type { Database } from '../connection/database.ts'

/** A value of an attribute, as text of SQL; null: the resource has none. */
export interface AttributeValue {
  sql: string
  /** Upper and lower case differ (RFC 7643 §2.2 `caseExact`). */
  isExact?: boolean
  isFlag?: boolean
}

/** An attribute with many values. */
interface AttributeList {
  /** A row for each value. */
  from: string
  /** By names of sub-attributes. The attribute itself means its `value`. */
  values: Readonly<Record<string, AttributeValue>>
  /** Only values that are equal are found by an index. */
  eqOnly?: boolean
}

/** What a filter may ask for, by paths in lower case. */
export interface Attributes {
  values: Readonly<Record<string, AttributeValue>>
  lists: Readonly<Record<string, AttributeList>>
}

export interface Condition {
  text: string
  /** False: it is true for others, too. */
  isWhole: boolean
}

const whole = (text: string): Condition => ({ text, isWhole: true })

/** Makes a parameter of a value. */
type Put = (value: string) => string

const isAscii = (text: string) => !/[^\0-\x7f]/.test(text)

/** Letters whose small form is another number of letters, such as İ: any text may stand for them. */
const hasOddCase = (letter: string) => [...letter.toLowerCase()].length !== 1

/** A pattern of LIKE. */
const patternOf = (operator: Operator, text: string, isExact: boolean): string => {
  const letters = [...text].map((letter) => {
    if (isExact) return letter.replace(/[\\%_]/, '\\$&')
    return hasOddCase(letter) ? '%' : letter.toLowerCase().replace(/[\\%_]/, '\\$&')
  })
  const before = operator === 'sw' || operator === 'eq' ? '' : '%'
  const after = operator === 'ew' || operator === 'eq' ? '' : '%'
  return `${before}${letters.join('')}${after}`
}

/** The value in small letters. Which letters outside of ASCII `lower` knows depends on the database. */
const lowered = (sql: string, text: string, put: Put): string => {
  const letters = [...new Set(text.toLowerCase())].filter(
    (letter) => !isAscii(letter) && [...letter.toUpperCase()].length === 1,
  )
  if (letters.length === 0) return `lower(${sql})`
  const small = letters.join('')
  return `translate(lower(${sql}), ${put(small.toUpperCase())}, ${put(small)})`
}

const orders: Partial<Record<Operator, string>> = { gt: '>', lt: '<', ge: '>=', le: '<=' }

/** The comparison of one value with a literal that is not null. It is null where there is no value. */
const comparison = (
  operator: Exclude<Operator, 'ne'>,
  literal: NonNullable<Literal>,
  { sql, isExact = false, isFlag = false }: AttributeValue,
  put: Put,
): Condition | null => {
  if (typeof literal !== 'string' && !isFlag) return whole('false')
  const text = String(literal)
  const order = orders[operator]
  if (order && !isExact && !isAscii(text)) return null
  const own = isExact ? sql : lowered(sql, text, put)
  if (order) return whole(`${own} collate "C" ${order} ${put(isExact ? text : text.toLowerCase())}`)
  if (isExact && operator === 'eq') return whole(`${sql} = ${put(text)}`)
  const pattern = put(patternOf(operator, text, isExact))
  return { text: `${own} like ${pattern}`, isWhole: isExact || ![...text].some(hasOddCase) }
}

const negated = (condition: Condition | null): Condition | null =>
  condition?.isWhole ? whole(`not (${condition.text})`) : null

/** @param some the condition, for some value of the attribute; never null in SQL */
const compared = (
  { operator, value: literal }: Filter & { kind: 'compare' },
  value: AttributeValue,
  put: Put,
  some: (condition: Condition) => Condition,
): Condition | null => {
  if (literal === null) {
    const present = some(whole(`${value.sql} is not null`))
    return operator === 'eq' ? negated(present) : present
  }
  const found = comparison(operator === 'ne' ? 'eq' : operator, literal, value, put)
  const condition = found && some(found)
  return operator === 'ne' ? negated(condition) : condition
}

const ofOne = ({ text, isWhole }: Condition): Condition => ({
  text: `coalesce(${text}, false)`,
  isWhole,
})
const ofList =
  (from: string) =>
  ({ text, isWhole }: Condition): Condition => ({
    text: `exists (select from ${from} where ${text})`,
    isWhole,
  })

const asksForEqual = (filter: Filter) =>
  filter.kind === 'compare' && filter.operator === 'eq' && typeof filter.value === 'string'

/** The condition of a filter, as far as SQL can decide it; null: not at all. */
export const conditionOf = (filter: Filter, attributes: Attributes, put: Put): Condition | null => {
  switch (filter.kind) {
    case 'not':
      return negated(conditionOf(filter.part, attributes, put))
    case 'and':
    case 'or': {
      const parts = filter.parts.map((part) => conditionOf(part, attributes, put))
      const known = parts.filter((part) => part !== null)
      const isAll = known.length === parts.length
      if (known.length === 0 || (filter.kind === 'or' && !isAll)) return null
      return {
        text: known.map(({ text }) => `(${text})`).join(` ${filter.kind} `),
        isWhole: isAll && known.every(({ isWhole }) => isWhole),
      }
    }
    case 'some': {
      const list = attributes.lists[filter.path.join('.')]
      if (!list || (list.eqOnly && !asksForEqual(filter.part))) return null
      const part = conditionOf(filter.part, { values: list.values, lists: {} }, put)
      return part && ofList(list.from)(part)
    }
    default: {
      const [name = '', sub = 'value', ...rest] = filter.path
      const list = attributes.lists[name]
      const value = list ? list.values[sub] : attributes.values[filter.path.join('.')]
      if (!value || (list && rest.length > 0) || (list?.eqOnly && !asksForEqual(filter)))
        return null
      const some = list ? ofList(list.from) : ofOne
      return filter.kind === 'present'
        ? some(whole(`${value.sql} <> ''`))
        : compared(filter, value, put, some)
    }
  }
}

/** Collects the values of a condition for $2, an array of texts. */
export const collectValues = () => {
  const values: string[] = []
  const put: Put = (value) => `($2::text[])[${values.push(value)}]`
  return { values, put }
}

/** Always true. A condition need not use its parameter, and Postgres must know its type. */
export const given = '$2::text[] is not null'

/** A time as the answers write it. */
export const timeText = (sql: string) =>
  `to_char(date_trunc('milliseconds', ${sql}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Of a page: new resources come last, so that a page that was read stays as it was. */
export const pageOfFound = 'select id from found order by since, id offset $3 limit $4'

/** A page and the number of all. @param ids a query of ids, and since when they exist @param page a query of resources among those of `found` */
export const pageOf = (ids: string, page: string) => `
with found (id, since) as materialized (${ids})
select (select count(*)::integer from found) as total, page.*
  from (select) one left join lateral (${page}) page on true
 order by page."createdAt", page.id`

/**
 * Finds resources by the query of the chosen ones, with $1 and $2.
 * @param queries `page`: as of `pageOf`; `some`: at most $3 of them
 */
export const searchesIn = <Resource extends { id: string }>(
  database: Database,
  chosen: (search: Search | null) => { text: string; values: string[]; isWhole: boolean },
  queries: Record<'page' | 'some', (chosen: string) => string>,
): Pick<SearchStore<Resource>, 'find' | 'candidates'> => ({
  find: async (organizationId, search, { start, count }) => {
    const { text, values, isWhole } = chosen(search)
    if (!isWhole) return null
    const given = [organizationId, values, start, count]
    const rows = await database.rows<Resource & { total: number }>(queries.page(text), given)
    const resources = rows
      .filter(({ id }) => id !== null)
      .map(({ total: _, ...one }) => one as unknown as Resource)
    return { total: rows[0]?.total ?? 0, resources }
  },

  candidates: (organizationId, search, limit) => {
    const { text, values } = chosen(search)
    return database.rows(queries.some(text), [organizationId, values, limit])
  },
})
