// A user, what a request may change, and the store of users.
import type { AuditEvent } from '../audit/audit.ts'
import { type Change, type EventsFrom, type Patch, patched } from '../audit/changes.ts'
import type { Language } from '../language/languages.ts'
import type { Page, PageRequest } from '../language/paging.ts'
import type { Put } from '../language/precondition.ts'
import type { AccountStanding } from './account-guard.ts'
import type { Person } from './person.ts'
import type { SessionEnd } from './session.ts'

/** A person who can sign in. */
export interface User {
  id: string
  email: string
  name: string
  /** Has the operator or a provider confirmed the address? */
  emailVerified: boolean
  disabled: boolean
  /** null: they are not. */
  disabledAt: Date | null
  /** The language of pages and mails; null: the user has chosen none. */
  locale: Language | null
  /** Has the user ever signed in? Before, only the address says who it is. */
  hasSignedIn: boolean
  /** Increases with the password, which cannot be read. */
  passwordVersion: number
  createdAt: Date
}

export interface NewUser {
  email: string
  name: string
  /** Without a password the user signs in by other methods only. */
  password?: string | undefined
  emailVerified?: boolean | undefined
  locale?: Language | null | undefined
  /** The user gets a mail with a link to set a password. */
  isInvited?: boolean
}

/** A user with an id of the platform. Fields that are left out stay as they are. */
export type WantedUser = Omit<NewUser, 'emailVerified' | 'isInvited' | 'locale'> &
  Patch<Pick<User, 'emailVerified' | 'disabled' | 'locale'>>

export type UserPatch = Patch<
  Pick<User, 'email' | 'name' | 'emailVerified' | 'disabled' | 'locale'> & { password: string }
>

/** Applies the patch. A new address is unverified unless the patch says otherwise. */
export const changedUser = (current: User, patch: Omit<UserPatch, 'password'>): User => {
  const values = patched(current, patch)
  const isNew = values.email !== current.email && patch.emailVerified === undefined
  return isNew ? { ...values, emailVerified: false } : values
}

export interface UserStore {
  /**
   * @param user `createdByToken`: the operator token that made the user, if it is limited to organizations
   * @returns null when another user has the e-mail address
   */
  insert(
    user: Pick<User, 'id' | 'email' | 'name' | 'emailVerified' | 'locale'> & {
      createdByToken: string | null
    },
    passwordHash: string | null,
    events: readonly AuditEvent[],
  ): Promise<User | null>
  byId(id: string): Promise<User | null>
  list(page: PageRequest): Promise<Page<User>>
  /**
   * Locks the user, calls `decide` and writes. A null password hash keeps the old one; a new one increases the
   * credentials epoch. Disabling increases the sessions epoch.
   */
  change(
    id: string,
    passwordHash: string | null,
    decide: (user: User & AccountStanding) => Change<User>,
  ): Promise<User | null | 'email_taken'>
  /**
   * The same, and inserts the user when there is none: `decide` then gets null. An id of a client, which would make the
   * subject of a token ambiguous (RFC 9068 §5), is not inserted.
   */
  put(
    id: string,
    passwordHash: string | null,
    decide: (
      user: (User & AccountStanding) | null,
    ) => Change<Omit<User, 'id' | 'disabledAt' | 'hasSignedIn' | 'passwordVersion' | 'createdAt'>>,
  ): Promise<Put<User> | 'email_taken' | 'id_of_a_client'>
  passwordHashOf(id: string): Promise<string | null>
  /**
   * Writes a password hash and increases the credentials epoch, unless an epoch has changed since `known` was read.
   * @returns the user with the new epochs; null when an epoch has changed, or the user is gone
   */
  changePassword(
    known: Person,
    passwordHash: string,
    events: readonly AuditEvent[],
  ): Promise<Person | null>
  /** Locks the user and calls `admit`, which may throw. */
  remove(id: string, admit: EventsFrom<User & AccountStanding>): Promise<boolean>
  /**
   * Also ends the sessions that were made with a passkey.
   * @param admit may throw
   * @param event makes the audit event of each removed passkey
   * @param ended makes that of each session
   * @returns false when the user does not exist
   */
  removePasskeys(
    id: string,
    admit: (standing: AccountStanding) => void,
    event: (passkeyId: string) => AuditEvent,
    ended: SessionEnd,
  ): Promise<boolean>
}
