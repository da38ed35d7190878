import { isDeepStrictEqual } from 'node:util'
import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import { newId } from '../crypto/identifiers.ts'
import type { Language } from '../language/languages.ts'
import { type AccountStanding, guardOf } from '../people/account-guard.ts'
import type { User } from '../people/user.ts'
import { type Filter, meets } from './filter.ts'
import { readOperations } from './patch-operations.ts'
import { foundResource, ScimError } from './scim-error.ts'
import type { ScimProvider } from './scim-tokens.ts'
import { type SearchStore, search } from './search.ts'
import {
  addressOf,
  checkUser,
  languageOf,
  readUser,
  shownNameOf,
  type UserAttributes,
  type UserDraft,
  withStoredForm,
} from './user-attributes.ts'
import { patchedUser } from './user-patch.ts'
import { createWorkBudget, filterInSlices } from './work-budget.ts'

/** A user of the organization, a member or not, as it is stored: the account's own address, name and language. */
export interface ProvisionedUser
  extends Pick<User, 'id' | 'email' | 'name' | 'locale' | 'createdAt'> {
  userName: string
  externalId: string | null
  /** null: no provider has described the user. */
  attributes: UserAttributes | null
  /** A member, whose account the operator has not disabled. */
  active: boolean
  isMember: boolean
  updatedAt: Date
}

/** A user under the lock of a change. */
export interface LockedUser extends ProvisionedUser, AccountStanding {
  /** A provider of this organization made the account, and it belongs to no other organization. */
  isOwn: boolean
  /** The account has a password, a passkey or an identity of the platform's provider. */
  canSignIn: boolean
}

export interface UserChange extends Omit<UserDraft, 'active'> {
  /** The account's new address and name; null: unchanged. */
  email: string | null
  name: string | null
  /** The account's language after the change. */
  locale: Language | null
  /** null: unchanged */
  membership: 'join' | 'leave' | null
  /** A user who leaves keeps the role for the return: only where the provider manages roles. */
  keepsRole: boolean
  events: readonly AuditEvent[]
}

export interface NewProvisionedUser
  extends Pick<ProvisionedUser, 'id' | 'email' | 'name' | 'locale' | 'userName' | 'externalId'> {
  attributes: UserAttributes
  joins: boolean
  /** Only an account that a provider of this organization has made may be added. */
  onlyOwn: boolean
}

export type AddRefusal = 'exists' | 'unverified'

export interface ScimUserStore extends SearchStore<ProvisionedUser> {
  byId(organizationId: string, id: string): Promise<ProvisionedUser | null>
  /**
   * Adds a new account or one that exists under the address, if it may be added.
   * @param eventsOf makes the audit events from the user's id, and whether the account is new
   */
  add(
    organizationId: string,
    user: NewProvisionedUser,
    eventsOf: (userId: string, isNew: boolean) => readonly AuditEvent[],
  ): Promise<ProvisionedUser | AddRefusal>
  /** Locks the user, calls `decide` and writes. @returns `exists` when another user has the name or the address */
  change(
    organizationId: string,
    id: string,
    decide: (user: LockedUser) => UserChange,
  ): Promise<ProvisionedUser | 'exists' | null>
  /** Removes the user from the organization; the account stays. */
  remove(organizationId: string, id: string, events: readonly AuditEvent[]): Promise<boolean>
}

const draftOf = (user: ProvisionedUser): UserDraft => ({
  userName: user.userName,
  externalId: user.externalId,
  attributes: user.attributes ?? {
    displayName: user.name,
    emails: [{ value: user.email, type: 'work', primary: true }],
    ...(user.locale !== null && { preferredLanguage: user.locale, locale: user.locale }),
  },
  active: undefined,
})

/** A language that the user has chosen stays until the provider says another. */
const changedLocale = (user: ProvisionedUser, draft: UserDraft): Language | null => {
  const [before, after] = [languageOf(user.attributes), languageOf(draft.attributes)]
  if (before === after) return user.locale
  if (after === null && user.locale !== before) return user.locale
  return after
}

const taken = () =>
  new ScimError(409, 'uniqueness', 'a user of the organization has this userName or address')

/** Is the account described as before? */
const isSameAccount = (before: UserDraft, after: UserDraft) =>
  isDeepStrictEqual([before.userName, before.attributes], [after.userName, after.attributes])

/**
 * The user after the edit. Of an account that is the operator's, a provider changes the membership and its own id only. A
 * user who leaves does so whatever else the request says: it must never fail.
 * @throws ScimError 403
 */
const admitted = (user: LockedUser, before: UserDraft, after: UserDraft): UserDraft => {
  const guard = guardOf('provider', user)
  if (guard === null || isSameAccount(before, after)) return after
  if (user.isMember && after.active === false) return { ...before, active: false }
  throw new ScimError(403, 'mutability', guard)
}

