// Where a person belongs, which apps act for the person, and where the person is signed in; and the end of all of it.
import type { OperatorPermission } from '../../../core/credentials/operator-permissions.ts'
import { NotFound } from '../../../core/language/service-errors.ts'
import type { UserSessionJson } from '../../../http/operator/people/sessions.ts'
import type { UserJson } from '../../../http/operator/people/users.ts'
import { linked, listLinks, plain, timed } from '../../rendering/forms/blocks.ts'
import type { ListPart } from '../../rendering/long-list.ts'
import type { Block } from '../../rendering/view-models/blocks.ts'
import type { OperatorPagesDependencies, OperatorVisit } from '../gate.ts'
import { itemTable, linkedIf, partOf } from '../list-table.ts'
import { organizationUrl } from '../organizations/path.ts'
import type { Tab } from '../tab.ts'
import { personPath, personUrl, readUser } from './path.ts'

type Deps = Pick<OperatorPagesDependencies, 'memberships' | 'connections'>
type ListBlock = (
  visit: OperatorVisit,
  deps: Deps,
  user: UserJson,
  part: ListPart,
) => Promise<Block>

const size = 10

/** A part of a list that is read as a whole; a place is a number of items. */
const partOfAll = <Item>(all: readonly Item[], { after }: ListPart) => {
  const start = Number.parseInt(after ?? '0', 10)
  const end = start + size
  return { items: all.slice(start, end), next: end < all.length ? String(end) : null }
}

const organizationsTable: ListBlock = async ({ text }, { memberships }, user, part) => {
  const { people, columns, roles } = text.operator
  const { items, next } = partOfAll(await memberships.all(user.id), part)
  return itemTable(
    items,
    [
      [columns.organization, (one) => linked(one.name, `${organizationUrl(one.id)}/members`)],
      [columns.role, ({ role }) => plain(roles[role])],
    ],
    {
      id: 'organizations',
      heading: text.operator.organizations.heading,
      empty: people.noOrganizations,
      list: listLinks(`${personUrl(user.id)}/organizations`, part, next),
    },
  )
}

const appsTable: ListBlock = async ({ text, may }, { connections }, user, part) => {
  const { people, columns } = text.operator
  const { items, next } = await connections.list(user.id, { limit: size, after: part.after })
  const installUrl = (organizationId: string, clientId: string) =>
    `${organizationUrl(organizationId)}/installs/${encodeURIComponent(clientId)}`
  return itemTable(
    items,
    [
      [
        columns.app,
        (one) => linked(one.app.name, installUrl(one.organizationId, one.app.clientId)),
      ],
      [
        columns.organization,
        (one) =>
          linkedIf(
            may('organizations:read'),
            one.organizationName,
            organizationUrl(one.organizationId),
          ),
      ],
      [columns.age, ({ since }) => timed(text, since.toISOString())],
      [columns.lastUsed, ({ lastUsed }) => timed(text, lastUsed?.toISOString() ?? null)],
    ],
    {
      id: 'apps',
      heading: people.apps,
      empty: people.noApps,
      list: listLinks(`${personUrl(user.id)}/apps`, part, next),
    },
  )
}

const sessionsTable: ListBlock = async ({ text, api }, _deps, user, part) => {
  const { people, columns } = text.operator
  const { methodNames } = text.sessions
  const all = await api.list<UserSessionJson>(`/users/${user.id}/sessions`)
  const { items, next } = partOfAll(all.items, part)
  const joined = (words: readonly (string | null)[]) => plain(words.filter(Boolean).join(', '))
  return itemTable(
    items,
    [
      [people.device, ({ browser, system }) => joined([browser, system])],
      [people.methods, ({ methods }) => joined(methods.map((one) => methodNames[one]))],
      [columns.address, (session) => plain(session.address)],
      [columns.created, (session) => timed(text, session.created_at)],
      [columns.lastUsed, (session) => timed(text, session.last_seen_at)],
    ],
    {
      id: 'sessions',
      heading: people.sessions,
      empty: people.noSessions,
      list: listLinks(`${personUrl(user.id)}/sessions`, part, next),
    },
  )
}

/** By the ends of the addresses of their own pages, each with the right that it needs. */
const lists = {
  organizations: ['organizations:read', organizationsTable],
  apps: ['installs:read', appsTable],
  sessions: ['users:read', sessionsTable],
} as const satisfies Record<string, [permission: OperatorPermission, block: ListBlock]>

/** The first part of each list. */
export const accessBlocks = (
  visit: OperatorVisit,
  deps: Deps,
  user: UserJson,
  part: ListPart,
): Promise<Block[]> =>
  Promise.all(
    Object.values(lists)
      .filter(([permission]) => visit.may(permission))
      .map(([, block]) => block(visit, deps, user, part)),
  )

/** Ends what each app may do for the person, as the Operator API does. */
const endApps = async ({ api }: OperatorVisit, { memberships }: Deps, userId: string) => {
  for (const { id } of await memberships.all(userId)) {
    const { items } = await memberships.appsOfMember(id, userId, { limit: 1000, after: null })
    for (const { clientId } of items) {
      const install = `/organizations/${id}/installs/${encodeURIComponent(clientId)}`
      await api.change({ method: 'DELETE', path: `${install}/users/${userId}` })
    }
  }
}

/** The rest of each list, and the end of all access. */
export const operatorPersonAccess = ({ page, confirm }: Tab, deps: OperatorPagesDependencies) => {
  for (const [name, [permission, block]] of Object.entries(lists))
    page(`${personPath}/${name}`, permission, async (visit) => {
      const { item: user, url } = await readUser(visit)
      return {
        heading: user.name,
        blocks: [await block(visit, deps, user, partOf(visit))],
        back: { label: user.name, href: url },
      }
    })

  confirm(`${personPath}/end-access`, 'users:write', async (visit) => {
    if (!visit.may('installs:write')) throw new NotFound('page')
    const { item: user, at, url } = await readUser(visit)
    return {
      words: visit.text.operator.people.endAll,
      subject: user.name,
      cancelUrl: url,
      call: async () => {
        await endApps(visit, deps, user.id)
        return { method: 'DELETE', path: `${at}/sessions` }
      },
      done: 'endedAll',
    }
  })
}
