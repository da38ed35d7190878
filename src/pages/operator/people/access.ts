// Where a person belongs, which apps act for the person, and where the person is signed in; and the end of all of it.
import type { OperatorPermission } from '../../../core/credentials/operator-permissions.ts'
import { NotFound } from '../../../core/language/service-errors.ts'
import type { UserSessionJson } from '../../../http/operator/people/sessions.ts'
import type { UserJson } from '../../../http/operator/people/users.ts'
import { linked, plain, table, timed } from '../../rendering/forms/blocks.ts'
import { firstPart, type ListPart, linksOf, readPart } from '../../rendering/long-list.ts'
import type { Block, TableBlock } from '../../rendering/view-models/blocks.ts'
import type { OperatorPagesDependencies, OperatorVisit } from '../gate.ts'
import { linkedIf } from '../list-table.ts'
import { organizationUrl } from '../organizations/path.ts'
import type { Tab } from '../tab.ts'
import { personPath, personUrl, readUser } from './path.ts'

type Deps = Pick<OperatorPagesDependencies, 'memberships' | 'connections'>
type Part = Pick<TableBlock, 'heading' | 'rows' | 'empty'> & {
  columns: string[]
  next: string | null
}
type List = (visit: OperatorVisit, deps: Deps, id: string, part: ListPart) => Promise<Part>

const size = 10

/** A part of a list that is read as a whole; a place is a number of items. */
const partOfAll = <Item>(all: readonly Item[], { after }: ListPart) => {
  const start = Number.parseInt(after ?? '0', 10)
  const next = start + size < all.length ? String(start + size) : null
  return { items: all.slice(start, start + size), next }
}

const organizations: List = async ({ text }, { memberships }, id, part) => {
  const { people, columns, roles, organizations: said } = text.operator
  const { items, next } = partOfAll(await memberships.all(id), part)
  return {
    ...{ heading: said.heading, empty: people.noOrganizations, next },
    columns: [columns.organization, columns.role],
    rows: items.map((one) => [
      linked(one.name, `${organizationUrl(one.id)}/members`),
      plain(roles[one.role]),
    ]),
  }
}

const apps: List = async ({ text, may }, { connections }, id, part) => {
  const { people, columns } = text.operator
  const { items, next } = await connections.list(id, { limit: size, after: part.after })
  return {
    ...{ heading: people.apps, empty: people.noApps, next },
    columns: [columns.app, columns.organization, columns.age, columns.lastUsed],
    rows: items.map(({ app, organizationId, organizationName, since, lastUsed }) => {
      const url = organizationUrl(organizationId)
      return [
        linked(app.name, `${url}/installs/${encodeURIComponent(app.clientId)}`),
        linkedIf(may('organizations:read'), organizationName, url),
        timed(text, since.toISOString()),
        timed(text, lastUsed?.toISOString() ?? null),
      ]
    }),
  }
}

const sessions: List = async ({ text, api }, _deps, id, part) => {
  const { people, columns } = text.operator
  const { methodNames } = text.sessions
  const all = await api.list<UserSessionJson>(`/users/${id}/sessions`)
  const { items, next } = partOfAll(all.items, part)
  const joined = (words: readonly (string | null)[]) => plain(words.filter(Boolean).join(', '))
  return {
    ...{ heading: people.sessions, empty: people.noSessions, next },
    columns: [people.device, people.methods, columns.address, columns.created, columns.lastUsed],
    rows: items.map(({ browser, system, methods, address, created_at, last_seen_at }) => [
      joined([browser, system]),
      joined(methods.map((one) => methodNames[one])),
      plain(address),
      timed(text, created_at),
      timed(text, last_seen_at),
    ]),
  }
}

/** By the ends of the addresses of their own pages, each with the right that it needs. */
const lists: Record<string, [permission: OperatorPermission, read: List]> = {
  organizations: ['organizations:read', organizations],
  apps: ['installs:read', apps],
  sessions: ['users:read', sessions],
}

const tableOf = (name: string, id: string, part: ListPart, { next, ...read }: Part) =>
  table({ ...read, id: name, list: linksOf(`${personUrl(id)}/${name}`, part, { next }) })

/** The first part of each list. */
export const accessBlocks = (visit: OperatorVisit, deps: Deps, { id }: UserJson) =>
  Promise.all(
    Object.entries(lists)
      .filter(([, [permission]]) => visit.may(permission))
      .map(
        async ([name, [, read]]): Promise<Block> =>
          tableOf(name, id, firstPart, await read(visit, deps, id, firstPart)),
      ),
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
  for (const [name, [permission, read]] of Object.entries(lists))
    page(`${personPath}/${name}`, permission, async (visit) => {
      const [{ item: user, url }, part] = [await readUser(visit), readPart(visit.request)]
      return {
        heading: user.name,
        blocks: [tableOf(name, user.id, part, await read(visit, deps, user.id, part))],
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
