import { badInput } from '../data/faults.ts'
import { fieldOf } from '../data/fields.ts'
import { limits } from '../data/limits.ts'
import type { Reach } from '../data/reach.ts'
import type { Range, Selection } from '../data/selection.ts'
import type { Table } from '../data/table.ts'
import type { Tables } from '../data/tables.ts'
import { readFilter } from './filter.ts'

export interface InDatabase {
  databaseId: string
}
export interface Chosen extends InDatabase {
  filter?: unknown
  in?: string[] | null
}
export interface Page extends Chosen {
  sort?: unknown
  limit?: number | null
  skip?: number | null
  fields?: string[] | null
  removedAt?: boolean | null
  search?: string | null
  modifiedSince?: string | null
}

const mostRows = 100

/** @throws Fault if the list is too long */
export const bounded = <One>(list: readonly One[], place: string, most: number = limits.listed) => {
  if (list.length > most) throw badInput(`at most ${most} entries`, place)
  return list
}

export const selectionOf = async (
  tables: Tables,
  reach: Reach,
  table: Table,
  given: Omit<Page, 'databaseId'>,
): Promise<Selection> => {
  const { filter, in: ids, removedAt, search, modifiedSince } = given
  return {
    ...(ids && { ids: bounded(ids, 'in') }),
    ...(removedAt && { removed: true }),
    ...(typeof search === 'string' && { search }),
    ...(typeof modifiedSince === 'string' && { modifiedSince }),
    condition: await readFilter(table, filter, (field) => tables.target(reach, field)),
  }
}

const sortOf = ({ fields }: Table, sort: unknown) => {
  if (typeof (sort ?? {}) !== 'object' || Array.isArray(sort))
    throw badInput('this is no object of field ids and 1 or -1', 'sort')
  const entries = bounded(Object.entries(sort ?? {}), 'sort', limits.sorts)
  return entries.map(([id, direction]) => {
    const place = `sort.${id.slice(0, 50)}`
    const field = fieldOf(fields, id, place)
    if (direction !== 1 && direction !== -1)
      throw badInput('this is no direction', place, ['1', '-1'])
    return { field, descending: direction === -1 }
  })
}

export const rangeOf = (table: Table, { sort, limit, skip, fields }: Page): Range => {
  for (const [place, number] of Object.entries({ limit, skip }))
    if ((number ?? 0) < 0) throw badInput('this is a negative number', place)
  const only = bounded(fields ?? [], 'fields')
  for (const [at, id] of only.entries()) fieldOf(table.fields, id, `fields[${at}]`)
  return {
    sort: sortOf(table, sort),
    limit: Math.min(limit ?? mostRows, mostRows),
    skip: skip ?? 0,
    ...(fields && { only }),
  }
}
