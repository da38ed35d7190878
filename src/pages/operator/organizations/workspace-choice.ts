// What an app or a key set may do, and where: in all workspaces, or only in the ticked ones.
import type { Interface } from '../../../core/language/permissions.ts'
import type { WorkspaceJson } from '../../../http/operator/organizations/workspaces.ts'
import { limitIn, workspaceField } from '../../rendering/fields/workspace-choice.ts'
import type { Body, Field } from '../../rendering/forms/form-field.ts'
import { fieldRefusal } from '../console-form.ts'
import { permissionsField } from '../fields.ts'
import type { OperatorVisit } from '../gate.ts'

/** All workspaces, or their number. */
export const workspacesCell = ({ text }: OperatorVisit, ids: readonly string[] | null) =>
  ids === null ? text.operator.organizations.everywhere : ids.length

/** Null: all, including future ones, as the legacy interface always has. */
type Limit = readonly string[] | null

/** The fields of what an app or a key set may do, and where. @param present where it may now */
export const reachFields = async (
  visit: OperatorVisit,
  organizationId: string,
  api: Interface,
  { offered, ticked }: Record<'offered' | 'ticked', readonly string[]>,
  present: Limit,
): Promise<Field[]> => {
  const permissions = permissionsField(visit, api, offered, ticked)
  if (api === 'legacy') return [permissions]
  const all = await visit.api.all<WorkspaceJson>(`/organizations/${organizationId}/workspaces`)
  return [permissions, workspaceField(visit.text, visit.text.workspaces.legend, all, present)]
}

/** The body of the submitted form. A limit to none has to exist before. */
export const reachIn = ({ text }: OperatorVisit, api: Interface, typed: Body, present: Limit) => {
  const ids = api === 'legacy' ? null : limitIn(typed.workspace_ids)
  return ids?.length === 0 && present?.length !== 0
    ? fieldRefusal('workspace_ids', text.workspaces.chooseOne)
    : { body: { ...typed, workspace_ids: ids } }
}
