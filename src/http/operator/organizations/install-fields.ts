// Fields of installs and consents, in bodies and answers.
import { type Static, Type } from 'typebox'
import { longestIdle, shortestIdle } from '../../../core/language/access-end.ts'
import { faultIf } from '../../../core/language/faults.ts'
import { refuse } from '../../../core/language/service-errors.ts'
import type { Audience, AudienceLimit } from '../../../core/organizations/audience.ts'
import * as api from '../schemas.ts'

/** The end of an install or a consent in a body. */
export const expiresAt = api.nullable({
  ...api.timestamp,
  'x-reason': 'expires_at',
  description: 'The access ends at this time. null: it does not expire.',
})
export const idleSeconds = api.nullable(
  Type.Integer({
    minimum: shortestIdle,
    maximum: longestIdle,
    description:
      'The access ends after so many seconds without use, within a few minutes. null: it may stay unused.',
  }),
)

/** The fields of a body with the time read. Absent and null stay what they are. */
export const withEnd = <Fields extends { expiresAt?: string | null }>({
  expiresAt,
  ...fields
}: Fields) => ({
  ...fields,
  ...(expiresAt !== undefined && { expiresAt: expiresAt === null ? null : new Date(expiresAt) }),
})

const mostIds = 1000

const ids = (what: string) =>
  Type.Optional(Type.Array(api.otherId, { maxItems: mostIds, description: what }))

/** For whom an install is, in a body. */
export const audience = Type.Object(
  {
    everyone: Type.Optional(Type.Literal(true)),
    workspaces: ids('Ids of workspaces: their members.'),
    groups: ids('Ids of groups of the directory (SCIM): their members.'),
    users: ids('Ids of users.'),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    default: { everyone: true },
    description:
      'For whom the install is: `everyone`, or a union of lists; an absent list is empty, and three empty ones are nobody. ' +
      'Absent: unchanged, and everyone for a new install.',
  },
)

/** The same in an answer. */
export const shownAudience = Type.Object(
  {
    everyone: Type.Optional(Type.Boolean()),
    workspaces: Type.Optional(Type.Array(Type.String())),
    groups: Type.Optional(Type.Array(Type.String())),
    users: Type.Optional(Type.Array(Type.String())),
  },
  { description: '`{"everyone": true}`, or the three lists.' },
)

const readAudience = ({ everyone, ...lists }: Static<typeof audience>): AudienceLimit => {
  const isBoth = everyone === true && Object.keys(lists).length > 0
  refuse(faultIf(isBoth, '/audience', 'form', 'is either everyone or lists'))
  if (everyone) return null
  const { workspaces = [], groups = [], users = [] } = lists
  return { workspaces, groups, users }
}

/** The fields of a body with the audience read. @throws Invalid */
export const withAudience = <Fields extends { audience?: Static<typeof audience> }>({
  audience,
  ...fields
}: Fields) => ({ ...fields, ...(audience && { audience: readAudience(audience) }) })

/** The fields of an install with its audience written. */
export const withShownAudience = <Fields extends { audience: AudienceLimit }>({
  audience,
  ...fields
}: Fields) => ({
  ...fields,
  audience: audience
    ? { ...(audience as { [List in keyof Audience]: string[] }) }
    : { everyone: true },
})
