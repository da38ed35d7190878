// The choice of workspaces, as on the pages where admins decide: all of them, or only the ticked ones.

import type { WorkspaceJson } from '../../../http/operator/organizations/workspaces.ts'
import type { PageJson } from '../../../http/operator/paging.ts'
import { limitIn, workspaceField } from '../../rendering/fields/workspace-field.ts'
import type { Body, Field } from '../../rendering/forms/form-field.ts'
import { fieldRefusal, type Refused } from '../console-form.ts'
import type { OperatorVisit } from '../gate.ts'

const limit = '200'

const workspacesOf = async ({ api }: OperatorVisit, organizationId: string) => {
  const all: WorkspaceJson[] = []
  let cursor: string | null = null
  do {
    const part: PageJson<WorkspaceJson> = await api.list<WorkspaceJson>(
      `/organizations/${organizationId}/workspaces`,
      {
        limit,
        cursor,
      },
    )
    all.push(...part.items)
    cursor = part.next
  } while (cursor !== null)
  return all
}

/** The field of the choice. @param present ids; null: all, including future ones */
export const workspacesField = async (
  visit: OperatorVisit,
  organizationId: string,
  present: readonly string[] | null,
): Promise<Field> =>
  workspaceField(
    visit.text,
    visit.text.workspaces.legend,
    await workspacesOf(visit, organizationId),
    present,
  )

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
