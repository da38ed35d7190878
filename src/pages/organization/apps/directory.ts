// The directory of an organization. Members see it too: an admin installs an app from here, a member asks for it.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AuthorizationRequests } from '../../../core/authorization/requests.ts'
import { installRequestOf } from '../../../core/authorization/requests.ts'
import { isClientIdShaped, isIdShaped } from '../../../core/crypto/identifiers.ts'
import type { Limits } from '../../../core/limits/limits.ts'
import type { Directory, DirectoryEntry } from '../../../core/organizations/directory.ts'
import type {
  Memberships,
  OrganizationMembership,
} from '../../../core/organizations/memberships.ts'
import type { Session } from '../../../core/people/session.ts'
import type { Browser } from '../../../http/browser/browser.ts'
import { cardOf } from '../../rendering/app-card.ts'
import { field } from '../../rendering/forms/sent-values.ts'
import { addressOf, linksOf, readPart, searchOf } from '../../rendering/long-list.ts'
import { textOf } from '../../rendering/reader-text.ts'
import type { Renderer } from '../../rendering/render.ts'
import type { DirectoryItem } from '../../rendering/view-models/organizations.ts'
import { parameter } from '../gate.ts'

export interface OrganizationDirectoryDependencies {
  browser: Browser
  renderer: Renderer
  directory: Directory
  directoryMemberships: Pick<Memberships, 'asMember'>
  requests: Pick<AuthorizationRequests, 'begin'>
  limits: Pick<Limits, 'authorizationBegun'>
}

const path = '/organizations/:id/directory'

interface MemberVisit {
  request: FastifyRequest
  reply: FastifyReply
  session: Session
  organization: OrganizationMembership
}

const stateOf = ({ install, isRequested }: DirectoryEntry): DirectoryItem['state'] => {
  if (install) return install.suspended ? 'suspended' : 'installed'
  return isRequested ? 'requested' : 'free'
}

const itemOf = (entry: DirectoryEntry): DirectoryItem => ({
  clientId: entry.app.clientId,
  app: cardOf(entry.app, entry.app.redirectUris[0] as string),
  state: stateOf(entry),
})

export const organizationDirectory = (
  scope: FastifyInstance,
  deps: OrganizationDirectoryDependencies,
) => {
  const { browser, renderer, directory, directoryMemberships, requests, limits } = deps

  /** Foreign and unknown organizations have the same 404. */
  const asMember =
    (work: (visit: MemberVisit) => Promise<FastifyReply>) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const session = await browser.session(request)
      reply.header('cache-control', 'no-store')
      if (!session)
        return reply.redirect(`/login?return_to=${encodeURIComponent(request.url)}`, 303)
      const id = parameter(request, 'id')
      const organization = isIdShaped(id)
        ? await directoryMemberships.asMember(session.user.id, id)
        : null
      if (!organization) return renderer.notFound(request, reply)
      return work({ request, reply, session, organization })
    }

  scope.get(
    path,
    asMember(async ({ request, reply, session, organization }) => {
      const text = textOf(request)
      const url = `/organizations/${organization.id}/directory`
      const part = readPart(request)
      const page = await directory.list(organization.id, session.user.id, searchOf(part))
      return renderer.page(
        request,
        reply,
        'organization-directory',
        { session, title: text.organization.directory.title },
        {
          organization: { id: organization.id, name: organization.name },
          isAdmin: organization.role === 'admin',
          action: addressOf(url, part),
          find: { action: url, name: part.name },
          apps: page.items.map(itemOf),
          list: linksOf(url, part, page),
        },
      )
    }),
  )

  /** Begins the same steps as a link to install the app. They find out what this user may do. */
  scope.post(
    path,
    asMember(async ({ request, reply, session, organization }) => {
      const clientId = field(request, 'client_id')
      const app = isClientIdShaped(clientId) ? await directory.find(clientId) : null
      if (!app) return renderer.notFound(request, reply)
      const countedAs = await limits.authorizationBegun(request.ip, session.user.id)
      const { id } = await requests.begin(
        installRequestOf(app, {
          setupUri: null,
          state: null,
          permissions: null,
          organizationHint: organization.id,
        }),
        { browser: browser.bind(request, reply), countedAs },
      )
      return reply.redirect(`/interaction/${id}`, 303)
    }),
  )
}
