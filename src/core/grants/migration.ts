import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import type { App } from '../clients/app.ts'
import { isLessAuthenticated, successorGrantId } from '../clients/successor-rules.ts'
import type { Keyring } from '../crypto/keyring.ts'
import { randomText } from '../crypto/random.ts'
import { about, invalidGrant, OAuthError, unauthorizedClient } from '../language/errors.ts'
import { retryOnce } from '../language/retry-once.ts'
import { codeLifetime } from '../tokens/access-token-claims.ts'
import type { DpopProof } from '../tokens/dpop.ts'
import type { Narrowing } from './approval.ts'
import { createGrantEnds } from './end.ts'
import type { GrantEvents } from './events.ts'
import type { FamilyStore } from './families.ts'
import { endOfGrant, type Grant, keyMismatch } from './grant.ts'
import type { GrantBound } from './grant-bound.ts'
import {
  type EvaluatedMigration,
  evaluateMigration,
  evaluateSuccessor,
  type LoadedMigration,
  type MigratableGrant,
  type SuccessorState,
} from './migration-rules.ts'
import { type Presented, type Redeemed, subjectOf } from './redeem.ts'
import type { GrantStore, InsertedGrant } from './store.ts'
import { encodeGrantToken, type GrantToken } from './token-format.ts'
import type { UnsettledRequests } from './unsettled.ts'

export interface MigrationStore {
  /** One query: the client, its secrets, the app that it takes over from, that one's grant, and what became of it. */
  load(clientId: string, familyId: string | null): Promise<LoadedMigration | null>
  /**
   * Ends the legacy grant and opens its successor, in one transaction.
   * @param from the app and the generation of the token that is exchanged
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
   * Marks the successor as used, for this request.
   * @param unsettled requests whose claim this one takes over if it was written
   * @returns false when it was used before, for another
   */
  claim(successorId: string, request: string, unsettled: readonly string[]): Promise<boolean>
}

// What advances a family for a move. All requests that move the same token count as one until Postgres has decided
// between them; a refresh at the same time does not.
const migrating = 'moving'
const claiming = 'claiming'
const migrated = 'moved'

/** Claims of a successor are recorded under a generation of their own: no token has it. */
const ofClaim = -1

const usedAlready = async () => undefined

/**
 * Turns a refresh token of a legacy app into a grant of its current twin, once. The legacy family is spent first, as a
 * refresh would; Postgres then ends its grant and opens the successor; whoever claims that one, which is good once like every
 * code, has the answer. A store that goes away in between has spent nothing for good: the same request goes on where it
 * stopped.
 */
