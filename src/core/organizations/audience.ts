import { type Fault, faultsOfItems } from '../language/faults.ts'

/** For whom an install is: everybody who is in one of these workspaces or groups, or is named. Lists of ids. */
export interface Audience {
  workspaces: readonly string[]
  /** Groups of the directory. */
  groups: readonly string[]
  users: readonly string[]
}

/** The audience of an install; null: everyone in the organization. */
export type AudienceLimit = Audience | null

/** Why a person may not use an app that is installed: an admin has denied it, or the install is for others. */
export type KeptOut = 'denied' | 'not_in_audience'

/** How a member stands to an install. */
export type AudienceReason = 'everyone' | 'workspace' | 'group' | 'user' | KeptOut

const audienceLists = ['workspaces', 'groups', 'users'] as const

export const noAudience: Audience = { workspaces: [], groups: [], users: [] }

/** The same without repetition and in one order, so that audiences can be compared. */
export const orderedAudience = (audience: Audience): Audience => {
  const ordered = (ids: readonly string[]) => [...new Set(ids)].sort()
  const { workspaces, groups, users } = audience
  return { workspaces: ordered(workspaces), groups: ordered(groups), users: ordered(users) }
}

/**
 * The ids that an audience may not name. Unknown and foreign ones have one text, so that it discloses nothing.
 * @param known ids of the organization
 * @param before the present audience: a person who has left may stay in it
 */
export const audienceFaults = (
  wanted: AudienceLimit | undefined,
  known: Audience,
  before: AudienceLimit,
): Fault[] =>
  audienceLists.flatMap((list) => {
    const own = new Set([...known[list], ...(before?.[list] ?? [])])
    return faultsOfItems(
      wanted?.[list] ?? [],
      (id) => !own.has(id),
      `/audience/${list}`,
      'unknown_place',
      'does not belong to the organization',
    )
  })
