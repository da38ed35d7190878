import { columnOf, partitionOf } from './columns.ts'
import type { Queryable } from './database.ts'
import type { Field } from './fields.ts'
import type { Table } from './table.ts'
import type { Kind } from './types.ts'
import { isResult } from './words.ts'

/** Statistics of texts; the default of Postgres is 100. */
const samples = 500

/** Rows that are not in the trash. */
const present = 'removed_at is null'

/**
 * The indexes of a field: its filters and its order use them. Those of all rows also give the
 * planner the statistics of the values, which it does not take from partial ones.
 */
const indexesOf = (table: Table, field: Field): string[] => {
  if (field.via !== null || field.type === 'updatedAt') return []
  const { kind, cell, key } = columnOf(table, field, partitionOf(table))
  const list = `using gin ((${cell} -> 'val'))`
  const own: Partial<Record<Kind, string>> = {
    amount: `((${cell} ->> 'currency'), (${key}), position)`,
    choices: list,
    references: list,
  }
  const without = `((${cell} is null), position) where ${present} and ${key} is null`
  return [
    `((${key}) nulls first, position)`,
    ...(kind === 'moment' ? [] : [without]),
    ...(own[kind] ? [own[kind]] : []),
  ]
}

/**
 * For beginnings and parts of a text, which results of formulas have too. With few samples the planner takes a rare
 * part for a frequent one, and reads the whole table in its order to find it.
 */
const textIndexes = (table: Table, field: Field): string[] => {
  const { kind, lower, beginning } = columnOf(table, field, partitionOf(table))
  if (field.via !== null || (kind !== 'text' && !isResult(field))) return []
  const indexes = {
    [`parts_${field.id}`]: `using gin ((${lower}) gin_trgm_ops)`,
    [`beginnings_${field.id}`]: `(${beginning})`,
  }
  return Object.entries(indexes).map(
    ([name, made]) => `create index ${name} on data_api.${partitionOf(table)} ${made};
      alter index data_api.${name} alter column 1 set statistics ${samples};`,
  )
}

/** The indexes that each table has. */
const common = [
  `(position) where ${present}`,
  `(updated_at nulls first, position) where ${present}`,
  '(position) where removed_at is not null',
  `using gin (search_text gin_trgm_ops) where ${present}`,
]

const createIndexes = async (
  tx: Queryable,
  table: Table,
  { fields, others }: { fields: readonly Field[]; others: readonly string[] },
) => {
  const on = `create index on data_api.${partitionOf(table)}`
  const statements = [...others, ...fields.flatMap((field) => indexesOf(table, field))]
    .map((one) => `${on} ${one};`)
    .concat(fields.flatMap((field) => textIndexes(table, field)))
  // A table with many rows takes its time.
  await tx.query(['set local statement_timeout = 0;', ...statements].join(' '))
}

/**
 * Makes the partition for the rows of a new table. It is attached, because other tables stay
 * readable meanwhile.
 */
export const createPartition = async (tx: Queryable, table: Table): Promise<void> => {
  const partition = `data_api.${partitionOf(table)}`
  await tx.query(`
    create table ${partition} (like data_api.rows including defaults including constraints);
    alter table ${partition} alter column search_text set statistics ${samples};
    alter table data_api.rows attach partition ${partition} for values in ('${table.id}');`)
  await createIndexes(tx, table, { fields: table.fields, others: common })
}

export const createFieldIndexes = async (
  tx: Queryable,
  table: Table,
  field: Field,
): Promise<void> => createIndexes(tx, table, { fields: [field], others: [] })
