// Where a person belongs, which apps act for the person, and where the person is signed in; and the end of all of it.
import type { OperatorPermission } from '../../../core/credentials/operator-permissions.ts'
import type { Connection } from '../../../core/grants/connections.ts'
import { pageOfAll } from '../../../core/language/paging.ts'
import { NotFound } from '../../../core/language/service-errors.ts'
import type { OrganizationMembership } from '../../../core/organizations/memberships.ts'
import type { UserSessionJson } from '../../../http/operator/people/sessions.ts'
import type { UserJson } from '../../../http/operator/people/users.ts'
import { linked, timed } from '../../rendering/forms/blocks.ts'
import { firstPart, type ListPart, readPart } from '../../rendering/long-list.ts'
import type { Block, TableBlock } from '../../rendering/view-models/blocks.ts'
import type { PageServices } from '../../sign-in/services.ts'
import type { OperatorVisit } from '../gate.ts'
import { type List, linkedIf, listTable } from '../list-table.ts'
import { organizationUrl } from '../organizations/path.ts'
import type { Tab } from '../tab.ts'
import { personPath, personUrl, readUser } from './path.ts'

/** Where a list of a person is, and the part of it that is shown. */
type At = Required<Pick<List<never>, 'id' | 'url' | 'part' | 'limit'>>

interface PersonList {
  permission: OperatorPermission
  orders: readonly string[]
  read(visit: OperatorVisit, deps: PageServices, userId: string, at: At): Promise<TableBlock>
}

const organizations: PersonList = {
  permission: 'organizations:read',
  orders: ['name', 'role'],
  read: (visit, { memberships }, userId, at) => {
    const { people, columns, roles, organizations: said } = visit.text.operator
    const orders = { name: null, role: ({ role }: OrganizationMembership) => role }
    const linkOf = ({ id, name }: OrganizationMembership) =>
      linked(name, `${organizationUrl(id)}/members`)
    return listTable<OrganizationMembership>(visit, {
      ...at,
      ...{ heading: said.heading, empty: people.noOrganizations, usual: 'name' },
      find: visit.text.search.named,
      from: async (page) =>
        pageOfAll(await memberships.all(userId), page, orders, ({ id, name }) => [id, name]),
      columns: [
        [columns.organization, linkOf, 'name'],
        [columns.role, (one) => roles[one.role], 'role'],
      ],
    })
  },
}

const apps: PersonList = {
  permission: 'installs:read',
  orders: ['name', 'organization', 'last_used'],
  read: (visit, { connections }, userId, at) => {
    const { text, may } = visit
    const { people, columns } = text.operator
    const installUrl = ({ app, organizationId }: Connection) =>
      `${organizationUrl(organizationId)}/installs/${encodeURIComponent(app.clientId)}`
    const organizationOf = ({ organizationName, organizationId }: Connection) =>
      linkedIf(may('organizations:read'), organizationName, organizationUrl(organizationId))
    return listTable<Connection>(visit, {
      ...at,
      ...{ heading: people.apps, empty: people.noApps, usual: 'name' },
      find: text.search.named,
      from: (page) => connections.list(userId, page),
      columns: [
        [columns.app, (one) => linked(one.app.name, installUrl(one)), 'name'],
        [columns.organization, organizationOf, 'organization'],
        [columns.age, ({ since }) => timed(text, since.toISOString())],
        [columns.lastUsed, (one) => timed(text, one.lastUsed?.toISOString() ?? null), 'last_used'],
      ],
    })
  },
}

const sessions: PersonList = {
  permission: 'users:read',
  orders: ['last_used', 'created_at'],
  read: (visit, _deps, userId, at) => {
    const { text, api } = visit
    const { people, columns } = text.operator
    const { methodNames } = text.sessions
    const joined = (words: readonly (string | null)[]) => words.filter(Boolean).join(', ')
    const orders = {
      last_used: (one: UserSessionJson) => one.last_seen_at,
      created_at: (one: UserSessionJson) => one.created_at,
    }
    return listTable<UserSessionJson>(visit, {
      ...at,
      ...{ heading: people.sessions, empty: people.noSessions, usual: '-last_used' },
      from: async (page) => {
        const { items } = await api.list<UserSessionJson>(`/users/${userId}/sessions`)
        return pageOfAll(items, page, orders)
      },
      columns: [
        [people.device, ({ browser, system }) => joined([browser, system])],
        [people.methods, ({ methods }) => joined(methods.map((one) => methodNames[one]))],
        [columns.address, ({ address }) => address],
        [columns.created, (one) => timed(text, one.created_at), 'created_at'],
        [columns.lastUsed, (one) => timed(text, one.last_seen_at), 'last_used'],
      ],
    })
  },
}

/** By the ends of the addresses of their own pages. */
const lists: Record<string, PersonList> = { organizations, apps, sessions }

const at = (id: string, userId: string, part: ListPart): At => ({
  ...{ id, part, limit: '10' },
  url: `${personUrl(userId)}/${id}`,
})

export const accessBlocks = (visit: OperatorVisit, deps: PageServices, { id }: UserJson) =>
  Promise.all(
    Object.entries(lists)
      .filter(([, { permission }]) => visit.may(permission))
      .map(([name, { read }]): Promise<Block> => read(visit, deps, id, at(name, id, firstPart))),
  )

/** Ends what each app may do for the person, as the Operator API does. */
const endApps = async ({ api }: OperatorVisit, { memberships }: PageServices, userId: string) => {
  for (const { id } of await memberships.all(userId)) {
    const { items } = await memberships.appsOfMember(id, userId, { limit: 1000, after: null })
    for (const { clientId } of items) {
      const install = `/organizations/${id}/installs/${encodeURIComponent(clientId)}`
      await api.change({ method: 'DELETE', path: `${install}/users/${userId}` })
    }
  }
}

/** The rest of each list, and the end of all access. */
export const operatorPersonAccess = ({ page, confirm, deps }: Tab) => {
  for (const [name, { permission, orders, read }] of Object.entries(lists))
    page(`${personPath}/${name}`, permission, async (visit) => {
      const part = readPart(visit.request, { orders })
      const { item: user, url } = await readUser(visit)
      return {
        heading: user.name,
        blocks: [await read(visit, deps, user.id, at(name, user.id, part))],
        back: { label: user.name, href: url },
      }
    })

  confirm(`${personPath}/end-access`, 'users:write', readUser, ({ item: user, at }, visit) => {
    if (!visit.may('installs:write')) throw new NotFound('page')
    return {
      words: visit.text.operator.people.endAll,
      etag: undefined,
      call: async () => {
        await endApps(visit, deps, user.id)
        return { method: 'DELETE', path: `${at}/sessions` }
      },
      done: 'endedAll',
    }
  })
}
