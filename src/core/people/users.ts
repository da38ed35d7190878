import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import { type Change, changedFields, type Patch, patched } from '../audit/changes.ts'
import { newId } from '../crypto/identifiers.ts'
import { nameFaults } from '../language/display-text.ts'
import type { Fault } from '../language/faults.ts'
import type { Page, PageRequest } from '../language/paging.ts'
import { Conflict, found, NotFound, refuse } from '../language/service-errors.ts'
import type { Caller } from '../limits/fair-line.ts'
import { passwordFaults } from './password-rules.ts'
import type { Person } from './person.ts'
import { type SessionEnd, sessionEnd } from './session-ends.ts'

/** A person who can sign in. */
export interface User {
  id: string
  email: string
  name: string
  /** Is it known that the address is theirs: from the operator, or from a provider that says so? */
  emailVerified: boolean
  disabled: boolean
  createdAt: Date
}

export interface UserStore {
  /** @returns null when another user has the e-mail address */
  insert(
    user: Pick<User, 'id' | 'email' | 'name' | 'emailVerified'>,
    passwordHash: string | null,
    events: readonly AuditEvent[],
  ): Promise<User | null>
  byId(id: string): Promise<User | null>
  list(page: PageRequest, filter: { email: string | null }): Promise<Page<User>>
  /**
   * Locks the user, asks `decide`, writes; a password hash of null keeps the old one, another one moves the
   * user's credentials epoch. Disabling moves the sessions epoch.
   */
  change(
    id: string,
    passwordHash: string | null,
    decide: (user: User) => Change<User>,
  ): Promise<User | null | 'email_taken'>
  /**
   * Writes a password hash, and moves the user's credentials epoch, unless an epoch has moved since `known` was read.
   * @returns the person with the epochs from then on; null when one has moved, or there is no such user
   */
  changePassword(
    known: Person,
    passwordHash: string,
    events: readonly AuditEvent[],
  ): Promise<Person | null>
  remove(id: string, events: readonly AuditEvent[]): Promise<boolean>
  /**
   * Also ends the sessions that were made with one.
   * @param event makes the trace of each passkey that is removed
   * @param ended that of each session
   * @returns false when there is no such user
   */
  removePasskeys(
    id: string,
    event: (passkeyId: string) => AuditEvent,
    ended: SessionEnd,
  ): Promise<boolean>
}

export interface UsersOptions {
  store: UserStore
  hashPassword(password: string, caller: Caller): Promise<string>
}

export interface NewUser {
  email: string
  name: string
  /** Without one the user cannot sign in with a password. */
  password?: string | undefined
  emailVerified?: boolean | undefined
}

export type UserPatch = Patch<
  Pick<User, 'email' | 'name' | 'emailVerified' | 'disabled'> & { password: string }
>

export const longestEmail = 254
/** What a browser takes for an e-mail address (WHATWG HTML §4.10.5.1.5), as a JSON Schema pattern. */
export const emailPattern =
  "^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~\\-]+@[a-zA-Z0-9](?:[a-zA-Z0-9\\-]{0,61}[a-zA-Z0-9])?" +
  '(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9\\-]{0,61}[a-zA-Z0-9])?)*$'
const email = new RegExp(emailPattern, 'u')

/**
 * The one spelling under which an e-mail address is stored and looked up. Only ASCII letters are lowered: toLowerCase
 * turns U+212A (Kelvin sign) into `k`, and so one address into another.
 */
export const normaliseEmail = (text: string) =>
  text.trim().replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** Could this be somebody's e-mail address, as it is stored? */
export const isEmailAddress = (text: string) => text.length <= longestEmail && email.test(text)

const emailFaults = (text: string): Fault[] =>
  isEmailAddress(text) ? [] : [{ pointer: '/email', detail: 'is not an e-mail address' }]

const emailTaken = () => new Conflict('email_taken', 'another user has this e-mail address')

const eventsOf = (before: User, after: User, newPassword: boolean, cause: Cause) => {
  const about = { userId: before.id }
  const { disabled: was, ...rest } = before
  const { disabled: is, ...newRest } = after
  const changed = changedFields(rest, newRest)
  const events: AuditEvent[] = []
  if (changed.length > 0)
    events.push(auditEvent(cause, 'user.changed', { ...about, detail: { changed } }))
  if (was !== is) events.push(auditEvent(cause, is ? 'user.disabled' : 'user.enabled', about))
  if (newPassword) events.push(auditEvent(cause, 'user.password_changed', about))
  return events
}

