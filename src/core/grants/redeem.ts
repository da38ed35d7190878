// Redemption of codes and refresh tokens: every check that can fail, then the only step that consumes. A function
// named `refuse…` always throws; its effects (end a family, report a replay) belong to the refusal.
import type { App } from '../clients/app.ts'
import type { SignIn } from '../clients/openid.ts'
import type { Targets } from '../clients/targets.ts'
import type { Keyring } from '../crypto/keyring.ts'
import { randomText } from '../crypto/random.ts'
import { about, invalidGrant, OAuthError } from '../language/errors.ts'
import type { AccessTokenSubject } from '../tokens/access-token-claims.ts'
import { narrowedTo } from './approval.ts'
import { createGrantEnds } from './end.ts'
import type { FamilyStore } from './families.ts'
import { foreignTokenOf, type ReadToken, takenOverGeneration } from './foreign-token.ts'
import {
  bindsRefreshTokens,
  type CodeCheck,
  demandCodeMatch,
  demandKey,
  endOfGrant,
  type Grant,
} from './grant.ts'
import { refreshTokenOf } from './refresh-token.ts'
import type { GrantEvents, GrantStore, LoadedGrant } from './store.ts'
import { decodeGrantToken, type GrantToken, type GrantTokenType } from './token-format.ts'
import type { SettleReach, TokenReach } from './token-reach.ts'
import type { ProvenRequest, Redemption } from './token-request.ts'
import type { UnsettledRequests } from './unsettled.ts'

/** A code or refresh token that an authenticated client presents, with everything that its redemption depends on. */
export interface PresentedToken
  extends Pick<ProvenRequest<LoadedGrant | null>, 'app' | 'loaded' | 'requested' | 'proof'> {
  /** null: damaged, forged or of another type; no token store is asked about it. */
  token: ReadToken | null
  /** null: not a code of an authorization request. */
  check: CodeCheck | null
}

/** A presented token of ours whose grant is the client's own. */
type OwnToken = PresentedToken & { token: GrantToken; loaded: LoadedGrant }

export type UserSubject = AccessTokenSubject & { kind: 'user' }

/** The subject of a grant's access tokens. */
export const subjectOf = (app: App, grant: Grant, reach: TokenReach): UserSubject => ({
  kind: 'user',
  interface: app.interface,
  accessTokenSeconds: app.accessTokenSeconds,
  clientId: app.clientId,
  userId: grant.userId,
  grantId: grant.id,
  installId: grant.installId,
  appEpoch: grant.appEpoch,
  userEpoch: grant.userEpoch,
  ...(grant.connectionEpoch && { connectionEpoch: grant.connectionEpoch }),
  organizationId: grant.organizationId,
  ...(grant.authentication && { authentication: grant.authentication }),
  ...reach,
})

/** OpenID Connect Core §12.2: the nonce belongs to the first ID token only. */
const signInOf = ({ signIn }: Grant, isCode: boolean): SignIn | null =>
  signIn && { ...signIn, nonce: isCode ? signIn.nonce : null }

const isCode = ({ token }: OwnToken) => token.generation === 0

/** Everything that a request may be refused for without consuming its token. @throws OAuthError */
const evaluate = async (presented: OwnToken, targets: Pick<Targets, 'ofGrant'>) => {
  const { app, loaded, check, proof, requested } = presented
  const { grant } = loaded
  if (check) demandCodeMatch(grant, check, app)
  if (isCode(presented)) demandKey(grant.dpopJkt, proof)
  if (loaded.standing.paused) throw invalidGrant(loaded.standing.paused)
  const { resources, organizationId } = grant
  const target = await targets.ofGrant(resources, requested.resources ?? [], organizationId)
  return narrowedTo(app, loaded, grant, requested, target)
}

