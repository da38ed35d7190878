// The rules of the exchange of a legacy grant (RFC 8693): what the successor may do, and what is refused.
import { type AuditEvent, auditEvent } from '../audit/audit.ts'
import type { App } from '../clients/app.ts'
import {
  allowsReading,
  mappedPermissions,
  type PermissionMap,
  successorGrantId,
} from '../clients/successor-rules.ts'
import type { Target } from '../clients/targets.ts'
import { invalidGrant } from '../language/errors.ts'
import { intersect } from '../language/permissions.ts'
import { approvedOf, type Narrowing, narrowedTo } from './approval.ts'
import { bindsRefreshTokens, endOfGrant, type Grant } from './grant.ts'
import type { Expiring } from './refresh-token.ts'
import type { InsertedGrant, LoadedClient, LoadedGrant, LoadedInstall } from './store.ts'
import type { GrantToken } from './token-format.ts'
import type { ProvenRequest } from './token-request.ts'

/** The data of the legacy app that an exchange needs. */
export interface LegacyApp
  extends Pick<App, 'clientId' | 'clientType' | 'permissions' | 'retryWindowSeconds'> {
  permissionMap: PermissionMap
}

/** The successor of a legacy grant. */
export interface SuccessorState {
  /** Generation of the refresh token that was exchanged for it. */
  generation: number
  /** Within the retry window of its client. */
  recent: boolean
  /**
   * A client has its tokens. Without a retry window this is recorded at once, else within seconds. A claim whose
   * request was answered with 503 does not count.
   */
  used: boolean
}

export interface LoadedMigration extends LoadedClient {
  /** null: the client succeeds no legacy app */
  legacy: LegacyApp | null
  /** The legacy app's grant. */
  grant: LoadedGrant | null
  /** The client's own live install in the grant's organization. */
  install: (LoadedInstall & Expiring) | null
  /** The existing successor of the grant. */
  successor: SuccessorState | null
}

export interface MigrationStore {
  /** One query: the client, its secrets, its legacy app, the grant of that app, and the grant's successor. */
  load(clientId: string, familyId: string | null): Promise<LoadedMigration | null>
  /**
   * Ends the legacy grant and inserts its successor, in one transaction.
   * @param from the app and the generation of the exchanged token
   * @returns null when it had ended before
   */
  migrate(
    legacyGrantId: string,
    successor: Grant,
    from: { clientId: string; generation: number },
    audit: AuditEvent,
    countUpTo: number,
  ): Promise<InsertedGrant | null>
  /**
   * Marks the successor as used by this request.
   * @param unsettled requests whose written claim this one takes over
   * @returns false when another request has used it
   */
  claim(successorId: string, request: string, unsettled: readonly string[]): Promise<boolean>
}

/** An exchange whose client succeeds a legacy app and whose token belongs to a grant of that app. */
export interface LegacyExchange
  extends ProvenRequest<LoadedMigration & { legacy: LegacyApp; grant: LoadedGrant }> {
  token: GrantToken
}

/** The grant that a legacy grant becomes: at most its mapped permissions, and at most what the client may have now. */
const successorGrant = (
  { app, loaded: { legacy, grant: loaded }, proof }: LegacyExchange,
  install: LoadedInstall,
  target: Target | null,
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
    ...(target && { resources: target.resources }),
    ...(grant.authentication && { authentication: grant.authentication }),
    openidScopes: [],
    signIn: null,
    redirectUri: '', // no client ever gets its code
    codeChallenge: null,
    dpopJkt: proof && bindsRefreshTokens(app.clientType) ? proof.jkt : null,
    lifetime: null,
  }
}

/**
 * Everything else that an exchange may be refused for without consuming its token.
 * @param target of the successor, and of its first token
 * @throws OAuthError
 */
export const evaluateMigration = (exchange: LegacyExchange, target: Target | null) => {
  const { app, requested } = exchange
  const { install, grant: loaded } = exchange.loaded
  if (loaded.standing.paused) throw invalidGrant(loaded.standing.paused)
  if (!install) throw invalidGrant('not_installed')
  if (install.paused) throw invalidGrant(install.paused)
  if (install.keptOut) throw invalidGrant(install.keptOut)
  const grant = successorGrant(exchange, install, target)
  const approval = { ...install, presentWorkspaceIds: loaded.presentWorkspaceIds }
  return { grant, narrowed: narrowedTo(app, approval, grant, requested, target) }
}

/** The same for a successor that exists: its own row and install decide, not today's permission map. */
export const evaluateSuccessor = (
  app: App,
  loaded: LoadedGrant,
  requested: Narrowing,
  target: Target | null,
) => {
  const { grant, standing } = loaded
  const dead = endOfGrant(grant, standing)
  if (dead) throw invalidGrant(dead)
  if (standing.paused) throw invalidGrant(standing.paused)
  return { grant, narrowed: narrowedTo(app, loaded, grant, requested, target) }
}

export type EvaluatedMigration = ReturnType<typeof evaluateMigration>

export const movedEvent = (
  { app, loaded: { legacy, grant }, cause }: LegacyExchange,
  successor: Grant,
): AuditEvent =>
  auditEvent(cause, 'grant.moved', {
    clientId: app.clientId,
    organizationId: grant.grant.organizationId,
    userId: grant.grant.userId,
    detail: {
      grant_id: successor.id,
      legacy_client_id: legacy.clientId,
      legacy_grant_id: grant.grant.id,
      permissions: successor.permissions,
      ...(successor.resources && { resources: successor.resources }),
    },
  })
