import type { FastifyRequest } from 'fastify'
import { invalidRequest } from '../../../core/language/errors.ts'
import { covers, type Interface, intersect } from '../../../core/language/permissions.ts'
import { fields } from './sent-values.ts'

/** The ticked and unticked choices of an admin. */
export interface ApprovalChoice {
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
 * @param present the workspaces that were on the page, beside the checkbox `*` for all of them
 * @returns `outdated` when another value is ticked: it was on the page and has been removed since
 */
export const readApproval = (
  request: FastifyRequest,
  generation: Interface,
  offered: readonly string[],
  present: readonly string[],
): ApprovalChoice | ApprovalFault => {
  const ticked = fields(request, 'permissions')
  const places = fields(request, 'workspace_ids')
  const single = places.filter((one) => one !== '*')
  if (!covers(offered, ticked) || !covers(present, single)) return 'outdated'
  const all = generation === 'legacy' || places.includes('*')
  if (!all && single.length === 0 && present.length > 0) return 'workspace_missing'
  return {
    permissions: intersect(offered, ticked),
    declined: offered.filter((one) => !ticked.includes(one)),
    workspaceIds: all ? null : single,
  }
}
