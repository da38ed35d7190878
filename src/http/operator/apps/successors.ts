import { type Static, Type } from 'typebox'
import type { StoredSuccessor, Successors } from '../../../core/clients/successors.ts'
import { ownNamePattern } from '../../../core/language/permission-catalogue.ts'
import { changeOf } from '../change.ts'
import { jsonOf } from '../json.ts'
import { operations, type Scope } from '../operation.ts'
import * as api from '../schemas.ts'

const permissionMap = Type.Record(
  Type.String(),
  Type.Array(api.permissionName, { maxItems: api.mostPermissions }),
  {
    propertyNames: { pattern: ownNamePattern },
    minProperties: 1,
    maxProperties: api.mostPermissions,
    'x-reason': 'permission_map',
    description:
      'Maps each legacy permission to permissions of the current interface. Permissions that are left out map to ' +
      'none. readData needs none, because every current token may read.',
  },
)

const successorSchema = api.component('Twin', 'The current app that replaces a legacy app.', {
  legacy_client_id: api.id,
  client_id: api.id,
  worth: permissionMap,
  created_at: api.timestamp,
  updated_at: api.timestamp,
})
export type SuccessorJson = Static<typeof successorSchema>

const write = jsonOf(successorSchema)
const successorJson = (successor: StoredSuccessor) =>
  write({ ...successor, worth: successor.permissionMap as Static<typeof permissionMap> })

const on = operations({
  tag: 'apps',
  area: 'apps',
  limited: 'shared',
  schema: successorSchema,
  one: 'The twin.',
})
const params = api.pathIds('client_id')

const put = on.put(
  'putTwin',
  'Set the current twin of a legacy app, or change its permission map',
  {
    description:
      'The twin may exchange refresh tokens of the legacy app for grants of its own (RFC 8693), each once. A ' +
      'confidential legacy app needs a confidential twin. A new twin replaces the previous one.',
    refusals: [404, 409],
    params,
    body: api.closed({
      client_id: { ...api.otherId, 'x-reason': 'unknown_app' },
      worth: permissionMap,
    }),
  },
)

const read = on.read('readTwin', 'Read the twin of a legacy app', { params })

const remove = on.remove('removeTwin', 'Stop the migration; migrated grants stay', {
  answer: { description: 'Removed.' },
  params,
})

const path = '/apps/:client_id/twin'

/** Migration of legacy apps to the current interface. */
export const successorRoutes = (scope: Scope, { successors }: { successors: Successors }) => {
  scope.put(path, put, async (request) => {
    const { client_id: clientId, worth: permissionMap } = request.body
    const successor = { legacyClientId: request.params.client_id, clientId, permissionMap }
    return successorJson(await successors.put(successor, ...changeOf(request, successorJson)))
  })

  scope.get(path, read, async ({ params }) =>
    successorJson(await successors.read(params.client_id)),
  )

  scope.delete(path, remove, async (request) => {
    await successors.remove(request.params.client_id, ...changeOf(request, successorJson))
  })
}
