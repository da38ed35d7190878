// Settings of apps that the rule of a host, or a review, can preset.
import { Type } from 'typebox'
import { longestRetryWindow } from '../../../core/clients/app-settings.ts'
import {
  longestTokenLifetime,
  shortestTokenLifetime,
} from '../../../core/clients/token-lifetime.ts'
import * as api from '../schemas.ts'

export const optionalPermissions = Type.Unsafe<string[] | null>({
  ...api.permissions,
  type: ['array', 'null'],
  description:
    'Permissions that the app can do without. It requires the others: an install or a consent cannot leave them out. ' +
    'null: it can do without each.',
})

export const retryWindow = Type.Integer({
  minimum: 0,
  maximum: longestRetryWindow,
  description: 'Seconds in which a consumed refresh token returns the same successor again.',
})

export const accessTokenLifetime = api.nullable(
  Type.Integer({
    minimum: shortestTokenLifetime,
    maximum: longestTokenLifetime,
    description:
      'Lifetime of its access tokens, at most that of the interface (CURRENT_TOKEN_SECONDS, LEGACY_TOKEN_SECONDS). ' +
      'null: that of the interface.',
  }),
)
