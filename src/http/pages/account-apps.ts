import type { FastifyInstance } from 'fastify'
import { isIdShaped } from '../../domain/identifiers.ts'
import type { Connection, Connections } from '../../services/connections.ts'
import type { InstallRequests, OwnRequest } from '../../services/install-requests.ts'
import { type Browser, originOf } from '../browser.ts'
import { accountTabs } from './account-tabs.ts'
import { field } from './forms.ts'
import { describePermissions } from './permission-list.ts'
import { cardOf, momentOf, type Renderer } from './render.ts'
import type { SignInWays } from './sign-in-page.ts'
import { text } from './text.ts'
import type { ConnectedApp, OwnRequestItem } from './view-models.ts'

export interface AccountAppsDependencies {
  connections: Connections
  installRequests: Pick<InstallRequests, 'own'>
  browser: Browser
  renderer: Renderer
  ways: SignInWays
}

const path = '/account/apps'

const connectedApp = (connection: Connection): ConnectedApp => ({
  clientId: connection.app.clientId,
  app: cardOf(connection.app, connection.app.redirectUris[0] as string),
  organization: { id: connection.organizationId, name: connection.organizationName },
  permissionGroups: describePermissions(connection.app.interface, connection.permissions),
  workspaces:
    connection.app.interface === 'legacy'
      ? null
      : connection.workspaceIds === null
        ? 'all'
        : connection.workspaceNames,
  since: momentOf(connection.since),
  lastUsed: connection.lastUsed && momentOf(connection.lastUsed),
})

const ownRequest = (request: OwnRequest): OwnRequestItem => ({
  app: cardOf(request.app, request.app.redirectUris[0] as string),
  organization: { id: request.organizationId, name: request.organizationName },
  asked: momentOf(request.createdAt),
  refused: request.refusedAt && momentOf(request.refusedAt),
})

/** Connected apps: what each may do in my name, and how to stop it. */
export const accountApps = (scope: FastifyInstance, deps: AccountAppsDependencies) => {
  const { connections, installRequests, browser, renderer, ways } = deps

  scope.get<{ Querystring: Record<string, unknown> }>(path, async (request, reply) => {
    const session = await browser.session(request)
    if (!session) return reply.redirect(`/login?return_to=${encodeURIComponent(path)}`, 303)
    const list = await connections.list(session.user.id)
    return renderer.page(
      request,
      reply,
      'account-apps',
      { session, title: text.titles.accountApps },
      {
        tabs: accountTabs('apps', ways),
        action: path,
        notice: request.query.disconnected === undefined ? null : text.accountApps.disconnected,
        apps: list.map(connectedApp),
        requests: (await installRequests.own(session.user.id)).map(ownRequest),
      },
    )
  })

  scope.post(path, async (request, reply) => {
    const session = await browser.session(request)
    if (!session) return reply.redirect(`/login?return_to=${encodeURIComponent(path)}`, 303)
    const [clientId, organizationId] = [
      field(request, 'client_id'),
      field(request, 'organization_id'),
    ]
    const known = isIdShaped(clientId) && isIdShaped(organizationId)
    if (field(request, 'decision') !== 'disconnect' || !known) return reply.redirect(path, 303)
    const origin = originOf(request, session)
    const ended = await connections.disconnect(session.user.id, clientId, organizationId, origin)
    return reply.redirect(ended ? `${path}?disconnected` : path, 303)
  })
}
