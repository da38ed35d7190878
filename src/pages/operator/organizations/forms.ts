// Forms of organizations: members, workspaces, and whether apps work.
import type { FastifyInstance } from 'fastify'
import type { InstallJson } from '../../../http/operator/organizations/installs.ts'
import type { OrganizationJson } from '../../../http/operator/organizations/organizations.ts'
import { appName } from '../apps/name.ts'
import { confirmPage, doneAt, formPage } from '../console-form.ts'
import { tabUrl } from '../console-page.ts'
import type { OperatorPagesDependencies, OperatorVisit } from '../gate.ts'
import { parameter } from '../parameter.ts'
import { personIds, personNames } from '../people/by-email.ts'
import { organizationId, organizationPath, organizationUrl, readOrganization } from './path.ts'

const path = tabUrl('organizations')

const nameField = ({ text }: OperatorVisit, value = '') => ({
  name: 'name',
  kind: 'text' as const,
  label: text.operator.forms.fields.name,
  values: [value],
  isRequired: true,
})

const organizations = (scope: FastifyInstance, deps: OperatorPagesDependencies) => {
  formPage(scope, deps, `${path}/new`, 'organizations:write', (visit) => ({
    tab: 'organizations',
    ...visit.text.operator.forms.createOrganization,
    fields: [nameField(visit)],
    cancelUrl: path,
    call: (body) => ({ method: 'POST', path: '/organizations', body }),
    done: ({ id }: OrganizationJson) => doneAt(visit, organizationUrl(id), 'created')(),
  }))
  formPage(scope, deps, `${organizationPath}/rename`, 'organizations:write', async (visit) => {
    const { item, etag } = await readOrganization(visit)
    return {
      tab: 'organizations',
      ...visit.text.operator.forms.renameOrganization,
      fields: [nameField(visit, item.name)],
      cancelUrl: organizationUrl(item.id),
      etag,
      call: (body) => ({ method: 'PATCH', path: `/organizations/${item.id}`, body }),
      done: doneAt(visit, organizationUrl(item.id), 'saved'),
    }
  })
  confirmPage(scope, deps, `${organizationPath}/delete`, 'organizations:write', async (visit) => {
    const { item, etag } = await readOrganization(visit)
    return {
      tab: 'organizations',
      words: visit.text.operator.forms.deleteOrganization,
      subject: item.name,
      cancelUrl: organizationUrl(item.id),
      etag,
      call: () => ({ method: 'DELETE', path: `/organizations/${item.id}` }),
      done: doneAt(visit, path, 'deleted'),
    }
  })
}

const members = (scope: FastifyInstance, deps: OperatorPagesDependencies) => {
  formPage(scope, deps, `${organizationPath}/members/new`, 'organizations:write', async (visit) => {
    const { item } = await readOrganization(visit)
    const { forms, roles } = visit.text.operator
    return {
      tab: 'organizations',
      subject: item.name,
      ...forms.addMember,
      fields: [
        {
          name: 'user',
          kind: 'text',
          label: forms.fields.user,
          isRequired: true,
          isCode: true,
        },
        {
          name: 'role',
          kind: 'choice',
          label: forms.fields.role,
          values: ['member'],
          options: (['member', 'admin'] as const).map((value) => ({ value, label: roles[value] })),
        },
      ],
      cancelUrl: organizationUrl(item.id),
      call: async ({ user = '', role }) => {
        const found = await personIds(visit, 'user', [String(user)])
        if ('refusal' in found) return found
        const [id = ''] = found.ids
        return {
          method: 'PUT',
          path: `/organizations/${item.id}/members/${encodeURIComponent(id)}`,
          body: { role },
        }
      },
      done: doneAt(visit, organizationUrl(item.id), 'saved'),
    }
  })
  confirmPage(
    scope,
    deps,
    `${organizationPath}/members/:user_id/remove`,
    'organizations:write',
    async (visit) => {
      const member = `/organizations/${organizationId(visit)}/members/${parameter(visit.request, 'user_id')}`
      const { item, etag } = await visit.api.readVersion<{ user_id: string }>(member)
      const [one] = await personNames(visit, [item.user_id])
      return {
        tab: 'organizations',
        words: visit.text.operator.forms.removeMember,
        subject: one?.name ?? item.user_id,
        cancelUrl: organizationUrl(organizationId(visit)),
        etag,
        call: () => ({ method: 'DELETE', path: member }),
        done: doneAt(visit, organizationUrl(organizationId(visit)), 'saved'),
      }
    },
  )
  formPage(
    scope,
    deps,
    `${organizationPath}/workspaces/new`,
    'organizations:write',
    async (visit) => {
      const { item } = await readOrganization(visit)
      return {
        tab: 'organizations',
        subject: item.name,
        ...visit.text.operator.forms.addWorkspace,
        fields: [nameField(visit)],
        cancelUrl: organizationUrl(item.id),
        call: (body) => ({ method: 'POST', path: `/organizations/${item.id}/workspaces`, body }),
        done: doneAt(visit, organizationUrl(item.id), 'created'),
      }
    },
  )
}

const installActions = (scope: FastifyInstance, deps: OperatorPagesDependencies) => {
  const at = `${organizationPath}/installs/:client_id`
  const actions = {
    suspend: { words: 'suspendInstall', method: 'PATCH', body: { suspended: true } },
    resume: { words: 'resumeInstall', method: 'PATCH', body: { suspended: false } },
    uninstall: { words: 'uninstall', method: 'DELETE', body: undefined },
  } as const
  for (const [name, { words, method, body }] of Object.entries(actions))
    confirmPage(scope, deps, `${at}/${name}`, 'installs:write', async (visit) => {
      const id = organizationId(visit)
      const place = `installs/${parameter(visit.request, 'client_id')}`
      const install = `/organizations/${id}/${place}`
      const { item, etag } = await visit.api.readVersion<InstallJson>(install)
      return {
        tab: 'organizations',
        words: visit.text.operator.forms[words],
        subject: await appName(visit, item.client_id),
        isHarmless: name === 'resume',
        cancelUrl: `${organizationUrl(id)}/${place}`,
        etag,
        call: () => ({ method, path: install, body }),
        done: doneAt(visit, organizationUrl(id), 'saved'),
      }
    })

  for (const [name, words] of [
    ['suspend-all', 'suspendAll'],
    ['resume-all', 'resumeAll'],
  ] as const)
    confirmPage(scope, deps, `${organizationPath}/${name}`, 'installs:write', async (visit) => {
      const { item } = await readOrganization(visit)
      return {
        tab: 'organizations',
        words: visit.text.operator.forms[words],
        subject: item.name,
        isHarmless: name === 'resume-all',
        cancelUrl: organizationUrl(item.id),
        call: () => ({ method: 'POST', path: `/organizations/${item.id}/${name}`, body: {} }),
        done: doneAt(visit, organizationUrl(item.id), 'saved'),
      }
    })
}

export const operatorOrganizationForms = (
  scope: FastifyInstance,
  deps: OperatorPagesDependencies,
) => {
  organizations(scope, deps)
  members(scope, deps)
  installActions(scope, deps)
}
