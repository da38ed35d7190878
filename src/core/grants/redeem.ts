import type { App } from '../clients/app.ts'
import type { SignIn } from '../clients/openid.ts'
import type { Keyring } from '../crypto/keyring.ts'
import { randomText } from '../crypto/random.ts'
import { about, invalidGrant, OAuthError, unauthorizedClient } from '../language/errors.ts'
import type { AccessTokenSubject } from '../tokens/access-token-claims.ts'
import type { DpopProof } from '../tokens/dpop.ts'
import { type Narrowing, narrowedTo } from './approval.ts'
import { createGrantEnds } from './end.ts'
import type { GrantEvents } from './events.ts'
import type { FamilyStore } from './families.ts'
import {
  bindsRefreshTokens,
  type CodeCheck,
  codeMismatch,
  endOfGrant,
  type Grant,
  keyMismatch,
} from './grant.ts'
import type { GrantStore, LoadedGrant, LoadedInstall } from './store.ts'
import {
  decodeGrantToken,
  encodeGrantToken,
  type GrantToken,
  type GrantTokenType,
} from './token-format.ts'
import type { UnsettledRequests } from './unsettled.ts'

/** A code or refresh token as it was presented. */
export interface Presented {
  type: GrantTokenType
  /** null: damaged, forged or of another type; no token store is asked about it. */
  token: GrantToken | null
}

/** What a spent code or refresh token gives. */
export interface Redeemed {
  subject: AccessTokenSubject & { kind: 'user' }
  /** null: the grant is over with this access token. */
  refreshToken: string | null
  /** For the ID token; null: none is asked for, or the app may have none. */
  signIn: SignIn | null
}

export interface Grants {
  read(type: GrantTokenType, text: string): Presented
  /**
   * Spends a code or refresh token of an authenticated client and says what its access token may do.
   * Every check that can fail comes before the one step that spends; a refused request consumes nothing.
   * @param key the key that the request has proven; null: none
   * @throws OAuthError invalid_grant, invalid_scope, invalid_dpop_proof
   */
  redeem(
    app: App,
    loaded: LoadedGrant | null,
    presented: Presented,
    asked: Narrowing,
    proof: CodeCheck | null,
    key: DpopProof | null,
  ): Promise<Redeemed>
  /** The access token of the app itself. @throws OAuthError unauthorized_client, invalid_grant, invalid_scope */
  forInstall(
    app: App,
    organizationId: string,
    loaded: LoadedInstall | null,
    asked: Narrowing,
  ): AccessTokenSubject
}

/** Whom and what the access tokens of a grant are about. */
export const subjectOf = (
  app: App,
  grant: Grant,
  reach: ReturnType<typeof narrowedTo>,
): Redeemed['subject'] => ({
  kind: 'user',
  interface: app.interface,
  clientId: app.clientId,
  userId: grant.userId,
  grantId: grant.id,
  installId: grant.installId,
  appEpoch: grant.appEpoch,
  userEpoch: grant.userEpoch,
  ...(grant.connectionEpoch && { connectionEpoch: grant.connectionEpoch }),
  organizationId: grant.organizationId,
  ...reach,
})

/** OpenID Connect Core §12.2: the nonce was for the answer to the request, not for what follows. */
const signInOf = ({ signIn }: Grant, { generation }: GrantToken): SignIn | null =>
  signIn && { ...signIn, nonce: generation === 0 ? signIn.nonce : null }

