// Makes the blocks of a page from values of the Operator API.

import type { Text } from '../../../words/text.ts'
import { addressOf, type ListPart } from '../rendering/long-list.ts'
import type { Block, Cell, TableBlock } from '../rendering/operator-view-models.ts'
import { momentOf } from '../rendering/render.ts'

const cell = (part: Partial<Cell>): Cell => ({
  words: '',
  href: null,
  moment: null,
  isCode: false,
  isMarked: false,
  ...part,
})

export const plain = (words: string | number | null): Cell => cell({ words: String(words ?? '') })
export const code = (words: string): Cell => cell({ words, isCode: true })
export const linked = (words: string, href: string): Cell => cell({ words, href })
/** A state that needs attention; the other state is plain. */
export const marked = (words: string, isMarked = true): Cell => cell({ words, isMarked })

/** A time of the API, or the word for none. */
export const timed = (text: Text, iso: string | null): Cell =>
  iso === null
    ? plain(text.operator.never)
    : cell({
        moment: {
          ...momentOf(text, new Date(iso)),
          words: text.organization.moment(new Date(iso)),
        },
      })

export const codes = (text: Text, values: readonly string[]): Cell[] =>
  values.length === 0 ? [plain(text.operator.none)] : values.map(code)

export const yesNo = (text: Text, value: boolean): Cell =>
  plain(value ? text.operator.yes : text.operator.no)

const noLinks = { startUrl: null, nextUrl: null }

export const table = (
  part: Pick<TableBlock, 'columns' | 'rows' | 'empty'> & Partial<TableBlock>,
): TableBlock => ({ kind: 'table', id: 'list', heading: null, hint: null, list: noLinks, ...part })

export const facts = (
  heading: string | null,
  rows: [label: string, cells: Cell | Cell[]][],
): Block => ({
  kind: 'facts',
  heading,
  facts: rows.map(([label, cells]) => ({ label, cells: [cells].flat() })),
})

/** Links; `false` leaves one out. */
export const links = (
  ...all: ([label: string, href: string, isPrimary?: boolean] | false)[]
): Block[] => {
  const offered = all.filter((one) => one !== false)
  return offered.length === 0
    ? []
    : [
        {
          kind: 'links',
          links: offered.map(([label, href, isPrimary = false]) => ({ label, href, isPrimary })),
        },
      ]
}

export const words = (text: string, tone: 'bad' | 'plain' | null = null): Block => ({
  kind: 'words',
  words: text,
  tone,
})

/** Links to the first and the next part of a list of the API. */
export const listLinks = (path: string, part: ListPart, next: string | null) => ({
  startUrl: part.after && addressOf(path, { ...part, after: null }),
  nextUrl: next === null ? null : addressOf(path, { ...part, after: next }),
})
