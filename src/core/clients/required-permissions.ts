// What an app requires of an install or a consent: without it the app does not work.
import { changedFields } from '../audit/changes.ts'
import { type Fault, faultAt, faultsOfItems } from '../language/faults.ts'
import { sentenceFaultsAt } from '../language/permission-catalogue.ts'
import { intersect } from '../language/permissions.ts'
import type { AppSettings } from './app-settings.ts'

type Requiring = Pick<AppSettings, 'permissions' | 'optionalPermissions'>
type Explained = Requiring & Pick<AppSettings, 'permissionReasons'>

/** The permissions that the app cannot do without. An app that has not said so can do without each. */
const requiredPermissions = ({ permissions, optionalPermissions }: Requiring): string[] =>
  optionalPermissions === null
    ? []
    : permissions.filter((one) => !optionalPermissions.includes(one))

/**
 * The permissions of an offer that cannot be left out.
 * @param granted those of an install or consent that lasts: what it lacks already stays a choice
 */
export const lockedPermissions = (
  app: Requiring,
  offered: readonly string[],
  granted: readonly string[] = offered,
): string[] => intersect(offered, requiredPermissions(app)).filter((one) => granted.includes(one))

/** What the app requires and an approval lacks. */
export const missingPermissions = (app: Requiring, granted: readonly string[]): string[] =>
  requiredPermissions(app).filter((one) => !granted.includes(one))

const unknown = ['permission_beyond_app', 'is not a permission of the app'] as const

export const optionalPermissionFaults = ({ permissions, optionalPermissions }: Requiring) => {
  const isUnknown = (one: string) => !permissions.includes(one)
  return faultsOfItems(optionalPermissions ?? [], isUnknown, '/optional_permissions', ...unknown)
}

export const permissionReasonFaults = ({ permissions, permissionReasons }: Explained): Fault[] =>
  Object.entries(permissionReasons).flatMap(([name, sentence]) => {
    const pointer = `/permission_reasons/${name}`
    return permissions.includes(name)
      ? sentenceFaultsAt(pointer, sentence)
      : [faultAt(pointer, ...unknown)]
  })

/** Does the app require one of its permissions that it could do without before? */
export const requiresMore = (
  before: AppSettings['optionalPermissions'],
  after: AppSettings['optionalPermissions'],
  { permissions }: Pick<AppSettings, 'permissions'>,
) =>
  after !== null &&
  permissions.some((one) => (before?.includes(one) ?? true) && !after.includes(one))

/** Is another reason given for one of its permissions? */
export const hasOtherReasons = (
  before: AppSettings['permissionReasons'],
  after: AppSettings['permissionReasons'],
  { permissions }: Pick<AppSettings, 'permissions'>,
) => permissions.some((one) => changedFields({ of: before[one] }, { of: after[one] }).length > 0)

/** What is said of permissions that the app no longer has is left out, unless it was sent. */
export const withoutLostPermissions = <Settings extends Explained>(
  app: Settings,
  sent: Partial<Record<keyof Explained, unknown>>,
): Settings => {
  const isKept = (one: string) => app.permissions.includes(one)
  return {
    ...app,
    ...(sent.optionalPermissions === undefined && {
      optionalPermissions: app.optionalPermissions?.filter(isKept) ?? null,
    }),
    ...(sent.permissionReasons === undefined && {
      permissionReasons: Object.fromEntries(
        Object.entries(app.permissionReasons).filter(([one]) => isKept(one)),
      ),
    }),
  }
}
