import type { Access } from '@latchkey-auth/verify'
import type { Organizations } from '../data/organizations.ts'
import type { Reach } from '../data/reach.ts'

/**
 * What a token may see. Tables of the organization are for tokens that reach each of its
 * workspaces; private views are for the user of the token.
 */
export const reachOf = async (access: Access, organizations: Organizations): Promise<Reach> => {
  const { organizationId, workspaceIds } = access
  const reachesWorkspace = (id: string) => id !== '' && access.reaches(organizationId, id)
  const reach = (reaches: Reach['reaches']): Reach => ({
    interface: 'current',
    organizationId,
    reaches,
    userId: access.kind === 'user' ? access.userId : null,
  })
  // A token without a list is not narrowed. Others are compared with all workspaces there are.
  const all = workspaceIds === null ? [] : await organizations.workspaces(reach(() => true))
  const isNarrowed = all.some(({ id }) => !reachesWorkspace(id))
  return reach((id) => (id === null ? !isNarrowed : reachesWorkspace(id)))
}
