// Parts of the steps between an app's request and its answer.
import type { Phrase } from '../../../words/phrase.ts'

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

/** For whom, how long, and how to stop it. */
export type Bounds = {
  /** null: the heading says it. */
  forWhom: Phrase | null
  /** Until the admin chooses others; null: not offered. */
  forMe: string | null
  ends: string
  undo: string
}
