// Data of a page that consists of blocks: those of the operator's console, and each page with one form.
import type { Phrase } from '../../../words/phrase.ts'
import type { TrailDay } from '../activity/entries.ts'
import type { Trail } from '../activity/trail.ts'
import type { ListFilter } from '../long-list.ts'
import type { EditConflict } from '../organization-page.ts'
import type { PermissionGroup } from '../permission-list.ts'
import type { ListLinks, Moment, Notice, SortLink } from './frame.ts'

/** A value of a setting, as people compare it. */
export type SettingValue = {
  words: string
  /** Why it is sensitive. */
  mark?: string | null
  /** Path of an image. */
  logo?: string | null
  isCode?: boolean
}

/** What a change takes away from a setting, and what it gives. */
export type SettingDifference = { label: string; taken: SettingValue[]; given: SettingValue[] }

/** A value in a table or a list of facts. */
export type Cell = {
  words: string
  href?: string | null
  /** What the link is about, for people who hear it without its row. */
  about?: string | null
  moment?: Moment
  isCode?: boolean
  /** It has a button that copies it. */
  isCopied?: boolean
  /** A state that needs attention. */
  isMarked?: boolean
  /** A value of a setting, which may be sensitive or an image. */
  value?: SettingValue
}

export type TableBlock = {
  kind: 'table'
  id: string
  heading?: string | null
  hint?: string | null
  /** `sort`: null where the list is not sorted by it. */
  columns: { label: string; sort: SortLink | null }[]
  rows: Cell[][]
  /** Shown when there are no rows. */
  empty: string
  list: ListLinks
  /** Null or absent: it cannot be searched. */
  filter?: ListFilter | null
}

export type WorkspaceOption = { id: string; name: string; ticked: boolean }

export type WorkspaceChoice = {
  /** The name of the boxes; absent: `workspace_ids`. */
  name?: string
  /** The choice `*` (including future ones); `null` where it is not offered (consent). */
  all: { ticked: boolean } | null
  options: WorkspaceOption[]
  /** The number of workspaces in the organization, for "2 of 5"; `null` omits the line. */
  total: number | null
  /** The box for workspaces that the user joins later; `null` where it is not offered (install). */
  later: { ticked: boolean } | null
  /** A long list can be folded and searched; `null` for a short one. The script uses `some`. */
  fold: { summary: string; some: string; find: string } | null
}

export type FormOption = {
  value: string
  label: string
  hint: string | null
  isCode: boolean
  isChosen: boolean
  /** Fields that belong to this option only. */
  more: FormField[]
}

/** What a form and its page know of a field. */
export interface FieldLook {
  name: string
  kind:
    | 'text'
    | 'email'
    | 'password'
    | 'date'
    | 'number'
    | 'area'
    | 'choice'
    | 'select'
    | 'ticks'
    | 'tick'
    | 'permissions'
    | 'workspaces'
    | 'logo'
  label: string
  hint?: string | null
  isRequired?: boolean
  /** It is folded with others that few people fill in. A browser says nothing of a required one there. */
  isSeldom?: boolean
  isCode?: boolean
  /** The page that shows what the text finds, with a query. */
  pick?: string
  /** The most characters. */
  most?: number
}

export interface FormField extends FieldLook {
  error: string | null
  value: string
  /** Of `logo`: the path of the present one; null: there is none. */
  logo: string | null
  options: FormOption[]
  groups: PermissionGroup[]
  workspaces: WorkspaceChoice | null
}

/** A further button of a form, with its `decision`. */
export type FormAnswer = { submit: string; decision: string; isDanger?: boolean }

/** A sum with a bar for each day; the sizes are in percent of the drawing. `summary`: the chart in words. */
export type Figure = {
  label: string
  total: string
  summary: string
  bars: { x: string; y: string; width: string; height: string; title: string }[]
}

export type Block =
  | TableBlock
  | {
      kind: 'facts'
      heading: string | null
      facts: { label: string; cells: Cell[] }[]
      /** Only the heading is in sight. */
      isFolded: boolean
    }
  | { kind: 'trail'; trail: Trail }
  | { kind: 'events'; days: TrailDay[] }
  | { kind: 'links'; links: { label: string; href: string; isPrimary: boolean }[] }
  /** What to do first, in order. `command`: what a program does in a step; null: a person does it. */
  | {
      kind: 'steps'
      heading: string
      lead: string
      steps: { label: string; href: string | null; isDone: boolean; command: string | null }[]
    }
  | { kind: 'figures'; heading: string; figures: Figure[] }
  | { kind: 'tabs'; label: string; tabs: { label: string; href: string; isCurrent: boolean }[] }
  | { kind: 'words'; words: string; tone: Notice['tone'] | null }
  | {
      kind: 'form'
      method: 'get' | 'post'
      action: string
      heading?: string | null | undefined
      hidden: { name: string; value: string }[]
      fields: FormField[]
      submit: Phrase
      /** The value of `decision`, where an address takes several forms. */
      decision?: string | undefined
      /** Another answer beside it. */
      other?: FormAnswer | undefined
      /** Shows what the form would make, and decides nothing. */
      preview?: { choices: FormField[]; answer: FormAnswer } | undefined
      /** It takes a file. */
      withFile?: boolean
      isDanger?: boolean | undefined
      cancelUrl?: string | null
    }
  /** A new secret, once, with its file. */
  | {
      kind: 'secret'
      shown: Record<'idLabel' | 'clientId' | 'secretLabel' | 'secret' | 'usage', string> &
        Record<'fileName' | 'download', string>
      lost: string
      /** Until when other secrets work. */
      others: string[]
      backUrl: string
    }
  /** What happens after a decision: for whom, when, and how to undo it. */
  | { kind: 'points'; points: Phrase[] }
  /** Kinds of one thing, each with a form of its own. */
  | {
      kind: 'ways'
      heading: string
      ways: { name: string; hint: string; href: string; isChosen: boolean }[]
    }
  | { kind: 'saved'; saved: EditConflict }
  /** Another page in a frame in which nothing works. */
  | {
      kind: 'preview'
      heading: string
      hint: string
      notes: string[]
      html: string
      width: number
      height: number
    }
