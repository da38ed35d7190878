import { covers, entriesOf } from '../language/permissions.ts'
import { reachOf, type WorkspaceLimit } from '../language/scope.ts'

/** Workspaces that were offered to a user, and those that the user approved. */
export type GivenWorkspaces = Record<'offeredWorkspaceIds' | 'workspaceIds', WorkspaceLimit>

/** The content of a consent page, and the user's choice. */
interface ConsentChoice {
  /** The limit of the request. */
  requested: WorkspaceLimit
  present: readonly string[]
  ticked: readonly string[]
  /** False: the limit stays a list even with all boxes ticked. Absent: true. */
  later?: boolean
  /** The reach of a request without a limit. */
  reach: readonly string[]
}

/**
 * Does this request ask for nothing new? A request for all workspaces needs an earlier offer of all, whatever the
 * user approved. A workspace named in the request must have been approved.
 */
export const isWithinConsent = (given: GivenWorkspaces, requested: WorkspaceLimit) =>
  requested === null
    ? given.offeredWorkspaceIds === null
    : given.workspaceIds === null || covers(given.workspaceIds, requested)

/** Is each workspace of a limit in the other one? null: all. */
export const isWithinLimit = (limit: WorkspaceLimit, other: WorkspaceLimit) =>
  other === null || (limit !== null && covers(other, limit))

/** The limit that a user has set on this page; null when the user left all boxes ticked. */
export const limitOf = (page: ConsentChoice): WorkspaceLimit => {
  const { requested, present, ticked, later = true } = page
  return requested === null && later && covers(ticked, present) ? null : reachOf(present, ticked)
}

/** The consent to store after the page: the latest answer for each workspace. */
export const afterPage = (before: GivenWorkspaces | null, page: ConsentChoice): GivenWorkspaces => {
  const { requested, present, ticked, reach } = page
  if (requested === null || before === null)
    return { offeredWorkspaceIds: requested && present, workspaceIds: limitOf(page) }
  const { offeredWorkspaceIds: offered, workspaceIds: limit } = before
  const known = limit ?? (covers(ticked, present) ? null : reach)
  const isPresent = entriesOf(present)
  const elsewhere = (ids: readonly string[]) => ids.filter((id) => !isPresent(id))
  return {
    offeredWorkspaceIds: offered && [...elsewhere(offered), ...present],
    workspaceIds: known && [...elsewhere(known), ...reachOf(present, ticked)],
  }
}
