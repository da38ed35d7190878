import type { FastifyRequest } from 'fastify'
import type { App } from '../../../core/clients/app.ts'
import { lockedPermissions } from '../../../core/clients/required-permissions.ts'
import { invalidRequest } from '../../../core/language/errors.ts'
import { covers, intersect } from '../../../core/language/permissions.ts'
import { fields } from './sent-values.ts'

type RequestedApp = Pick<App, 'interface' | 'permissions' | 'optionalPermissions'>

/** The ticked and unticked choices of an admin. */
export interface ApprovalChoice {
  offered: readonly string[]
  permissions: string[]
  declined: string[]
  /** null: all, including future ones. */
  workspaceIds: string[] | null
}

export type ApprovalFault = 'workspace_missing' | 'outdated'

export const tamperedForm = () =>
  invalidRequest('a box was ticked that was not on the page', 'form_tampered')

/**
 * Reads the checkboxes `permissions` and `workspace_ids` of a form.
 * @param offered the permissions that were on the page
 * @param granted those of the install that is changed; absent: there is none yet
 * @param present the workspaces that were on the page, beside the checkbox `*` for all of them
 * @returns `outdated` when another value is ticked: it was on the page and has been removed since
 */
export const readApproval = (
  request: FastifyRequest,
  app: RequestedApp,
  offered: readonly string[],
  present: readonly string[],
  granted?: readonly string[],
): ApprovalChoice | ApprovalFault => {
  const ticked = fields(request, 'permissions')
  const places = fields(request, 'workspace_ids')
  const single = places.filter((one) => one !== '*')
  if (!covers(offered, ticked) || !covers(present, single)) return 'outdated'
  const all = app.interface === 'legacy' || places.includes('*')
  if (!all && single.length === 0 && present.length > 0) return 'workspace_missing'
  const chosen = [...ticked, ...lockedPermissions(app, offered, granted)]
  return {
    offered,
    permissions: intersect(offered, chosen),
    declined: offered.filter((one) => !chosen.includes(one)),
    workspaceIds: all ? null : single,
  }
}
