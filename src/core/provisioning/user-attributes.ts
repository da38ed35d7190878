// The attributes of a user that SCIM keeps (RFC 7643 §4.1). All others are accepted and ignored.
import { given } from '../audit/changes.ts'
import { acceptedTags, bestLanguage } from '../language/best-language.ts'
import { firstName } from '../language/display-text.ts'
import type { Language } from '../language/languages.ts'
import {
  hasOtherLetters,
  isEmailAddress,
  normaliseEmail,
  otherLetters,
  sentAddress,
} from '../people/email-address.ts'
import type { Filter } from './filter.ts'
import { isObject, memberOf } from './patch-operations.ts'
import { invalidSyntax, invalidValue } from './scim-error.ts'

export const nameParts = [
  'formatted',
  'familyName',
  'givenName',
  'middleName',
  'honorificPrefix',
  'honorificSuffix',
] as const
export type NamePart = (typeof nameParts)[number]

export interface Email {
  value: string
  type?: string
  primary?: boolean
  display?: string
}

/** What a provider says about a user, apart from `userName`, `externalId` and `active`. */
export interface UserAttributes {
  displayName?: string
  name?: Partial<Record<NamePart, string>>
  emails?: Email[]
  /** Languages by preference, as in `Accept-Language`. */
  preferredLanguage?: string
  locale?: string
}

export interface UserDraft {
  userName: string
  externalId: string | null
  attributes: UserAttributes
  /** undefined: as it was */
  active: boolean | undefined
}

const longestText = 500
const mostEmails = 20

/** @throws ScimError invalidValue */
export const textOf = (value: unknown, name: string): string => {
  if (typeof value !== 'string' || value.length > longestText)
    throw invalidValue(`${name} must be a text of at most ${longestText} characters`)
  return value
}

/** null and an empty text remove an attribute (RFC 7643 §2.5). */
export const optionalText = (value: unknown, name: string): string | undefined =>
  value === undefined || value === null || value === '' ? undefined : textOf(value, name)

/** Entra ID sends "True" and "False" as texts. @throws ScimError invalidValue */
export const flagOf = (value: unknown, name: string): boolean => {
  if (typeof value === 'boolean') return value
  const word = typeof value === 'string' ? value.toLowerCase() : ''
  if (word !== 'true' && word !== 'false') throw invalidValue(`${name} must be true or false`)
  return word === 'true'
}

export const nameOf = (value: unknown): UserAttributes['name'] => {
  if (value === undefined || value === null) return undefined
  if (!isObject(value)) throw invalidValue('name must be an object')
  const parts = nameParts.map((part) => [part, optionalText(memberOf(value, part), `name.${part}`)])
  const known = parts.filter(([, text]) => text !== undefined)
  return known.length > 0 ? Object.fromEntries(known) : undefined
}

export const emailOf = (value: unknown): Email => {
  const object = typeof value === 'string' ? { value } : value
  if (!isObject(object)) throw invalidValue('each of emails must be an object')
  const primary = memberOf(object, 'primary')
  return given({
    value: textOf(memberOf(object, 'value'), 'emails.value').trim(),
    type: optionalText(memberOf(object, 'type'), 'emails.type'),
    display: optionalText(memberOf(object, 'display'), 'emails.display'),
    primary:
      primary === undefined || primary === null ? undefined : flagOf(primary, 'emails.primary'),
  }) as Email
}

export const emailsOf = (value: unknown): Email[] => {
  if (value === undefined || value === null) return []
  const list = [value].flat()
  if (list.length > mostEmails) throw invalidValue(`there are more than ${mostEmails} emails`)
  return list.map(emailOf)
}

/** Reads a user of POST and PUT. @throws ScimError */
export const readUser = (body: unknown): UserDraft => {
  if (!isObject(body)) throw invalidSyntax('the body must be an object')
  const of = (name: string) => memberOf(body, name)
  const emails = emailsOf(of('emails'))
  const active = of('active')
  return {
    userName: textOf(of('userName'), 'userName').trim(),
    externalId: optionalText(of('externalId'), 'externalId') ?? null,
    active: active === undefined || active === null ? undefined : flagOf(active, 'active'),
    attributes: given({
      displayName: optionalText(of('displayName'), 'displayName'),
      name: nameOf(of('name')),
      emails: emails.length > 0 ? emails : undefined,
      preferredLanguage: optionalText(of('preferredLanguage'), 'preferredLanguage'),
      locale: optionalText(of('locale'), 'locale'),
    }) as UserAttributes,
  }
}

/**
 * The address under which the user signs in: the primary one, the one for work, the first, or a user name that is one.
 * @throws ScimError invalidValue
 */
export const addressOf = ({ userName, attributes }: UserDraft): string => {
  const emails = attributes.emails ?? []
  const chosen =
    emails.find(({ primary }) => primary) ??
    emails.find(({ type }) => type?.toLowerCase() === 'work') ??
    emails[0]
  const address = normaliseEmail(chosen?.value ?? userName)
  if (hasOtherLetters(address)) throw invalidValue(`the e-mail address ${otherLetters}`)
  if (!isEmailAddress(address))
    throw invalidValue('the user needs an e-mail address, in emails or as userName')
  return address
}

/** Some providers send `de_CH` for `de-CH`. */
const tagsIn = (value: string | undefined) => acceptedTags((value ?? '').replaceAll('_', '-'))

/**
 * The language of pages and mails for what a provider says: `preferredLanguage`, or else `locale` (RFC 7643 §4.1.1); null
 * when neither names one of ours.
 */
export const languageOf = (attributes: UserAttributes | null): Language | null =>
  bestLanguage(tagsIn(attributes?.preferredLanguage)) ?? bestLanguage(tagsIn(attributes?.locale))

/** The name that pages show. */
export const shownNameOf = (draft: UserDraft): string => {
  const { displayName, name } = draft.attributes
  const whole = [name?.givenName, name?.familyName].filter(Boolean).join(' ')
  return firstName([displayName, name?.formatted, whole, draft.userName]) ?? 'User'
}

/** @throws ScimError invalidValue */
export const checkUser = (draft: UserDraft): UserDraft => {
  if (draft.userName === '') throw invalidValue('userName must not be empty')
  return draft
}

/** A member whom no provider has described has the stored form of the address, and is found by each form of it. */
export const withStoredForm = (filter: Filter): Filter => {
  if ('parts' in filter) return { ...filter, parts: filter.parts.map(withStoredForm) }
  if (filter.kind === 'not') return { ...filter, part: withStoredForm(filter.part) }
  if (filter.kind !== 'compare' || filter.operator !== 'eq' || typeof filter.value !== 'string')
    return filter
  const isAddress = ['username', 'emails', 'emails.value'].includes(filter.path.join('.'))
  const value = sentAddress(filter.value)
  if (!isAddress || value === filter.value.trim()) return filter
  return { kind: 'or', parts: [filter, { ...filter, value }] }
}
