import type { App } from '../clients/app.ts'
import { isLessAuthenticated, successorGrantId } from '../clients/successor-rules.ts'
import type { Targets } from '../clients/targets.ts'
import type { Keyring } from '../crypto/keyring.ts'
import { randomText } from '../crypto/random.ts'
import {
  about,
  invalidGrant,
  OAuthError,
  StoreUnavailable,
  unauthorizedClient,
} from '../language/errors.ts'
import { codeLifetime } from './code-lifetime.ts'
import { createGrantEnds } from './end.ts'
import type { FamilyStore } from './families.ts'
import type { ReadToken } from './foreign-token.ts'
import { demandKey, endOfGrant, type Grant, provesKey } from './grant.ts'
import type { GrantBound } from './grant-bound.ts'
import {
  type EvaluatedMigration,
  evaluateMigration,
  evaluateSuccessor,
  type LegacyExchange,
  type LoadedMigration,
  type MigrationStore,
  movedEvent,
  type SuccessorState,
} from './migration-rules.ts'
import { subjectOf } from './redeem.ts'
import { type Expiring, refreshTokenOf } from './refresh-token.ts'
import type { GrantEvents, GrantStore } from './store.ts'
import type { SettleReach } from './token-reach.ts'
import type { ProvenRequest, Redemption } from './token-request.ts'
import type { UnsettledRequests } from './unsettled.ts'

// Nonces with which an exchange advances a family. All exchanges of one token share a nonce, so they count as one
// request until Postgres has decided between them. A concurrent refresh has a nonce of its own.
const migrating = 'moving'
const claiming = 'claiming'
const migrated = 'moved'

/** Unsettled claims are recorded under a generation that no token has. */
const ofClaim = -1

const usedAlready = async () => undefined

/** Once more when the store did not answer: nothing else would repeat this idempotent work. */
const retryOnce = <Result>(work: () => Promise<Result>) =>
  work().catch((error) => {
    if (!(error instanceof StoreUnavailable)) throw error
    return work()
  })

/**
 * Exchanges a refresh token of a legacy app for a grant of its successor, once. The legacy family is consumed first, as
 * by a refresh. Postgres then ends its grant and inserts the successor, and the request that claims the successor gets
 * its tokens. If a store fails in between, nothing is lost: the same request continues where it stopped.
 */
