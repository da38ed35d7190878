// The choice of workspaces, as on the pages where admins decide: all of them, or only the ticked ones.
import type { WorkspaceJson } from '../../../http/operator/organizations/workspaces.ts'
import { limitIn, workspaceField } from '../../rendering/fields/workspace-choice.ts'
import type { Body, Field } from '../../rendering/forms/form-field.ts'
import { fieldRefusal, type Refused } from '../console-form.ts'
import type { OperatorVisit } from '../gate.ts'

/** All workspaces, or their number. */
export const workspacesCell = ({ text }: OperatorVisit, ids: readonly string[] | null) =>
  ids === null ? text.operator.organizations.everywhere : ids.length

/** The field of the choice. @param present ids; null: all, including future ones */
export const workspacesField = async (
  { text, api }: OperatorVisit,
  organizationId: string,
  present: readonly string[] | null,
): Promise<Field> => {
  const all = await api.all<WorkspaceJson>(`/organizations/${organizationId}/workspaces`)
  return workspaceField(text, text.workspaces.legend, all, present)
}

/** The workspaces of the submitted form: ids, or null for all of them. A limit to none has to exist before. */
export const chosenWorkspaces = (
  { text }: OperatorVisit,
  { workspace_ids: ticked }: Body,
  present: readonly string[] | null,
): { ids: string[] | null } | Refused => {
  const ids = limitIn(ticked)
  return ids?.length === 0 && present?.length !== 0
    ? fieldRefusal('workspace_ids', text.workspaces.chooseOne)
    : { ids }
}
