// A workspace of an organization and its members.
import type {
  WorkspaceJson,
  WorkspaceMemberJson,
} from '../../../http/operator/organizations/workspaces.ts'
import { copied, facts, linked, links, timed } from '../../rendering/forms/blocks.ts'
import { nameField } from '../fields.ts'
import type { OperatorVisit } from '../gate.ts'
import { listTable } from '../list-table.ts'
import { memberCall, memberCells, personField, personName } from '../people/by-email.ts'
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
  const { id: own, name: subject } = read.item
  return { ...read, back, url: workspaceUrl(organization, own), subject }
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

const readMember = async (visit: OperatorVisit) => {
  const { at, url } = await readWorkspace(visit)
  const member = `${at}/members/${visit.parameter('user_id')}`
  const read = await visit.api.readVersion<WorkspaceMemberJson>(member)
  return { ...read, url, subject: await personName(visit, read.item.user_id) }
}

const members = ({ change, confirm }: Tab) => {
  change(`${path}/members/new`, 'organizations:write', readWorkspace, ({ at }, visit) => ({
    ...visit.text.operator.daily.workspace.add,
    etag: undefined,
    fields: [personField(visit)],
    call: ({ user }) => memberCall(visit, `${at}/members`, user, {}),
  }))

  confirm(`${path}/members/:user_id/remove`, 'organizations:write', readMember, (_, { text }) => ({
    words: text.operator.daily.workspace.remove,
    done: 'removed',
  }))
}

const changes = ({ change, confirm }: Tab) => {
  change(`${path}/rename`, 'organizations:write', readWorkspace, ({ item }, visit) => {
    const { heading, submit } = visit.text.operator.daily.workspace.rename
    return { heading, submit, subject: null, fields: [nameField(visit, item.name)] }
  })

  confirm(`${path}/delete`, 'organizations:write', readWorkspace, ({ back }, { text }) => ({
    words: text.operator.daily.workspace.delete,
    next: back,
  }))
}

export const operatorWorkspaces = [overview, members, changes]
