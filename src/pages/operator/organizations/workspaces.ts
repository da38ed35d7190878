// A workspace of an organization and its members.
import type { FastifyInstance } from 'fastify'
import type { WorkspaceMemberJson } from '../../../http/operator/organizations/workspace-members.ts'
import type { WorkspaceJson } from '../../../http/operator/organizations/workspaces.ts'
import {
  code,
  facts,
  linked,
  links,
  listLinks,
  table,
  timed,
} from '../../rendering/forms/blocks.ts'
import { readPart } from '../../rendering/long-list.ts'
import { confirmPage, doneAt, formPage } from '../console-form.ts'
import { showConsole, tabUrl } from '../console-page.ts'
import { createOperatorGate, type OperatorPagesDependencies, type OperatorVisit } from '../gate.ts'
import { parameter } from '../parameter.ts'
import { personIds } from '../people/by-email.ts'
import { organizationId, organizationPath, organizationUrl } from './path.ts'

const path = `${organizationPath}/workspaces/:workspace_id`
const itemsOfPage = '50'

export const workspaceUrl = (organization: string, workspace: string) =>
  `${organizationUrl(organization)}/workspaces/${encodeURIComponent(workspace)}`

/** The workspace, which has to belong to the organization in the path. @throws NotFound */
const readWorkspace = async (visit: OperatorVisit) => {
  const [organization, id] = [organizationId(visit), parameter(visit.request, 'workspace_id')]
  await visit.api.read(`/organizations/${organization}/workspaces/${id}`)
  const read = await visit.api.readVersion<WorkspaceJson>(`/workspaces/${id}`)
  return { ...read, at: `/workspaces/${id}`, url: workspaceUrl(organization, read.item.id) }
}

const emailsOf = async ({ api, may }: OperatorVisit, members: readonly WorkspaceMemberJson[]) =>
  may('users:read')
    ? api.each<{ email: string }>(
        '/users',
        members.map(({ user_id }) => user_id),
      )
    : null

const page = (scope: FastifyInstance, deps: OperatorPagesDependencies) => {
  const show = async (visit: OperatorVisit) => {
    const { text, api, may } = visit
    const { columns, daily, organizations } = text.operator
    const { item, at, url } = await readWorkspace(visit)
    const part = { ...readPart(visit.request), name: '' }
    const query = { limit: itemsOfPage, cursor: part.after }
    const { items, next } = await api.list<WorkspaceMemberJson>(`${at}/members`, query)
    const emails = await emailsOf(visit, items)
    const mayChange = may('organizations:write')
    const nameOf = (id: string) =>
      emails ? linked(emails.get(id)?.email ?? id, `${tabUrl('people')}/${id}`) : code(id)
    return showConsole(deps.renderer, visit, {
      tab: 'organizations',
      heading: item.name,
      blocks: [
        facts(null, [
          [columns.id, code(item.id)],
          [columns.created, timed(text, item.created_at)],
        ]),
        ...links(
          mayChange && [daily.workspace.rename.action, `${url}/rename`],
          mayChange && [daily.workspace.delete.action, `${url}/delete`],
        ),
        table({
          id: 'members',
          heading: organizations.members,
          columns: [columns.user, columns.created, ...(mayChange ? [columns.action] : [])],
          rows: items.map(({ user_id, created_at }) => [
            nameOf(user_id),
            timed(text, created_at),
            ...(mayChange
              ? [linked(organizations.removeMember, `${url}/members/${user_id}/remove`)]
              : []),
          ]),
          empty: daily.workspace.noMembers,
          list: listLinks(url, part, next),
        }),
        ...links(mayChange && [organizations.addMember, `${url}/members/new`]),
      ],
      back: { label: organizations.back, href: organizationUrl(organizationId(visit)) },
    })
  }
  scope.get(path, createOperatorGate(deps)({ permission: 'organizations:read' }, show))
}

const members = (scope: FastifyInstance, deps: OperatorPagesDependencies) => {
  formPage(scope, deps, `${path}/members/new`, 'organizations:write', async (visit) => {
    const { item, at, url } = await readWorkspace(visit)
    const { forms, daily } = visit.text.operator
    return {
      tab: 'organizations',
      subject: item.name,
      ...daily.workspace.add,
      fields: [
        { name: 'user', kind: 'text', label: forms.fields.user, isRequired: true, isCode: true },
      ],
      cancelUrl: url,
      call: async ({ user = '' }) => {
        const found = await personIds(visit, 'user', [String(user)])
        if ('refusal' in found) return found
        const [id = ''] = found.ids
        return { method: 'PUT', path: `${at}/members/${encodeURIComponent(id)}`, body: {} }
      },
      done: doneAt(visit, url, 'saved'),
    }
  })
  confirmPage(
    scope,
    deps,
    `${path}/members/:user_id/remove`,
    'organizations:write',
    async (visit) => {
      const { at, url } = await readWorkspace(visit)
      const member = `${at}/members/${parameter(visit.request, 'user_id')}`
      const { item, etag } = await visit.api.readVersion<WorkspaceMemberJson>(member)
      const emails = await emailsOf(visit, [item])
      return {
        tab: 'organizations',
        words: visit.text.operator.daily.workspace.remove,
        subject: emails?.get(item.user_id)?.email ?? item.user_id,
        cancelUrl: url,
        etag,
        call: () => ({ method: 'DELETE', path: member }),
        done: doneAt(visit, url, 'saved'),
      }
    },
  )
}

const changes = (scope: FastifyInstance, deps: OperatorPagesDependencies) => {
  formPage(scope, deps, `${path}/rename`, 'organizations:write', async (visit) => {
    const { item, etag, at, url } = await readWorkspace(visit)
    const { forms, daily } = visit.text.operator
    const { heading, submit } = daily.workspace.rename
    return {
      tab: 'organizations',
      heading,
      submit,
      fields: [
        {
          name: 'name',
          kind: 'text',
          label: forms.fields.name,
          values: [item.name],
          isRequired: true,
        },
      ],
      cancelUrl: url,
      etag,
      call: (body) => ({ method: 'PATCH', path: at, body }),
      done: doneAt(visit, url, 'saved'),
    }
  })
  confirmPage(scope, deps, `${path}/delete`, 'organizations:write', async (visit) => {
    const { item, etag, at, url } = await readWorkspace(visit)
    const { heading, lead, submit } = visit.text.operator.daily.workspace.delete
    return {
      tab: 'organizations',
      words: { heading, lead, submit },
      subject: item.name,
      cancelUrl: url,
      etag,
      call: () => ({ method: 'DELETE', path: at }),
      done: doneAt(visit, organizationUrl(organizationId(visit)), 'deleted'),
    }
  })
}

export const operatorWorkspaces = (scope: FastifyInstance, deps: OperatorPagesDependencies) => {
  page(scope, deps)
  members(scope, deps)
  changes(scope, deps)
}
