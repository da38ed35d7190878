import { isClientIdShaped, isIdShaped } from '../../core/crypto/identifiers.ts'
import type { Connection, ConnectionKey, Connections } from '../../core/grants/connections.ts'
import type { OwnRequest } from '../../core/organizations/install-requests.ts'
import type { Session } from '../../core/people/session.ts'
import type { Text } from '../../words/text.ts'
import { endOf } from '../rendering/access-end.ts'
import { cardOf } from '../rendering/app-card.ts'
import { doneNotice, tell } from '../rendering/done-notice.ts'
import { field } from '../rendering/forms/sent-values.ts'
import { addressOf, firstPart, linksOf, readPart, searchOf } from '../rendering/long-list.ts'
import { describePermissions } from '../rendering/permission-list.ts'
import { momentOf } from '../rendering/render.ts'
import { stopPage, stopPath } from '../rendering/stop-page.ts'
import { orNotFound, type UserVisit } from '../sign-in/guards.ts'
import type { AccountRoutes } from './routes.ts'
import { showAccountBlocks } from './tabs.ts'

const path = '/account/apps'

const connectedApp = (visit: UserVisit, { app, ...connection }: Connection) => {
  const { text } = visit
  return {
    ...connection,
    clientId: app.clientId,
    app: cardOf(app),
    organization: { id: connection.organizationId, name: connection.organizationName },
    permissionGroups: describePermissions(visit, app.interface, connection.permissions, {
      identity: { scopes: connection.openidScopes, reader: 'self' },
    }),
    /** `all`: every workspace that the organization approved. `null`: legacy, no workspaces. */
    workspaces:
      app.interface === 'legacy'
        ? null
        : connection.workspaceIds === null
          ? 'all'
          : connection.workspaceNames,
    since: momentOf(text, connection.since),
    lastUsed: connection.lastUsed && momentOf(text, connection.lastUsed),
    end: endOf(text, connection),
    isSuspended: connection.suspended,
    keptOut: connection.keptOut && text.notForYou[keptOutWords[connection.keptOut]],
  }
}

const ownRequest = (text: Text, request: OwnRequest) => ({
  clientId: request.app.clientId,
  app: cardOf(request.app),
  organization: { id: request.organizationId, name: request.organizationName },
  requested: momentOf(text, request.createdAt),
  reason: request.reason,
  refused: request.refusedAt && momentOf(text, request.refusedAt),
  refusalReason: request.refusalReason,
  expired: request.expiredAt && momentOf(text, request.expiredAt),
})

const keptOutWords = { denied: 'denied', not_in_audience: 'audience' } as const

const mostRecent = 3
const appsOfPage = 15

/** Some of the user's connected apps, for the first page. */
export const recentApps = async (
  text: Text,
  connections: Pick<Connections, 'list'>,
  { user }: Session,
) => {
  const { items } = await connections.list(user.id, { limit: mostRecent, after: null })
  return items.map(({ app, organizationId, organizationName, lastUsed, suspended }) => ({
    app: cardOf(app),
    organization: { id: organizationId, name: organizationName },
    lastUsed: lastUsed && momentOf(text, lastUsed),
    isSuspended: suspended,
  }))
}

/** The page of connected apps: what each may do for the user, and how to disconnect it. */
export const accountApps = ({ get, post, show, deps }: AccountRoutes) => {
  const { connections, installRequests, memberships, undo, browser } = deps
  const disconnect = async ({ request, cause }: UserVisit, about: ConnectionKey) => {
    const ended = await connections.disconnect(about, cause)
    if (!ended) return null
    const { app, organization, consent } = ended
    tell(request, { names: { app, organization } })
    if (!consent) return 'disconnected'
    const offer = { kind: 'reconnect', connection: about, consent } as const
    tell(request, { undo: await undo.offer([offer], browser.sessionMark(request)) })
    return 'disconnected_undo'
  }

  const withdraw = async ({ request, cause }: UserVisit, about: ConnectionKey) => {
    const { userId, clientId, organizationId } = about
    const own = await installRequests.own(userId)
    const asked = own.find(
      (one) => one.app.clientId === clientId && one.organizationId === organizationId,
    )
    tell(request, { names: { app: asked?.app.name ?? null } })
    return (await installRequests.withdraw(about, cause)) ? 'withdrawn' : 'late'
  }

  /** @returns the notice to show; null when there is none */
  const decide = async (visit: UserVisit) => {
    const { request, session } = visit
    const clientId = field(request, 'client_id')
    const organizationId = field(request, 'organization_id')
    if (!isClientIdShaped(clientId) || !isIdShaped(organizationId)) return null
    const about = { userId: session.user.id, clientId, organizationId }
    switch (field(request, 'decision')) {
      case 'disconnect':
        return disconnect(visit, about)
      case 'withdraw':
        return withdraw(visit, about)
      default:
        return null
    }
  }

  get(path, async (visit) => {
    const { request, text, session } = visit
    const part = { ...firstPart, after: readPart(request).after }
    const [page, requests] = await Promise.all([
      connections.list(session.user.id, searchOf(part, appsOfPage)),
      part.after ? [] : installRequests.own(session.user.id),
    ])
    const requested = requests.map((one) => ownRequest(text, one))
    const { late } = text.organization.ownRequests
    return show(visit, 'apps', 'account-apps', {
      title: text.titles.accountApps,
      action: addressOf(path, part),
      notice: doneNotice(request, { ...text.done.account, late }, ['late']),
      apps: page.items.map((one) => connectedApp(visit, one)),
      list: linksOf(path, part, page),
      waiting: requested.filter((one) => one.refused === null && one.expired === null),
      refused: requested.filter((one) => one.refused !== null),
      expired: requested.filter((one) => one.expired !== null),
    })
  })

  get(
    `/account${stopPath}`,
    orNotFound(async (visit) => {
      const own = await memberships.all(visit.session.user.id)
      const organizationIds = own.map(({ id }) => id)
      return showAccountBlocks(deps, visit, 'apps', await stopPage(visit, deps, organizationIds))
    }),
    ({ url }) => url,
  )

  post(path, async (visit) => {
    const done = await decide(visit)
    const part = { ...firstPart, after: readPart(visit.request).after }
    return visit.reply.redirect(addressOf(path, part, done === null ? {} : { done }), 303)
  })
}
