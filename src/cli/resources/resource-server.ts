import type {
  CreatedResourceServerJson,
  ResourceServerJson,
} from '../../http/operator/tokens/resource-servers.ts'
import { apiAction, inColumns, withSecret } from '../api-action.ts'
import type { Command } from '../command.ts'
import { type Column, columnsOf, listed } from '../output.ts'
import { resource } from '../resource.ts'
import { required, type Setting, text, words } from '../setting.ts'

const columns: Column<ResourceServerJson>[] = [
  ...columnsOf<ResourceServerJson>('client_id', 'name'),
  ['resource', (server) => (server.resource ? listed(server.resource) : 'default')],
  ['permissions', (server) => (server.permissions ? listed(server.permissions) : 'all')],
  [
    'organizations',
    (server) => (server.organization_ids ? listed(server.organization_ids) : 'all'),
  ],
  ...columnsOf<ResourceServerJson>(['hint', 'secret'], 'created_at'),
]

const name = text('name <text>', 'the name of the data API')

const limits = {
  resource: words(
    'resource <uri>',
    'an audience of its tokens; repeat for more (default: TOKEN_AUDIENCE)',
  ),
  permissions: words('permission <a,b>', 'the permissions that it knows (default: all)'),
  organization_ids: words(
    'organization <id>',
    'it serves only this organization; repeat for more (default: all)',
  ),
}

const unless = (option: string, limit: Setting): Setting => ({
  ...limit,
  read: (input, terminal) => (input.flag(option) ? null : limit.read(input, terminal)),
})

const { create, list, remove } = resource('/resource-servers/{client-id}', columns)

export const resourceServer: Command = {
  name: 'resource-server',
  summary: 'data APIs that may introspect tokens',
  actions: [
    create('Register a data API that may introspect tokens.', {
      settings: { name: required(name), ...limits },
      notes: [
        'The secret is printed to stdout, once. To replace it, register the data API again and delete the old entry.',
      ],
      print: withSecret<CreatedResourceServerJson>([
        ...columns.slice(0, 2),
        ['client secret', (created) => created.client_secret],
      ]),
    }),
    list('List the registered data APIs.'),
    apiAction('update', 'PATCH /resource-servers/{client-id}', {
      summary: 'Change the name or the limits of a data API.',
      settings: {
        name,
        resource: unless('default-resource', limits.resource),
        permissions: unless('all-permissions', limits.permissions),
        organization_ids: unless('all-organizations', limits.organization_ids),
      },
      options: {
        'default-resource': { help: 'only the default audience (TOKEN_AUDIENCE)' },
        'all-permissions': { help: 'no limit of permissions' },
        'all-organizations': { help: 'no limit of organizations' },
      },
      notes: ['Options that are not given change nothing. A given list replaces the stored one.'],
      needsSetting: true,
      print: inColumns(columns),
    }),
    remove('Delete a data API; its secret is invalid at once.'),
  ],
}
