import { entriesOf } from '../../../core/language/permissions.ts'
import type { WorkspaceLimit } from '../../../core/language/scope.ts'
import type { WorkspaceName } from '../../../core/organizations/workspaces.ts'
import type { Text } from '../../../words/text.ts'
import { type Field, listIn } from '../forms/form-field.ts'
import type { WorkspaceChoice, WorkspaceOption } from '../view-models/blocks.ts'

const fewWorkspaces = 8

interface Offered {
  /** The name of the boxes; absent: `workspace_ids`. */
  name?: string
  /** Absent: the words for workspaces. */
  words?: Pick<Text['workspaces'], 'total' | 'ticked' | 'find'>
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
 * starts with none, and no count of ticks stands beside "all".
 */
export const workspaceChoice = (
  text: Text,
  { name, words = text.workspaces, all, options, total, later = null }: Offered,
): WorkspaceChoice => {
  const shared = {
    ...(name && { name }),
    ...{ all, total: total ?? null, later: options.length === 0 ? null : later },
  }
  if (options.length <= fewWorkspaces) return { ...shared, options, fold: null }
  const isAll = all?.ticked ?? false
  const shown = isAll ? options.map((one) => ({ ...one, ticked: false })) : options
  const { total: ofAll, ticked: of, find } = words
  const ticked = shown.filter((one) => one.ticked).length
  const fold = {
    summary: isAll ? ofAll(options.length) : of(String(ticked), options.length),
    some: of('{count}', options.length),
    find,
  }
  return { ...shared, options: shown, fold }
}

/** True when a page needs the script for long lists. */
export const hasFoldedChoice = (choices: readonly (WorkspaceChoice | null)[]) =>
  choices.some((one) => one?.fold)

/** The choice of all workspaces, including future ones, or those within a limit. */
export const limitChoice = (text: Text, names: readonly WorkspaceName[], limit: WorkspaceLimit) => {
  const isWithin = limit === null ? () => true : entriesOf(limit)
  const options = names.map(({ id, name }) => ({ id, name, ticked: isWithin(id) }))
  return workspaceChoice(text, { all: { ticked: limit === null }, options })
}

/** A field with this choice. */
export const workspaceField = (
  text: Text,
  label: string,
  names: readonly WorkspaceName[],
  limit: WorkspaceLimit,
): Field => ({
  ...{ name: 'workspace_ids', kind: 'workspaces', label },
  values: limit ?? ['*'],
  workspaces: (ticked) => limitChoice(text, names, ticked.includes('*') ? null : ticked),
  fault: text.organization.outdated,
})

/** Ids, or null for all, including future ones. */
export const limitIn = (ticked: unknown): string[] | null => {
  const places = listIn(ticked)
  return places.includes('*') ? null : places
}

/** A field with boxes, in a long list with a search. */
export const boxesField = (
  text: Text,
  { name, label, ...offered }: { name: string; label: string } & Pick<Offered, 'words'>,
  all: readonly WorkspaceName[],
  chosen: readonly string[],
): Field => ({
  ...{ name, kind: 'workspaces', label, values: chosen },
  workspaces: (ticked) => {
    const isTicked = new Set(ticked)
    const options = all.map((one) => ({ ...one, ticked: isTicked.has(one.id) }))
    return workspaceChoice(text, { ...offered, name, all: null, options })
  },
  fault: text.organization.outdated,
})
