import { type Static, Type } from 'typebox'
import type { OwnPermissions } from '../../../core/clients/own-permissions.ts'
import { permissionGroups, permissionMarks } from '../../../core/language/permission-catalogue.ts'
import { operations, type Scope } from '../operations.ts'
import { sortedQuery } from '../paging.ts'
import * as api from '../schemas.ts'

const sentence = api.sentenceSchema(
  'What pages say: one text, or texts by language tag. A page in another language shows the English one, else the ' +
    'first one. Plain text.',
)

const group = api.oneOf(permissionGroups, { description: 'The heading under which pages list it.' })

const mark = api.oneOfOrNull(permissionMarks, {
  description:
    'Why it is sensitive; null: it is not. An admin confirms a sensitive one with a recent sign-in.',
})

const readPermission = Type.Boolean({
  default: false,
  description:
    'Current interface: reading needs this permission, and pages stop saying that each app can read everything. At ' +
    'most one permission has it.',
})

const permissionSchema = api.component('Permission', 'A permission of the catalogue.', {
  interface: api.interfaceName,
  name: Type.String(),
  sentence: api.shownSentence,
  group,
  mark,
  read_permission: readPermission,
  built_in: Type.Boolean({ description: 'A built-in permission cannot be deleted.' }),
})
export type PermissionJson = Static<typeof permissionSchema>

const params = Type.Object({
  interface: api.interfaceName,
  name: Type.String({
    ...api.permissionName,
    'x-reason': 'permission_name',
    description: 'Not a scope of OpenID Connect, and not built in on the other interface.',
  }),
})

export const permissionRoutes = (
  scope: Scope,
  { ownPermissions }: { ownPermissions: OwnPermissions },
) => {
  const on = operations(scope, {
    area: 'permissions',
    limited: 'shared',
    schema: permissionSchema,
    one: 'The permission.',
    page: 'Permissions.',
  })
  const path = '/permissions/:interface/:name'

  on.list('/permissions', 'listPermissions', 'List the permissions of both interfaces or of one', {
    querystring: sortedQuery(['interface', 'name'], { interface: api.interfaceName }, 'interface'),
    run: async ({ query }, page) => ownPermissions.list(query.interface ?? null, page),
  })

  on.read(path, 'readPermission', 'Read a permission', {
    params,
    run: ({ params }) => ownPermissions.read(params.interface, params.name),
  })

  on.put(path, 'putPermission', 'Add a permission, or replace its words', {
    description:
      'Every instance knows it within two seconds. Apps, installs and key sets may have it as soon as it is answered. ' +
      'A built-in permission gets other words and keeps its meaning.',
    params,
    body: api.closed({
      sentence,
      group,
      ...api.optional({ mark, read_permission: readPermission }),
    }),
    run: ({ params, body: { mark = null, readPermission = false, ...words } }, ...context) => {
      const described = { ...params, ...words, mark, readPermission }
      return ownPermissions.put(described, ...context)
    },
  })

  on.remove(path, 'removePermission', 'Retire a permission that no app, install or key set has', {
    description:
      'A permission in use is refused with 409; the members `apps`, `installs` and `key_sets` of the problem document ' +
      'count what has it. A built-in permission is refused with 409 too.',
    answer: { description: 'Removed.' },
    refusals: [404, 409],
    params,
    run: ({ params }, ...context) =>
      ownPermissions.remove(params.interface, params.name, ...context),
  })
}
