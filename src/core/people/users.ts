import { auditEvent, type Cause } from '../audit/audit.ts'
import { eventsOfChange, removal } from '../audit/changes.ts'
import { isLimited } from '../credentials/operator-permissions.ts'
import { newId } from '../crypto/identifiers.ts'
import { nameFaults } from '../language/display-text.ts'
import { faultAt } from '../language/faults.ts'
import type { Page, PageRequest } from '../language/paging.ts'
import { anyVersion, type Precondition, type Put } from '../language/precondition.ts'
import { Conflict, found, idTaken, NotFound, refuse } from '../language/service-errors.ts'
import type { Caller } from '../limits/fair-queue.ts'
import {
  type AccountCause,
  type AccountStanding,
  refuseGuarded,
  refuseWayIn,
} from './account-guard.ts'
import { emailFaults, normaliseEmail } from './email-address.ts'
import { passwordFaults } from './password-rules.ts'
import type { Person } from './person.ts'
import { sessionEnd } from './session.ts'
import {
  changedUser,
  type NewUser,
  type User,
  type UserPatch,
  type UserStore,
  type WantedUser,
} from './user.ts'

const emailTaken = () => new Conflict('email_taken', 'another user has this e-mail address')

type PasswordEvent = 'user.password_set' | 'user.password_changed'

const eventsOf = (before: User, after: User, password: PasswordEvent | null, cause: Cause) => {
  const about = { userId: before.id }
  const { disabled: was, passwordVersion: _, ...rest } = before
  const { disabled: is, passwordVersion: __, ...newRest } = after
  const events = eventsOfChange(cause, 'user.changed', rest, newRest, about)
  if (was !== is) events.push(auditEvent(cause, is ? 'user.disabled' : 'user.enabled', about))
  if (password) events.push(auditEvent(cause, password, about))
  return events
}

