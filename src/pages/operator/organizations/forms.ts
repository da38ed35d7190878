// Forms of organizations and their members and workspaces.
import type { OrganizationJson } from '../../../http/operator/organizations/organizations.ts'
import { tabUrl } from '../console-page.ts'
import { choiceField, nameField } from '../fields.ts'
import type { OperatorVisit } from '../gate.ts'
import { memberCall, personField, personName } from '../people/by-email.ts'
import type { Tab } from '../tab.ts'
import { organizationId, organizationPath, organizationUrl, readOrganization } from './path.ts'

const path = tabUrl('organizations')
const right = 'organizations:write'

const organizations = ({ form, change, confirm, deps }: Tab) => {
  form(`${path}/new`, right, (visit) => ({
    ...visit.text.operator.forms.createOrganization,
    fields: [nameField(visit)],
    isFirstStep: true,
    cancelUrl: path,
    call: (body) => ({ method: 'POST', path: '/organizations', body }),
    next: ({ id }: OrganizationJson) => organizationUrl(id),
  }))

  change(`${organizationPath}/rename`, right, readOrganization, ({ item, url }, visit) => ({
    ...visit.text.operator.forms.renameOrganization,
    subject: null,
    fields: [nameField(visit, item.name)],
    cancelUrl: `${url}/settings`,
  }))

  confirm(`${organizationPath}/delete`, right, readOrganization, async ({ item }, { text }) => {
    const counts = await deps.deletionCounts.ofOrganization(item.id)
    const { members, workspaces, installs, keySets } = counts
    return {
      words: text.operator.forms.deleteOrganization,
      goes: text.deletion.organization(members, workspaces, installs, keySets),
      typedName: item.name,
      next: path,
    }
  })
}

const readMember = async (visit: OperatorVisit) => {
  const id = organizationId(visit)
  const at = `/organizations/${id}/members/${visit.parameter('user_id')}`
  const read = await visit.api.readVersion<{ user_id: string }>(at)
  const subject = await personName(visit, read.item.user_id)
  return { ...read, subject, url: `${organizationUrl(id)}/members` }
}

const members = ({ change, confirm }: Tab) => {
  change(`${organizationPath}/members/new`, right, readOrganization, ({ at, url }, visit) => {
    const { forms, roles } = visit.text.operator
    return {
      ...forms.addMember,
      etag: undefined,
      fields: [
        personField(visit),
        choiceField('role', forms.fields.role, 'member', ['member', 'admin'], roles),
      ],
      isFirstStep: true,
      cancelUrl: `${url}/members`,
      call: ({ user, role }) => memberCall(visit, `${at}/members`, user, { role }),
    }
  })

  confirm(`${organizationPath}/members/:user_id/remove`, right, readMember, (_, { text }) => ({
    words: text.operator.forms.removeMember,
    done: 'removed',
  }))
}

const workspaces = ({ change }: Tab) =>
  change(`${organizationPath}/workspaces/new`, right, readOrganization, ({ at, url }, visit) => ({
    ...visit.text.operator.forms.addWorkspace,
    etag: undefined,
    fields: [nameField(visit)],
    cancelUrl: `${url}/workspaces`,
    call: (body) => ({ method: 'POST', path: `${at}/workspaces`, body }),
  }))

export const operatorOrganizationForms = [organizations, members, workspaces]
