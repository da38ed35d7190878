// PATCH of users (RFC 7644 §3.5.2).
import { type Filter, meets } from './filter.ts'
import { memberOf, type PlacedOperation as Operation, refuseReadOnly } from './patch-operations.ts'
import { invalidValue } from './scim-error.ts'
import {
  type Email,
  emailOf,
  emailsOf,
  flagOf,
  nameOf,
  nameParts,
  optionalText,
  textOf,
  type UserAttributes,
  type UserDraft,
} from './user-attributes.ts'
import { createWorkBudget, type WorkBudget } from './work-budget.ts'

/** Comparisons of one PATCH. They are made under the lock of the user. */
const mostComparisons = 10_000

/** Entra ID sends the values of some simple attributes as a list of one. */
const single = (value: unknown): unknown => {
  const [only] = Array.isArray(value) && value.length === 1 ? value : []
  return typeof only === 'object' && only !== null ? memberOf(only, 'value') : (only ?? value)
}

const patchName = (current: UserAttributes['name'], { op, path, value }: Operation) => {
  if (path.sub === null) return op === 'remove' ? undefined : { ...current, ...nameOf(value) }
  const part = nameParts.find((one) => one.toLowerCase() === path.sub)
  if (!part) return current
  const { [part]: _former, ...others } = current ?? {}
  const text = op === 'remove' ? undefined : optionalText(single(value), `name.${part}`)
  return text === undefined ? others : { ...others, [part]: text }
}

/** The type that a filter such as `type eq "work"` demands, for a value that does not exist yet. */
const typeIn = (filter: Filter): string | null =>
  filter.kind === 'compare' &&
  filter.operator === 'eq' &&
  filter.path.join('.') === 'type' &&
  typeof filter.value === 'string'
    ? filter.value
    : null

const changedEmail = (email: Email | null, sub: string | null, value: unknown): Email => {
  if (sub === null || sub === 'value') {
    const said = typeof value === 'object' && value !== null ? single(value) : value
    if (typeof said === 'object' && said !== null) return emailOf({ ...email, ...said })
    return emailOf({ ...email, value: said })
  }
  return emailOf({ ...email, [sub]: value })
}

/** One primary address at most (RFC 7643 §2.4): the last one that was set. */
const withOnePrimary = (emails: readonly Email[]): Email[] => {
  const last = emails.findLastIndex(({ primary }) => primary)
  return emails.map((email, at) =>
    email.primary && at !== last ? { ...email, primary: false } : email,
  )
}

const patchSelected = (
  current: readonly Email[],
  { op, path, value }: Operation,
  budget: WorkBudget,
): Email[] => {
  const isChosen = (email: Email) => path.filter === null || meets(email, path.filter, budget)
  if (op === 'remove') {
    if (path.sub === null || path.sub === 'value') return current.filter((one) => !isChosen(one))
    const { sub } = path
    return current.map((one) => (isChosen(one) ? emailOf({ ...one, [sub]: undefined }) : one))
  }
  if (current.some(isChosen))
    return current.map((one) => (isChosen(one) ? changedEmail(one, path.sub, value) : one))
  const type = path.filter && typeIn(path.filter)
  const fresh = type === null ? {} : { type }
  return [...current, changedEmail(fresh as Email, path.sub, value)]
}

const patchEmails = (current: readonly Email[], operation: Operation, budget: WorkBudget) => {
  const { op, path, value } = operation
  // Values that are given cost as much: they are read, and compared with those that are there.
  budget.spend(1 + current.length + (Array.isArray(value) ? 2 * value.length : 0))
  if (path.filter !== null || path.sub !== null) return patchSelected(current, operation, budget)
  if (op === 'remove' && value === undefined) return []
  const said = emailsOf(value)
  if (op === 'replace') return said
  const known = new Set(said.map((one) => one.value.toLowerCase()))
  const others = current.filter((one) => !known.has(one.value.toLowerCase()))
  // A remove with a list takes those that it names, as of the members of a group.
  return op === 'remove' ? others : [...others, ...said]
}

const without = (attributes: UserAttributes, name: keyof UserAttributes): UserAttributes => {
  const { [name]: _former, ...others } = attributes
  return others
}

const put = <Name extends keyof UserAttributes>(
  draft: UserDraft,
  name: Name,
  value: UserAttributes[Name] | undefined,
): UserDraft => {
  const others = without(draft.attributes, name)
  return { ...draft, attributes: value === undefined ? others : { ...others, [name]: value } }
}

const applied = (draft: UserDraft, operation: Operation, budget: WorkBudget): UserDraft => {
  const { op, path } = operation
  const value = op === 'remove' ? undefined : single(operation.value)
  switch (path.attribute) {
    case 'username':
      if (op === 'remove') throw invalidValue('userName is required')
      return { ...draft, userName: textOf(value, 'userName').trim() }
    case 'externalid':
      return { ...draft, externalId: optionalText(value, 'externalId') ?? null }
    case 'active':
      return op === 'remove' ? draft : { ...draft, active: flagOf(value, 'active') }
    case 'displayname':
      return put(draft, 'displayName', optionalText(value, 'displayName'))
    case 'preferredlanguage':
      return put(draft, 'preferredLanguage', optionalText(value, 'preferredLanguage'))
    case 'locale':
      return put(draft, 'locale', optionalText(value, 'locale'))
    case 'name':
      return put(draft, 'name', patchName(draft.attributes.name, operation))
    case 'emails': {
      const emails = withOnePrimary(patchEmails(draft.attributes.emails ?? [], operation, budget))
      return put(draft, 'emails', emails.length > 0 ? emailsOf(emails) : undefined)
    }
    default:
      refuseReadOnly(path.attribute)
      return draft
  }
}

/** Applies the operations in their order. @throws ScimError */
export const patchedUser = (draft: UserDraft, operations: readonly Operation[]): UserDraft => {
  const budget = createWorkBudget(mostComparisons)
  return operations.reduce((patched, operation) => applied(patched, operation, budget), draft)
}
