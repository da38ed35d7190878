// The choice of workspaces of a form: all of them, including future ones, or the ticked ones.
import type { Text } from '../../../words/text.ts'
import type { Field } from '../forms/form-field.ts'
import { workspaceChoice } from './workspace-choice.ts'

interface NamedWorkspace {
  id: string
  name: string
}

/** @param limit ids; null: all */
export const workspaceField = (
  text: Text,
  label: string,
  names: readonly NamedWorkspace[],
  limit: readonly string[] | null,
): Field => ({
  ...{ name: 'workspace_ids', kind: 'workspaces', label },
  values: limit ?? ['*'],
  workspaces: (ticked) => {
    const isAll = ticked.includes('*')
    const chosen = new Set(ticked)
    const options = names.map(({ id, name }) => ({ id, name, ticked: isAll || chosen.has(id) }))
    return workspaceChoice(text, { all: { ticked: isAll }, options })
  },
  fault: text.organization.outdated,
})

/** Ids, or null for all, including future ones. */
export const limitIn = (ticked: unknown): string[] | null => {
  const places = Array.isArray(ticked) ? ticked.map(String) : []
  return places.includes('*') ? null : places
}