export const createGrants = (deps: {
  store: Pick<GrantStore, 'loadGrant' | 'bind' | 'end'>
  families: Pick<FamilyStore, 'advance' | 'probe' | 'live' | 'end'>
  unsettled: Pick<UnsettledRequests, 'noncesFor' | 'attempt'>
  keyring: Keyring
  targets: Pick<Targets, 'ofGrant'>
  events: Pick<GrantEvents, 'reuseDetected' | 'ended' | 'used' | 'takenOver'>
  settleReach: SettleReach
}) => {
  const { store, families, unsettled, keyring, targets, events, settleReach } = deps
  const { refuseDead, endRow, endSuccessor } = createGrantEnds(deps)

  /** RFC 9700 §4.14.2: the store has ended the family; its row follows. */
  const refuseReplayed = async (presented: OwnToken): Promise<never> => {
    const { grant } = presented.loaded
    events.reuseDetected(grant, presented.token.generation)
    const wasLive = await endRow(grant.id, 'reuse_detected')
    // The grant may have migrated since it was read.
    if (wasLive !== true && presented.app.interface === 'legacy') await endSuccessor(grant.id)
    throw invalidGrant(isCode(presented) ? 'code_reused' : 'refresh_token_reused')
  }

  /** Every token of a migrated grant is consumed, so each use is a replay. It is reported once. */
  const refuseMigrated = async ({ loaded: { grant }, token }: OwnToken): Promise<never> => {
    if ((await endSuccessor(grant.id)) !== false) events.reuseDetected(grant, token.generation)
    throw invalidGrant('moved')
  }

  /** The family is gone: expired, ended, or taken by a migration since the grant was read. */
  const refuseAbsent = async (presented: OwnToken): Promise<never> => {
    const { app, loaded } = presented
    if (app.interface === 'legacy') {
      const now = await store.loadGrant(app.clientId, loaded.grant.id)
      if (now?.grant?.migrated) return refuseMigrated(presented)
    }
    throw invalidGrant(isCode(presented) ? 'code_expired_or_ended' : 'family_ended')
  }

  /** A refused token is not consumed. But if it was consumed before, this is a replay whatever else is wrong with it. */
  const refuse = async (presented: OwnToken, refusal: unknown): Promise<never> => {
    if (!(refusal instanceof OAuthError)) throw refusal
    const { app, loaded, token } = presented
    const { outcome } = await families.probe(
      loaded.grant.id,
      token.generation,
      app.retryWindowSeconds,
      unsettled.noncesFor(loaded, token.generation),
    )
    if (outcome === 'replayed') return refuseReplayed(presented)
    throw refusal
  }

  /** The one step that consumes. If its reply is lost, the client's retry is no replay. */
  const advance = async ({ app, loaded, token: { generation } }: OwnToken) => {
    const { id } = loaded.grant
    const nonce = randomText(9)
    const earlier = unsettled.noncesFor(loaded, generation)
    // Each request without a reply adds a nonce, but none while the store cannot even be read.
    if (earlier.length > 0) await families.live(id)
    return unsettled.attempt(id, generation, nonce, () =>
      families.advance(id, generation, nonce, app.retryWindowSeconds, earlier),
    )
  }

  const recordTakenOver = ({ grant, takenOverFrom }: LoadedGrant) => {
    if (takenOverFrom !== null) events.takenOver(grant, takenOverFrom)
  }

  const redeemOwn = async (presented: OwnToken): Promise<Redemption> => {
    const { app, loaded, proof, token } = presented
    const { grant } = loaded
    const isBinding = bindsRefreshTokens(app.clientType)
    // Only the holder of the key was given this token. A request without the key is no replay and ends nothing.
    if (isBinding && !isCode(presented)) demandKey(grant.dpopJkt, proof)
    const dead = endOfGrant(grant, loaded.standing)
    if (dead) return loaded.migrated ? refuseMigrated(presented) : refuseDead(loaded, dead)

    let reach: TokenReach
    try {
      const narrowed = await evaluate(presented, targets)
      reach = await settleReach(app, narrowed, (one) => subjectOf(app, grant, one))
    } catch (refusal) {
      return refuse(presented, refusal)
    }
    if (proof) {
      await proof.use()
      // Binds before the code is consumed: if the server died in between, the family would be bound to no key.
      if (isBinding && isCode(presented) && !(await store.bind(grant.id, proof.jkt)))
        return refuse(presented, invalidGrant('key_mismatch'))
    }

    const advanced = await advance(presented)
    switch (advanced.outcome) {
      case 'replayed':
        return refuseReplayed(presented)
      case 'absent':
      case 'live':
        return refuseAbsent(presented)
      case 'advanced':
      case 'repeated':
        if (advanced.outcome === 'advanced' && token.generation === takenOverGeneration)
          recordTakenOver(loaded)
        events.used(grant)
        return {
          subject: subjectOf(app, grant, reach),
          refreshToken:
            grant.lifetime === null
              ? refreshTokenOf(
                  keyring,
                  { familyId: grant.id, generation: advanced.generation },
                  loaded,
                )
              : null,
          signIn: reach.openidScopes.includes('openid') ? signInOf(grant, isCode(presented)) : null,
        }
    }
  }

  return {
    /** @returns null for what is damaged, forged or of another type */
    read: (type: GrantTokenType, text: string): ReadToken | null =>
      decodeGrantToken(keyring, type, text) ?? (type === 'code' ? null : foreignTokenOf(text)),

    /**
     * Consumes a code or refresh token and returns what its access token may do. A refused request consumes nothing.
     * @throws OAuthError invalid_grant, invalid_scope, invalid_target, invalid_dpop_proof
     */
    redeem: async (presented: PresentedToken): Promise<Redemption> => {
      const { app, token, loaded } = presented
      if (!token || (token.isForeign && !loaded)) throw invalidGrant('token_unreadable')
      if (!loaded) throw invalidGrant('token_unknown_or_foreign')
      const { organizationId, userId } = loaded.grant
      try {
        return await redeemOwn({ ...presented, token, loaded })
      } catch (error) {
        throw about(error, { clientId: app.clientId, organizationId, userId })
      }
    },
  }
}

export type Grants = ReturnType<typeof createGrants>
