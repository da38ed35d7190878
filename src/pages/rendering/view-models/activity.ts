// Data of the audit trail.
import type { Phrase } from '../../../words/phrase.ts'
import type { FilterField, Moment } from './frame.ts'

export type TrailEntry = {
  at: Moment
  who: Phrase
  what: Phrase
  /** The organization, for operators. */
  where: Phrase | null
  /** What helps against a refusal; null: it is none. */
  help: string | null
  details: string[]
  address: string | null
  reference: { id: string; href: string } | null
  /** For developers. */
  codes: { label: string; value: string }[]
}

/** The events of a day that concern one app; `app` is null for those that concern none. */
export type TrailGroup = { app: Phrase | null; entries: TrailEntry[] }

export type TrailDay = { heading: string; groups: TrailGroup[] }

export type FilterForm = {
  action: string
  bar: FilterField[]
  /** Folded away. */
  more: FilterField[]
  isOpen: boolean
  /** A field is set that the bar folds away. */
  isMoreOpen: boolean
  hint: string
}

/** The audit trail, filtered. */
export type Trail = {
  filter: FilterForm
  days: TrailDay[]
  /** The page that finds a request by its id. */
  requestsUrl: string
  olderUrl: string | null
  newerUrl: string | null
}