export const createMigration = (deps: {
  store: MigrationStore
  grants: Pick<GrantStore, 'end' | 'loadGrant'>
  families: FamilyStore
  unsettled: Pick<UnsettledRequests, 'noncesFor' | 'attempt'>
  keyring: Keyring
  targets: Pick<Targets, 'ofApp' | 'ofGrant'>
  events: Pick<GrantEvents, 'reuseDetected' | 'ended' | 'used'>
  bound: GrantBound
  settleReach: SettleReach
}) => {
  const { store, grants, families, unsettled, keyring, targets, events, bound, settleReach } = deps
  const { refuseDead, endRow, endSuccessor } = createGrantEnds({ store: grants, families, events })

  const endReplayed = async (grant: Grant, generation: number) => {
    events.reuseDetected(grant, generation)
    await endRow(grant.id, 'reuse_detected')
  }

  const refuseReplayed = async (grant: Grant, generation: number): Promise<never> => {
    await endReplayed(grant, generation)
    throw invalidGrant('refresh_token_reused')
  }

  /** A consumed token of a migrated grant: its successor ends, and the replay is reported once. */
  const endMigrated = async (legacyGrantId: string, successor: Grant) => {
    if ((await endSuccessor(legacyGrantId)) !== false) events.reuseDetected(successor, 0)
  }

  /** A refused token is not consumed. But if it was consumed before, this is a replay whatever else is wrong with it. */
  const refuse = async ({ loaded, token }: LegacyExchange, refusal: unknown): Promise<never> => {
    if (!(refusal instanceof OAuthError)) throw refusal
    const { grant } = loaded.grant
    const { generation } = token
    const earlier = unsettled.noncesFor(loaded.grant, generation)
    const window = loaded.legacy.retryWindowSeconds
    const { outcome } = await families.probe(grant.id, generation, window, earlier)
    if (outcome === 'replayed') return refuseReplayed(grant, generation)
    throw refusal
  }

  /**
   * Consumes the legacy family and ends its grant. Many concurrent requests get here; one inserts the successor.
   * @returns false when the grant has ended since it was read, perhaps because another request has migrated it
   */
  const begin = async (exchange: LegacyExchange, successor: Grant): Promise<boolean> => {
    const { loaded, token } = exchange
    const { grant } = loaded.grant
    const { generation } = token
    const { clientId, retryWindowSeconds: window } = loaded.legacy
    await families.create(successor.id, 0, codeLifetime)
    const earlier = unsettled.noncesFor(loaded.grant, generation)
    const advanced = await families.advance(grant.id, generation, migrating, window, earlier)
    if (advanced.outcome === 'replayed') {
      await endReplayed(grant, generation)
      // Another token of the grant may have been exchanged since it was read.
      await endMigrated(grant.id, successor)
      throw invalidGrant('refresh_token_reused')
    }
    if (advanced.outcome === 'absent') return false
    const from = { clientId, generation }
    const event = movedEvent(exchange, successor)
    const inserted = await store.migrate(grant.id, successor, from, event, bound.countUpTo)
    if (inserted === null) return false
    successor.connectionEpoch = inserted.connectionEpoch
    await bound.keep(successor, inserted.others)
    return true
  }

  const settle = async (
    app: App,
    { grant, narrowed }: EvaluatedMigration,
    expiring: Expiring | null,
  ) => {
    const reach = await settleReach(app, narrowed, (one) => subjectOf(app, grant, one))
    return { grant, reach, expiring: expiring ?? {} }
  }

  /** Retried with the same nonce, as a claim whose reply is lost may have been written. */
  const claim = (successor: Grant, earlier: readonly string[]) => {
    const request = randomText(9)
    return unsettled.attempt(successor.id, ofClaim, request, () =>
      retryOnce(() => store.claim(successor.id, request, earlier)),
    )
  }

  /**
   * @param recent within the client's retry window: a concurrent request gets the same tokens
   * @param earlier requests whose claim may have been written without a reply
   */
  const finish = async (
    { app, loaded }: LegacyExchange,
    { grant: successor, reach, expiring }: Awaited<ReturnType<typeof settle>>,
    recent: boolean,
    earlier: readonly string[],
  ): Promise<Redemption> => {
    const opened = await families.advance(successor.id, 0, recent ? migrated : claiming, 0)
    if (opened.outcome === 'replayed') return refuseReplayed(successor, 0)
    if (opened.outcome !== 'advanced') throw invalidGrant('family_ended')
    // The claim is the last step and the only one that succeeds once. A request that fails before it can be repeated. A
    // delayed request gets nothing, even if it has opened again a family that a replay had ended.
    if (!recent && !(await claim(successor, earlier))) {
      await families.end(successor.id)
      return refuseReplayed(successor, 0)
    }
    await families.end(loaded.grant.grant.id).catch(() => undefined) // its row has ended
    events.used(successor)
    const familyId = successor.id
    return {
      subject: subjectOf(app, successor, reach),
      refreshToken: refreshTokenOf(keyring, { familyId, generation: opened.generation }, expiring),
      signIn: null,
    }
  }

  /** Is a refused request a replay of the successor's first redemption? */
  const isReplay = async (app: App, successorId: string, legacyId: string) => {
    // An unclaimed successor was given to no client, even if its family is open.
    const now = app.retryWindowSeconds > 0 ? null : await store.load(app.clientId, legacyId)
    if (now?.successor && !now.successor.used) return false
    return (await families.probe(successorId, 0, 0)).outcome === 'replayed'
  }

  /** The grant has migrated before: a reply was lost, a store failed in between, or this is a replay. */
  const resume = async (exchange: LegacyExchange, state: SuccessorState): Promise<Redemption> => {
    const { app, token, requested, proof } = exchange
    const legacyId = exchange.loaded.grant.grant.id
    const loaded = (await grants.loadGrant(app.clientId, successorGrantId(legacyId)))?.grant
    if (!loaded) throw invalidGrant('family_ended')
    if (token.generation !== state.generation) {
      await endMigrated(legacyId, loaded.grant)
      throw invalidGrant('refresh_token_reused')
    }
    let evaluated: Awaited<ReturnType<typeof settle>>
    try {
      demandKey(loaded.grant.dpopJkt, proof)
      const { resources, organizationId } = loaded.grant
      const target = await targets.ofGrant(resources, requested.resources ?? [], organizationId)
      evaluated = await settle(app, evaluateSuccessor(app, loaded, requested, target), loaded)
    } catch (refusal) {
      // One token with two keys: the first one may have been an attacker's.
      const isSuspect = !provesKey(loaded.grant.dpopJkt, proof) || !state.recent
      if (isSuspect && (await isReplay(app, loaded.grant.id, legacyId)))
        return refuseReplayed(loaded.grant, 0)
      throw refusal
    }
    const earlier = unsettled.noncesFor(loaded, ofClaim)
    await proof?.use()
    // No client has the successor's tokens, so its family is created again however long the store was away.
    if (!state.used && !state.recent) await families.create(loaded.grant.id, 0, codeLifetime)
    return finish(exchange, evaluated, state.recent, earlier)
  }

  const migrate = async (exchange: LegacyExchange): Promise<Redemption> => {
    const { app, loaded, token, proof } = exchange
    const { grant, standing } = loaded.grant
    if (loaded.successor) return resume(exchange, loaded.successor)
    const dead = endOfGrant(grant, standing)
    if (dead) return refuseDead(loaded.grant, dead)
    let evaluated: Awaited<ReturnType<typeof settle>>
    try {
      const { organizationId } = grant
      const target = await targets.ofApp(exchange.requested.resources ?? [], organizationId)
      evaluated = await settle(app, evaluateMigration(exchange, target), loaded.install)
    } catch (refusal) {
      return refuse(exchange, refusal)
    }
    await proof?.use()
    const { grant: successor } = evaluated
    // After a 503 the client may also refresh the legacy token instead.
    const isFirst = await unsettled.attempt(grant.id, token.generation, migrating, () =>
      begin(exchange, successor),
    )
    if (isFirst) return finish(exchange, evaluated, app.retryWindowSeconds > 0, [])
    const now = await store.load(app.clientId, grant.id)
    if (!now?.successor) throw invalidGrant('family_ended')
    const used = proof && { ...proof, use: usedAlready }
    return resume({ ...exchange, proof: used }, now.successor)
  }

  return {
    load: store.load,

    /**
     * Makes every check that can fail before it consumes. A refused request consumes nothing, unless it is a replay.
     * @param token null: damaged, forged or of another type
     * @throws OAuthError unauthorized_client, invalid_grant, invalid_scope, invalid_target, invalid_dpop_proof
     */
    redeem: async (request: ProvenRequest<LoadedMigration>, token: ReadToken | null) => {
      const { app, loaded } = request
      const { legacy, grant } = loaded
      if (!legacy) throw unauthorizedClient('no_legacy_app')
      if (isLessAuthenticated(app, legacy)) throw unauthorizedClient('weaker_than_legacy')
      if (!token || (token.isForeign && !grant)) throw invalidGrant('token_unreadable')
      if (!grant) throw invalidGrant('token_unknown_or_foreign')
      const { organizationId, userId } = grant.grant
      try {
        return await migrate({ ...request, loaded: { ...loaded, legacy, grant }, token })
      } catch (error) {
        throw about(error, { clientId: app.clientId, organizationId, userId })
      }
    },
  }
}

export type Migration = ReturnType<typeof createMigration>
