import { openidNow, openidScopesIn } from '../clients/openid.ts'
import type { CompactJws } from '../crypto/compact-jws.ts'
import { approvedOf } from '../grants/approval.ts'
import type { FamilyStore } from '../grants/families.ts'
import { bindsRefreshTokens, endOfGrant } from '../grants/grant.ts'
import type { GrantToken, GrantTokenType } from '../grants/token-format.ts'
import { intersect } from '../language/permissions.ts'
import { isTokenReason, type TokenReason } from '../language/sub-reasons.ts'
import type { AccessTokenClaims } from '../tokens/access-token-claims.ts'
import { actorsIn } from '../tokens/delegated-token.ts'
import type { IssuedTokens } from '../tokens/issued-tokens.ts'
import { createActors } from './actors.ts'
import { type Audience, forOthers, known } from './audience.ts'
import type {
  IntrospectedGrant,
  IntrospectedInstall,
  IntrospectionStore,
  TokenFacts,
  TokenReader,
} from './token-facts.ts'

const endOfInstall = (
  loaded: IntrospectedInstall,
  claims: AccessTokenClaims,
): TokenReason | null => {
  if (loaded.revoked) return 'token_revoked'
  if (loaded.app.disabled) return 'app_disabled'
  if ((claims.app_epoch ?? 0) !== loaded.app.familiesEpoch) return 'app_disabled'
  if (loaded.ended) return 'uninstalled'
  return loaded.suspended ? 'install_suspended' : null
}

const endOfUserToken = (loaded: IntrospectedGrant): TokenReason | null => {
  if (loaded.revoked) return 'token_revoked'
  if (loaded.app.disabled) return 'app_disabled'
  const ended = endOfGrant(loaded.grant, loaded.standing)
  const written = loaded.endedReason ?? ''
  if (ended === 'grant_ended' && isTokenReason(written)) return written
  if (ended) return ended
  return loaded.standing.installSuspended ? 'install_suspended' : null
}

type Approved = ReturnType<typeof approvedOf>

/** @param stored the list that belongs to the token's `reach_id`; null when it is gone, which is never "all" */
const workspacesNow = (claims: AccessTokenClaims, approved: Approved, stored: string[] | null) => {
  if (claims.interface === 'legacy') return null
  const isOpen = claims.workspaces === 'introspect' && claims.reach_id === undefined
  if (isOpen) return approved.workspaceIds
  return intersect(claims.workspace_ids ?? stored ?? [], approved.workspaceIds)
}

/** Narrows the token's permissions and workspaces to those that are still approved. */
const narrowedNow = (claims: AccessTokenClaims, approved: Approved, stored: string[] | null) => ({
  permissions: intersect(claims.permissions, approved.permissions),
  workspaceIds: workspacesNow(claims, approved, stored),
})

const factsOfClaims = (claims: AccessTokenClaims): TokenFacts => ({
  kind: claims.kind,
  type: 'access_token',
  interface: claims.interface,
  issuer: claims.iss,
  subject: claims.sub,
  clientId: claims.client_id,
  organizationId: claims.organization_id,
  permissions: claims.permissions,
  openidScopes: openidScopesIn(claims.scope),
  workspaceIds: claims.workspace_ids ?? (claims.workspaces ? [] : null),
  issuedAt: claims.iat,
  expiresAt: claims.exp,
  jti: claims.jti,
  jkt: claims.cnf?.jkt ?? null,
  authenticatedAt: claims.auth_time ?? null,
  contextClass: claims.acr ?? null,
  actors: actorsIn(claims).map(({ clientId }) => clientId),
})

const boundsOf = (claims: AccessTokenClaims) => ({
  audiences: [claims.aud].flat(),
  organizationId: claims.organization_id,
})

const factsOfGrant = (
  found: IntrospectedGrant,
  type: GrantTokenType,
  issuer: string,
): TokenFacts => {
  const { app, grant } = found
  const { permissions, workspaceIds } = approvedOf(app, found, grant)
  return {
    kind: 'user',
    type,
    interface: app.interface,
    issuer,
    subject: grant.userId,
    clientId: app.clientId,
    organizationId: grant.organizationId,
    permissions,
    openidScopes: openidNow(app, grant.openidScopes),
    workspaceIds: app.interface === 'current' ? workspaceIds : null,
    issuedAt: null,
    expiresAt: null,
    jti: null,
    jkt: type === 'code' || bindsRefreshTokens(app.clientType) ? grant.dpopJkt : null,
    authenticatedAt: grant.authentication?.authenticatedAt ?? null,
    contextClass: grant.authentication?.contextClass ?? null,
    actors: [],
  }
}

