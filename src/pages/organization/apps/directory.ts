// The directory of an organization. Members see it too: an admin installs an app from here, a member asks for it.
import type { FastifyInstance } from 'fastify'
import { installRequestOf } from '../../../core/authorization/requests.ts'
import { isClientIdShaped } from '../../../core/crypto/identifiers.ts'
import { found } from '../../../core/language/service-errors.ts'
import type { DirectoryEntry } from '../../../core/organizations/directory.ts'
import { cardOf } from '../../rendering/app-card.ts'
import { field } from '../../rendering/forms/sent-values.ts'
import { addressOf, listOf } from '../../rendering/long-list.ts'
import type { PageServices } from '../../sign-in/services.ts'
import { createOrganizationGates } from '../gate.ts'

const path = '/organizations/:id/directory'

const stateOf = ({ install, isRequested }: DirectoryEntry) => {
  if (install) return install.suspended ? 'suspended' : 'installed'
  return isRequested ? 'requested' : 'free'
}

const itemOf = (entry: DirectoryEntry) => ({
  clientId: entry.app.clientId,
  app: cardOf(entry.app),
  state: stateOf(entry),
})

export const organizationDirectory = (scope: FastifyInstance, deps: PageServices) => {
  const { browser, renderer, directory, requests, limits } = deps
  const { asMember } = createOrganizationGates(deps)

  scope.get(
    path,
    asMember(async ({ request, reply, text, session, organization, base }) => {
      const url = `${base}/directory`
      const list = listOf({ request, text }, url, ['name', 'created_at'], {
        ...{ label: text.organization.directory.find, anchor: 'directory' },
        orders: ['name', '-name', '-created_at', 'created_at'],
      })
      const page = await directory.list(organization.id, session.user.id, list.ask())
      const context = { session, title: text.organization.directory.title }
      return renderer.page(request, reply, 'organization-directory', context, {
        organization: { id: organization.id, name: organization.name },
        isAdmin: organization.role === 'admin',
        action: addressOf(url, list.part),
        filter: list.filter,
        apps: page.items.map(itemOf),
        list: list.links(page),
      })
    }),
  )

  /** Begins the same steps as a link to install the app. They find out what this user may do. */
  scope.post(
    path,
    asMember(async ({ request, reply, session, organization }) => {
      const clientId = field(request, 'client_id')
      const listed = isClientIdShaped(clientId) ? await directory.find(clientId) : null
      const app = found(listed, 'app')
      const countedAs = await limits.authorizationBegun(request.ip, session.user.id)
      const requested = { setupUri: null, state: null, permissions: null }
      const { id } = await requests.begin(
        installRequestOf(app, { ...requested, organizationHint: organization.id }),
        { browser: browser.bind(request, reply), countedAs },
      )
      return reply.redirect(`/interaction/${id}`, 303)
    }),
  )
}
