import { type Static, Type } from 'typebox'
import type { OwnPermissions } from '../../core/clients/own-permissions.ts'
import {
  longestSentence,
  namePattern,
  portableNamePattern,
} from '../../core/language/display-text.ts'
import {
  type CataloguePermission,
  languagePattern,
  mostLanguages,
  type PermissionGroupName,
  type PermissionMark,
  permissionGroups,
  permissionMarks,
  type Sentence,
} from '../../core/language/permission-catalogue.ts'
import { etagOf, preconditionOf } from './etag.ts'
import { causeOf } from './guard.ts'
import { jsonOf } from './json.ts'
import { operation, reference } from './operation.ts'
import { pageJson, pageOf, pageParameters, readPage } from './paging.ts'
import { closed, interfaceName, permissionName } from './schemas.ts'
import type { OperatorScope } from './scope.ts'

const words = {
  type: 'string',
  maxLength: longestSentence,
  pattern: namePattern,
  'x-pattern': portableNamePattern,
} as const

const sentence = Type.Unsafe<Sentence>({
  ...words,
  type: ['string', 'object'],
  minProperties: 1,
  maxProperties: mostLanguages,
  propertyNames: { pattern: languagePattern },
  additionalProperties: words,
  'x-reason': 'sentence',
  description:
    'What pages say: one text, or texts by language tag. A page in another language shows the English one, else the ' +
    'first one. Plain text.',
})

const group = Type.Unsafe<PermissionGroupName>({
  type: 'string',
  enum: [...permissionGroups],
  description: 'The heading under which pages list it.',
})

const mark = Type.Unsafe<PermissionMark | null>({
  type: ['string', 'null'],
  enum: [...permissionMarks, null],
  description:
    'Why it is sensitive; null: it is not. An admin confirms a sensitive one with a recent sign-in.',
})

const readPermission = Type.Boolean({
  description:
    'Current interface: reading needs this permission, and pages stop saying that each app can read everything. At ' +
    'most one permission has it.',
})

export const permissionSchema = Type.Object(
  {
    interface: interfaceName,
    name: Type.String(),
    sentence: Type.Unsafe<Sentence>({
      type: ['string', 'object'],
      additionalProperties: { type: 'string' },
    }),
    group,
    mark,
    read_permission: readPermission,
    built_in: Type.Boolean({ description: 'A built-in permission cannot be deleted.' }),
  },
  { $id: 'Permission', description: 'A permission of the catalogue.' },
)
export type PermissionJson = Static<typeof permissionSchema>

const permissionJson = jsonOf(permissionSchema)
const tagOf = (permission: CataloguePermission) => etagOf(permissionJson(permission))

const tag = 'permissions'
const params = Type.Object({
  interface: interfaceName,
  name: Type.String({
    ...permissionName,
    'x-reason': 'permission_name',
    description: 'Not a scope of OpenID Connect, and not built in on the other interface.',
  }),
})
const permission = reference('Permission')
const answer = { status: 200, description: 'The permission.', schema: permission } as const

const put = operation(
  {
    id: 'putPermission',
    conditional: true,
    tag,
    permission: 'permissions:write',
    summary: 'Add a permission, or replace its words',
    description:
      'Every instance knows it within two seconds. Apps, installs and key sets may have it as soon as it is answered. ' +
      'A built-in permission gets other words and keeps its meaning.',
    answer,
    refusals: [404],
  },
  {
    params,
    body: closed({
      sentence,
      group,
      mark: Type.Optional(mark),
      read_permission: Type.Optional(readPermission),
    }),
  },
)

const list = operation(
  {
    id: 'listPermissions',
    tag,
    permission: 'permissions:read',
    limited: 'shared',
    summary: 'List the permissions of both interfaces or of one',
    answer: { status: 200, description: 'Permissions.', schema: pageOf(permission) },
  },
  {
    querystring: Type.Object(
      { ...pageParameters, interface: Type.Optional(interfaceName) },
      { additionalProperties: false },
    ),
  },
)

const read = operation(
  {
    id: 'readPermission',
    tag,
    permission: 'permissions:read',
    limited: 'shared',
    summary: 'Read a permission',
    answer,
    refusals: [404],
  },
  { params },
)

const remove = operation(
  {
    id: 'removePermission',
    conditional: true,
    tag,
    permission: 'permissions:write',
    summary: 'Retire a permission that no app, install or key set has',
    description:
      'A permission in use is refused with 409; the members `apps`, `installs` and `key_sets` of the problem document ' +
      'count what has it. A built-in permission is refused with 409 too.',
    answer: { status: 204, description: 'Removed.' },
    refusals: [404, 409],
  },
  { params },
)

const path = '/permissions/:interface/:name'

/** The permission catalogue. */
export const permissionRoutes = (scope: OperatorScope, permissions: OwnPermissions) => {
  scope.get('/permissions', list, async ({ query }) =>
    pageJson(await permissions.list(query.interface ?? null, readPage(query)), permissionJson),
  )

  scope.get(path, read, async ({ params }) =>
    permissionJson(await permissions.read(params.interface, params.name)),
  )

  scope.put(path, put, async (request) => {
    const { mark = null, read_permission: readPermission = false, ...body } = request.body
    const described = { ...request.params, ...body, mark, readPermission }
    const precondition = preconditionOf(request, tagOf)
    return permissionJson(await permissions.put(described, causeOf(request), precondition))
  })

  scope.delete(path, remove, async (request, reply) => {
    const { interface: generation, name } = request.params
    const precondition = preconditionOf(request, tagOf)
    await permissions.remove(generation, name, causeOf(request), precondition)
    return reply.code(204).send()
  })
}
