import { randomUUID } from 'node:crypto'
import type { Keyring } from '../crypto/keyring.ts'
import { invalidGrant, invalidRequest, OAuthError } from '../language/errors.ts'
import type { GrantReason } from '../language/sub-reasons.ts'
import { codeLifetime } from '../tokens/access-token-claims.ts'
import { type Narrowing, narrowedTo } from './approval.ts'
import { createGrantEnds } from './end.ts'
import type { GrantEvents } from './events.ts'
import type { FamilyStore } from './families.ts'
import { endOfGrant, type Grant } from './grant.ts'
import type { GrantBound } from './grant-bound.ts'
import { subjectOf, type UserSubject } from './redeem.ts'
import type { GrantStore } from './store.ts'
import { encodeGrantToken } from './token-format.ts'

export interface GrantIssuance {
  /**
   * Opens a family and writes its code.
   * @param lifetime seconds; 60 unless it is said otherwise
   * @throws OAuthError invalid_grant when the id was used before
   */
  issueCode(grant: Grant, lifetime?: number): Promise<string>
  /**
   * Opens a family of an access token alone, for the implicit flow, and says what that may do now: the person may have
   * said yes an hour ago.
   * @throws OAuthError access_denied when that is over; invalid_grant when the id was used before
   */
  openImplicit(grant: Grant & { lifetime: number }): Promise<UserSubject>
}

const everything: Narrowing = { scope: undefined, workspaceIds: undefined }

const noMore = (reason: GrantReason) =>
  new OAuthError('access_denied', 'what was approved is over', { reason })

/** What a person's yes becomes (RFC 6749 §4.1.2, §4.2.2). */
export const createGrantIssuance = (deps: {
  store: Pick<GrantStore, 'insert' | 'discard' | 'loadGrant' | 'end'>
  families: Pick<FamilyStore, 'create' | 'end'>
  keyring: Keyring
  events: Pick<GrantEvents, 'ended' | 'used' | 'installUsed'>
  bound: GrantBound
}): GrantIssuance => {
  const { store, families, keyring, events, bound } = deps
  const { end } = createGrantEnds(deps)

  /** Whoever inserts the row has the family; a row without one would keep the person from answering again. */
  const begin = async <Result>(grant: Grant, open: () => Promise<Result>): Promise<Result> => {
    const inserted = await store.insert(grant, bound.countUpTo)
    if (inserted === null) throw invalidRequest('the organization is gone', 'interaction_gone')
    if (!inserted) throw invalidGrant('authorization_answered_twice')
    let result: Result
    try {
      await bound.admit(grant, inserted.others)
      result = await open()
    } catch (error) {
      await store.discard(grant.id).catch(() => undefined)
      throw error
    }
    await bound.keep(grant, inserted.others)
    return result
  }

  /** What an access token may do of which the grant consists. */
  const subjectNow = async (
    grant: Grant,
    loaded: Awaited<ReturnType<GrantStore['loadGrant']>>,
  ): Promise<UserSubject> => {
    const found = loaded?.grant
    if (!found) throw noMore('grant_ended')
    const { standing } = found
    const over =
      endOfGrant(grant, standing) ?? (standing.installSuspended ? 'install_suspended' : null)
    if (over) {
      await end(grant, over)
      throw noMore(over)
    }
    return subjectOf(loaded.app, found.grant, narrowedTo(loaded.app, found, grant, everything))
  }

  return {
    issueCode: async (grant, lifetime = codeLifetime) => {
      await begin(grant, () => families.create(grant.id, 0, lifetime))
      return encodeGrantToken(keyring, { familyId: grant.id, generation: 0 })
    },

    openImplicit: async (grant) => {
      const loaded = await begin(grant, async () => {
        const found = await store.loadGrant(grant.clientId, grant.id)
        await families.create(grant.id, 1, grant.lifetime)
        return found
      })
      const subject = await subjectNow(grant, loaded)
      events.used(grant)
      events.installUsed(grant.installId)
      return subject
    },
  }
}

export const newGrantId = () => randomUUID()
