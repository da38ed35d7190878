/** The plan of a statement in Postgres, and whether its cost grows with a table. */
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

/** begin, lock table …: statements without a plan. */
const isPlanned = (text: string) => /^\s*(select|insert|update|delete|with)\b/i.test(text)

const scans = new Set(['Seq Scan', 'Index Scan', 'Index Only Scan', 'Bitmap Index Scan'])

/** Full reads of a table or index, except below a limit or an existence check. */
const wholeReads = (node: PlanNode, isLimited: boolean): PlanNode[] => {
  const type = node['Node Type']
  // Nodes that read all their input before the first row.
  const takesAll = type === 'Sort' || type === 'Aggregate' || type === 'Hash'
  const joins = /Join|Nested Loop/.test(type)
  const limited = type === 'Limit' || (isLimited && !takesAll)
  const isWhole =
    type === 'Seq Scan' || (scans.has(type) && node['Index Cond'] === undefined && !limited)
  return [
    ...(isWhole ? [node] : []),
    // The inner side is read to its end for each outer row.
    ...(node.Plans ?? []).flatMap((part, at) => wholeReads(part, limited && (at === 0 || !joins))),
  ]
}

/** The table of an index, from the index name, for plans that name only the index. */
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

/**
 * The plan for its values; for a named statement also the generic plan, which its connection may
 * choose.
 */
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

/** @returns the growing tables that a statement reads in full */
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