/** @param live the live generation; null: none */
const spent = (type: GrantTokenType, generation: number, live: number | null) => {
  if (live === null) return type === 'code' ? 'code_expired_or_ended' : 'family_ended'
  if (live === generation) return null
  return type === 'code' ? 'code_reused' : 'refresh_token_reused'
}

/** Reads the present meaning of the tokens of apps: access tokens of users and installs, refresh tokens and codes. */
export const createGrantTokens = (deps: {
  store: Pick<IntrospectionStore, 'grant' | 'install' | 'actors' | 'nothing'>
  families: Pick<FamilyStore, 'live'>
  issuedTokens: Pick<IssuedTokens, 'read'>
  audience: Audience
  issuer: string
}) => {
  const { store, families, issuedTokens, audience } = deps
  const throughActors = createActors(store)

  /** Reads the claims of a token that is valid in time. */
  const ofClaims: TokenReader<AccessTokenClaims> = (claims, resourceServer, admit) =>
    claims.kind === 'user'
      ? userToken(claims, resourceServer, admit)
      : installToken(claims, resourceServer, admit)

  const issued: TokenReader<CompactJws> = async (token, resourceServer, admit) => {
    const { claims, refused } = issuedTokens.read(token)
    if (!claims || refused) {
      admit((await store.nothing(resourceServer)).resourceServer)
      return { refused, facts: claims && factsOfClaims(claims) }
    }
    return ofClaims(claims, resourceServer, admit)
  }

  const userToken: TokenReader<AccessTokenClaims> = async (claims, resourceServer, admit) => {
    const answer = await store.grant(
      resourceServer,
      claims.grant_id ?? '',
      claims.jti,
      claims.reach_id ?? null,
    )
    const limits = admit(answer.resourceServer)
    if (audience.refuses(limits, boundsOf(claims))) return forOthers(factsOfClaims(claims))
    const { found } = answer
    if (!found) return { refused: 'grant_unknown', facts: factsOfClaims(claims) }
    const approved = approvedOf(found.app, found, found.grant)
    const shared = openidNow(found.app, found.grant.openidScopes)
    const facts = Object.assign(
      factsOfClaims(claims),
      narrowedNow(claims, approved, found.storedWorkspaceIds),
      {
        openidScopes: intersect(openidScopesIn(claims.scope), shared),
      },
    )
    const verdict = { refused: endOfUserToken(found), facts }
    return known(limits, await throughActors(actorsIn(claims), verdict))
  }

  const installToken: TokenReader<AccessTokenClaims> = async (claims, resourceServer, admit) => {
    const answer = await store.install(
      resourceServer,
      claims.install_id,
      claims.jti,
      claims.reach_id ?? null,
    )
    const limits = admit(answer.resourceServer)
    if (audience.refuses(limits, boundsOf(claims))) return forOthers(factsOfClaims(claims))
    const { found } = answer
    if (!found) return { refused: 'install_unknown', facts: factsOfClaims(claims) }
    const approved = approvedOf(found.app, found, null)
    const facts = Object.assign(
      factsOfClaims(claims),
      narrowedNow(claims, approved, found.storedWorkspaceIds),
    )
    const verdict = { refused: endOfInstall(found, claims), facts }
    return known(limits, await throughActors(actorsIn(claims), verdict))
  }

  /** Reads a code or a refresh token, with the present permissions of its grant. */
  const ofGrant =
    (type: GrantTokenType): TokenReader<GrantToken> =>
    async (token, resourceServer, admit) => {
      const answer = await store.grant(resourceServer, token.familyId, null, null)
      const limits = admit(answer.resourceServer)
      const { found } = answer
      if (!found) return { refused: 'grant_unknown', facts: null }
      // Before the family is read, so that the time is that of an unknown token.
      const { organizationId, resources: audiences = null } = found.grant
      if (audience.refuses(limits, { audiences, organizationId })) return forOthers(null)
      const facts = factsOfGrant(found, type, deps.issuer)
      const ended = endOfUserToken(found)
      if (ended) return { refused: ended, facts }
      // Read-only: a consumed token that is presented here must not end its family.
      const live = await families.live(found.grant.id, found.unsettled)
      return known(limits, { refused: spent(type, token.generation, live), facts })
    }

  return { issued, ofClaims, refreshToken: ofGrant('refresh_token'), code: ofGrant('code') }
}
