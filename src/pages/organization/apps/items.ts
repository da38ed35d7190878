import {
  lockedPermissions,
  missingPermissions,
} from '../../../core/clients/required-permissions.ts'
import type { AccessEnd } from '../../../core/language/access-end.ts'
import { entriesOf, type Interface, intersect } from '../../../core/language/permissions.ts'
import type { WorkspaceLimit } from '../../../core/language/scope.ts'
import type { RequestedApp } from '../../../core/organizations/install-requests.ts'
import type { InstalledAppWithWidening } from '../../../core/organizations/organization-apps.ts'
import type { WorkspaceName } from '../../../core/organizations/workspaces.ts'
import { shownEmail } from '../../../core/people/email-address.ts'
import type { Text } from '../../../words/text.ts'
import { endOf } from '../../rendering/access-end.ts'
import { cardOf } from '../../rendering/app-card.ts'
import { limitChoice } from '../../rendering/fields/workspace-choice.ts'
import type { WorkspaceNames } from '../../rendering/organization-page.ts'
import {
  describePermissions,
  initialTicks,
  type PermissionGroup,
  type Reader,
  requiredButCut,
} from '../../rendering/permission-list.ts'
import { momentOf } from '../../rendering/render.ts'
import type { AdminVisit } from '../gate.ts'

/** The names of the workspaces in a limit that still exist. */
export const namesWithin = (
  api: Interface,
  limit: WorkspaceLimit,
  workspaces: readonly WorkspaceName[],
): WorkspaceNames => {
  if (api === 'legacy') return null
  if (limit === null) return 'all'
  const isWithin = entriesOf(limit)
  return workspaces.filter(({ id }) => isWithin(id)).map(({ name }) => name)
}

/** Removes the lines that cannot be unticked. */
const withoutAlways = (groups: readonly PermissionGroup[]): PermissionGroup[] =>
  groups
    .map((group) => ({ ...group, lines: group.lines.filter((line) => line.permission !== null) }))
    .filter((group) => group.lines.length > 0)

const wideningItem = (
  reader: Reader,
  app: InstalledAppWithWidening['app'],
  offered: string[],
  ticked: string[],
) =>
  offered.length === 0
    ? null
    : {
        offered,
        permissionGroups: withoutAlways(
          describePermissions(reader, app.interface, offered, {
            ticked,
            locked: lockedPermissions(app, offered),
            reasons: app.permissionReasons,
          }),
        ),
      }

const shortList = 2

/** The first entries of a list, and how many more there are. */
const shortened = <Entry>(all: readonly Entry[]) => ({
  first: all.slice(0, shortList),
  more: Math.max(0, all.length - shortList),
})

const whereOf = (names: WorkspaceNames) => {
  if (names === null) return null
  if (names === 'all') return { all: true, names: [], more: 0 }
  const { first, more } = shortened(names)
  return { all: false, names: first, more }
}

export const appUrl = (base: string, clientId: string): string =>
  `${base}/apps/${encodeURIComponent(clientId)}`

/**
 * When the access of an app for one person ends, and the pages that change and end it.
 * @param url the page of the app
 */
export const accessLinks = (
  text: Text,
  url: string,
  userId: string,
  access: AccessEnd & { hasConsent: boolean },
) => {
  const own = `${url}/people/${encodeURIComponent(userId)}`
  return {
    end: endOf(text, access),
    /** The page that changes this; null: there is no consent whose end could change. */
    endsUrl: access.hasConsent ? `${own}/ends` : null,
    endUrl: `${own}/end`,
  }
}

export const presentPermissions = (reader: Reader, { app, install }: InstalledAppWithWidening) =>
  describePermissions(reader, app.interface, intersect(app.permissions, install.permissions))

/** An installed app, and why it may not work. */
export const installedApp = (
  { text }: Pick<Reader, 'text'>,
  { app, install, lastUsed }: InstalledAppWithWidening,
) => ({
  app: cardOf(app),
  isSuspended: install.suspended,
  /** It lacks something that the app requires. */
  isIncomplete: missingPermissions(app, install.permissions).length > 0,
  /** Members have installed it for themselves. */
  isSelf: install.self,
  isDisabled: app.disabled,
  lastUsed: lastUsed && momentOf(text, lastUsed),
})

export const installedRow = (
  visit: AdminVisit,
  one: InstalledAppWithWidening,
  workspaces: readonly WorkspaceName[],
) => {
  const { text, base } = visit
  const { app, install } = one
  const lines = withoutAlways(presentPermissions(visit, one)).flatMap((group) => group.lines)
  const marked = [...lines].sort(
    (a, b) => Number(b.mark !== undefined) - Number(a.mark !== undefined),
  )
  const { first, more } = shortened(marked)
  return {
    ...installedApp(visit, one),
    href: appUrl(base, app.clientId),
    /** The first permissions, sensitive ones first, and how many more there are. */
    may: first,
    mayMore: more,
    where: whereOf(namesWithin(app.interface, install.workspaceIds, workspaces)),
    people: text.formats.number(one.people),
  }
}

/** The permissions that an installed app asks for: new ones, ticked as at an install, and declined ones. */
export const wideningItems = (
  reader: Reader,
  { app, widening: { fresh, declined } }: InstalledAppWithWidening,
) => ({
  fresh: wideningItem(reader, app, fresh, initialTicks(reader, app, fresh)),
  declined: wideningItem(reader, app, declined, []),
})

/** An installed app that waits for a decision because it asks for more. */
export const freshItem = (visit: AdminVisit, one: InstalledAppWithWidening) => {
  const { fresh } = wideningItems(visit, one)
  const { clientId } = one.app
  return fresh
    ? [{ clientId, app: cardOf(one.app), href: appUrl(visit.base, clientId), fresh }]
    : []
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
  visit: AdminVisit,
  { app, isInstalled, permissions, cut, requests }: RequestedApp,
  workspaces: readonly WorkspaceName[],
  fault: AnswerFault | null,
) => {
  const { text } = visit
  const own = fault?.clientId === app.clientId ? fault : null
  const locked = lockedPermissions(app, permissions)
  return {
    clientId: app.clientId,
    /** Keeps ids unique on a page with several. */
    prefix: `${app.clientId}-`,
    app: cardOf(app),
    /** The people ask to connect an installed app. */
    isInstalled,
    /** Why the app cannot be installed. */
    cut: cut.length > 0 ? requiredButCut(visit, cut) : null,
    people: requests.map(({ id, user, createdAt, reason }) => ({
      requestId: id,
      name: user.name,
      email: shownEmail(user.email),
      on: momentOf(text, createdAt),
      reason,
    })),
    mayUntick: permissions.length > locked.length,
    lockedHint: locked.length > 0 ? text.permissionList.lockedInstall : null,
    permissionGroups: describePermissions(visit, app.interface, permissions, {
      ticked: own?.permissions ?? initialTicks(visit, app, permissions),
      locked,
      reasons: app.permissionReasons,
    }),
    workspaces:
      isInstalled || cut.length > 0 || app.interface === 'legacy'
        ? null
        : limitChoice(text, workspaces, own?.workspaceIds ?? null),
    error: own?.error ?? null,
  }
}
