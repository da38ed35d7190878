import type pg from 'pg'

interface PlanNode {
  'Node Type': string
  'Plan Rows': number
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Plans?: PlanNode[]
}

const scans = ['Seq Scan', 'Index Scan', 'Index Only Scan', 'Bitmap Index Scan']
/** Nodes that read all their input before the first row. */
const readsAll = ['Sort', 'Aggregate', 'Hash', 'Bitmap Heap Scan']

/** A scan of a table or of one of its indexes. */
interface Scan {
  node: PlanNode
  /** Rows of a limit that ends the scan early; null if it is read to its end. */
  limit: number | null
}

const scansIn = (node: PlanNode, limit: number | null): Scan[] => {
  const type = node['Node Type']
  const own = type === 'Limit' ? node['Plan Rows'] : limit
  const passed = readsAll.includes(type) ? null : own
  const deeper = (node.Plans ?? []).flatMap((part) => scansIn(part, passed))
  return scans.includes(type) ? [{ node, limit: own }, ...deeper] : deeper
}

/**
 * Rows of a partition that a statement for a page reads, as the planner expects: the most of any
 * scan. A scan under a limit ends when enough rows match.
 */
export const createScannedRows = async (client: pg.Client, partition: string) => {
  const { rows } = await client.query<{ name: string; rows: number }>(
    `select c.relname as name, c.reltuples as rows from pg_class c
      where c.oid = $1::regclass
         or c.oid in (select indexrelid from pg_index where indrelid = $1::regclass)`,
    [`data_api.${partition}`],
  )
  const sizes = new Map(rows.map((one) => [one.name, one.rows]))

  /** A condition that there is a value does not narrow a scan. */
  const isNarrow = (condition: string | undefined) =>
    condition !== undefined && !/^(?!.* AND ).* IS NOT NULL\)$/.test(condition)

  const rowsOf = ({ node, limit }: Scan) => {
    const size = sizes.get(node['Index Name'] ?? node['Relation Name'] ?? '')
    // Of another table.
    if (size === undefined) return 0
    const matching = Math.max(node['Plan Rows'], 1)
    const read = isNarrow(node['Index Cond']) ? matching : size
    return limit === null ? read : read * Math.min(limit / matching, 1)
  }

  return {
    all: sizes.get(partition) ?? 0,
    of: async ({ text, values }: { text: string; values: unknown[] }): Promise<number> => {
      const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
        `explain (format json) ${text}`,
        values,
      )
      const plan = rows[0]?.['QUERY PLAN'][0]?.Plan as PlanNode
      return Math.round(Math.max(0, ...scansIn(plan, null).map(rowsOf)))
    },
  }
}
