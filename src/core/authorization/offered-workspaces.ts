import { covers } from '../language/permissions.ts'
import { reachOf, type WorkspaceLimit } from '../language/scope.ts'

/** Where a person was asked, and where they said yes. */
export interface GivenWorkspaces {
  offeredWorkspaceIds: WorkspaceLimit
  workspaceIds: WorkspaceLimit
}

/** What a consent page has shown and got back. */
interface Page {
  /** What the request is limited to. */
  asked: WorkspaceLimit
  present: readonly string[]
  ticked: readonly string[]
  /** What a request without a limit could reach. */
  reach: readonly string[]
}

/**
 * Does this request ask for nothing new? Where everything is asked for, everything must have been offered, whatever
 * was left ticked of it; a workspace that is asked for by name must have been left ticked.
 */
export const asksForNoMore = (given: GivenWorkspaces, asked: WorkspaceLimit) =>
  asked === null
    ? given.offeredWorkspaceIds === null
    : given.workspaceIds === null || covers(given.workspaceIds, asked)

/** The limit that a person has set on this page; null where no box was left empty. */
export const limitOf = ({ asked, present, ticked }: Page): WorkspaceLimit =>
  asked === null && covers(ticked, present) ? null : reachOf(present, ticked)

/** What is remembered after the page: of each workspace what was said last. */
export const afterPage = (before: GivenWorkspaces | null, page: Page): GivenWorkspaces => {
  const { asked, present, ticked, reach } = page
  if (asked === null || before === null)
    return { offeredWorkspaceIds: asked && present, workspaceIds: limitOf(page) }
  const { offeredWorkspaceIds: offered, workspaceIds: limit } = before
  const known = limit ?? (covers(ticked, present) ? null : reach)
  const elsewhere = (ids: readonly string[]) => ids.filter((id) => !present.includes(id))
  return {
    offeredWorkspaceIds: offered && [...elsewhere(offered), ...present],
    workspaceIds: known && [...elsewhere(known), ...reachOf(present, ticked)],
  }
}
