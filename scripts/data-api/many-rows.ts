// A large table for measurements and for the test of plans: `seedManyRows` makes it, criteria.ts has
// a filter for each operator, seed.ts and measure.ts are the commands.
import type pg from 'pg'
import type { Data } from '../../examples/data-api/data/data.ts'
import type { NewField } from '../../examples/data-api/data/new-field.ts'
import type { Reach } from '../../examples/data-api/data/reach.ts'
import type { Table } from '../../examples/data-api/data/table.ts'

/** A place of its own in the database. */
export const place = { organizationId: 'org0000000000000000', workspaceId: 'wks0000000000000001' }

const reach: Reach = {
  interface: 'current',
  organizationId: place.organizationId,
  reaches: () => true,
  userId: null,
}

const tableName = 'Many rows'
const people = 1000

/** A field, and SQL for its value in the row `n`; `more` are further entries of the value. */
interface Column extends NewField {
  sql: string
  more?: string
}

const referenceTo = ({ id }: Table, number: string) =>
  `'rec${id.slice(3, 15)}' || lpad(to_hex(1 + ${number}), 24, '0')`

const isoDay = (day: string) => `to_char(${day}, 'YYYY-MM-DD') || 'T00:00:00.000Z'`

const writtenColumns = (target: Table): Column[] => [
  { name: 'Name', type: 'string', sql: `'Customer ' || left(md5(n::text), 8) || ' ' || n` },
  {
    name: 'Notes',
    type: 'textBlock',
    sql: `'Call ' || left(md5((n::bigint * 31)::text), 8) || E'\\nLetter ' || n`,
  },
  { name: 'Amount', type: 'number', sql: '(n::bigint * 7919) % 100003' },
  {
    ...{ name: 'Price', type: 'currency', sql: 'n % 5000 + 0.5' },
    more: `, 'currency', case when n % 100 = 0 then 'USD' else 'EUR' end`,
  },
  { name: 'Done', type: 'boolean', sql: 'n % 3 = 0' },
  { name: 'Day', type: 'date', sql: isoDay(`date '2020-01-01' + n % 2000`) },
  {
    ...{ name: 'File', type: 'attachment', sql: `'https://files.example/' || n` },
    more: `, 'size', n, 'type', 'image/png'`,
  },
  {
    ...{ name: 'Status', type: 'enum', restrict: ['Open', 'Won', 'Lost', 'Rare'] },
    sql: `case when n % 9973 = 0 then 'Rare' else (array['Open', 'Won', 'Lost'])[1 + n % 3] end`,
  },
  {
    ...{ name: 'Tags', type: 'enumTags', restrict: ['a', 'b', 'c', 'd'] },
    sql: `case n % 4 when 0 then array['a'] when 1 then array['a', 'b'] when 2 then array['c'] else array['d', 'b'] end`,
  },
  {
    ...{ name: 'Owner', type: 'ref', database: target.id },
    sql: referenceTo(target, `n % ${people}`),
  },
  {
    ...{ name: 'Members', type: 'refMultiple', database: target.id },
    sql: `array[${referenceTo(target, `n % ${people}`)}, ${referenceTo(target, `(n + 7) % ${people}`)}]`,
  },
]

/** Formulas, and SQL for their results from the columns of the fields before them. */
const calculatedColumns: Column[] = [
  { name: 'Total', type: 'formula', expression: 'Amount * 2', sql: '"Amount" * 2' },
  { name: 'Label', type: 'formula', expression: 'upper(Name)', sql: 'upper("Name")' },
  { name: 'Large', type: 'formula', expression: 'Amount > 50000', sql: '"Amount" > 50000' },
  {
    ...{ name: 'Due', type: 'formula', expression: 'addDays(Day, 7)' },
    sql: isoDay(`(left("Day", 10)::date + 7)`),
  },
]

const readColumns: NewField[] = [
  { name: 'Made', type: 'createdAt' },
  { name: 'Changed', type: 'updatedAt' },
  { name: 'City', type: 'lookup', via: 'Owner', field: 'City' },
  { name: 'Scores', type: 'rollup', via: 'Members', field: 'Score', fn: 'sum' },
]

const quoted = (name: string) => `"${name}"`
/** In one of a hundred rows a field is not set, and in another one emptied. */
const phase = (at: number) => `(n + ${7 * at}) % 100`

/** An entry of the cells, as text: one conversion of all is much faster than merging them. */
const entryOf = (id: string, { name, more = '' }: Column) =>
  `'"${id}":' || json_build_object('val', ${quoted(name)} ${more})`

const writtenEntry = (id: string, at: number, column: Column) =>
  `case ${phase(at)} when 0 then null when 1 then '"${id}":{"val":null}'
    else ${entryOf(id, column)} end`

const searchedIn = ({ name, type }: Column) =>
  type === 'enumTags' ? `array_to_string(${quoted(name)}, ', ')` : `${quoted(name)}::text`

