// Tables of what the Operator API lists.
import type { FoundKind } from '../../core/organizations/search.ts'
import type { FoundJson } from '../../http/operator/reports/search.ts'
import { linked, plain, table } from '../rendering/forms/blocks.ts'
import { ownPath } from '../rendering/forms/blocks-page.ts'
import { filterOf, type ListPart, linksOf, readPart } from '../rendering/long-list.ts'
import type { Cell, TableBlock } from '../rendering/view-models/blocks.ts'
import type { OperatorVisit } from './gate.ts'

/** A column: its heading, and what it shows of an item. `false` leaves one out. */
export type Column<Item> = [heading: string, cellOf: (item: Item) => Cell] | false

type TablePart = Pick<TableBlock, 'empty'> & Partial<Pick<TableBlock, 'id' | 'heading' | 'hint'>>

export const itemTable = <Item>(
  items: readonly Item[],
  columns: readonly Column<Item>[],
  part: TablePart & Partial<Pick<TableBlock, 'list' | 'filter'>>,
): TableBlock => {
  const shown = columns.filter((one) => one !== false)
  return table({
    ...part,
    columns: shown.map(([heading]) => heading),
    rows: items.map((item) => shown.map(([, cellOf]) => cellOf(item))),
  })
}

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
  /** How its items are found: by what kind, in which organization. Absent: it has no search. */
  find?: { kind: FoundKind; organizationId?: string }
}

/** The items of a list that a text finds, at most as many as a search has. */
const foundItems = async <Item>(
  { api }: OperatorVisit,
  from: string,
  q: string,
  { kind, organizationId }: NonNullable<List<unknown>['find']>,
) => {
  const within = organizationId === undefined ? {} : { organization_id: organizationId }
  const query = new URLSearchParams({ q, kind, ...within })
  const { items } = await api.read<{ items: FoundJson[] }>(`/search?${query}`)
  const ids = items.map(({ id }) => id)
  const found = await api.each<Item>(from, ids)
  return { items: ids.flatMap((id) => found.get(id) ?? []), next: null }
}

/** One part of a list, with its search, and links to the first and the next part. */
export const listTable = async <Item>(
  visit: OperatorVisit,
  { from, filter, url, part, limit = '25', columns, find, ...table }: List<Item>,
): Promise<TableBlock> => {
  const { request, api, text } = visit
  const isOwn = ownPath(visit) === url
  const given = part ?? readPart(request)
  const shown = find ? given : { ...given, name: '' }
  const page =
    find && shown.name
      ? await foundItems<Item>(visit, from, shown.name, find)
      : await api.list<Item>(from, { limit, cursor: shown.after, ...filter })
  const { items, next } = page
  const label = find?.kind === 'user' ? text.search.placeholder : text.search.named
  const { id: anchor = 'list' } = table
  return itemTable(items, typeof columns === 'function' ? await columns(items) : columns, {
    ...table,
    ...(shown.name && { empty: text.search.nothing }),
    list: linksOf(url, shown, page),
    filter: find && (isOwn || next) ? filterOf(url, shown, label, anchor) : null,
  })
}

export const linkedIf = (mayOpen: boolean, words: string, href: string): Cell =>
  mayOpen ? linked(words, href) : plain(words)