const unverified = () => {
  const rule = 'an account with this address exists that this provider cannot add'
  const way = 'the operator can confirm the address, or add the user'
  return new ScimError(409, 'uniqueness', `${rule}; ${way}`)
}

/**
 * Users of an organization, as its identity provider manages them. `resourceOf` writes a user as the protocol does, for
 * filters.
 */
export const createScimUsers = (deps: {
  store: ScimUserStore
  resourceOf(user: ProvisionedUser): unknown
}) => {
  const { store, resourceOf } = deps

  const meeting = (candidates: ProvisionedUser[], filter: Filter) => {
    const budget = createWorkBudget()
    return filterInSlices(candidates, (user) => meets(resourceOf(user), filter, budget))
  }

  const change = async (
    { organizationId, groupKind }: ScimProvider,
    id: string,
    cause: Cause,
    edit: (draft: UserDraft) => UserDraft,
  ): Promise<ProvisionedUser> => {
    const changed = await store.change(organizationId, id, (user) => {
      const before = draftOf(user)
      const draft = admitted(user, before, checkUser(edit(before)))
      const isOwn = user.isOwn && guardOf('provider', user) === null
      const active = draft.active ?? user.isMember
      const membership = active === user.isMember ? null : active ? 'join' : 'leave'
      const about = { organizationId, userId: id, detail: { by: 'scim' } }
      const address = addressOf(draft)
      const name = shownNameOf(draft)
      // An address is how a person signs in: it stays once the account can, so that no provider can redirect it.
      const email = isOwn && !user.canSignIn && address !== user.email ? address : null
      const newName = isOwn && name !== user.name ? name : null
      const locale = isOwn ? changedLocale(user, draft) : user.locale
      const fields = [
        ...(email === null ? [] : ['email']),
        ...(newName === null ? [] : ['name']),
        ...(locale === user.locale ? [] : ['locale']),
      ]
      const events: AuditEvent[] = []
      if (fields.length > 0) {
        const detail = { ...about.detail, changed: fields }
        events.push(auditEvent(cause, 'user.changed', { ...about, detail }))
      }
      if (membership === 'join') events.push(auditEvent(cause, 'member.added', about))
      if (membership === 'leave') events.push(auditEvent(cause, 'member.removed', about))
      const { active: _, ...described } = draft
      const keepsRole = groupKind === 'roles'
      return { ...described, email, name: newName, locale, membership, keepsRole, events }
    })
    if (changed === 'exists') throw taken()
    return foundResource(changed)
  }

  return {
    /** @throws ScimError */
    add: async ({ organizationId, isLimited }: ScimProvider, body: unknown, cause: Cause) => {
      const draft = checkUser(readUser(body))
      const { active = true, ...described } = draft
      const user = {
        ...described,
        id: newId('user'),
        email: addressOf(draft),
        name: shownNameOf(draft),
        locale: languageOf(draft.attributes),
        joins: active,
        onlyOwn: isLimited,
      }
      const added = await store.add(organizationId, user, (userId, isNew) => {
        const about = { organizationId, userId, detail: { by: 'scim' } }
        return [
          ...(isNew ? [auditEvent(cause, 'user.created', about)] : []),
          ...(active ? [auditEvent(cause, 'member.added', about)] : []),
        ]
      })
      if (added === 'exists') throw taken()
      if (added === 'unverified') throw unverified()
      return added
    },

    /** @throws ScimError 404 */
    read: async (organizationId: string, id: string): Promise<ProvisionedUser> =>
      foundResource(await store.byId(organizationId, id)),

    /** @param page its `start` is from 0 @throws ScimError tooMany */
    list: (organizationId: string, filter: Filter | null, page: { start: number; count: number }) =>
      search(store, organizationId, filter && withStoredForm(filter), page, meeting),

    /** Without `active`, the user stays as active as they are. @throws ScimError */
    replace: (provider: ScimProvider, id: string, body: unknown, cause: Cause) => {
      const draft = readUser(body)
      return change(provider, id, cause, () => draft)
    },

    /** @throws ScimError */
    patch: (provider: ScimProvider, id: string, body: unknown, cause: Cause) => {
      const operations = readOperations(body)
      return change(provider, id, cause, (draft) => patchedUser(draft, operations))
    },

    /** @throws ScimError 404 */
    remove: async (organizationId: string, id: string, cause: Cause): Promise<void> => {
      const about = { organizationId, userId: id, detail: { by: 'scim' } }
      const events = [auditEvent(cause, 'member.removed', about)]
      foundResource((await store.remove(organizationId, id, events)) || null)
    },
  }
}

export type ScimUsers = ReturnType<typeof createScimUsers>
