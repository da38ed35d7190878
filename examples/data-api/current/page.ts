import { badInput } from '../data/faults.ts'
import { fieldOf } from '../data/fields.ts'
import { limits } from '../data/limits.ts'
import type { Row } from '../data/rows.ts'
import type { Range } from '../data/selection.ts'
import type { Table } from '../data/table.ts'
import { recordAnswer } from './answers.ts'
import { homeOf, readId } from './ids.ts'

export interface PageArgs {
  first?: number | null
  after?: string | null
  sort?: { fieldId: string; direction?: 'ASC' | 'DESC' | null }[] | null
}

/** A page of a table in its order. */
export interface Page {
  limit: number
  sort: NonNullable<Range['sort']>
  /** Without a sort: the position of the record before. */
  after: string | null
  /** With a sort: records before this page. */
  skip: number
}

const mostRecords = 100

const sortOf = (table: Table, sort: PageArgs['sort']): Page['sort'] => {
  if ((sort?.length ?? 0) > limits.sorts) throw badInput(`at most ${limits.sorts} fields`, 'sort')
  return (sort ?? []).map(({ fieldId, direction }, at) => {
    const read = readId(fieldId, 'fld')
    const id = read?.home === homeOf(table) ? read.id : ''
    const field = fieldOf(table.fields, id, `sort[${at}].fieldId`)
    return { field, descending: direction === 'DESC' }
  })
}

/** Rows keep their position, so pages without a sort are stable; others count the rows before. */
const cursorOf = ({ sort, skip }: Page, row: Row, at: number) =>
  sort.length > 0 ? `sorted:${skip + at + 1}` : row.position

/** @throws Fault for a cursor of another order */
export const readPage = (table: Table, { first, after, sort: given }: PageArgs): Page => {
  if ((first ?? 0) < 0) throw badInput('this is negative', 'first')
  const sort = sortOf(table, given)
  const form = sort.length > 0 ? /^sorted:(\d{1,7})$/ : /^(\d{1,18})$/
  const [, number = null] = form.exec(after ?? '') ?? []
  if (after != null && number === null) throw badInput('this is no cursor of this order', 'after')
  const skip = sort.length > 0 ? Number(number ?? 0) : 0
  if (skip > limits.skip) throw badInput(`at most ${limits.skip} records are skipped`, 'after')
  const position = sort.length > 0 ? null : number
  return { limit: Math.min(first ?? mostRecords, mostRecords), sort, after: position, skip }
}

/** @param found one row more than the page has, if there is one */
export const connectionAnswer = (table: Table, page: Page, found: readonly Row[]) => {
  const edges = found.slice(0, page.limit).map((row, at) => ({
    cursor: cursorOf(page, row, at),
    node: recordAnswer(table, row),
  }))
  return {
    edges,
    nodes: edges.map(({ node }) => node),
    pageInfo: {
      hasNextPage: found.length > page.limit,
      hasPreviousPage: page.after !== null || page.skip > 0,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  }
}
