import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isClientIdShaped, isIdShaped } from '../../core/crypto/identifiers.ts'
import type { Connection, Connections } from '../../core/grants/connections.ts'
import type { PermissionCatalogue } from '../../core/language/permission-catalogue.ts'
import type { InstallRequests, OwnRequest } from '../../core/organizations/install-requests.ts'
import type { Session } from '../../core/people/session.ts'
import { type Browser, causeOf } from '../../http/browser/browser.ts'
import type { Text } from '../../words/text.ts'
import { endOf } from '../rendering/access-end.ts'
import { cardOf } from '../rendering/app-card.ts'
import { field, queried } from '../rendering/forms/sent-values.ts'
import { addressOf, linksOf, readPart, searchOf } from '../rendering/long-list.ts'
import { describePermissions } from '../rendering/permission-list.ts'
import { textOf } from '../rendering/reader-text.ts'
import { momentOf, type Renderer } from '../rendering/render.ts'
import type { ConnectedApp, OwnRequestItem } from '../rendering/view-models/account.ts'
import type { Notice } from '../rendering/view-models/frame.ts'
import { type AccountTabsDependencies, accountTabs } from './tabs.ts'

export interface AccountAppsDependencies extends AccountTabsDependencies {
  connections: Connections
  installRequests: Pick<InstallRequests, 'own' | 'withdraw'>
  browser: Browser
  renderer: Renderer
  catalogue: PermissionCatalogue
}

const path = '/account/apps'

const connectedApp = (
  text: Text,
  catalogue: PermissionCatalogue,
  connection: Connection,
): ConnectedApp => ({
  clientId: connection.app.clientId,
  app: cardOf(connection.app, connection.app.redirectUris[0] as string),
  organization: { id: connection.organizationId, name: connection.organizationName },
  permissionGroups: describePermissions(
    text,
    catalogue,
    connection.app.interface,
    connection.permissions,
    undefined,
    connection.permissions,
    { scopes: connection.openidScopes, reader: 'self' },
  ),
  workspaces:
    connection.app.interface === 'legacy'
      ? null
      : connection.workspaceIds === null
        ? 'all'
        : connection.workspaceNames,
  since: momentOf(text, connection.since),
  lastUsed: connection.lastUsed && momentOf(text, connection.lastUsed),
  end: endOf(text, connection),
  movedFrom: connection.movedFrom,
  actors: connection.actors,
})

const ownRequest = (text: Text, request: OwnRequest): OwnRequestItem => ({
  clientId: request.app.clientId,
  app: cardOf(request.app, request.app.redirectUris[0] as string),
  organization: { id: request.organizationId, name: request.organizationName },
  asked: momentOf(text, request.createdAt),
  reason: request.reason,
  refused: request.refusedAt && momentOf(text, request.refusedAt),
  expired: request.expiredAt && momentOf(text, request.expiredAt),
})

const noticesOf = (text: Text): Record<string, Notice> => ({
  disconnected: { words: text.accountApps.disconnected, tone: 'good' },
  withdrawn: { words: text.organization.ownRequests.withdrawn, tone: 'good' },
  late: { words: text.organization.ownRequests.late, tone: 'plain' },
})

const noticeOf = (text: Text, done: string): Notice | null => {
  const notices = noticesOf(text)
  return Object.hasOwn(notices, done) ? (notices[done] as Notice) : null
}

/** The page of connected apps: what each may do for the user, and how to disconnect it. */
export const accountApps = (scope: FastifyInstance, deps: AccountAppsDependencies) => {
  const { connections, installRequests, browser, renderer, catalogue } = deps

  /** @returns the notice to show; null when there is none */
  const decide = async (request: FastifyRequest, session: Session) => {
    const [clientId, organizationId] = [
      field(request, 'client_id'),
      field(request, 'organization_id'),
    ]
    if (!isClientIdShaped(clientId) || !isIdShaped(organizationId)) return null
    const about = [session.user.id, clientId, organizationId, causeOf(request, session)] as const
    switch (field(request, 'decision')) {
      case 'disconnect':
        return (await connections.disconnect(...about)) ? 'disconnected' : null
      case 'withdraw':
        return (await installRequests.withdraw(...about)) ? 'withdrawn' : 'late'
      default:
        return null
    }
  }

  scope.get(path, async (request, reply) => {
    const session = await browser.session(request)
    if (!session) return reply.redirect(`/login?return_to=${encodeURIComponent(path)}`, 303)
    const part = { ...readPart(request), name: '' }
    const [page, requests] = await Promise.all([
      connections.list(session.user.id, searchOf(part)),
      part.after ? [] : installRequests.own(session.user.id),
    ])
    const text = textOf(request)
    const asked = requests.map((one) => ownRequest(text, one))
    return renderer.page(
      request,
      reply,
      'account-apps',
      { session, title: text.titles.accountApps },
      {
        tabs: await accountTabs(text, 'apps', session, deps),
        action: addressOf(path, part),
        notice: noticeOf(text, queried(request, 'done')),
        apps: page.items.map((one) => connectedApp(text, catalogue, one)),
        list: linksOf(path, part, page),
        waiting: asked.filter((one) => one.refused === null && one.expired === null),
        refused: asked.filter((one) => one.refused !== null),
        expired: asked.filter((one) => one.expired !== null),
      },
    )
  })

  scope.post(path, async (request, reply) => {
    const session = await browser.session(request)
    if (!session) return reply.redirect(`/login?return_to=${encodeURIComponent(path)}`, 303)
    const done = await decide(request, session)
    const part = { ...readPart(request), name: '' }
    return reply.redirect(addressOf(path, part, done === null ? {} : { done }), 303)
  })
}