export const createMigration = (deps: {
  store: MigrationStore
  grants: Pick<GrantStore, 'end' | 'loadGrant'>
  families: FamilyStore
  unsettled: Pick<UnsettledRequests, 'noncesFor' | 'attempt'>
  keyring: Keyring
  events: Pick<GrantEvents, 'reuseDetected' | 'ended' | 'used'>
  bound: GrantBound
}) => {
  const { store, grants, families, unsettled, keyring, events, bound } = deps
  const { end, endRow, endSuccessor } = createGrantEnds({ store: grants, families, events })

  const replayed = async (grant: Grant, generation: number) => {
    events.reuseDetected(grant, generation)
    await endRow(grant.id, 'reuse_detected')
    return invalidGrant('refresh_token_reused')
  }

  /** A spent token of a moved grant: what it has become ends, and that is told once. */
  const endMigrated = async (legacyGrantId: string, successor: Grant) => {
    if ((await endSuccessor(legacyGrantId)) !== false) events.reuseDetected(successor, 0)
    return invalidGrant('refresh_token_reused')
  }

  const refuseUnspent = async (
    refusal: unknown,
    found: MigratableGrant,
    { generation }: GrantToken,
  ) => {
    const { grant } = found.grant
    if (!(refusal instanceof OAuthError)) return refusal
    // Refused, so not spent; but if it was spent before, this is a replay whatever else is wrong with it.
    const window = found.legacy.retryWindowSeconds
    const earlier = unsettled.noncesFor(found.grant, generation)
    const seen = await families.probe(grant.id, generation, window, earlier)
    return seen.outcome === 'replayed' ? replayed(grant, generation) : refusal
  }

  /**
   * Takes the legacy family and its grant out of the world. Many at once all get here, and one opens the successor.
   * @returns false when the grant has ended meanwhile, perhaps because somebody else has moved it
   */
  const begin = async (
    found: MigratableGrant,
    successor: Grant,
    { generation }: GrantToken,
    audit: AuditEvent,
  ): Promise<boolean> => {
    const { grant } = found.grant
    const { clientId, retryWindowSeconds } = found.legacy
    await families.create(successor.id, 0, codeLifetime)
    const earlier = unsettled.noncesFor(found.grant, generation)
    const spent = await families.advance(
      grant.id,
      generation,
      migrating,
      retryWindowSeconds,
      earlier,
    )
    if (spent.outcome === 'replayed') {
      const refusal = await replayed(grant, generation)
      // Another token of the grant may have been moved since it was read.
      await endMigrated(grant.id, successor)
      throw refusal
    }
    if (spent.outcome === 'absent') return false
    const from = { clientId, generation }
    const inserted = await store.migrate(grant.id, successor, from, audit, bound.countUpTo)
    if (inserted === null) return false
    successor.connectionEpoch = inserted.connectionEpoch
    await bound.keep(successor, inserted.others)
    return true
  }

  /** Sent again as the same: what is not known to be written may have been. */
  const claim = (successor: Grant, earlier: readonly string[]) => {
    const request = randomText(9)
    return unsettled.attempt(successor.id, ofClaim, request, () =>
      retryOnce(() => store.claim(successor.id, request, earlier)),
    )
  }

  /**
   * @param recent a loser gets what the winner got, within the retry window of the client
   * @param earlier requests whose claim may have been written without an answer
   */
  const finish = async (
    app: App,
    { grant: successor, reach }: EvaluatedMigration,
    legacyGrantId: string,
    recent: boolean,
    earlier: readonly string[],
  ): Promise<Redeemed> => {
    const opened = await families.advance(successor.id, 0, recent ? migrated : claiming, 0)
    if (opened.outcome === 'replayed') throw await replayed(successor, 0)
    if (opened.outcome !== 'advanced') throw invalidGrant('family_ended')
    // The last step, which alone can be done once: what fails before it can be repeated, and a request that has been on
    // its way for long is given nothing, even if it has opened anew what a replay has ended.
    if (!recent && !(await claim(successor, earlier))) {
      await families.end(successor.id)
      throw await replayed(successor, 0)
    }
    await families.end(legacyGrantId).catch(() => undefined) // its row has ended
    events.used(successor)
    return {
      subject: subjectOf(app, successor, reach),
      refreshToken: encodeGrantToken(keyring, {
        familyId: successor.id,
        generation: opened.generation,
      }),
      signIn: null,
    }
  }

  /** Refused, so not spent. @returns is it a replay all the same? */
  const endsRefused = async (app: App, successorId: string, legacyId: string) => {
    // What no request has claimed is spent in its family at the most, and nobody has it.
    const now = app.retryWindowSeconds > 0 ? null : await store.load(app.clientId, legacyId)
    if (now?.successor && !now.successor.used) return false
    return (await families.probe(successorId, 0, 0)).outcome === 'replayed'
  }

  /** It was moved before: the answer was lost, a store went away in between, or somebody sends it a second time. */
  const resume = async (
    app: App,
    found: MigratableGrant,
    successor: SuccessorState,
    token: GrantToken,
    asked: Narrowing,
    key: DpopProof | null,
  ) => {
    const legacyId = found.grant.grant.id
    const loaded = (await grants.loadGrant(app.clientId, successorGrantId(legacyId)))?.grant
    if (!loaded) throw invalidGrant('family_ended')
    if (token.generation !== successor.generation) throw await endMigrated(legacyId, loaded.grant)
    const stranger = keyMismatch(loaded.grant, key?.jkt ?? null)
    const earlier = unsettled.noncesFor(loaded, ofClaim)
    let evaluated: EvaluatedMigration
    try {
      if (stranger) throw stranger
      evaluated = evaluateSuccessor(app, loaded, asked)
    } catch (refusal) {
      // One token and two keys: who was first may have been the thief.
      const isReplay =
        (stranger || !successor.recent) && (await endsRefused(app, loaded.grant.id, legacyId))
      throw isReplay ? await replayed(loaded.grant, 0) : refusal
    }
    await key?.use()
    // No request was given it, so however long a store was away, its family is there for this one.
    if (!successor.used && !successor.recent)
      await families.create(loaded.grant.id, 0, codeLifetime)
    return finish(app, evaluated, legacyId, successor.recent, earlier)
  }

  const migrate = async (
    app: App,
    found: MigratableGrant,
    token: GrantToken,
    asked: Narrowing,
    cause: Cause,
    key: DpopProof | null,
  ): Promise<Redeemed> => {
    const { grant, standing } = found.grant
    if (found.successor) return resume(app, found, found.successor, token, asked, key)
    const dead = endOfGrant(grant, standing)
    if (dead) {
      if (!standing.ended) await end(grant, dead)
      throw invalidGrant(dead)
    }
    let evaluated: EvaluatedMigration
    try {
      evaluated = evaluateMigration(app, found, asked, key)
    } catch (refusal) {
      throw await refuseUnspent(refusal, found, token)
    }
    await key?.use()
    const { grant: successor } = evaluated
    const audit = auditEvent(cause, 'grant.moved', {
      clientId: app.clientId,
      organizationId: grant.organizationId,
      userId: grant.userId,
      detail: {
        grant_id: successor.id,
        legacy_client_id: found.legacy.clientId,
        legacy_grant_id: grant.id,
        permissions: successor.permissions,
      },
    })
    // After a 503 the client may also refresh the legacy token instead.
    const isFirst = await unsettled.attempt(grant.id, token.generation, migrating, () =>
      begin(found, successor, token, audit),
    )
    if (isFirst) return finish(app, evaluated, grant.id, app.retryWindowSeconds > 0, [])
    const now = await store.load(app.clientId, grant.id)
    if (!now?.successor) throw invalidGrant('family_ended')
    return resume(app, found, now.successor, token, asked, key && { ...key, use: usedAlready })
  }

  return {
    load: store.load,

    /**
     * Every check that can fail comes before anything is spent; a refused request consumes nothing but a replay.
     * @param key the key that the request has proven; null: none
     * @throws OAuthError unauthorized_client, invalid_grant, invalid_scope, invalid_dpop_proof
     */
    redeem: async (
      app: App,
      loaded: LoadedMigration,
      { token }: Presented,
      asked: Narrowing,
      cause: Cause,
      key: DpopProof | null,
    ): Promise<Redeemed> => {
      const { legacy, grant } = loaded
      if (!legacy) throw unauthorizedClient('no_legacy_app')
      if (isLessAuthenticated(app, legacy)) throw unauthorizedClient('weaker_than_legacy')
      if (!token) throw invalidGrant('token_unreadable')
      if (!grant) throw invalidGrant('token_unknown_or_foreign')
      const { organizationId, userId } = grant.grant
      try {
        return await migrate(app, { ...loaded, legacy, grant }, token, asked, cause, key)
      } catch (error) {
        throw about(error, { clientId: app.clientId, organizationId, userId })
      }
    },
  }
}

export type Migration = ReturnType<typeof createMigration>
