// What lives here: what a move is decided by (RFC 8693), and what it may be refused for before anything is spent.
import type { App } from '../clients/app.ts'
import {
  allowsReading,
  mappedPermissions,
  type PermissionMap,
  successorGrantId,
} from '../clients/successor-rules.ts'
import { invalidGrant } from '../language/errors.ts'
import { intersect } from '../language/permissions.ts'
import type { DpopProof } from '../tokens/dpop.ts'
import { approvedOf, type Narrowing, narrowedTo } from './approval.ts'
import { bindsRefreshTokens, endOfGrant, type Grant } from './grant.ts'
import type { LoadedClient, LoadedGrant, LoadedInstall } from './store.ts'

/** The legacy app from which an app takes over, as far as a move needs it. */
export interface LegacyApp
  extends Pick<App, 'clientId' | 'clientType' | 'permissions' | 'retryWindowSeconds'> {
  permissionMap: PermissionMap
}

/** What a legacy grant has become. */
export interface SuccessorState {
  /** Of the refresh token that was exchanged for it. */
  generation: number
  /** Within the retry window of the client whose it is. */
  recent: boolean
  /**
   * A client has it: written at once without a retry window, else after seconds. A claim whose request was answered
   * 503 does not count.
   */
  used: boolean
}

export interface LoadedMigration extends LoadedClient {
  /** null: the client takes over from nobody. */
  legacy: LegacyApp | null
  /** The legacy app's grant. */
  grant: LoadedGrant | null
  /** The live install of the client itself in the grant's organization. */
  install: LoadedInstall | null
  /** What the grant has become already. */
  successor: SuccessorState | null
}

export type MigratableGrant = LoadedMigration & { legacy: LegacyApp; grant: LoadedGrant }

/** The current grant that a legacy one becomes: never more than it was worth, nor than the twin may have there now. */
const successorGrant = (
  app: App,
  { legacy, grant: loaded }: MigratableGrant,
  install: LoadedInstall,
  key: DpopProof | null,
): Grant => {
  const { grant } = loaded
  const had = approvedOf(legacy, loaded, grant).permissions
  if (!allowsReading(had)) throw invalidGrant('reading_not_granted')
  return {
    id: successorGrantId(grant.id),
    userId: grant.userId,
    clientId: app.clientId,
    organizationId: grant.organizationId,
    installId: install.installId,
    appEpoch: app.familiesEpoch,
    userEpoch: grant.userEpoch,
    permissions: intersect(
      mappedPermissions(legacy.permissionMap, had),
      app.permissions,
      install.installPermissions,
    ),
    workspaceIds: null,
    openidScopes: [],
    signIn: null,
    redirectUri: '', // nobody ever holds its code
    codeChallenge: null,
    dpopJkt: key && bindsRefreshTokens(app.clientType) ? key.jkt : null,
    lifetime: null,
  }
}

/** Everything that a move may be refused for without anything being spent. */
export const evaluateMigration = (
  app: App,
  found: MigratableGrant,
  asked: Narrowing,
  key: DpopProof | null,
) => {
  const { install, grant: loaded } = found
  if (loaded.standing.installSuspended) throw invalidGrant('install_suspended')
  if (!install) throw invalidGrant('not_installed')
  if (install.suspended) throw invalidGrant('install_suspended')
  const grant = successorGrant(app, found, install, key)
  const approval = { ...install, presentWorkspaceIds: loaded.presentWorkspaceIds }
  return { grant, reach: narrowedTo(app, approval, grant, asked) }
}

/** The same of a successor that is there already: what its own row and install say, whatever its worth is by now. */
export const evaluateSuccessor = (app: App, loaded: LoadedGrant, asked: Narrowing) => {
  const { grant, standing } = loaded
  const dead = endOfGrant(grant, standing)
  if (dead) throw invalidGrant(dead)
  if (standing.installSuspended) throw invalidGrant('install_suspended')
  return { grant, reach: narrowedTo(app, loaded, grant, asked) }
}

export type EvaluatedMigration = ReturnType<typeof evaluateMigration>
