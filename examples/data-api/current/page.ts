import { badInput } from '../data/faults.ts'
import { fieldOf } from '../data/fields.ts'
import { tableBeginning } from '../data/ids.ts'
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
  /** Without a sort: the own id of the record before. */
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

/**
 * Pages without a sort are stable; others count the rows before. The position of a row would tell
 * how many rows others insert.
 */
const cursorOf = ({ sort, skip }: Page, row: Row, at: number) =>
  sort.length > 0 ? `sorted:${skip + at + 1}` : row.id

/** @throws Fault for a cursor of another order */
export const readPage = (table: Table, { first, after, sort: given }: PageArgs): Page => {
  if ((first ?? 0) < 0) throw badInput('this is negative', 'first')
  const sort = sortOf(table, given)
  const limit = Math.min(first ?? mostRecords, mostRecords)
  if (after == null) return { limit, sort, after: null, skip: 0 }
  const wrong = () => badInput('this is no cursor of this order', 'after')
  if (sort.length === 0) {
    const beginning = tableBeginning(after)
    if (beginning === null || !table.id.startsWith(beginning)) throw wrong()
    return { limit, sort, after, skip: 0 }
  }
  const [, skip] = /^sorted:(\d{1,7})$/.exec(after) ?? []
  if (skip === undefined) throw wrong()
  if (Number(skip) > limits.skip)
    throw badInput(`at most ${limits.skip} records are skipped`, 'after')
  return { limit, sort, after: null, skip: Number(skip) }
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
