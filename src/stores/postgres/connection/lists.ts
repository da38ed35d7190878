// Rows by their keys, and lists of them: sorted, filtered, and found by a text.
import { type Page, type PageRequest, partsOfPlace } from '../../../core/language/paging.ts'
import type { FoundKind } from '../../../core/organizations/search.ts'
import type { Database, Queryable } from './database.ts'
import { foundRows } from './search-sources.ts'

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

/** In conditions, each value is a `?`. */
export interface List extends Table {
  where?: string
  /** The column of the creation, by which a list can always be sorted. */
  created?: string
  /** Texts by which it can be sorted too. Rows with the same text are in the order of their keys. */
  orders?: Readonly<Record<string, string>>
  /** The order of a request that names none; by creation by default. */
  order?: string
  /** Conditions by the names of the filters in a request. */
  filters?: Readonly<Record<string, string>>
  /** What its rows are, if a text finds them as `GET /search` does. */
  finds?: FoundKind
  /** Otherwise the condition for what a text finds; each `?` is the text. */
  search?: string
}

/** A point in time as a text that sorts like it; null first. */
export const asText = (time: string) =>
  `coalesce(to_char(${time} at time zone 'utc', 'YYYYMMDDHH24MISSUS'), '')`

/** A part of a statement with its values. */
type Condition = readonly [sql: string, values: readonly unknown[]]

const moment = `'epoch'::timestamptz + ?::float8 * interval '1 microsecond'`

/** A text and a key as a place. */
const encoded = (place: string | null) =>
  place && `0.${Buffer.from(place, 'utf8').toString('base64url')}`

/** The values that an order has at a place. null: from the beginning, also where it is a place of another order. */
const valuesAt = (after: PageRequest['after'], isText: boolean): readonly unknown[] | null => {
  const parts = partsOfPlace(after)
  if (parts === null || !isText) return parts && [Number(parts[0]), parts[1]]
  try {
    const values: unknown = JSON.parse(Buffer.from(parts[1], 'base64url').toString('utf8'))
    const isPlace = Array.isArray(values) && values.length === 2
    return isPlace && values.every((one) => typeof one === 'string') ? values : null
  } catch {
    return null
  }
}

/** A condition with the same value in each place. */
const repeated = (sql: string, value: string): Condition => [
  sql,
  sql.split('?').slice(1).fill(value),
]

const numbered = (text: string) => {
  let count = 0
  return text.replaceAll('?', () => `$${++count}`)
}

/** The columns and the direction by which a request sorts, and the place of a row. */
const orderOf = ({ sort }: PageRequest, { key = 'id', created = 'created_at', ...list }: List) => {
  const order = sort ?? list.order ?? 'created_at'
  const isReverse = order.startsWith('-')
  const text = list.orders?.[isReverse ? order.slice(1) : order]
  const [by, given] = text === undefined ? [created, moment] : [text, '?::text']
  const direction = isReverse ? 'desc' : 'asc'
  return {
    isText: text !== undefined,
    place:
      text === undefined
        ? `(extract(epoch from ${created}) * 1000000)::bigint || '.' || ${key}`
        : `json_build_array(${text}, ${key})::text`,
    after: `(${by}, ${key}) ${isReverse ? '<' : '>'} (${given}, ?::text)`,
    by: `${by} ${direction}, ${key} ${direction}`,
  }
}

/** A page of a list, as the request sorts and filters it. */
export const listRows = async <Item extends object>(
  database: Database,
  page: PageRequest,
  list: List,
  values: readonly unknown[] = [],
): Promise<Page<Item>> => {
  const order = orderOf(page, list)
  const from = valuesAt(page.after, order.isText)
  const filters = Object.entries(page.filter ?? {}).filter(([, value]) => value !== undefined)
  const finds = page.q === undefined ? undefined : list.finds
  const table: Condition = finds
    ? [`${foundRows(finds)} ${list.table}`, [page.q]]
    : [list.table, []]
  const conditions: Condition[] = [
    ...(list.where === undefined ? [] : [[list.where, values] as const]),
    ...filters.map(([name, value]) => [list.filters?.[name] ?? 'false', [value]] as const),
    ...(finds || page.q === undefined ? [] : [repeated(list.search ?? 'false', page.q)]),
    ...(from === null ? [] : [[order.after, from] as const]),
  ]
  const where = conditions.map(([sql]) => `(${sql})`).join(' and ')
  const statement = [
    `select ${list.columns}, ${order.place} as place from ${table[0]}`,
    ...(where === '' ? [] : [`where ${where}`]),
    `order by ${order.by} limit ?::integer + 1`,
  ].join(' ')
  const all = [table, ...conditions].flatMap(([, own]) => own)
  const read = (on: Queryable) => on.page<Item>(page, numbered(statement), [...all, page.limit])
  const rows = await (page.q === undefined ? read(database) : byIndexes(database, read))
  return order.isText ? { ...rows, next: encoded(rows.next) } : rows
}

/** The keys of a page, in their order; its items are read by these. The first column of the list is its key. */
export const listIds = async (
  database: Database,
  page: PageRequest,
  list: List,
  values: readonly unknown[] = [],
) => {
  const { items, next } = await listRows<Record<string, string>>(database, page, list, values)
  return { ids: items.map((item) => Object.values(item)[0] as string), next }
}

/** A search. A plan that reads all rows looks cheap, as it needs only the first that fit; where these come late, it reads all. */
export const byIndexes = <Found>(database: Database, search: (tx: Queryable) => Promise<Found>) =>
  database.transaction(async (tx) => {
    await tx.run('set local enable_seqscan = off')
    return search(tx)
  })

type Subjects = 'users' | 'apps' | 'key_sets' | 'resource_servers'

/** Has a user or a client in one of these tables this id? */
export const isIdIn = (on: Queryable, id: string, ...tables: Subjects[]) => {
  const keyOf = (table: Subjects) => (table === 'users' ? 'id' : 'client_id')
  const queries = tables.map((table) => `select from ${table} where ${keyOf(table)} = $1`)
  return on.affects(queries.join(' union all '), [id])
}

export const organizationExists = (on: Queryable, id: string) =>
  on.affects('select id from organizations where id = $1', [id])

/** The rows of an organization. @returns null when there is no such organization */
export const listOfOrganization = async <Item extends object>(
  database: Database,
  organizationId: string,
  page: PageRequest,
  { where, ...list }: List,
) => {
  if (!(await organizationExists(database, organizationId))) return null
  const own = `organization_id = ?${where === undefined ? '' : ` and ${where}`}`
  return listRows<Item>(database, page, { ...list, where: own }, [organizationId])
}
