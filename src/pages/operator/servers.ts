import type { FastifyInstance } from 'fastify'
import type {
  CreatedResourceServerJson,
  ResourceServerJson,
} from '../../http/operator/tokens/resource-servers.ts'
import { code, linked, links, listLinks, plain, table, timed } from '../rendering/forms/blocks.ts'
import type { Field } from '../rendering/forms/form-field.ts'
import { field } from '../rendering/forms/sent-values.ts'
import { readPart } from '../rendering/long-list.ts'
import { confirmPage, doneAt, formPage } from './console-form.ts'
import { showConsole, tabUrl } from './console-page.ts'
import { createOperatorGate, type OperatorPagesDependencies, type OperatorVisit } from './gate.ts'
import { parameter } from './parameter.ts'

const path = tabUrl('servers')
const itemsOfPage = '25'

/** An empty list has no limit. */
const noneIsNull = (values: unknown) => (Array.isArray(values) && values.length > 0 ? values : null)

const changeFields = (
  { text }: OperatorVisit,
  { catalogue }: OperatorPagesDependencies,
  server: ResourceServerJson,
): Field[] => {
  const { forms, daily } = text.operator
  const { fields } = forms
  const { everyPermission, everyPermissionHint } = daily.changeServer
  const present = server.permissions ?? []
  const names = [...catalogue.names('current'), ...catalogue.names('legacy'), ...present]
  return [
    { name: 'name', kind: 'text', label: fields.name, values: [server.name], isRequired: true },
    {
      name: 'resource',
      kind: 'area',
      label: fields.resource,
      hint: fields.resourceHint,
      values: server.resource ?? [],
      isCode: true,
    },
    {
      name: 'every_permission',
      kind: 'tick',
      label: everyPermission,
      hint: everyPermissionHint,
      values: [server.permissions === null ? 'yes' : ''],
      isOutside: true,
    },
    {
      name: 'permissions',
      kind: 'ticks',
      label: fields.permissions,
      values: present,
      options: [...new Set(names)].map((value) => ({ value, label: value })),
      isCode: true,
    },
    {
      name: 'organization_ids',
      kind: 'area',
      label: fields.organizations,
      hint: fields.organizationsHint,
      values: server.organization_ids ?? [],
      isCode: true,
    },
  ]
}

const forms = (scope: FastifyInstance, deps: OperatorPagesDependencies) => {
  formPage(scope, deps, `${path}/new`, 'keys:write', (visit) => {
    const { registerServer, fields } = visit.text.operator.forms
    return {
      tab: 'servers',
      ...registerServer,
      fields: [
        { name: 'name', kind: 'text', label: fields.name, isRequired: true },
        {
          name: 'resource',
          kind: 'area',
          label: fields.resource,
          hint: fields.resourceHint,
          isCode: true,
        },
      ],
      cancelUrl: path,
      call: ({ resource, ...body }) => ({
        method: 'POST',
        path: '/resource-servers',
        body: { ...body, ...(Array.isArray(resource) && resource.length > 0 && { resource }) },
      }),
      secretOf: (made: CreatedResourceServerJson) => ({
        name: made.name,
        idLabel: 'client',
        id: made.client_id,
        secret: made.client_secret,
        backUrl: path,
      }),
      done: doneAt(visit, path, 'created'),
    }
  })

  formPage(scope, deps, `${path}/:client_id/change`, 'keys:write', async (visit) => {
    const at = `/resource-servers/${parameter(visit.request, 'client_id')}`
    const { item, etag } = await visit.api.readVersion<ResourceServerJson>(at)
    const { heading, lead, submit } = visit.text.operator.daily.changeServer
    return {
      tab: 'servers',
      heading,
      lead,
      submit,
      subject: item.name,
      fields: changeFields(visit, deps, item),
      cancelUrl: path,
      etag,
      call: ({ permissions, ...body }) => ({
        method: 'PATCH',
        path: at,
        body: {
          ...body,
          resource: noneIsNull(body.resource),
          organization_ids: noneIsNull(body.organization_ids),
          permissions: field(visit.request, 'every_permission') === 'yes' ? null : permissions,
        },
      }),
      done: doneAt(visit, path, 'saved'),
    }
  })

  confirmPage(scope, deps, `${path}/:client_id/delete`, 'keys:write', async (visit) => {
    const at = `/resource-servers/${parameter(visit.request, 'client_id')}`
    const { item, etag } = await visit.api.readVersion<ResourceServerJson>(at)
    return {
      tab: 'servers',
      words: visit.text.operator.forms.deleteServer,
      subject: item.name,
      cancelUrl: path,
      etag,
      call: () => ({ method: 'DELETE', path: at }),
      done: doneAt(visit, path, 'deleted'),
    }
  })
}

/** Data APIs that check tokens. */
export const operatorServers = (scope: FastifyInstance, deps: OperatorPagesDependencies) => {
  const asOperator = createOperatorGate(deps)
  scope.get(
    path,
    asOperator({ permission: 'keys:read' }, async (visit) => {
      const { text, request, api, may } = visit
      const { servers, columns } = text.operator
      const part = { ...readPart(request), name: '' }
      const query = { limit: itemsOfPage, cursor: part.after }
      const { items, next } = await api.list<ResourceServerJson>('/resource-servers', query)
      const mayChange = may('keys:write')
      return showConsole(deps.renderer, visit, {
        tab: 'servers',
        heading: servers.heading,
        lead: servers.lead,
        blocks: [
          ...links(mayChange && [servers.register, `${path}/new`, true]),
          table({
            columns: [
              columns.name,
              columns.id,
              columns.resource,
              columns.permissions,
              columns.hint,
              columns.created,
              ...(mayChange ? [columns.action] : []),
            ],
            rows: items.map((one) => [
              mayChange ? linked(one.name, `${path}/${one.client_id}/change`) : plain(one.name),
              code(one.client_id),
              plain(one.resource?.join(', ') ?? servers.everything),
              plain(one.permissions?.join(', ') ?? servers.everything),
              code(one.hint),
              timed(text, one.created_at),
              ...(mayChange ? [linked(servers.remove, `${path}/${one.client_id}/delete`)] : []),
            ]),
            empty: servers.empty,
            list: listLinks(path, part, next),
          }),
        ],
      })
    }),
  )
  forms(scope, deps)
}
