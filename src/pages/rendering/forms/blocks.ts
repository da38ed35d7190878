// Makes the blocks of a page.

import type { Phrase } from '../../../words/phrase.ts'
import type { Text } from '../../../words/text.ts'
import { momentOf } from '../render.ts'
import type { Block, Cell, SettingValue, TableBlock } from '../view-models/blocks.ts'
import { type Field, fieldOf } from './form-field.ts'

const cell = (part: Partial<Cell>): Cell => ({
  words: '',
  href: null,
  about: null,
  moment: null,
  isCode: false,
  isCopied: false,
  isMarked: false,
  value: null,
  ...part,
})

export const plain = (words: string | number | null): Cell => cell({ words: String(words ?? '') })
export const code = (words: string): Cell => cell({ words, isCode: true })
/** An id, with a button that copies it. */
export const copied = (words: string): Cell => cell({ words, isCode: true, isCopied: true })
/** @param about what the link is about, where many links in a column have the same words */
export const linked = (words: string, href: string, about: string | null = null): Cell =>
  cell({ words, href, about })
/** A state that needs attention; the other state is plain. */
export const marked = (words: string, isMarked = true): Cell => cell({ words, isMarked })

export const valued = (value: SettingValue): Cell => cell({ value })

/** A name with its page, or words. */
export const phrased = ([part = '']: Phrase): Cell =>
  typeof part === 'string' ? plain(part) : cell({ words: part.name, href: part.href ?? null })

/** A time of the API, or the word for none. */
export const timed = (text: Text, iso: string | null): Cell =>
  iso === null ? plain(text.form.never) : cell({ moment: momentOf(text, new Date(iso), 'moment') })

/** The last use by the API; null: not used yet. */
export const usedAt = (text: Text, iso: string | null): Cell =>
  iso === null ? plain(text.organization.facts.never) : timed(text, iso)

export const codes = (text: Text, values: readonly string[]): Cell[] =>
  values.length === 0 ? [plain(text.form.none)] : values.map(code)

export const yesNo = (text: Text, value: boolean): Cell =>
  plain(value ? text.form.yes : text.form.no)

const noLinks = { startUrl: null, nextUrl: null }

export const table = ({
  columns,
  ...part
}: Pick<TableBlock, 'rows' | 'empty'> &
  Partial<Omit<TableBlock, 'columns'>> & {
    columns: readonly (string | TableBlock['columns'][number])[]
  }): TableBlock => ({
  kind: 'table',
  id: 'list',
  heading: null,
  hint: null,
  list: noLinks,
  filter: null,
  columns: columns.map((one) => (typeof one === 'string' ? { label: one, sort: null } : one)),
  ...part,
})

/** A fact; `false` leaves it out. */
export type FactRow = [label: string, cells: Cell | Cell[]] | false

/** @param isFolded only the heading is in sight */
export const facts = (heading: string | null, rows: FactRow[], isFolded = false): Block => ({
  ...{ kind: 'facts', heading, isFolded },
  facts: rows
    .filter((one) => one !== false)
    .map(([label, cells]) => ({ label, cells: [cells].flat() })),
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

/** A form that chooses what a list shows. @param isSet something is chosen, so there is a way back to the whole list */
export const filterForm = (
  action: string,
  fields: readonly Field[],
  submit: string,
  isSet: boolean,
  heading: string | null = null,
): Block => ({
  ...{ kind: 'form', method: 'get', action, heading, hidden: [], decision: null },
  ...{ other: null, preview: null, withFile: false },
  fields: fields.map((one) => fieldOf(one, null)),
  ...{ submit: [submit], isDanger: false, cancelUrl: isSet ? action : null },
})
