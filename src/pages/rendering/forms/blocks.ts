// Makes the blocks of a page.

import type { Phrase } from '../../../words/phrase.ts'
import type { Text } from '../../../words/text.ts'
import { momentOf } from '../render.ts'
import type { Block, Cell, SettingValue, TableBlock } from '../view-models/blocks.ts'
import { type Field, fieldOf } from './form-field.ts'

/** What a cell shows: words, or more. */
export type Shown = Cell | string | number | null

const cellOf = (shown: Shown): Cell =>
  typeof shown === 'object' && shown !== null ? shown : { words: String(shown ?? '') }

export const code = (words: string): Cell => ({ words, isCode: true })
/** An id, with a button that copies it. */
export const copied = (words: string): Cell => ({ words, isCode: true, isCopied: true })
/** @param about what the link is about, where many links in a column have the same words */
export const linked = (words: string, href: string, about: string | null = null): Cell => ({
  ...{ words, href, about },
})
/** A state that needs attention; the other state is plain. */
export const marked = (words: string, isMarked = true): Cell => ({ words, isMarked })

export const valued = (value: SettingValue): Cell => ({ words: '', value })

/** A name with its page, or words. */
export const phrased = ([part = '']: Phrase): Shown =>
  typeof part === 'string' ? part : { words: part.name, href: part.href ?? null }

/** A time of the API, or the word for none. */
export const timed = (text: Text, iso: string | null): Shown =>
  iso === null ? text.form.never : { words: '', moment: momentOf(text, new Date(iso), 'moment') }

/** The last use by the API; null: not used yet. */
export const usedAt = (text: Text, iso: string | null): Shown =>
  iso === null ? text.organization.facts.never : timed(text, iso)

export const codes = (text: Text, values: readonly string[]): Shown[] =>
  values.length === 0 ? [text.form.none] : values.map(code)

export const yesNo = (text: Text, value: boolean) => (value ? text.form.yes : text.form.no)

interface TablePart extends Partial<Omit<TableBlock, 'columns' | 'rows' | 'empty'>> {
  columns: readonly (string | TableBlock['columns'][number])[]
  rows: readonly (readonly Shown[])[]
  empty: string
}

export const table = ({ columns, rows, ...part }: TablePart): TableBlock => ({
  kind: 'table',
  id: 'list',
  list: { startUrl: null, nextUrl: null },
  columns: columns.map((one) => (typeof one === 'string' ? { label: one, sort: null } : one)),
  rows: rows.map((row) => row.map(cellOf)),
  ...part,
})

/** A fact; `false` leaves it out. */
export type FactRow = [label: string, shown: Shown | Shown[]] | false

/** @param isFolded only the heading is in sight */
export const facts = (heading: string | null, rows: FactRow[], isFolded = false): Block => ({
  ...{ kind: 'facts', heading, isFolded },
  facts: rows
    .filter((one) => one !== false)
    .map(([label, shown]) => ({ label, cells: [shown].flat().map(cellOf) })),
})

/** Links; `false` leaves one out. */
export const links = (
  ...all: ([label: string, href: string, isPrimary?: boolean] | false)[]
): Block[] => {
  const shown = all
    .filter((one) => one !== false)
    .map(([label, href, isPrimary = false]) => ({ label, href, isPrimary }))
  return shown.length === 0 ? [] : [{ kind: 'links', links: shown }]
}

export const words = (text: string, tone: 'bad' | 'plain' | null = null): Block => ({
  kind: 'words',
  words: text,
  tone,
})

/** A form with one field that chooses what the page shows. */
export const filterForm = (action: string, field: Field, submit: string): Block => ({
  ...{ kind: 'form', method: 'get', action, hidden: [] },
  ...{ fields: [fieldOf(field, null)], submit: [submit] },
})
