// A workspace of an organization and its members.
import type {
  WorkspaceJson,
  WorkspaceMemberJson,
} from '../../../http/operator/organizations/workspaces.ts'
import { copied, facts, linked, links, timed } from '../../rendering/forms/blocks.ts'
import { nameField } from '../fields.ts'
import type { OperatorVisit } from '../gate.ts'
import { listTable } from '../list-table.ts'
import { memberCall, memberCells, personField, personNames } from '../people/by-email.ts'
import type { Tab } from '../tab.ts'
import { organizationId, organizationPath, organizationUrl } from './path.ts'

const path = `${organizationPath}/workspaces/:workspace_id`

export const workspaceUrl = (organization: string, workspace: string) =>
  `${organizationUrl(organization)}/workspaces/${encodeURIComponent(workspace)}`

/** The workspace, which has to belong to the organization in the path. @throws NotFound */
const readWorkspace = async (visit: OperatorVisit) => {
  const [organization, id] = [organizationId(visit), visit.parameter('workspace_id')]
  await visit.api.read(`/organizations/${organization}/workspaces/${id}`)
  const read = await visit.api.readVersion<WorkspaceJson>(`/workspaces/${id}`)
  const back = `${organizationUrl(organization)}/workspaces`
  return { ...read, back, url: workspaceUrl(organization, read.item.id) }
}

const membersTable = (visit: OperatorVisit, at: string, url: string) => {
  const { text, may } = visit
  const { columns, daily, organizations } = text.operator
  const mayName = may('users:read')
  const removal = ({ user_id: member }: WorkspaceMemberJson) =>
    linked(organizations.removeMember, `${url}/members/${member}/remove`)
  return listTable<WorkspaceMemberJson>(visit, {
    from: `${at}/members`,
    url,
    find: mayName ? text.search.placeholder : null,
    id: 'members',
    heading: organizations.members,
    columns: async (members) => [
      [columns.user, await memberCells(visit, members), mayName && 'name'],
      [columns.created, (one) => timed(text, one.created_at), 'created_at'],
      may('organizations:write') && [columns.action, removal],
    ],
    empty: daily.workspace.noMembers,
  })
}

const overview = ({ page }: Tab) =>
  page(path, 'organizations:read', async (visit) => {
    const { text, may } = visit
    const { columns, daily, organizations } = text.operator
    const { item, at, back, url } = await readWorkspace(visit)
    const mayChange = may('organizations:write')
    return {
      heading: item.name,
      blocks: [
        facts(null, [
          [columns.id, copied(item.id)],
          [columns.created, timed(text, item.created_at)],
        ]),
        ...links(
          mayChange && [daily.workspace.rename.action, `${url}/rename`],
          mayChange && [daily.workspace.delete.action, `${url}/delete`],
        ),
        await membersTable(visit, at, url),
        ...links(mayChange && [organizations.addMember, `${url}/members/new`]),
      ],
      back: { label: organizations.back, href: back },
    }
  })

const members = ({ form, confirm }: Tab) => {
  form(`${path}/members/new`, 'organizations:write', async (visit) => {
    const { item, at, url } = await readWorkspace(visit)
    return {
      subject: item.name,
      ...visit.text.operator.daily.workspace.add,
      fields: [personField(visit)],
      cancelUrl: url,
      call: ({ user }) => memberCall(visit, `${at}/members`, user, {}),
    }
  })

  confirm(`${path}/members/:user_id/remove`, 'organizations:write', async (visit) => {
    const { at: place, url } = await readWorkspace(visit)
    const { item, etag, at } = await visit.api.readVersion<WorkspaceMemberJson>(
      `${place}/members/${visit.parameter('user_id')}`,
    )
    const [one] = await personNames(visit, [item.user_id])
    return {
      words: visit.text.operator.daily.workspace.remove,
      subject: one?.name ?? item.user_id,
      cancelUrl: url,
      etag,
      call: { method: 'DELETE', path: at },
      done: 'removed',
    }
  })
}

const changes = ({ form, confirm }: Tab) => {
  form(`${path}/rename`, 'organizations:write', async (visit) => {
    const { item, etag, at, url } = await readWorkspace(visit)
    const { heading, submit } = visit.text.operator.daily.workspace.rename
    return {
      heading,
      submit,
      fields: [nameField(visit, item.name)],
      cancelUrl: url,
      etag,
      call: (body) => ({ method: 'PATCH', path: at, body }),
    }
  })

  confirm(`${path}/delete`, 'organizations:write', async (visit) => {
    const { item, etag, at, back, url } = await readWorkspace(visit)
    return {
      words: visit.text.operator.daily.workspace.delete,
      subject: item.name,
      cancelUrl: url,
      etag,
      call: { method: 'DELETE', path: at },
      next: back,
    }
  })
}

export const operatorWorkspaces = (tab: Tab) => {
  overview(tab)
  members(tab)
  changes(tab)
}