const columnsSql = (columns: readonly Column[]) =>
  columns.map(({ sql, name }) => `${sql} as ${quoted(name)}`).join(', ')

/** The rows as the data layer would store them. */
const insertStatement = (table: Table, target: Table) => {
  const written = writtenColumns(target)
  const idOf = ({ name }: Column) => table.fields.find((field) => field.name === name)?.id ?? ''
  const columns = written.map((one, at) => ({
    ...one,
    sql: `case when ${phase(at)} > 1 then ${one.sql} end`,
  }))
  const cells = [
    ...written.map((one, at) => writtenEntry(idOf(one), at, one)),
    ...calculatedColumns.map((one) => entryOf(idOf(one), one)),
  ]
  const searched = [...written, ...calculatedColumns].filter(({ database }) => !database)
  return `insert into data_api.rows (organization_id, table_id, id, cells, search_text, created_at,
      updated_at, removed_at)
    select '${table.organizationId}', '${table.id}',
      'rec${table.id.slice(3, 15)}' || lpad(to_hex(n), 24, '0'),
      ('{' || concat_ws(',', ${cells.join(', ')}) || '}')::jsonb,
      lower(concat_ws(E'\\n', ${searched.map(searchedIn).join(', ')})),
      now() - ($1::integer - n) * interval '10 seconds',
      now() - ((n::bigint * 7919) % $1::integer) * interval '10 seconds',
      case when n % 100 = 50 then now() end
    from (select w.*, ${columnsSql(calculatedColumns)}
      from (select n, ${columnsSql(columns)} from generate_series(1, $1::integer) n) w) c
    order by n`
}

const createPeople = async (data: Data, client: pg.Client) => {
  const table = await data.tables.create(reach, place.workspaceId, {
    name: 'People',
    fields: [
      { name: 'Name', type: 'string' },
      { name: 'City', type: 'string' },
      { name: 'Score', type: 'number' },
    ],
  })
  const [name, city, score] = table.fields.map(({ id }) => `'${id}'`)
  const val = (sql: string) => `jsonb_build_object('val', ${sql})`
  await client.query(
    `insert into data_api.rows (organization_id, table_id, id, cells, search_text)
     select $1, $2, ${referenceTo(table, 'n')}, jsonb_build_object(${name}, ${val(`'Person ' || n`)},
       ${city}, ${val(`'City ' || n % 50`)}, ${score}, ${val('n')}), lower(concat_ws(E'\\n', 'Person ' || n, 'City ' || n % 50, n))
     from generate_series(0, ${people - 1}) n`,
    [table.organizationId, table.id],
  )
  return table
}

/** Indexes of all rows at once take less time than row by row. */
const withoutIndexes = async (client: pg.Client, table: Table, work: () => Promise<void>) => {
  const { rows } = await client.query<{ name: string; made: string; samples: number }>(
    `select i.indexname as name, i.indexdef as made, coalesce(a.attstattarget, -1) as samples
      from pg_indexes i join pg_attribute a
        on a.attrelid = format('data_api.%I', i.indexname)::regclass and a.attnum = 1
      where i.schemaname = 'data_api' and i.tablename = $1 and i.indexname not like '%_pkey'`,
    [`rows_${table.id}`],
  )
  for (const { name } of rows) await client.query(`drop index data_api.${name}`)
  await work()
  await client.query("set local maintenance_work_mem = '512MB'")
  for (const { name, made, samples } of rows) {
    await client.query(made)
    if (samples >= 0)
      await client.query(`alter index data_api.${name} alter column 1 set statistics ${samples}`)
  }
}

/** Makes a table with a field of each type and `count` rows, some of them in the trash. */
export const seedManyRows = async (
  data: Data,
  client: pg.Client,
  count: number,
): Promise<Table> => {
  const { organizationId, workspaceId } = place
  await client.query(
    `insert into data_api.organizations (id, name) values ($1, 'Many') on conflict do nothing`,
    [organizationId],
  )
  await client.query(
    `insert into data_api.workspaces (organization_id, id, name) values ($1, $2, 'Many')
     on conflict do nothing`,
    [organizationId, workspaceId],
  )
  const target = await createPeople(data, client)
  const written = writtenColumns(target)
  const fields = [...written, ...calculatedColumns, ...readColumns]
  const table = await data.tables.create(reach, workspaceId, { name: tableName, fields })
  await client.query('begin')
  await withoutIndexes(client, table, async () => {
    await client.query(insertStatement(table, target), [count])
  })
  await client.query('commit')
  for (const { id } of [target, table]) await client.query(`analyze data_api.rows_${id}`)
  return table
}

/** The newest table of many rows. @throws Error if there is none */
export const findManyRows = async (data: Data): Promise<Table> => {
  const tables = await data.tables.list(reach, place.workspaceId)
  const found = tables.findLast(({ name }) => name === tableName)
  if (!found) throw new Error('seed the table first: npm run data-api:seed')
  return found
}
