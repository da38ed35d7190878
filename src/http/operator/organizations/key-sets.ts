import { type Static, Type } from 'typebox'
import type { KeySetKey, StoredKeySet } from '../../../core/organizations/key-set.ts'
import type { KeySets } from '../../../core/organizations/key-sets.ts'
import { secretJson } from '../apps/secrets.ts'
import { causeOf, changeOf } from '../change.ts'
import { fieldsOf, jsonOf } from '../json.ts'
import { operations, type Scope } from '../operation.ts'
import { listQuery, pageJson, readPage } from '../paging.ts'
import * as api from '../schemas.ts'
import { workloadList } from './workloads.ts'

const workloads = workloadList(
  'Workloads, such as a nightly job, that get tokens of the key set by client_credentials, without its secret. Current ' +
    'interface only.',
)

const keySetFields = {
  id: api.id,
  client_id: api.id,
  organization_id: api.id,
  interface: api.interfaceName,
  name: Type.String(),
  description: api.nullable(Type.String()),
  permissions: Type.Array(Type.String()),
  workspace_ids: api.nullable(Type.Array(Type.String())),
  workloads,
  secrets: Type.Array(Type.Object(api.secretFields), { description: 'Active secrets.' }),
  created_by: api.nullable(
    Type.String({ description: 'The user who created it; null for an operator.' }),
  ),
  created_at: api.timestamp,
  updated_at: api.timestamp,
}

const keySetSchema = api.component('KeySet', "An organization's own credentials.", keySetFields)
export type KeySetJson = Static<typeof keySetSchema>

const keySetWithSecretSchema = api.component('KeySetWithSecret', 'A key set and its new secret.', {
  ...keySetFields,
  secret: api.shownOnce,
})
export type KeySetWithSecretJson = Static<typeof keySetWithSecretSchema>

const write = jsonOf(keySetSchema)
const keySetJson = (keySet: StoredKeySet) =>
  write({ ...keySet, secrets: keySet.secrets.map(secretJson) })

const workspaceIds = api.workspaceLimit(
  'Workspaces that its tokens may reach; null: all, including future ones. Always null on the legacy interface.',
)

const on = operations({
  tag: 'key sets',
  area: 'key_sets',
  schema: keySetSchema,
  one: 'The key set.',
  page: 'Key sets.',
})
const params = api.pathIds('organization_id', 'key_set_id')
const keyIn = (params: Record<'organization_id' | 'key_set_id', string>): KeySetKey => ({
  organizationId: params.organization_id,
  id: params.key_set_id,
})
const inOrganization = api.pathIds('organization_id')
const withSecret = {
  description: 'The key set and its new secret.',
  schema: keySetWithSecretSchema,
}

const create = on.create('createKeySet', 'Create a key set', {
  answer: withSecret,
  params: inOrganization,
  body: api.closed({
    name: api.name,
    description: Type.Optional(api.description),
    interface: api.interfaceName,
    permissions: api.permissions,
    ...api.optional({ workspace_ids: workspaceIds, workloads }),
  }),
})

const list = on.list('listKeySets', 'List the key sets of an organization', {
  params: inOrganization,
  querystring: listQuery(['name'], { interface: api.interfaceName }),
})

const read = on.read('readKeySet', 'Read a key set', { params })

const change = on.change('changeKeySet', 'Change a key set', {
  params,
  body: api.changes({
    name: api.name,
    description: api.description,
    permissions: api.permissions,
    workspace_ids: workspaceIds,
    workloads,
  }),
})

const rotate = on.act(
  'rotateKeySet',
  'Replace the secret; tokens signed with the old one expire with it',
  {
    answer: withSecret,
    refusals: [404, 409],
    params,
    body: api.rotation,
  },
)

const remove = on.remove('deleteKeySet', 'Delete a key set; its tokens are invalid at once', {
  params,
})

const path = '/organizations/:organization_id/key-sets'

/** Organizations' own credentials. */
export const keySetRoutes = (scope: Scope, { keySets }: { keySets: KeySets }) => {
  scope.post(path, create, async (request, reply) => {
    const draft = { ...fieldsOf(request.body), ...fieldsOf(request.params) }
    const { keySet, secret } = await keySets.create(draft, causeOf(request))
    const location = `${scope.prefix}/organizations/${draft.organizationId}/key-sets/${keySet.id}`
    reply.header('location', location)
    return { ...keySetJson(keySet), secret }
  })

  scope.get(path, list, async ({ params, query }) =>
    pageJson(await keySets.list(params.organization_id, readPage(query)), keySetJson),
  )

  scope.get(`${path}/:key_set_id`, read, async ({ params }) =>
    keySetJson(await keySets.read(params.organization_id, params.key_set_id)),
  )

  scope.patch(`${path}/:key_set_id`, change, async (request) => {
    const patch = fieldsOf(request.body)
    const [cause, precondition] = changeOf(request, keySetJson)
    return keySetJson(await keySets.change(keyIn(request.params), patch, cause, { precondition }))
  })

  scope.post(`${path}/:key_set_id/rotate`, rotate, async (request) => {
    const after = request.body.retire_others_after_seconds ?? 0
    const key = keyIn(request.params)
    const { keySet, secret } = await keySets.rotate(key, after, causeOf(request))
    return { ...keySetJson(keySet), secret }
  })

  scope.delete(`${path}/:key_set_id`, remove, async (request) => {
    await keySets.remove(keyIn(request.params), ...changeOf(request, keySetJson))
  })
}
