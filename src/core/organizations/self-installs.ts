// Installs that members make for themselves, without a decision by an admin.
import { auditEvent, type Cause } from '../audit/audit.ts'
import { newId } from '../crypto/identifiers.ts'
import { usualEnd } from '../language/access-end.ts'
import type { PermissionCatalogue } from '../language/permission-catalogue.ts'
import { covers, type Interface, inOrder } from '../language/permissions.ts'
import { noAudience, orderedAudience } from './audience.ts'
import { type InstallKey, type InstallValues, installEnded } from './install.ts'
import type { ApprovalScene, WantedApproval } from './install-approval.ts'
import { ruleFor } from './organization-policies.ts'

/** A member who installs an app for themselves. */
export interface SelfInstaller {
  userId: string
  /** The permissions that the app asks for now. */
  permissions: readonly string[]
  /** For a device that has asked for it. */
  byDevice: boolean
}

/** Do these permissions only read, and nothing that is sensitive? On the current interface, none of them is reading. */
export const onlyReads = (
  catalogue: Pick<PermissionCatalogue, 'find'>,
  api: Interface,
  permissions: readonly string[],
): boolean =>
  (permissions.length > 0 || api === 'current') &&
  permissions.every((name) => {
    const known = catalogue.find(api, name)
    return known?.group === 'read' && known.mark === null
  })

/** The install with this person among those who have made it. */
const withPerson = (
  { app, live, usualEnd: end }: ApprovalScene,
  { userId, permissions }: SelfInstaller,
  now: number,
): InstallValues => {
  const all = inOrder(app.interface, [...(live?.permissions ?? []), ...permissions])
  const users = [...(live?.audience?.users ?? []), userId]
  return {
    ...(live ?? {
      ...{ id: newId('install'), installedBy: userId, suspended: false },
      ...usualEnd(end, now),
    }),
    permissions: all,
    declinedPermissions: (live?.declinedPermissions ?? []).filter((one) => !all.includes(one)),
    workspaceIds: null,
    audience: orderedAudience({ ...noAudience, users }),
    self: true,
  }
}

/**
 * A self-install, decided under the lock of the organization: of two members at once, the second is added to the install
 * of the first.
 * @param now milliseconds since 1970
 */
export const selfInstallOf = (
  install: InstallKey,
  person: SelfInstaller,
  deps: { catalogue: Pick<PermissionCatalogue, 'find'>; now: () => number },
  cause: Cause,
): WantedApproval => {
  const { userId, permissions, byDevice } = person
  const isAllowed = ({ app, live, standing }: ApprovalScene) =>
    standing?.maySelfInstall === true &&
    ruleFor(standing, byDevice) === 'allow' &&
    live?.self !== false &&
    covers(app.permissions, permissions) &&
    onlyReads(deps.catalogue, app.interface, permissions)
  return {
    ...install,
    ...{ requested: [], audience: noAudience, person: userId },
    expired: installEnded(install, 'expired'),
    decide: (scene) => {
      if (!isAllowed(scene)) return null
      const values = withPerson(scene, person, deps.now())
      const { live } = scene
      const isSame = live?.audience?.users.includes(userId) && covers(live.permissions, permissions)
      const detail = { install_id: values.id, permissions: values.permissions }
      const event = auditEvent(cause, 'install.self_installed', { ...install, userId, detail })
      return { values, events: isSame ? [] : [event], answered: [] }
    },
  }
}
