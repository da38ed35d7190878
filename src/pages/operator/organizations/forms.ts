// Forms of organizations and their members and workspaces.
import type { OrganizationJson } from '../../../http/operator/organizations/organizations.ts'
import { tabUrl } from '../console-page.ts'
import { choiceField, nameField } from '../fields.ts'
import type { OperatorPagesDependencies } from '../gate.ts'
import { memberCall, personField, personNames } from '../people/by-email.ts'
import type { Tab } from '../tab.ts'
import { organizationId, organizationPath, organizationUrl, readOrganization } from './path.ts'

const path = tabUrl('organizations')

const organizations = ({ form, confirm }: Tab, { deletionCounts }: OperatorPagesDependencies) => {
  form(`${path}/new`, 'organizations:write', (visit) => ({
    ...visit.text.operator.forms.createOrganization,
    fields: [nameField(visit)],
    isFirstStep: true,
    cancelUrl: path,
    call: (body) => ({ method: 'POST', path: '/organizations', body }),
    next: ({ id }: OrganizationJson) => organizationUrl(id),
  }))

  form(`${organizationPath}/rename`, 'organizations:write', async (visit) => {
    const { item, etag, at, url } = await readOrganization(visit)
    return {
      ...visit.text.operator.forms.renameOrganization,
      fields: [nameField(visit, item.name)],
      cancelUrl: `${url}/settings`,
      etag,
      call: (body) => ({ method: 'PATCH', path: at, body }),
    }
  })

  confirm(`${organizationPath}/delete`, 'organizations:write', async (visit) => {
    const { item, etag, at, url } = await readOrganization(visit)
    const counts = await deletionCounts.ofOrganization(item.id)
    const { members, workspaces, installs, keySets } = counts
    return {
      words: visit.text.operator.forms.deleteOrganization,
      goes: visit.text.deletion.organization(members, workspaces, installs, keySets),
      typedName: item.name,
      subject: item.name,
      cancelUrl: url,
      etag,
      call: { method: 'DELETE', path: at },
      next: path,
    }
  })
}

const members = ({ form, confirm }: Tab) => {
  form(`${organizationPath}/members/new`, 'organizations:write', async (visit) => {
    const { item, at, url } = await readOrganization(visit)
    const { forms, roles } = visit.text.operator
    return {
      subject: item.name,
      ...forms.addMember,
      fields: [
        personField(visit),
        choiceField('role', forms.fields.role, 'member', ['member', 'admin'], roles),
      ],
      isFirstStep: true,
      cancelUrl: `${url}/members`,
      call: ({ user, role }) => memberCall(visit, `${at}/members`, user, { role }),
    }
  })

  const memberPath = `${organizationPath}/members/:user_id`
  confirm(`${memberPath}/remove`, 'organizations:write', async (visit) => {
    const id = organizationId(visit)
    const { item, etag, at } = await visit.api.readVersion<{ user_id: string }>(
      `/organizations/${id}/members/${visit.parameter('user_id')}`,
    )
    const [one] = await personNames(visit, [item.user_id])
    return {
      words: visit.text.operator.forms.removeMember,
      subject: one?.name ?? item.user_id,
      cancelUrl: `${organizationUrl(id)}/members`,
      etag,
      call: { method: 'DELETE', path: at },
      done: 'removed',
    }
  })
}

const workspaces = ({ form }: Tab) =>
  form(`${organizationPath}/workspaces/new`, 'organizations:write', async (visit) => {
    const { item, at, url } = await readOrganization(visit)
    return {
      subject: item.name,
      ...visit.text.operator.forms.addWorkspace,
      fields: [nameField(visit)],
      cancelUrl: `${url}/workspaces`,
      call: (body) => ({ method: 'POST', path: `${at}/workspaces`, body }),
    }
  })

export const operatorOrganizationForms = (tab: Tab, deps: OperatorPagesDependencies) => {
  organizations(tab, deps)
  members(tab)
  workspaces(tab)
}
