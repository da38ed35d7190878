// Tables of what the Operator API lists.
import { linked, listLinks, plain, table } from '../rendering/forms/blocks.ts'
import { type ListPart, readPart } from '../rendering/long-list.ts'
import type { Cell, TableBlock } from '../rendering/view-models/blocks.ts'
import type { OperatorVisit } from './gate.ts'

/** A column: its heading, and what it shows of an item. `false` leaves one out. */
export type Column<Item> = [heading: string, cellOf: (item: Item) => Cell] | false

type TablePart = Pick<TableBlock, 'empty'> & Partial<Pick<TableBlock, 'id' | 'heading' | 'hint'>>

export const itemTable = <Item>(
  items: readonly Item[],
  columns: readonly Column<Item>[],
  part: TablePart & Partial<Pick<TableBlock, 'list'>>,
): TableBlock => {
  const shown = columns.filter((one) => one !== false)
  return table({
    ...part,
    columns: shown.map(([heading]) => heading),
    rows: items.map((item) => shown.map(([, cellOf]) => cellOf(item))),
  })
}

/** The part of a list that the address names, where the list has no search. */
export const partOf = ({ request }: OperatorVisit): ListPart => ({ ...readPart(request), name: '' })

interface List<Item> extends TablePart {
  /** The path of the list in the Operator API. */
  from: string
  /** The address of the page that has the rest of the list. */
  url: string
  /** Absent: that in the address of the page. */
  part?: ListPart
  filter?: Record<string, string>
  /** The number of items; absent: 25. */
  limit?: string
  columns: readonly Column<Item>[] | ((items: readonly Item[]) => Promise<readonly Column<Item>[]>)
}

/** One part of a list, with links to the first and the next part. */
export const listTable = async <Item>(
  visit: OperatorVisit,
  { from, filter, url, part = partOf(visit), limit = '25', columns, ...table }: List<Item>,
): Promise<TableBlock> => {
  const query = { limit, cursor: part.after, name: part.name || null, ...filter }
  const { items, next } = await visit.api.list<Item>(from, query)
  return itemTable(items, typeof columns === 'function' ? await columns(items) : columns, {
    ...table,
    list: listLinks(url, part, next),
  })
}

export const linkedIf = (mayOpen: boolean, words: string, href: string): Cell =>
  mayOpen ? linked(words, href) : plain(words)
