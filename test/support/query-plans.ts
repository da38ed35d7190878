/** What Postgres makes of a statement, and whether its cost grows with a table. */
import type pg from 'pg'
import type { RecordedStatement } from './recorded-statements.ts'

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  'Recheck Cond'?: string
  Plans?: PlanNode[]
}

/** begin, lock table …: what no plan is made for. */
const isPlanned = (text: string) => /^\s*(select|insert|update|delete|with)\b/i.test(text)

const scans = new Set(['Seq Scan', 'Index Scan', 'Index Only Scan', 'Bitmap Index Scan'])

/** Reads of a whole table or index; one that ends with a limit, or as soon as it has one row, is none. */
const wholeReads = (node: PlanNode, isLimited: boolean): PlanNode[] => {
  const type = node['Node Type']
  // What must have seen all of its input before it gives its first row.
  const takesAll = type === 'Sort' || type === 'Aggregate' || type === 'Hash'
  const joins = /Join|Nested Loop/.test(type)
  const limited = type === 'Limit' || (isLimited && !takesAll)
  const isWhole =
    type === 'Seq Scan' || (scans.has(type) && node['Index Cond'] === undefined && !limited)
  return [
    ...(isWhole ? [node] : []),
    // Whoever is looked up for each row of the first one is read to its end.
    ...(node.Plans ?? []).flatMap((part, at) => wholeReads(part, limited && (at === 0 || !joins))),
  ]
}

/** The table of an index, as our indexes are named for theirs where a plan names only the index. */
const tableOf = (node: PlanNode, tables: readonly string[]) =>
  node['Relation Name'] ??
  tables
    .filter((table) => node['Index Name']?.startsWith(table))
    .toSorted((one, other) => other.length - one.length)[0] ??
  '?'

const planOf = async (client: pg.Client, text: string, values: unknown[] = []) => {
  const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(text, values)
  return rows[0]?.['QUERY PLAN'][0]?.Plan as PlanNode
}

/** As it is planned for its values; and one with a name also once for all values, as its connection may come to do. */
const plansOf = async (client: pg.Client, { text, name, values }: RecordedStatement) => {
  const plans = [await planOf(client, `explain (format json) ${text}`, values)]
  if (name === null) return plans
  await client.query('set plan_cache_mode = force_generic_plan')
  await client.query(`prepare statement as ${text}`)
  const nulls = values.length === 0 ? '' : `(${values.map(() => 'null').join(', ')})`
  plans.push(await planOf(client, `explain (format json) execute statement${nulls}`))
  await client.query('deallocate statement')
  await client.query('reset plan_cache_mode')
  return plans
}

/** @returns the growing tables that a statement reads as a whole */
export const readsWhole = async (
  client: pg.Client,
  statement: RecordedStatement,
  growing: readonly string[],
): Promise<string[]> => {
  if (!isPlanned(statement.text)) return []
  const plans = await plansOf(client, statement)
  const tables = plans
    .flatMap((plan) => wholeReads(plan, false))
    .map((node) => `${tableOf(node, growing)} (${node['Node Type']})`)
  return [...new Set(tables)].filter((found) => growing.includes(found.split(' ')[0] as string))
}
