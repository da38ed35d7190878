// Tables of what the Operator API lists.
import type { Page, PageRequest } from '../../core/language/paging.ts'
import { linked, type Shown, table } from '../rendering/forms/blocks.ts'
import { ownPath } from '../rendering/forms/blocks-page.ts'
import {
  choiceOf,
  filterOf,
  type ListChoice,
  type ListPart,
  type ListPick,
  linksOf,
  readPart,
  searchOf,
  sortsOf,
} from '../rendering/long-list.ts'
import type { TableBlock } from '../rendering/view-models/blocks.ts'
import type { SortLink } from '../rendering/view-models/frame.ts'
import type { OperatorVisit } from './gate.ts'

/**
 * A column: its heading, what it shows of an item, and the name of the order (`sort` of the API) by which the heading sorts.
 * `false` leaves one out.
 */
export type Column<Item> =
  | [heading: string, cellOf: (item: Item) => Shown, order?: string | false]
  | false

type TablePart = Pick<TableBlock, 'empty'> & Partial<Pick<TableBlock, 'id' | 'heading' | 'hint'>>

export const itemTable = <Item>(
  items: readonly Item[],
  columns: readonly Column<Item>[],
  part: TablePart & Partial<Pick<TableBlock, 'list' | 'filter'>>,
  sorts: (order: string) => SortLink | null = () => null,
): TableBlock => {
  const shown = columns.filter((one) => one !== false)
  return table({
    ...part,
    columns: shown.map(([label, , order]) => ({ label, sort: order ? sorts(order) : null })),
    rows: items.map((item) => shown.map(([, cellOf]) => cellOf(item))),
  })
}

/** A list, its columns, and what it can be asked for. */
export interface List<Item> extends TablePart {
  /** The path of the list in the Operator API, or what reads a page of it. */
  from: string | ((page: PageRequest) => Promise<Pick<Page<Item>, 'items' | 'next'>>)
  /** The address of the page that has the rest of the list. */
  url: string
  /** Absent: that in the address of the page. */
  part?: ListPart
  filter?: Record<string, string>
  /** The number of items; absent: few enough for a phone. */
  limit?: string
  columns: readonly Column<Item>[] | ((items: readonly Item[]) => Promise<readonly Column<Item>[]>)
  /** The label of its search; null or absent: it has none. */
  find?: string | null
  /** Filters, by the parameters of the API. */
  choices?: readonly ListChoice[]
  picks?: readonly ListPick[]
  /** The order of the API; by creation, oldest first, if absent. */
  usual?: string
}

/** A filter by a fact that is so or not. @param labels of its words; absent: yes and no */
export const whether = (
  { text }: OperatorVisit,
  name: string,
  label: string,
  [yes, no] = [text.form.yes, text.form.no],
) => choiceOf(name, label, { true: yes, false: no })

/** One part of a list, with its search, filters and order, and links to the first and the next part. */
export const listTable = async <Item>(
  visit: OperatorVisit,
  { from, filter, url, columns, usual = 'created_at', ...list }: List<Item>,
): Promise<TableBlock> => {
  const { request, api, text } = visit
  const { limit = '15', find = null, choices = [], picks = [], ...own } = list
  const { part: given = readPart(request, { choices, picks }), ...table } = own
  const part = find === null ? { ...given, name: '' } : given
  const { name, after: cursor, sort, filters } = part
  const isFaulty = picks.some(({ picked }) => picked.fault !== null)
  const page = isFaulty
    ? { items: [], next: null }
    : typeof from === 'function'
      ? await from(searchOf(part, Number(limit)))
      : await api.list<Item>(from, {
          ...{ limit, cursor, q: name || null, sort: sort || null, ...filters, ...filter },
        })
  const { items, next } = page
  const { id: anchor = 'list' } = table
  const form = filterOf(text, url, part, { label: find, anchor, choices, picks })
  const isLong = ownPath(visit) === url || next !== null
  return itemTable(
    items,
    typeof columns === 'function' ? await columns(items) : columns,
    {
      ...table,
      ...(!form.isOpen && { empty: text.search.nothing }),
      list: linksOf(url, part, page),
      filter: isLong && (find !== null || choices.length > 0) ? form : null,
    },
    sortsOf(url, part, usual, anchor),
  )
}

export const linkedIf = (mayOpen: boolean, words: string, href: string): Shown =>
  mayOpen ? linked(words, href) : words
