import type { PermissionCatalogue } from '../../../core/language/permission-catalogue.ts'
import { entriesOf, intersect } from '../../../core/language/permissions.ts'
import type { WorkspaceLimit } from '../../../core/language/scope.ts'
import type { RequestedApp } from '../../../core/organizations/install-requests.ts'
import type { InstalledAppWithWidening } from '../../../core/organizations/organization-apps.ts'
import type { WorkspaceName } from '../../../core/organizations/workspaces.ts'
import type {
  InstalledItem,
  RequestItem,
  WideningItem,
  WorkspaceNames,
} from '../rendering/organization-view-models.ts'
import { describePermissions, type PermissionGroup } from '../rendering/permission-list.ts'
import { cardOf, momentOf } from '../rendering/render.ts'
import type { WorkspaceChoice } from '../rendering/step-view-models.ts'
import type { Text } from '../rendering/text.ts'
import { workspaceChoice } from '../rendering/workspace-choice.ts'

type Api = 'legacy' | 'current'

/** The names of the workspaces in a limit that still exist. */
export const namesWithin = (
  api: Api,
  limit: WorkspaceLimit,
  workspaces: readonly WorkspaceName[],
): WorkspaceNames => {
  if (api === 'legacy') return null
  if (limit === null) return 'all'
  const isWithin = entriesOf(limit)
  return workspaces.filter(({ id }) => isWithin(id)).map(({ name }) => name)
}

/** The checkboxes for a limit, ticked accordingly. */
export const choiceOf = (
  text: Text,
  api: Api,
  limit: WorkspaceLimit,
  workspaces: readonly WorkspaceName[],
): WorkspaceChoice | null => {
  if (api === 'legacy') return null
  const isWithin = limit === null ? () => true : entriesOf(limit)
  const options = workspaces.map(({ id, name }) => ({ id, name, ticked: isWithin(id) }))
  return workspaceChoice(text, { all: { ticked: limit === null }, options })
}

/** Removes the lines that cannot be unticked. */
const withoutAlways = (groups: readonly PermissionGroup[]): PermissionGroup[] =>
  groups
    .map((group) => ({ ...group, lines: group.lines.filter((line) => line.permission !== null) }))
    .filter((group) => group.lines.length > 0)

const wideningItem = (
  text: Text,
  catalogue: PermissionCatalogue,
  api: Api,
  offered: string[],
  ticked: string[],
): WideningItem | null =>
  offered.length === 0
    ? null
    : {
        offered,
        permissionGroups: withoutAlways(
          describePermissions(text, catalogue, api, offered, undefined, ticked),
        ),
      }

/** An installed app as its card shows it. */
export const installedItem = (
  text: Text,
  catalogue: PermissionCatalogue,
  one: InstalledAppWithWidening,
  organizationName: string,
  base: string,
  workspaces: readonly WorkspaceName[],
): InstalledItem => {
  const { app, install, widening } = one
  const api = app.interface
  return {
    clientId: app.clientId,
    app: cardOf(app, app.redirectUris[0] as string),
    isSuspended: install.suspended,
    isDisabled: app.disabled,
    permissionGroups: describePermissions(
      text,
      catalogue,
      api,
      intersect(app.permissions, install.permissions),
    ),
    workspaces: namesWithin(api, install.workspaceIds, workspaces),
    installedBy: one.installedBy,
    since: momentOf(text, install.createdAt),
    lastUsed: one.lastUsed && momentOf(text, one.lastUsed),
    people: text.organization.apps.peopleWho(one.people),
    fresh: wideningItem(text, catalogue, api, widening.fresh, widening.fresh),
    declined: wideningItem(text, catalogue, api, widening.declined, []),
    changeUrl: `${base}/apps/${encodeURIComponent(app.clientId)}`,
    uninstallConsequence: text.organization.apps.consequence(
      app.name,
      organizationName,
      one.people,
    ),
  }
}

/** The fault in the answer to a request, and what was ticked. */
export interface AnswerFault {
  clientId: string
  error: string
  permissions: string[]
  workspaceIds: WorkspaceLimit
}

/** The requests for one app, with the checkboxes of the answer. */
export const requestItem = (
  text: Text,
  catalogue: PermissionCatalogue,
  { app, permissions, requests }: RequestedApp,
  workspaces: readonly WorkspaceName[],
  fault: AnswerFault | null,
): RequestItem => {
  const own = fault?.clientId === app.clientId ? fault : null
  return {
    clientId: app.clientId,
    prefix: `${app.clientId}-`,
    app: cardOf(app, app.redirectUris[0] as string),
    people: requests.map(({ id, user, createdAt, reason }) => ({
      requestId: id,
      name: user.name,
      email: user.email,
      on: momentOf(text, createdAt),
      reason,
    })),
    mayUntick: permissions.length > 0,
    permissionGroups: describePermissions(
      text,
      catalogue,
      app.interface,
      permissions,
      undefined,
      own?.permissions ?? permissions,
    ),
    workspaces: choiceOf(text, app.interface, own?.workspaceIds ?? null, workspaces),
    error: own?.error ?? null,
  }
}