/** As patched; a new address is nobody's until somebody says so. */
const changedUser = (current: User, patch: Omit<UserPatch, 'password'>): User => {
  const values = patched(current, patch)
  const isNew = values.email !== current.email && patch.emailVerified === undefined
  return isNew ? { ...values, emailVerified: false } : values
}

/** People: who they are and whether they may sign in. */
export const createUsers = ({ store, hashPassword }: UsersOptions) => ({
  /** @throws Invalid, Conflict email_taken */
  create: async (user: NewUser, cause: Cause): Promise<User> => {
    const address = normaliseEmail(user.email)
    refuse([
      ...emailFaults(address),
      ...nameFaults('/name', user.name),
      ...(user.password === undefined ? [] : await passwordFaults(user.password, user)),
    ])
    const id = newId('user')
    const passwordHash =
      user.password === undefined
        ? null
        : await hashPassword(user.password, { account: address, address: null })
    const events = [auditEvent(cause, 'user.created', { userId: id })]
    const created = await store.insert(
      { id, email: address, name: user.name, emailVerified: user.emailVerified ?? false },
      passwordHash,
      events,
    )
    if (!created) throw emailTaken()
    return created
  },

  /** @throws NotFound */
  read: async (id: string): Promise<User> => found(await store.byId(id), 'user'),

  /** In the order of creation; `email` finds the one user who has it. */
  list: (page: PageRequest, filter: { email?: string | undefined } = {}): Promise<Page<User>> =>
    store.list(page, { email: filter.email === undefined ? null : normaliseEmail(filter.email) }),

  /** A new password ends every session and grant made under the old one. @throws Invalid, NotFound, Conflict email_taken */
  change: async (id: string, patch: UserPatch, cause: Cause): Promise<User> => {
    const { password: newPassword, ...fields } = patch
    const address = fields.email === undefined ? undefined : normaliseEmail(fields.email)
    refuse([
      ...(address === undefined ? [] : emailFaults(address)),
      ...(fields.name === undefined ? [] : nameFaults('/name', fields.name)),
    ])
    if (newPassword !== undefined) {
      const { email, name } = found(await store.byId(id), 'user')
      refuse(
        await passwordFaults(newPassword, { email: address ?? email, name: fields.name ?? name }),
      )
    }
    const passwordHash =
      newPassword === undefined
        ? null
        : await hashPassword(newPassword, { account: id, address: null })
    const user = await store.change(id, passwordHash, (current) => {
      const values = changedUser(current, { ...fields, email: address })
      return { values, events: eventsOf(current, values, passwordHash !== null, cause) }
    })
    if (user === 'email_taken') throw emailTaken()
    return found(user, 'user')
  },

  /**
   * One's own password. It was checked before, which takes a while: what the operator did meanwhile stands.
   * @returns the person with the epochs of the new password; null when the one that was checked is no longer good
   * @throws Invalid
   */
  changePassword: async (known: Person, next: string, cause: Cause): Promise<Person | null> => {
    refuse(await passwordFaults(next, known))
    const event = auditEvent(cause, 'user.password_changed', { userId: known.id })
    const hash = await hashPassword(next, { account: known.email, address: cause.address })
    return store.changePassword(known, hash, [event])
  },

  /** The user's memberships, consents and grants go too. @throws NotFound */
  remove: async (id: string, cause: Cause): Promise<void> => {
    const events = [auditEvent(cause, 'user.deleted', { userId: id })]
    if (!(await store.remove(id, events))) throw new NotFound('user')
  },

  /** For who has lost theirs: they sign in another way and add a new one. @throws NotFound */
  removePasskeys: async (id: string, cause: Cause): Promise<void> => {
    const event = (passkeyId: string) =>
      auditEvent(cause, 'passkey.removed', { userId: id, detail: { passkey_id: passkeyId } })
    const ended = sessionEnd(cause, id, 'passkey_removed')
    if (!(await store.removePasskeys(id, event, ended))) throw new NotFound('user')
  },
})

export type Users = ReturnType<typeof createUsers>
