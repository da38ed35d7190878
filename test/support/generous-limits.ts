import type { LimitSettings } from '../../src/core/limits/limit-settings.ts'

/** Limits that no test reaches unless it sets its own. */
export const generousLimits: LimitSettings = {
  clientFailures: 1000,
  clientFailuresPerAddress: 1000,
  tokenRequests: 0,
  signInFailures: 1000,
  signInFailuresPerAddress: 1000,
  signIns: 10_000,
  signInsPerAddress: 10_000,
  sessions: 10_000,
  authorizations: 1000,
  grants: 1000,
  pagePosts: 1000,
  passwordRequests: 1000,
  userCodes: 1000,
}
