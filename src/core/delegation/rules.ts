// The rules of an exchange of an access token (RFC 8693): who may act, and how much of the token is left.
import type { App } from '../clients/app.ts'
import { readScope } from '../clients/openid.ts'
import type { Target } from '../clients/targets.ts'
import { forTarget, type Narrowing } from '../grants/approval.ts'
import type { LoadedInstall } from '../grants/store.ts'
import type { TokenReach } from '../grants/token-reach.ts'
import type { TokenFacts } from '../introspection/token-facts.ts'
import { invalidGrant, invalidProof } from '../language/errors.ts'
import { intersect } from '../language/permissions.ts'
import { narrow, parseWorkspaceIds, reachOf } from '../language/scope.ts'
import type { AccessTokenClaims, AccessTokenSubject } from '../tokens/access-token-claims.ts'
import { actorsIn, longestChain, type TokenActor } from '../tokens/delegated-token.ts'

/** The app to which a token was issued: its current actor, or else the app of the authorization. */
export const holderOf = (claims: AccessTokenClaims): string =>
  claims.act?.client_id ?? claims.client_id

/** An app, and the one whose token it exchanges. */
export type DelegationLink = Record<'actor' | 'holder', string>

/** Each step from one app to another between the authorization and the new token of this client. */
export const linksTo = (claims: AccessTokenClaims, clientId: string): DelegationLink[] => {
  const apps = [clientId, ...actorsIn(claims).map((one) => one.clientId)]
  return apps
    .map((actor, at) => ({ actor, holder: apps[at + 1] ?? claims.client_id }))
    .filter(({ actor, holder }) => actor !== holder)
}

/**
 * A token that is bound to a key can be exchanged with that key only: otherwise the exchange would free a stolen token
 * from its binding (RFC 9449 §1).
 * @throws OAuthError invalid_dpop_proof without a proof, invalid_grant for another key
 */
export const demandSubjectKey = (
  claims: AccessTokenClaims,
  proof: { jkt: string } | null,
  isHolder: boolean,
): void => {
  const jkt = claims.cnf?.jkt
  if (jkt === undefined || jkt === proof?.jkt) return
  // Only the holder can help itself with a proof.
  throw isHolder && proof === null ? invalidProof('proof_missing') : invalidGrant('key_mismatch')
}

/** The actors of the new token, this one first. @throws OAuthError invalid_grant when they are too many */
export const chainOf = (
  claims: AccessTokenClaims,
  app: App,
  install: LoadedInstall,
): TokenActor[] => {
  const before = actorsIn(claims)
  if (before.length >= longestChain) throw invalidGrant('chain_too_long')
  const actor = {
    clientId: app.clientId,
    installId: install.installId,
    appEpoch: app.familiesEpoch,
    subjectJti: claims.jti,
  }
  return [actor, ...before]
}

/**
 * The part of the token that the request asks for, at most what the actor's own registration and install allow. Only
 * the app that the user shares the identity with keeps the identity scopes.
 * @param facts the present meaning of the token
 * @param target of the new token; null: the default audience
 * @throws OAuthError invalid_scope
 */
export const delegatedReach = (
  facts: TokenFacts,
  app: App,
  install: LoadedInstall,
  requested: Narrowing,
  target: Target | null,
) => {
  const scope = readScope(app, requested.scope)
  const permissions = intersect(facts.permissions, app.permissions, install.installPermissions)
  const workspaceIds = reachOf(facts.workspaceIds ?? [], install.installWorkspaceIds)
  const openidScopes = app.clientId === facts.clientId ? facts.openidScopes : []
  const named = scope?.permissions ?? null
  const narrowed = narrow(permissions, named, 'permission_not_approved')
  return {
    permissions: forTarget(narrowed, target, named !== null),
    // The exchanged token bounds the lifetime as well.
    ...(install.notAfter != null && { notAfter: install.notAfter }),
    ...(target && { resources: target.resources }),
    openidScopes: narrow(openidScopes, scope?.openidScopes ?? null, 'openid_not_approved'),
    workspaceIds: narrow(
      workspaceIds,
      parseWorkspaceIds(requested.workspaceIds),
      'workspace_not_approved',
    ),
    // A list that does not fit into the token is stored: the new token never reaches workspaces that come later.
    namesWorkspaces: true,
  }
}

/** The subject of the new token: the same authorization, and what ends it. */
export const delegatedSubject = (
  claims: AccessTokenClaims,
  app: App,
  actors: readonly TokenActor[],
  reach: TokenReach,
): AccessTokenSubject => {
  const common = {
    interface: claims.interface,
    accessTokenSeconds: app.accessTokenSeconds,
    clientId: claims.client_id,
    installId: claims.install_id,
    appEpoch: claims.app_epoch,
    organizationId: claims.organization_id,
    ...reach,
    delegated: { actors, notAfter: claims.exp },
  }
  return claims.kind === 'install'
    ? { ...common, kind: 'install' }
    : {
        ...common,
        kind: 'user',
        userId: claims.sub,
        grantId: claims.grant_id ?? '',
        userEpoch: claims.user_epoch ?? 0,
        ...(claims.connection_epoch && { connectionEpoch: claims.connection_epoch }),
        ...(claims.acr !== undefined && {
          authentication: { authenticatedAt: claims.auth_time ?? null, contextClass: claims.acr },
        }),
      }
}
