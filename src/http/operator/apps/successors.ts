import { type Static, Type } from 'typebox'
import type { StoredSuccessor, Successors } from '../../../core/clients/successors.ts'
import { ownNamePattern } from '../../../core/language/permission-catalogue.ts'
import { jsonOf } from '../json.ts'
import { operations, type Scope } from '../operations.ts'
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

/** Migration of legacy apps to the current interface. */
export const successorRoutes = (scope: Scope, { successors }: { successors: Successors }) => {
  const on = operations(scope, {
    area: 'apps',
    limited: 'shared',
    schema: successorSchema,
    one: 'The twin.',
    json: successorJson,
  })
  const path = '/apps/:client_id/twin'

  on.put(path, 'putTwin', 'Set the current twin of a legacy app, or change its permission map', {
    description:
      'The twin may exchange refresh tokens of the legacy app for grants of its own (RFC 8693), each once. A ' +
      'confidential legacy app needs a confidential twin. A new twin replaces the previous one.',
    refusals: [404, 409],
    body: api.closed({
      client_id: { ...api.otherId, 'x-reason': 'unknown_app' },
      worth: permissionMap,
    }),
    run: ({ params, body: { clientId, worth: permissionMap } }, ...context) =>
      successors.put({ legacyClientId: params.clientId, clientId, permissionMap }, ...context),
  })

  on.read(path, 'readTwin', 'Read the twin of a legacy app', {
    run: ({ params }) => successors.read(params.clientId),
  })

  on.remove(path, 'removeTwin', 'Stop the migration; migrated grants stay', {
    answer: { description: 'Removed.' },
    run: ({ params }, ...context) => successors.remove(params.clientId, ...context),
  })
}
