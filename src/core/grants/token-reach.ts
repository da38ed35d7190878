import type { App } from '../clients/app.ts'
import { randomText } from '../crypto/random.ts'
import { invalidScope } from '../language/errors.ts'
import type { AccessTokenSubject } from '../tokens/access-token-claims.ts'
import type { AccessTokens } from '../tokens/access-tokens.ts'
import type { narrowedTo } from './approval.ts'

type Narrowed = ReturnType<typeof narrowedTo>

/** What an access token may do, as its claims say it. */
export interface TokenReach extends Omit<Narrowed, 'namesWorkspaces'> {
  /** The token leaves its workspaces to introspection, because their list does not fit. */
  isOpen: boolean
  /**
   * Id of the stored list of workspaces, for a request that named more than fit into the token. null: the token lists
   * its workspaces, or reaches all approved ones.
   */
  reachId: string | null
}

export interface TokenReachStore {
  /** @param lifetime of the token, in seconds */
  keep(id: string, workspaceIds: readonly string[], lifetime: number): Promise<void>
}

/**
 * Decides whether the token lists its workspaces, and stores those of a token that can neither list them nor stand for all
 * approved ones. Must run before the step that consumes: if the store is away, nothing was consumed.
 * @param subjectOf the subject of the token with this reach
 * @throws OAuthError invalid_scope when not even the permissions fit
 */
export type SettleReach = (
  app: App,
  narrowed: Narrowed,
  subjectOf: (reach: TokenReach) => AccessTokenSubject,
) => Promise<TokenReach>

export const createSettleReach =
  (deps: {
    store: TokenReachStore
    accessTokens: Pick<AccessTokens, 'fits'>
    lifetimeOf(app: App): number
  }): SettleReach =>
  async (app, { namesWorkspaces, ...reach }, subjectOf) => {
    const { fits } = deps.accessTokens
    const listed: TokenReach = { ...reach, isOpen: false, reachId: null }
    if (fits(subjectOf(listed))) return listed
    const { workspaceIds } = reach
    const reachId = namesWorkspaces ? randomText(16) : null
    const open: TokenReach = { ...reach, isOpen: true, reachId }
    if (workspaceIds === null || !fits(subjectOf(open))) throw invalidScope('token_too_long')
    if (reachId !== null) await deps.store.keep(reachId, workspaceIds, deps.lifetimeOf(app))
    return open
  }
