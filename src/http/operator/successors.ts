import { type Static, Type } from 'typebox'
import type { StoredSuccessor, Successors } from '../../core/clients/successors.ts'
import { ownNamePattern } from '../../core/language/permission-catalogue.ts'
import { etagOf, preconditionOf } from './etag.ts'
import { causeOf } from './guard.ts'
import { jsonOf } from './json.ts'
import { operation, reference } from './operation.ts'
import {
  closed,
  id,
  mostPermissions,
  otherId,
  pathIds,
  permissionName,
  timestamp,
} from './schemas.ts'
import type { OperatorScope } from './scope.ts'

const permissionMap = Type.Record(
  Type.String(),
  Type.Array(permissionName, { maxItems: mostPermissions }),
  {
    propertyNames: { pattern: ownNamePattern },
    minProperties: 1,
    maxProperties: mostPermissions,
    'x-reason': 'permission_map',
    description:
      'Maps each legacy permission to permissions of the current interface. Permissions that are left out map to ' +
      'none. readData needs none, because every current token may read.',
  },
)

export const successorSchema = Type.Object(
  {
    legacy_client_id: id,
    client_id: id,
    worth: permissionMap,
    created_at: timestamp,
    updated_at: timestamp,
  },
  { $id: 'Twin', description: 'The current app that replaces a legacy app.' },
)
export type SuccessorJson = Static<typeof successorSchema>

const write = jsonOf(successorSchema)
const successorJson = (successor: StoredSuccessor) =>
  write({ ...successor, worth: successor.permissionMap as Static<typeof permissionMap> })

const tag = 'apps'
const params = pathIds('client_id')
const answer = { status: 200, description: 'The twin.', schema: reference('Twin') } as const

const put = operation(
  {
    id: 'putTwin',
    conditional: true,
    tag,
    permission: 'apps:write',
    summary: 'Set the current twin of a legacy app, or change its permission map',
    description:
      'The twin may exchange refresh tokens of the legacy app for grants of its own (RFC 8693), each once. A ' +
      'confidential legacy app needs a confidential twin. A new twin replaces the previous one.',
    answer,
    refusals: [404, 409],
  },
  {
    params,
    body: closed({ client_id: { ...otherId, 'x-reason': 'unknown_app' }, worth: permissionMap }),
  },
)

const read = operation(
  {
    id: 'readTwin',
    tag,
    permission: 'apps:read',
    limited: 'shared',
    summary: 'Read the twin of a legacy app',
    answer,
    refusals: [404],
  },
  { params },
)

const remove = operation(
  {
    id: 'removeTwin',
    conditional: true,
    tag,
    permission: 'apps:write',
    summary: 'Stop the migration; migrated grants stay',
    answer: { status: 204, description: 'Removed.' },
    refusals: [404],
  },
  { params },
)

const tagOf = (successor: StoredSuccessor) => etagOf(successorJson(successor))

const path = '/apps/:client_id/twin'

/** Migration of legacy apps to the current interface. */
export const successorRoutes = (scope: OperatorScope, successors: Successors) => {
  scope.put(path, put, async (request) => {
    const { client_id: clientId, worth } = request.body
    const precondition = preconditionOf(request, tagOf)
    const { client_id } = request.params
    return successorJson(
      await successors.put(client_id, clientId, worth, causeOf(request), precondition),
    )
  })

  scope.get(path, read, async ({ params }) =>
    successorJson(await successors.read(params.client_id)),
  )

  scope.delete(path, remove, async (request, reply) => {
    const precondition = preconditionOf(request, tagOf)
    await successors.remove(request.params.client_id, causeOf(request), precondition)
    return reply.code(204).send()
  })
}
