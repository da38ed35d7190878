import type { Put } from '../../../core/language/precondition.ts'
import { editConflict } from '../../../core/language/service-errors.ts'

const mostAttempts = 3

/** The statements for one row, in one transaction. */
interface Row<Item, Found extends Item = Item> {
  /** Locks the row. */
  find(): Promise<Found | null>
  /** `insert … on conflict do nothing`, which waits for a transaction that inserts the same row. */
  insert(): Promise<Item | null>
  change(current: Found): Promise<Item>
}

/**
 * Inserts or changes a row that other transactions may insert or delete at the same time.
 * @returns null when an insert conflicts although there is no such row: with another row, as a rule
 */
export const putRow = async <Item, Found extends Item = Item>(
  row: Row<Item, Found>,
): Promise<Put<Item> | null> => {
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const current = await row.find()
    if (current) return { item: await row.change(current), created: false }
    const item = await row.insert()
    if (item) return { item, created: true }
  }
  return null
}

/** For rows without another unique key. @throws Conflict changed_meanwhile */
export const putOnly = async <Item>(row: Row<Item>): Promise<Put<Item>> => {
  const put = await putRow(row)
  if (!put) throw editConflict()
  return put
}
