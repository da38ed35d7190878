// What a change makes of an app: its new settings, the rules that it breaks, and its audit events.
import { auditEvent, type Cause } from '../audit/audit.ts'
import { changedFields, type Patch, patched } from '../audit/changes.ts'
import { camelCase } from '../language/case.ts'
import type { Fault } from '../language/faults.ts'
import { inOrder } from '../language/permissions.ts'
import type { App } from './app.ts'
import { appFaults, isOtherThanReviewed } from './app-setting-rules.ts'
import { type AppSettings, auditedSettings } from './app-settings.ts'
import { withoutLostPermissions } from './required-permissions.ts'
import { withProfileDefaults } from './security-profile.ts'
import type { TokenLifetimes } from './token-lifetime.ts'
import { withOneLogo } from './uploaded-logo.ts'

/** An app as registered. */
export interface RegisteredApp extends App, AppSettings {
  /** Time of the operator's review; null: not reviewed. */
  reviewedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

/** All settings can change except the interface; the id never changes. */
export type AppPatch = Patch<Omit<AppSettings, 'interface'>>

export interface AppChange {
  app: RegisteredApp
  /** Delete all secrets in the same transaction. */
  dropSecrets: boolean
}

/**
 * Applies the patch. Another client type means another way to authenticate, so old credentials are deleted, keys
 * included. Disabling the app or changing its client type ends every earlier grant for good.
 */
export const changedApp = (current: RegisteredApp, patch: AppPatch): AppChange => {
  const merged = withoutLostPermissions(patched<RegisteredApp>(current, patch), patch)
  const app = withOneLogo(current, withProfileDefaults(merged, patch))
  const otherType = app.clientType !== current.clientType
  const disabling = app.disabled && !current.disabled
  const dropped = <Value>(sent: unknown, value: Value, none: Value) =>
    otherType && sent === undefined ? none : value
  return {
    app: {
      ...app,
      reviewed: patch.reviewed ?? (app.reviewed && !isOtherThanReviewed(current, app)),
      jwks: dropped(patch.jwks, app.jwks, null),
      jwksUri: dropped(patch.jwksUri, app.jwksUri, null),
      workloads: dropped(patch.workloads, app.workloads, []),
      permissions: inOrder(app.interface, app.permissions),
      familiesEpoch: current.familiesEpoch + (otherType || disabling ? 1 : 0),
    },
    dropSecrets: otherType,
  }
}

/** The setting that a fault is about. */
const settingIn = ({ pointer }: Fault) => camelCase(pointer.split('/')[1] ?? '') as keyof AppPatch

/**
 * The rules that a change breaks. A stored setting that breaks a newer rule and is not in the patch does not prevent
 * changes or disabling.
 */
export const changeFaults = (
  before: AppSettings,
  after: AppSettings,
  patch: AppPatch,
  lifetimes: TokenLifetimes,
): Fault[] => {
  const stored = appFaults(before, lifetimes)
  const isStored = (fault: Fault) =>
    patch[settingIn(fault)] === undefined &&
    stored.some(({ pointer, detail }) => pointer === fault.pointer && detail === fault.detail)
  return appFaults(after, lifetimes).filter((fault) => !isStored(fault))
}

/** The audit events of a change; empty: nothing has changed. */
export const changeEvents = (before: RegisteredApp, after: RegisteredApp, cause: Cause) => {
  const { clientId } = before
  const { disabled: was, familiesEpoch: _epoch, reviewedAt: _reviewedAt, ...rest } = before
  const { disabled: is, familiesEpoch: _newEpoch, reviewedAt: _sameReview, ...newRest } = after
  const changed = changedFields(rest, newRest)
  const detail = {
    client_type: after.clientType,
    permissions: after.permissions,
    ...(changed.includes('reviewed') && { reviewed: after.reviewed }),
    ...(changed.includes('owners') && { owners: after.owners }),
    ...(changed.includes('may_act') && { may_act: after.mayAct }),
    ...auditedSettings(after),
    changed,
  }
  return [
    ...(changed.length > 0 ? [auditEvent(cause, 'app.changed', { clientId, detail })] : []),
    ...(was === is ? [] : [auditEvent(cause, is ? 'app.disabled' : 'app.enabled', { clientId })]),
  ]
}
