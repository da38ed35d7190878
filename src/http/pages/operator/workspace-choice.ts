// The choice of workspaces, as on the pages where admins decide: all of them, or only the ticked ones.
import type { PageJson } from '../../operator/paging.ts'
import type { WorkspaceJson } from '../../operator/workspaces.ts'
import { field, fields } from '../rendering/forms.ts'
import type { ApiRefusal } from './api.ts'
import type { Field } from './console-field.ts'
import { fieldRefusal } from './console-form.ts'
import type { OperatorVisit } from './operator-gate.ts'

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

/** The fields of the choice. @param present ids; null: all, including future ones */
export const workspaceFields = async (
  visit: OperatorVisit,
  organizationId: string,
  present: readonly string[] | null,
): Promise<Field[]> => {
  const { workspaces: words } = visit.text
  const all = await workspacesOf(visit, organizationId)
  return [
    {
      name: 'where',
      kind: 'choice',
      label: words.legend,
      values: [present === null ? 'all' : 'only'],
      options: [
        { value: 'all', label: words.all },
        { value: 'only', label: words.only },
      ],
      isOutside: true,
    },
    {
      name: 'workspace_ids',
      kind: 'ticks',
      label: visit.text.operator.organizations.workspaces,
      hint: all.length === 0 ? words.noneYet : null,
      values: present ?? [],
      options: all.map(({ id, name }) => ({ value: id, label: name })),
      isOutside: true,
    },
  ]
}

/** The workspaces of the submitted form: ids, or null for all of them. A limit to none has to exist before. */
export const chosenWorkspaces = (
  { request, text }: OperatorVisit,
  present: readonly string[] | null,
): { ids: string[] | null } | { refusal: ApiRefusal } => {
  if (field(request, 'where') !== 'only') return { ids: null }
  const ids = fields(request, 'workspace_ids')
  return ids.length > 0 || present?.length === 0
    ? { ids }
    : fieldRefusal('workspace_ids', text.workspaces.chooseOne)
}
