import { Type } from 'typebox'
import { longestIdle, shortestIdle } from '../../../core/language/access-end.ts'
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
