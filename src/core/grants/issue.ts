import { randomUUID } from 'node:crypto'
import type { Keyring } from '../crypto/keyring.ts'
import { invalidGrant, invalidRequest, OAuthError } from '../language/errors.ts'
import type { GrantReason } from '../language/sub-reasons.ts'
import { type Narrowing, narrowedTo } from './approval.ts'
import { codeLifetime } from './code-lifetime.ts'
import { createGrantEnds } from './end.ts'
import type { FamilyStore } from './families.ts'
import { endOfGrant, type Grant } from './grant.ts'
import type { GrantBound } from './grant-bound.ts'
import { subjectOf, type UserSubject } from './redeem.ts'
import type { GrantEvents, GrantStore, WithGrant } from './store.ts'
import { encodeGrantToken } from './token-format.ts'

/** A grant that expires together with its one access token. */
export type BriefGrant = Grant & { lifetime: number }

const everything: Narrowing = { scope: undefined, workspaceIds: undefined }

const noMore = (reason: GrantReason) =>
  new OAuthError('access_denied', 'the approval is no longer valid', { reason })

/** Issues the grant of a user's approval (RFC 6749 §4.1.2, §4.2.2). */
export const createGrantIssuance = (deps: {
  store: Pick<GrantStore, 'insert' | 'discard' | 'loadGrant' | 'end'>
  families: Pick<FamilyStore, 'create' | 'end'>
  keyring: Keyring
  events: Pick<GrantEvents, 'ended' | 'used' | 'installUsed'>
  bound: GrantBound
}) => {
  const { store, families, keyring, events, bound } = deps
  const { end } = createGrantEnds(deps)

  /**
   * The request that inserts the row opens the family. If that fails the row is removed: a row without a family would
   * keep the user from answering again.
   */
  const begin = async <Result>(grant: Grant, open: () => Promise<Result>): Promise<Result> => {
    const inserted = await store.insert(grant, bound.countUpTo)
    if (inserted === null)
      throw invalidRequest('the organization no longer exists', 'interaction_gone')
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

  /** Permissions of an implicit-flow access token. */
  const subjectNow = async (grant: Grant, loaded: WithGrant | null): Promise<UserSubject> => {
    const found = loaded?.grant
    if (!found) throw noMore('grant_ended')
    const { standing } = found
    const over = endOfGrant(grant, standing) ?? standing.paused
    if (over) {
      await end(grant, over)
      throw noMore(over)
    }
    const { namesWorkspaces: _, ...reach } = narrowedTo(loaded.app, found, grant, everything)
    return subjectOf(loaded.app, found.grant, { ...reach, isOpen: false, reachId: null })
  }

  return {
    /**
     * Opens a family and makes its code.
     * @param lifetime seconds, by default 60
     * @throws OAuthError invalid_grant when the id was used before
     */
    issueCode: async (grant: Grant, lifetime = codeLifetime) => {
      await begin(grant, () => families.create(grant.id, 0, lifetime))
      return encodeGrantToken(keyring, { familyId: grant.id, generation: 0 })
    },

    /**
     * Opens a family for one access token of the implicit flow, and returns its present permissions, which may have
     * changed since the user's approval.
     * @throws OAuthError access_denied when the approval is no longer valid; invalid_grant when the id was used before
     */
    openImplicit: async (grant: BriefGrant) => {
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

    /**
     * Opens a family for one access token of an identity assertion.
     * @throws OAuthError invalid_request when the organization no longer exists; slow_down
     */
    openAsserted: async (grant: BriefGrant) => {
      await begin(grant, () => families.create(grant.id, 1, grant.lifetime))
      events.used(grant)
      events.installUsed(grant.installId)
    },
  }
}

export const newGrantId = () => randomUUID()

export type GrantIssuance = ReturnType<typeof createGrantIssuance>
