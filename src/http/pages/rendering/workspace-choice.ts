import type { WorkspaceChoice, WorkspaceOption } from './step-view-models.ts'
import type { Text } from './text.ts'

const fewWorkspaces = 8

/**
 * The checkboxes for workspaces. While "all" is ticked, a long list is collapsed and nothing in it is ticked, so that a
 * user who wants only some starts with none.
 * @param total number of workspaces in the organization; null when it is not shown
 */
export const workspaceChoice = (
  text: Text,
  all: { ticked: boolean } | null,
  options: WorkspaceOption[],
  total: number | null = null,
): WorkspaceChoice => {
  if (options.length <= fewWorkspaces) return { all, options, total, fold: null }
  const isAll = all?.ticked ?? false
  const shown = isAll ? options.map((one) => ({ ...one, ticked: false })) : options
  const ticked = shown.filter((one) => one.ticked).length
  const words = {
    all: text.workspaces.many(options.length),
    some: text.workspaces.ticked('{count}', options.length),
  }
  const summary = isAll ? words.all : text.workspaces.ticked(String(ticked), options.length)
  return { all, options: shown, total, fold: { isOpen: !isAll, summary, words } }
}

/** True when a page needs the script for long lists. */
export const hasFoldedChoice = (choices: readonly (WorkspaceChoice | null)[]) =>
  choices.some((one) => one?.fold)
