import { openidNow, openidScopesIn } from '../clients/openid.ts'
import { approvedOf } from '../grants/approval.ts'
import type { FamilyStore } from '../grants/families.ts'
import { bindsRefreshTokens, endOfGrant, type Grant } from '../grants/grant.ts'
import { refreshExpiration } from '../grants/refresh-token.ts'
import type { GrantToken, GrantTokenType } from '../grants/token-format.ts'
import { intersect } from '../language/permissions.ts'
import { isTokenReason, type TokenReason } from '../language/sub-reasons.ts'
import type { AccessTokenClaims } from '../tokens/access-token-claims.ts'
import { actorsIn } from '../tokens/delegated-token.ts'
import type { IssuedToken } from '../tokens/issued-tokens.ts'
import { createActors } from './actors.ts'
import { type Audience, forOthers, known } from './audience.ts'
import {
  type Admit,
  type IntrospectedGrant,
  type IntrospectedInstall,
  type IntrospectionRead,
  type IntrospectionStore,
  type TokenFacts,
  type TokenReader,
  untold,
  type Verdict,
} from './token-facts.ts'

const endOfInstall = (loaded: IntrospectedInstall, claims: AccessTokenClaims) => {
  if (loaded.revoked) return 'token_revoked'
  if (loaded.app.disabled) return 'app_disabled'
  if ((claims.app_epoch ?? 0) !== loaded.app.familiesEpoch) return 'app_disabled'
  if (loaded.ended) return 'uninstalled'
  return loaded.paused
}

const endOfUserToken = (loaded: IntrospectedGrant): TokenReason | null => {
  if (loaded.revoked) return 'token_revoked'
  if (loaded.app.disabled) return 'app_disabled'
  const ended = endOfGrant(loaded.grant, loaded.standing)
  const written = loaded.endedReason ?? ''
  if (ended === 'grant_ended' && isTokenReason(written)) return written
  if (ended) return ended
  return loaded.standing.paused
}

type Approved = ReturnType<typeof approvedOf>

/** @param stored the list that belongs to the token's `reach_id`; null when it is gone, which is never "all" */
const workspacesNow = (claims: AccessTokenClaims, approved: Approved, stored: string[] | null) => {
  if (claims.interface === 'legacy') return null
  const isOpen = claims.workspaces === 'introspect' && claims.reach_id === undefined
  if (isOpen) return approved.workspaceIds
  return intersect(claims.workspace_ids ?? stored ?? [], approved.workspaceIds)
}

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
  refreshExpiration: untold.refreshExpiration,
  actors: actorsIn(claims).map(({ clientId }) => clientId),
})

/** The facts, with the permissions and workspaces that are still approved. @param grant null: a token of the app itself */
const factsNow = (
  claims: AccessTokenClaims,
  found: IntrospectedGrant | IntrospectedInstall,
  grant: Grant | null,
): TokenFacts => {
  const approved = approvedOf(found.app, found, grant)
  return {
    ...factsOfClaims(claims),
    permissions: intersect(claims.permissions, approved.permissions),
    workspaceIds: workspacesNow(claims, approved, found.storedWorkspaceIds),
  }
}

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
    ...untold,
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
    jkt: type === 'code' || bindsRefreshTokens(app.clientType) ? grant.dpopJkt : null,
    authenticatedAt: grant.authentication?.authenticatedAt ?? null,
    contextClass: grant.authentication?.contextClass ?? null,
    ...(type === 'refresh_token' && {
      refreshExpiration: refreshExpiration(found, found.unused),
    }),
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
  audience: Audience
  issuer: string
}) => {
  const { store, families, audience } = deps
  const throughActors = createActors(store)

  /** Reads the claims of a token that is valid in time. */
  const ofClaims: TokenReader<AccessTokenClaims> = (claims, resourceServer, admit) =>
    claims.kind === 'user'
      ? userToken(claims, resourceServer, admit)
      : installToken(claims, resourceServer, admit)

  const issued: TokenReader<IssuedToken> = async (token, resourceServer, admit) => {
    const { claims, refused } = token
    if (!claims || refused) {
      admit((await store.nothing(resourceServer)).resourceServer)
      return { refused, facts: claims && factsOfClaims(claims) }
    }
    return ofClaims(claims, resourceServer, admit)
  }

  /** The verdict on a token by the present state of its grant or install. @param absent the reason without one */
  const verdictOn = async <Found extends IntrospectedGrant | IntrospectedInstall>(
    claims: AccessTokenClaims,
    admit: Admit,
    { resourceServer, found }: IntrospectionRead<Found>,
    absent: TokenReason,
    judge: (found: Found) => Verdict,
  ): Promise<Verdict> => {
    const limits = admit(resourceServer)
    if (audience.refuses(limits, boundsOf(claims))) return forOthers(factsOfClaims(claims))
    if (!found) return { refused: absent, facts: factsOfClaims(claims) }
    return known(limits, await throughActors(actorsIn(claims), judge(found)))
  }

  const userToken: TokenReader<AccessTokenClaims> = async (claims, resourceServer, admit) => {
    const { grant_id: id = '', jti, reach_id: reachId = null } = claims
    const answer = await store.grant(resourceServer, id, jti, reachId)
    return verdictOn(claims, admit, answer, 'grant_unknown', (found) => {
      const shared = openidNow(found.app, found.grant.openidScopes)
      const openidScopes = intersect(openidScopesIn(claims.scope), shared)
      const facts = { ...factsNow(claims, found, found.grant), openidScopes }
      return { refused: endOfUserToken(found), facts }
    })
  }

  const installToken: TokenReader<AccessTokenClaims> = async (claims, resourceServer, admit) => {
    const { install_id: id, jti, reach_id: reachId = null } = claims
    const answer = await store.install(resourceServer, id, jti, reachId)
    return verdictOn(claims, admit, answer, 'install_unknown', (found) => ({
      refused: endOfInstall(found, claims),
      facts: factsNow(claims, found, null),
    }))
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
