// The settings that owners of an app may change, and which changes are the operator's decision.
import { changedFields, type Patch } from '../audit/changes.ts'
import { fingerprintOf } from '../crypto/digests.ts'
import { isOtherThanReviewed } from './app-setting-rules.ts'
import type { AppSettings } from './app-settings.ts'

export const ownerSettings = [
  'name',
  'description',
  'homepageUri',
  'logoUri',
  'uploadedLogo',
  'policyUri',
  'tosUri',
  'clientType',
  'redirectUris',
  'permissions',
  'optionalPermissions',
  'permissionReasons',
  'jwks',
  'jwksUri',
] as const satisfies readonly (keyof AppSettings)[]

export type OwnerSetting = (typeof ownerSettings)[number]
export type OwnerSettings = Pick<AppSettings, OwnerSetting>
export type OwnerPatch = Patch<OwnerSettings>

/** Whom a change of an app concerns. */
export interface AppReach {
  /** With a live install. */
  organizations: number
  /** Who use it there. */
  people: number
}

const differs = (field: OwnerSetting, before: OwnerPatch, after: OwnerPatch) =>
  changedFields<OwnerPatch>({ [field]: before[field] }, { [field]: after[field] }).length > 0

/** The settings of an owner that differ. */
export const changedSettings = (before: OwnerPatch, after: OwnerPatch): OwnerSetting[] =>
  ownerSettings.filter((field) => differs(field, before, after))

/**
 * Must the operator decide? An added redirect URI or permission and another client type widen the app. Of a reviewed app,
 * also each change that would end the review.
 */
export const needsOperator = (before: AppSettings, after: AppSettings): boolean => {
  const { clientType, redirectUris, permissions } = after
  const decided = before.reviewed ? after : { ...before, clientType, redirectUris, permissions }
  return isOtherThanReviewed(before, decided)
}

/** Has a setting another value than at the time of the request? */
export const isOutdated = (app: OwnerSettings, before: OwnerPatch): boolean =>
  ownerSettings.some((field) => field in before && differs(field, before, app))

/** An opaque version of the settings that owners may change. */
export const versionOfSettings = (app: OwnerSettings): string =>
  fingerprintOf(ownerSettings.map((field) => app[field]))