/** How grants are redeemed. */
export const createGrants = (deps: {
  store: Pick<GrantStore, 'loadGrant' | 'bind' | 'end'>
  families: Pick<FamilyStore, 'advance' | 'probe' | 'live' | 'end'>
  unsettled: Pick<UnsettledRequests, 'noncesFor' | 'attempt'>
  keyring: Keyring
  events: GrantEvents
}): Grants => {
  const { store, families, unsettled, keyring, events } = deps
  const { end, endRow, endSuccessor } = createGrantEnds(deps)

  const endReplayed = async (app: App, grant: Grant, generation: number) => {
    events.reuseDetected(grant, generation)
    const wasLive = await endRow(grant.id, 'reuse_detected')
    // It may have been moved since it was read.
    if (wasLive !== true && app.interface === 'legacy') await endSuccessor(grant.id)
    return invalidGrant(generation === 0 ? 'code_reused' : 'refresh_token_reused')
  }

  /** All of a moved grant is spent: whichever of its tokens comes is a replay, and that is told once. */
  const endMigrated = async (grant: Grant, generation: number) => {
    if ((await endSuccessor(grant.id)) !== false) events.reuseDetected(grant, generation)
    return invalidGrant('moved')
  }

  /** Nothing is there to be spent. @returns what to throw */
  const refuseAbsent = async (app: App, grant: Grant, { generation }: GrantToken) => {
    if (app.interface === 'legacy') {
      const now = await store.loadGrant(app.clientId, grant.id)
      if (now?.grant?.migrated) return endMigrated(grant, generation)
    }
    return invalidGrant(generation === 0 ? 'code_expired_or_ended' : 'family_ended')
  }

  /** Everything that a request may be refused for without anything being spent. */
  const evaluate = (
    app: App,
    loaded: LoadedGrant,
    { generation }: GrantToken,
    asked: Narrowing,
    proof: CodeCheck | null,
    key: DpopProof | null,
  ) => {
    const { grant } = loaded
    const mismatch = proof && codeMismatch(grant, proof)
    if (mismatch) throw mismatch
    const otherKey = generation === 0 ? keyMismatch(grant, key?.jkt ?? null) : null
    if (otherKey) throw otherKey
    if (loaded.standing.installSuspended) throw invalidGrant('install_suspended')
    return narrowedTo(app, loaded, grant, asked)
  }

  /**
   * Refused, so not spent; but if it was spent before, this is a replay whatever else is wrong with it.
   * @returns what to throw
   */
  const replayOr = async (
    refusal: unknown,
    app: App,
    loaded: LoadedGrant,
    { generation }: GrantToken,
  ) => {
    if (!(refusal instanceof OAuthError)) return refusal
    const { grant } = loaded
    const seen = await families.probe(
      grant.id,
      generation,
      app.retryWindowSeconds,
      unsettled.noncesFor(loaded, generation),
    )
    return seen.outcome === 'replayed' ? endReplayed(app, grant, generation) : refusal
  }

  /** The one step that spends; a request that gets no answer to it is no replay when its client repeats it. */
  const spend = async (app: App, loaded: LoadedGrant, generation: number) => {
    const { id } = loaded.grant
    const nonce = randomText(9)
    const earlier = unsettled.noncesFor(loaded, generation)
    // Each request without an answer adds a nonce, but none while the store cannot even be read.
    if (earlier.length > 0) await families.live(id)
    return unsettled.attempt(id, generation, nonce, () =>
      families.advance(id, generation, nonce, app.retryWindowSeconds, earlier),
    )
  }

  const redeemLoaded = async (
    app: App,
    loaded: LoadedGrant,
    token: GrantToken,
    asked: Narrowing,
    proof: CodeCheck | null,
    key: DpopProof | null,
  ): Promise<Redeemed> => {
    const { grant } = loaded
    const isCode = token.generation === 0
    const isBinding = bindsRefreshTokens(app.clientType)
    // Nobody but the key's holder was ever given this token: what a stranger shows is no replay, and ends nothing.
    const stranger = isCode || !isBinding ? null : keyMismatch(grant, key?.jkt ?? null)
    if (stranger) throw stranger
    const dead = endOfGrant(grant, loaded.standing)
    if (dead) {
      if (loaded.migrated) throw await endMigrated(grant, token.generation)
      if (!loaded.standing.ended) await end(grant, dead)
      throw invalidGrant(dead)
    }

    let reach: ReturnType<typeof narrowedTo>
    try {
      reach = evaluate(app, loaded, token, asked, proof, key)
    } catch (refusal) {
      throw await replayOr(refusal, app, loaded, token)
    }
    if (key) {
      await key.use()
      // Before the code is spent: else a server that dies in between would leave a family that nobody has to prove.
      const isBound = !isCode || !isBinding || (await store.bind(grant.id, key.jkt))
      if (!isBound) throw await replayOr(invalidGrant('key_mismatch'), app, loaded, token)
    }

    const advanced = await spend(app, loaded, token.generation)
    switch (advanced.outcome) {
      case 'replayed':
        throw await endReplayed(app, grant, token.generation)
      case 'absent':
      case 'live':
        throw await refuseAbsent(app, grant, token)
      case 'advanced':
      case 'repeated':
        events.used(grant)
        return {
          subject: subjectOf(app, grant, reach),
          refreshToken:
            grant.lifetime === null
              ? encodeGrantToken(keyring, { familyId: grant.id, generation: advanced.generation })
              : null,
          signIn: reach.openidScopes.includes('openid') ? signInOf(grant, token) : null,
        }
    }
  }

  const installSubject = (
    app: App,
    organizationId: string,
    loaded: LoadedInstall,
    asked: Narrowing,
  ): AccessTokenSubject => {
    if (loaded.suspended) throw invalidGrant('install_suspended')
    const reach = narrowedTo(app, loaded, null, asked)
    events.installUsed(loaded.installId)
    return {
      kind: 'install',
      interface: app.interface,
      clientId: app.clientId,
      installId: loaded.installId,
      appEpoch: app.familiesEpoch,
      organizationId,
      ...reach,
    }
  }

  return {
    read: (type, text) => ({ type, token: decodeGrantToken(keyring, type, text) }),

    redeem: async (app, loaded, presented, asked, proof, key) => {
      const { token } = presented
      if (!token) throw invalidGrant('token_unreadable')
      if (!loaded) throw invalidGrant('token_unknown_or_foreign')
      const { organizationId, userId } = loaded.grant
      try {
        return await redeemLoaded(app, loaded, token, asked, proof, key)
      } catch (error) {
        throw about(error, { clientId: app.clientId, organizationId, userId })
      }
    },

    forInstall: (app, organizationId, loaded, asked) => {
      if (app.clientType === 'public') {
        throw unauthorizedClient('public_client')
      }
      if (!loaded) throw invalidGrant('not_installed')
      try {
        return installSubject(app, organizationId, loaded, asked)
      } catch (error) {
        throw about(error, { clientId: app.clientId, organizationId, userId: null })
      }
    },
  }
}
