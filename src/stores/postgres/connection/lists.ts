// Rows by their keys, and lists of them in the order of creation.
import { type PageRequest, partsOfPlace } from '../../../core/language/paging.ts'
import type { Queryable } from './database.ts'

/** The place of a row: microseconds since 1970, a dot, its key. */
export const placeColumn = (key: string) =>
  `(extract(epoch from created_at) * 1000000)::bigint || '.' || ${key} as place`

/** The rows of a table after the place in $1 and $2, with one row more than $3. */
export const partOf = (table: string, key: string, where?: string) =>
  `from ${table}
   where (created_at, ${key}) > ('epoch'::timestamptz + $1::float8 * interval '1 microsecond', $2::text)
     ${where === undefined ? '' : `and ${where}`}
   order by created_at, ${key} limit $3::integer + 1`

/** The values of $1, $2 and $3. */
export const pageValues = ({ after, limit }: PageRequest) => {
  const [micros, key] = partsOfPlace(after) ?? ['0', '']
  return [Number(micros), key, limit]
}

/** A table as a store reads it. */
export interface Table {
  table: string
  /** Its unique column; `id` by default. */
  key?: string
  /** What is read of each row. */
  columns: string
}

/** The row with this key. @param lock until the end of the transaction */
export const findRow = <Row extends object>(
  on: Queryable,
  { table, key = 'id', columns }: Table,
  id: string,
  lock: '' | 'for update' | 'for no key update' = '',
) => on.row<Row>(`select ${columns} from ${table} where ${key} = $1 ${lock}`, [id])

interface List extends Table {
  /** A condition, whose parameters begin at $4. */
  where?: string
}

export const listByCreation = <Item extends object>(
  on: Queryable,
  page: PageRequest,
  { columns, table, key = 'id', where }: List,
  values: readonly unknown[] = [],
) =>
  on.page<Item>(page, `select ${columns}, ${placeColumn(key)} ${partOf(table, key, where)}`, [
    ...pageValues(page),
    ...values,
  ])

export const organizationExists = (on: Queryable, id: string) =>
  on.affects('select id from organizations where id = $1', [id])

/** The rows of an organization. @returns null when there is no such organization */
export const listOfOrganization = async <Item extends object>(
  on: Queryable,
  organizationId: string,
  page: PageRequest,
  { where, ...list }: List,
) => {
  if (!(await organizationExists(on, organizationId))) return null
  const own = `organization_id = $4${where === undefined ? '' : ` and ${where}`}`
  return listByCreation<Item>(on, page, { ...list, where: own }, [organizationId])
}
