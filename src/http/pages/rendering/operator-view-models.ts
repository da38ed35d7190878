// Data of the operator's console: one page that consists of blocks.
import type { KeySetSecretPage } from './organization-view-models.ts'
import type { ListLinks, Moment, Notice, Page } from './view-models.ts'

/** A value in a table or a list of facts. */
export type Cell = {
  words: string
  href: string | null
  moment: Moment | null
  isCode: boolean
  /** A state that needs attention. */
  isMarked: boolean
}

export type TableBlock = {
  kind: 'table'
  id: string
  heading: string | null
  hint: string | null
  columns: string[]
  rows: Cell[][]
  /** Shown when there are no rows. */
  empty: string
  list: ListLinks
}

export type FactsBlock = {
  kind: 'facts'
  heading: string | null
  facts: { label: string; cells: Cell[] }[]
}

export type LinksBlock = {
  kind: 'links'
  links: { label: string; href: string; isPrimary: boolean }[]
}

export type WordsBlock = { kind: 'words'; words: string; tone: Notice['tone'] | null }

export type FormOption = {
  value: string
  label: string
  hint: string | null
  isCode: boolean
  isChosen: boolean
}

export type FormField = {
  kind: 'text' | 'email' | 'password' | 'date' | 'area' | 'choice' | 'ticks' | 'tick'
  name: string
  label: string
  hint: string | null
  error: string | null
  value: string
  isRequired: boolean
  isCode: boolean
  options: FormOption[]
}

export type FormBlock = {
  kind: 'form'
  method: 'get' | 'post'
  action: string
  heading: string | null
  hidden: { name: string; value: string }[]
  fields: FormField[]
  submit: string
  isDanger: boolean
  cancelUrl: string | null
}

export type SecretBlock = {
  kind: 'secret'
  shown: KeySetSecretPage['shown']
  lost: string
  backUrl: string
}

export type Block = TableBlock | FactsBlock | LinksBlock | WordsBlock | FormBlock | SecretBlock

export type OperatorPage = Page & {
  tabs: { label: string; href: string; isCurrent: boolean }[]
  /** The name of the thing on the page; null: the heading says everything. */
  subject: string | null
  heading: string
  lead: string | null
  notice: Notice | null
  error: string | null
  /** `#name` of the field with the error. */
  field: string | null
  blocks: Block[]
  isNarrow: boolean
  back: { label: string; href: string } | null
}

export type OperatorPages = { operator: OperatorPage }
