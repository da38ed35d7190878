// Users and groups as SCIM writes them (RFC 7643 §4.1, §4.2).
import { invalidValue } from '../../core/provisioning/scim-error.ts'
import type { GroupMember, ProvisionedGroup } from '../../core/provisioning/scim-groups.ts'
import type { ProvisionedUser } from '../../core/provisioning/scim-users.ts'

export const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const prefix = '/scim/v2'

export type Resource = Record<string, unknown>

const metaOf = (
  issuer: string,
  resourceType: 'User' | 'Group',
  { id, createdAt, updatedAt }: { id: string; createdAt: Date; updatedAt: Date },
) => ({
  resourceType,
  created: createdAt.toISOString(),
  lastModified: updatedAt.toISOString(),
  location: `${issuer}${prefix}/${resourceType}s/${id}`,
})

/** A user whom no provider has described yet has the name and the address of the account. */
const attributesOf = ({ attributes, name, email, locale }: ProvisionedUser) =>
  attributes ?? {
    displayName: name,
    name: { formatted: name },
    emails: [{ value: email, type: 'work', primary: true }],
    ...(locale !== null && { preferredLanguage: locale, locale }),
  }

export const userResource =
  (issuer: string) =>
  (user: ProvisionedUser): Resource => ({
    schemas: [userSchema],
    id: user.id,
    ...(user.externalId !== null && { externalId: user.externalId }),
    userName: user.userName,
    ...attributesOf(user),
    active: user.active,
    meta: metaOf(issuer, 'User', user),
  })

/** @param members of this group; null: they were not asked for */
export const groupResource = (
  issuer: string,
  group: ProvisionedGroup,
  members: readonly GroupMember[] | null,
): Resource => ({
  schemas: [groupSchema],
  id: group.id,
  ...(group.externalId !== null && { externalId: group.externalId }),
  displayName: group.displayName,
  ...(members && {
    members: members.map(({ userId, userName }) => ({
      value: userId,
      display: userName,
      type: 'User',
      $ref: `${issuer}${prefix}/Users/${userId}`,
    })),
  }),
  meta: metaOf(issuer, 'Group', group),
})

const alwaysReturned = ['schemas', 'id']

/** Which attributes the client asked for (RFC 7644 §3.9); sub-attributes count as their attribute. */
export interface Selection {
  includes(attribute: string): boolean
}

const longestList = 8192 // characters

/** @throws ScimError invalidValue */
const namesIn = (list: string | undefined): Set<string> | undefined => {
  if (list === undefined) return undefined
  if (list.length > longestList) throw invalidValue('the list of attributes is too long')
  const names = list.split(',').map((name) => {
    const [first = ''] = name
      .trim()
      .toLowerCase()
      .replace(/^urn:.*:/, '')
      .split('.')
    return first
  })
  return new Set(names.filter(Boolean))
}

export const selectionOf = (query: {
  attributes?: string | undefined
  excludedAttributes?: string | undefined
}): Selection => {
  const wanted = namesIn(query.attributes)
  const excluded = namesIn(query.excludedAttributes)
  return {
    includes: (attribute) => {
      const name = attribute.toLowerCase()
      if (alwaysReturned.includes(name)) return true
      return wanted ? wanted.has(name) : !excluded?.has(name)
    },
  }
}

export const selected = (resource: Resource, selection: Selection): Resource =>
  Object.fromEntries(Object.entries(resource).filter(([name]) => selection.includes(name)))
