import { text } from './text.ts'
import type { WorkspaceChoice, WorkspaceOption } from './view-models.ts'

const fewWorkspaces = 8

/**
 * The boxes for workspaces. Many are folded away for as long as none of them counts, and then none is ticked: who
 * wants only some begins with none.
 * @param total how many the organization has; null: not to be told
 */
export const workspaceChoice = (
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

/** The script that helps with many. */
export const helps = (choices: readonly (WorkspaceChoice | null)[]) =>
  choices.some((one) => one?.fold)
