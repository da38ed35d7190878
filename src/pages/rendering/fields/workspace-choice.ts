import type { Text } from '../../../words/text.ts'
import type { WorkspaceChoice, WorkspaceOption } from '../view-models/steps.ts'

const fewWorkspaces = 8

interface Offered {
  /** null: the page has no choice of all workspaces. */
  all: { ticked: boolean } | null
  options: WorkspaceOption[]
  /** Number of workspaces in the organization; absent when it is not shown. */
  total?: number
  /** Absent: the page does not ask about workspaces that the user joins later. */
  later?: { ticked: boolean } | null
}

/**
 * The choice of workspaces. While "all" is chosen, nothing in a long list is ticked, so that a user who wants only some
 * starts with none.
 */
export const workspaceChoice = (
  text: Text,
  { all, options, total, later = null }: Offered,
): WorkspaceChoice => {
  const shared = { all, total: total ?? null, later: options.length === 0 ? null : later }
  if (options.length <= fewWorkspaces) return { ...shared, options, fold: null }
  const isAll = all?.ticked ?? false
  const shown = isAll ? options.map((one) => ({ ...one, ticked: false })) : options
  const ticked = shown.filter((one) => one.ticked).length
  const fold = {
    summary: text.workspaces.ticked(String(ticked), options.length),
    some: text.workspaces.ticked('{count}', options.length),
  }
  return { ...shared, options: shown, fold }
}

/** True when a page needs the script for long lists. */
export const hasFoldedChoice = (choices: readonly (WorkspaceChoice | null)[]) =>
  choices.some((one) => one?.fold)