/** Users: their data and whether they may sign in. */
export const createUsers = (options: {
  store: UserStore
  hashPassword(password: string, caller: Caller): Promise<string>
  verifyPassword(hash: string | null, password: string, caller: Caller): Promise<boolean>
  /** A password must not be made from these (`namesOfService`). */
  serviceNames: readonly string[]
}) => {
  const { store, hashPassword, verifyPassword, serviceNames } = options

  const faultsOf = (password: string, owner: Pick<User, 'email' | 'name'>) =>
    passwordFaults(password, owner, serviceNames)

  /** @returns null when the user has this password @throws Invalid */
  const newHash = async (id: string, password: string, user: Pick<User, 'email' | 'name'>) => {
    const caller = { account: id, address: null }
    const known = await store.passwordHashOf(id)
    if (known !== null && (await verifyPassword(known, password, caller))) return null
    refuse(await faultsOf(password, user))
    return hashPassword(password, caller)
  }

  const hashOf = (password: string | undefined, account: string) =>
    password === undefined ? null : hashPassword(password, { account, address: null })

  /** The event of a new password. A first one is set, not changed. */
  const passwordEventOf = async (id: string): Promise<PasswordEvent> =>
    (await store.passwordHashOf(id)) === null ? 'user.password_set' : 'user.password_changed'

  return {
    /** @throws Invalid, Forbidden, Conflict email_taken */
    create: async (user: NewUser, cause: AccountCause): Promise<User> => {
      const { rights } = cause
      refuseWayIn(cause, user)
      const address = normaliseEmail(user.email)
      refuse([
        ...emailFaults(address),
        ...nameFaults('/name', user.name),
        ...(user.password === undefined ? [] : await faultsOf(user.password, user)),
        ...(user.isInvited && user.password !== undefined
          ? [faultAt('/invite', 'invite', 'excludes a password')]
          : []),
      ])
      const id = newId('user')
      const passwordHash = await hashOf(user.password, address)
      const events = [
        auditEvent(cause, 'user.created', { userId: id }),
        ...(user.isInvited ? [auditEvent(cause, 'user.invited', { userId: id })] : []),
      ]
      const created = await store.insert(
        {
          id,
          email: address,
          name: user.name,
          emailVerified: user.emailVerified ?? false,
          locale: user.locale ?? null,
          createdByToken: rights !== 'self' && isLimited(rights) ? rights.id : null,
        },
        passwordHash,
        events,
      )
      if (!created) throw emailTaken()
      return created
    },

    /** @throws NotFound */
    read: async (id: string): Promise<User> => found(await store.byId(id), 'user'),

    /** Its filter `email` finds the one user with this address. @throws Invalid for one that is none */
    list: async ({
      filter: { email: typed, ...filter } = {},
      ...page
    }: PageRequest): Promise<Page<User>> => {
      const email = typeof typed === 'string' ? normaliseEmail(typed) : undefined
      if (email !== undefined) refuse(emailFaults(email))
      return store.list({ ...page, filter: { ...filter, email } })
    },

    /**
     * Creates or changes a user with an id of the platform. A password that the user already has changes nothing.
     * @throws Invalid, Forbidden, PreconditionFailed, Conflict email_taken, id_taken
     */
    put: async (
      id: string,
      wanted: WantedUser,
      cause: AccountCause,
      precondition: Precondition<User> = anyVersion,
    ): Promise<Put<User> & { changed: boolean }> => {
      let changed = true
      const { password, email, ...fields } = wanted
      const address = normaliseEmail(email)
      refuse([...emailFaults(address), ...nameFaults('/name', fields.name)])
      const passwordHash = password === undefined ? null : await newHash(id, password, wanted)
      const event = passwordHash === null ? null : await passwordEventOf(id)
      const put = await store.put(id, passwordHash, (current) => {
        if (current) refuseGuarded(cause, current)
        precondition(current)
        if (current) {
          const values = changedUser(current, { ...fields, email: address })
          const events = eventsOf(current, values, event, cause)
          changed = events.length > 0
          return { values, events }
        }
        changed = true
        const about = { userId: id }
        const disabled = fields.disabled ?? false
        return {
          values: {
            email: address,
            name: fields.name,
            emailVerified: fields.emailVerified ?? false,
            disabled,
            locale: fields.locale ?? null,
          },
          events: [
            auditEvent(cause, 'user.created', about),
            ...(disabled ? [auditEvent(cause, 'user.disabled', about)] : []),
          ],
        }
      })
      if (put === 'email_taken') throw emailTaken()
      if (put === 'id_of_a_client') throw idTaken('a client')
      return { ...put, changed }
    },

    /**
     * A new password revokes every session and grant made under the old one.
     * @throws Invalid, Forbidden, NotFound, PreconditionFailed, Conflict email_taken
     */
    change: async (
      id: string,
      patch: UserPatch,
      cause: AccountCause,
      precondition: Precondition<User> = anyVersion,
    ): Promise<User> => {
      const { password: newPassword, ...fields } = patch
      const address = fields.email === undefined ? undefined : normaliseEmail(fields.email)
      refuse([
        ...(address === undefined ? [] : emailFaults(address)),
        ...(fields.name === undefined ? [] : nameFaults('/name', fields.name)),
      ])
      if (newPassword !== undefined) {
        const { email, name } = found(await store.byId(id), 'user')
        refuse(await faultsOf(newPassword, { email: address ?? email, name: fields.name ?? name }))
      }
      const passwordHash = await hashOf(newPassword, id)
      const event = passwordHash === null ? null : await passwordEventOf(id)
      const user = await store.change(id, passwordHash, (current) => {
        refuseGuarded(cause, current)
        precondition(current)
        const values = changedUser(current, { ...fields, email: address })
        return { values, events: eventsOf(current, values, event, cause) }
      })
      if (user === 'email_taken') throw emailTaken()
      return found(user, 'user')
    },

    /**
     * Changes the user's own password after a check of the old one. The check takes a while: a change that the operator
     * made meanwhile stands.
     * @returns the user with the new epochs; null when the checked password is no longer valid
     * @throws Invalid
     */
    changePassword: async (known: Person, next: string, cause: Cause): Promise<Person | null> => {
      refuse(await faultsOf(next, known))
      const event = auditEvent(cause, await passwordEventOf(known.id), { userId: known.id })
      const hash = await hashPassword(next, { account: known.email, address: cause.address })
      return store.changePassword(known, hash, [event])
    },

    /** Also deletes the user's memberships, consents and grants. @throws Forbidden, NotFound, PreconditionFailed */
    remove: removal('user', store.remove, (cause: AccountCause, current, userId) => {
      refuseGuarded(cause, current)
      return auditEvent(cause, 'user.deleted', { userId })
    }),

    /** For a user who lost their passkeys: they sign in another way and add a new one. @throws Forbidden, NotFound */
    removePasskeys: async (id: string, cause: AccountCause): Promise<void> => {
      const admit = (standing: AccountStanding) => refuseGuarded(cause, standing)
      const event = (passkeyId: string) =>
        auditEvent(cause, 'passkey.removed', { userId: id, detail: { passkey_id: passkeyId } })
      const ended = sessionEnd(cause, id, 'passkey_removed')
      if (!(await store.removePasskeys(id, admit, event, ended))) throw new NotFound('user')
    },
  }
}

export type Users = ReturnType<typeof createUsers>
