import type {
  CreatedResourceServerJson,
  ResourceServerJson,
} from '../../http/operator/tokens/resource-servers.ts'
import { code, copied, linked, links, timed } from '../rendering/forms/blocks.ts'
import { codeTicks, type Field } from '../rendering/forms/form-field.ts'
import { field } from '../rendering/forms/sent-values.ts'
import { activityUrl, tabUrl } from './console-page.ts'
import { linesField, linesOrNull, nameField } from './fields.ts'
import type { OperatorVisit } from './gate.ts'
import { linkedIf, listTable } from './list-table.ts'
import { pickedOrganizations } from './picked.ts'
import type { Tab } from './tab.ts'

const path = tabUrl('servers')

const readServer = async ({ api, parameter }: OperatorVisit) => {
  const at = `/resource-servers/${parameter('client_id')}`
  const read = await api.readVersion<ResourceServerJson>(at)
  return { ...read, url: path, subject: read.item.name }
}

const resourceField = ({ text }: OperatorVisit, values: readonly string[] | null = null) => {
  const { resource, resourceHint } = text.operator.forms.fields
  return linesField('resource', resource, values, { hint: resourceHint })
}

const changeFields = (visit: OperatorVisit, server: ResourceServerJson): Field[] => {
  const { catalogue } = visit
  const { forms, daily } = visit.text.operator
  const { permissions, organizations, organizationsHint: hint } = forms.fields
  const { everyPermission, everyPermissionHint } = daily.changeServer
  const present = server.permissions ?? []
  const names = [...catalogue.names('current'), ...catalogue.names('legacy'), ...present]
  return [
    nameField(visit, server.name),
    resourceField(visit, server.resource),
    {
      name: 'every_permission',
      kind: 'tick',
      label: everyPermission,
      hint: everyPermissionHint,
      values: [server.permissions === null ? 'yes' : ''],
      isOutside: true,
    },
    codeTicks('permissions', permissions, names, present),
    linesField('organization_ids', organizations, server.organization_ids, { hint }),
  ]
}

/** Data APIs that check tokens. */
export const operatorServers = ({ page, form, change, confirm }: Tab) => {
  page(path, 'keys:read', async (visit) => {
    const { text, may } = visit
    const { servers, columns } = text.operator
    const mayChange = may('keys:write')
    const nameOf = ({ client_id: id, name }: ResourceServerJson) =>
      linkedIf(mayChange, name, `${path}/${id}/change`)
    const eventsOf = ({ client_id, name }: ResourceServerJson) =>
      linked(text.activity.title, activityUrl({ client_id }), name)
    const removal = ({ client_id: id }: ResourceServerJson) =>
      linked(servers.remove, `${path}/${id}/delete`)
    const namesOr = (names: readonly string[] | null) => names?.join(', ') ?? servers.everything
    return {
      heading: servers.heading,
      lead: servers.lead,
      blocks: [
        ...links(mayChange && [servers.register, `${path}/new`, true]),
        await listTable<ResourceServerJson>(visit, {
          from: '/resource-servers',
          url: path,
          find: text.search.named,
          columns: [
            [columns.name, nameOf, 'name'],
            [columns.id, (one) => copied(one.client_id)],
            [columns.resource, (one) => namesOr(one.resource)],
            [columns.permissions, (one) => namesOr(one.permissions)],
            [columns.hint, (one) => code(one.hint)],
            [columns.created, (one) => timed(text, one.created_at), 'created_at'],
            may('audit:read') && [columns.event, eventsOf],
            mayChange && [columns.action, removal],
          ],
          empty: servers.empty,
        }),
      ],
    }
  })

  form(`${path}/new`, 'keys:write', (visit) => ({
    ...visit.text.operator.forms.registerServer,
    fields: [nameField(visit), resourceField(visit)],
    cancelUrl: path,
    call: ({ resource, ...body }) => ({
      method: 'POST',
      path: '/resource-servers',
      body: { ...body, ...(linesOrNull(resource) && { resource }) },
    }),
    secretOf: ({ name, client_id: id, client_secret: secret }: CreatedResourceServerJson) => ({
      ...{ name, idLabel: 'client', id, secret, backUrl: path },
    }),
  }))

  change(`${path}/:client_id/change`, 'keys:write', readServer, ({ item, at }, visit) => ({
    ...visit.text.operator.daily.changeServer,
    fields: changeFields(visit, item),
    call: async ({ permissions, organization_ids: typed, ...body }) => {
      const picked = await pickedOrganizations(visit, typed)
      if ('refusal' in picked) return picked
      const isEvery = field(visit.request, 'every_permission') === 'yes'
      const resource = linesOrNull(body.resource)
      return {
        ...{ method: 'PATCH', path: at },
        body: { ...body, ...picked, resource, permissions: isEvery ? null : permissions },
      }
    },
  }))

  confirm(`${path}/:client_id/delete`, 'keys:write', readServer, (_, { text }) => ({
    words: text.operator.forms.deleteServer,
  }))
}
