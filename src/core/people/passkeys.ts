import { type AuditEvent, type AuditTrail, auditEvent, type Cause } from '../audit/audit.ts'
import { newId } from '../crypto/identifiers.ts'
import { nameFaults } from '../language/display-text.ts'
import type { Limits } from '../limits/limits.ts'
import type { Credential, PasskeyCeremonies } from './passkey-ceremonies.ts'
import type { PeopleStore } from './person.ts'
import { type Session, type SessionEnd, sessionEnd } from './session.ts'
import type { Sessions } from './sessions.ts'

/** A passkey as its user sees it. */
export interface Passkey {
  id: string
  name: string
  createdAt: Date
  lastUsed: Date | null
}

type OwnPasskey = Record<'userId' | 'id', string>

export interface PasskeyStore {
  /** Oldest first. */
  list(userId: string): Promise<(Passkey & Pick<Credential, 'credentialId' | 'transports'>)[]>
  /** @returns false when the credential exists already, or the user has `most` passkeys */
  insert(
    passkey: Credential & { id: string; userId: string; name: string },
    most: number,
    event: AuditEvent,
  ): Promise<boolean>
  byCredential(credentialId: string): Promise<(Credential & { id: string; userId: string }) | null>
  /** Records the use and the counter in one statement. @returns false when the counter did not advance */
  used(credentialId: string, counter: number): Promise<boolean>
  rename(passkey: OwnPasskey & { name: string; event: AuditEvent }): Promise<boolean>
  /**
   * Removes the passkey and ends the sessions made with it.
   * @param keep this session continues without the passkey if another method was shown in it
   */
  remove(
    passkey: OwnPasskey & { keep: string | null; event: AuditEvent; ended: SessionEnd },
  ): Promise<boolean>
}

const most = 20

const withPasskey = (session: Session, id: string): Session => ({
  ...session,
  methods: [...session.methods.filter((one) => one !== 'passkey'), 'passkey'],
  passkeyIds: [...session.passkeyIds.filter((one) => one !== id), id],
})

export const createPasskeys = (deps: {
  store: PasskeyStore
  ceremonies: PasskeyCeremonies
  people: Pick<PeopleStore, 'findActive'>
  sessions: Pick<Sessions, 'open' | 'renew'>
  limits: Pick<Limits, 'signInBegun' | 'signInDone'>
  audit: AuditTrail
  now: () => number
}) => {
  const { store, ceremonies, people, sessions, limits, audit, now } = deps

  const about = (userId: string, id: string) => ({ userId, detail: { passkey_id: id } })

  const confirmed = ({ id, user }: Session, cause: Cause) =>
    auditEvent(cause, 'session.signed_in', {
      userId: user.id,
      detail: { method: 'passkey', session_id: id },
    })

  return {
    list: (userId: string): Promise<Passkey[]> => store.list(userId),

    /** Options for the browser to create a passkey for this user. */
    beginAdding: async ({ user }: Session, browser: string) =>
      ceremonies.registration(user, await store.list(user.id), {
        purpose: 'add',
        browser,
        userId: user.id,
      }),

    /**
     * @returns the new token of the session, which counts the passkey as shown; null when the session has ended in the
     * meantime
     */
    add: async (
      session: Session,
      { answer, browser, ...form }: { name: string; answer: string; browser: string },
      cause: Cause,
    ): Promise<{ token: string | null } | { fault: 'name' | 'not_verified' | 'too_many' }> => {
      const { user } = session
      const name = form.name.trim()
      if (nameFaults('/name', name).length > 0) return { fault: 'name' }
      const requested = { purpose: 'add', browser, userId: user.id } as const
      const credential = await ceremonies.registered(answer, requested)
      if (!credential) return { fault: 'not_verified' }
      const id = newId('passkey')
      const event = auditEvent(cause, 'passkey.added', about(user.id, id))
      const isNew = await store.insert({ ...credential, id, userId: user.id, name }, most, event)
      if (!isNew) return { fault: 'too_many' }
      return { token: await sessions.renew(withPasskey(session, id)) }
    },

    /** @returns false when the user has no such passkey or the name cannot be displayed */
    rename: async ({ userId, id, ...form }: OwnPasskey & { name: string }, cause: Cause) => {
      const name = form.name.trim()
      if (nameFaults('/name', name).length > 0) return false
      const event = auditEvent(cause, 'passkey.renamed', about(userId, id))
      return store.rename({ userId, id, name, event })
    },

    /**
     * Removes the passkey and ends the sessions made with it; `session` continues if another method was shown in it.
     * @returns false when the user has no such passkey
     */
    remove: ({ id: sessionId, user }: Session, id: string, cause: Cause) =>
      store.remove({
        userId: user.id,
        id,
        keep: sessionId,
        event: auditEvent(cause, 'passkey.removed', about(user.id, id)),
        ended: sessionEnd(cause, user.id, 'passkey_removed'),
      }),

    /**
     * Options for the browser to use a passkey.
     * @param session of the user who has to show a passkey; null: any user
     * @throws OAuthError slow_down (429)
     */
    beginSignIn: async (
      session: Session | null,
      { browser, address }: Record<'browser' | 'address', string>,
    ) => {
      await limits.signInBegun(address)
      const userId = session?.user.id ?? null
      const allowed = userId === null ? [] : await store.list(userId)
      return ceremonies.authentication(allowed, { purpose: 'sign_in', browser, userId })
    },

    /** @returns the token of the new session; null when the response proves nothing */
    signIn: async (
      { answer, browser, session }: { answer: string; browser: string; session: Session | null },
      cause: Cause,
    ) => {
      const failed = (reason: string, userId: string | null = null) => {
        const detail = { method: 'passkey', reason }
        audit.record(auditEvent(cause, 'session.sign_in_failed', { userId, detail }))
        return null
      }
      const shown = await ceremonies.authenticated(
        answer,
        { purpose: 'sign_in', browser },
        store.byCredential,
      )
      if (!shown) return failed('not_verified')
      const { userId, passkeyId, credentialId, counter, challenged } = shown
      // WebAuthn §7.2, step 22: a counter that does not advance suggests a cloned authenticator.
      if (!(await store.used(credentialId, counter))) return failed('counter', userId)
      const user = await people.findActive(userId)
      if (!user) return failed('disabled', userId)
      await limits.signInDone(cause.address ?? '')
      // A passkey shown in a session is added to the methods of that session.
      const isSame = challenged.userId !== null && session?.user.id === userId
      const token = isSame
        ? await sessions.renew({ ...withPasskey(session, passkeyId), authenticatedAt: now() })
        : await sessions.open(
            { user, authenticatedAt: now(), methods: ['passkey'], passkeyIds: [passkeyId] },
            cause,
          )
      if (token === null) return failed('ended_meanwhile', userId)
      if (isSame) audit.record(confirmed(session, cause))
      return token
    },
  }
}

export type Passkeys = ReturnType<typeof createPasskeys>
