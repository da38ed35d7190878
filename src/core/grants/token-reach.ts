import type { App } from '../clients/app.ts'
import { randomText } from '../crypto/random.ts'
import { fitsIntoToken } from '../tokens/access-token-claims.ts'
import type { narrowedTo } from './approval.ts'

type Narrowed = ReturnType<typeof narrowedTo>

/** What an access token may do, as its claims say it. */
export interface TokenReach extends Omit<Narrowed, 'namesWorkspaces'> {
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
 * Stores the workspaces of a token if the token can neither list them nor stand for all approved ones. Must run before
 * the step that consumes: if the store is away, nothing was consumed.
 * @param reserved characters of further claims without a fixed length; by default 0
 */
export type SettleReach = (app: App, narrowed: Narrowed, reserved?: number) => Promise<TokenReach>

export const createSettleReach =
  (deps: { store: TokenReachStore; lifetimeOf(app: App): number }): SettleReach =>
  async (app, { namesWorkspaces, ...reach }, reserved = 0) => {
    const { workspaceIds, permissions, resources } = reach
    if (
      !namesWorkspaces ||
      workspaceIds === null ||
      fitsIntoToken(workspaceIds, permissions, resources, reserved)
    )
      return { ...reach, reachId: null }
    const reachId = randomText(16)
    await deps.store.keep(reachId, workspaceIds, deps.lifetimeOf(app))
    return { ...reach, reachId }
  }
