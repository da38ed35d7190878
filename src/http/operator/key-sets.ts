import { type Static, Type } from 'typebox'
import type { StoredKeySet } from '../../core/organizations/key-set.ts'
import type { KeySets } from '../../core/organizations/key-sets.ts'
import { secretJson } from './app-secrets.ts'
import { etagOf, preconditionOf } from './etag.ts'
import { causeOf } from './guard.ts'
import { fieldsOf, jsonOf } from './json.ts'
import { operation, reference } from './operation.ts'
import { pageJson, pageOf, pageQuery, readPage } from './paging.ts'
import {
  changes,
  closed,
  description,
  id,
  interfaceName,
  name,
  nullable,
  pathIds,
  permissions,
  rotation,
  secretFields,
  timestamp,
  workspaceLimit,
} from './schemas.ts'
import type { OperatorScope } from './scope.ts'
import { workloadList } from './workloads.ts'

const workloads = workloadList(
  'Workloads, such as a nightly job, that get tokens of the key set by client_credentials, without its secret. Current ' +
    'interface only.',
)

const keySetFields = {
  id,
  client_id: id,
  organization_id: id,
  interface: interfaceName,
  name: Type.String(),
  description: nullable(Type.String()),
  permissions: Type.Array(Type.String()),
  workspace_ids: nullable(Type.Array(Type.String())),
  workloads,
  secrets: Type.Array(Type.Object(secretFields), { description: 'Active secrets.' }),
  created_by: nullable(
    Type.String({ description: 'The user who created it; null for an operator.' }),
  ),
  created_at: timestamp,
  updated_at: timestamp,
}

export const keySetSchema = Type.Object(keySetFields, {
  $id: 'KeySet',
  description: "An organization's own credentials.",
})
export type KeySetJson = Static<typeof keySetSchema>

export const keySetWithSecretSchema = Type.Object(
  { ...keySetFields, secret: Type.String({ description: 'Shown only once.' }) },
  { $id: 'KeySetWithSecret', description: 'A key set and its new secret.' },
)
export type KeySetWithSecretJson = Static<typeof keySetWithSecretSchema>

const write = jsonOf(keySetSchema)
const keySetJson = (keySet: StoredKeySet) =>
  write({ ...keySet, secrets: keySet.secrets.map(secretJson) })

const workspaceIds = workspaceLimit(
  'Workspaces that its tokens may reach; null: all, including future ones. Always null on the legacy interface.',
)

const tagOf = (keySet: StoredKeySet) => etagOf(keySetJson(keySet))

const tag = 'key sets'
const params = pathIds('organization_id', 'key_set_id')
const inOrganization = pathIds('organization_id')
const answer = { status: 200, description: 'The key set.', schema: reference('KeySet') } as const
const withSecret = {
  description: 'The key set and its new secret.',
  schema: reference('KeySetWithSecret'),
}

const create = operation(
  {
    id: 'createKeySet',
    tag,
    permission: 'key_sets:write',
    summary: 'Create a key set',
    answer: { ...withSecret, status: 201 },
    refusals: [404],
  },
  {
    params: inOrganization,
    body: closed({
      name,
      description: Type.Optional(description),
      interface: interfaceName,
      permissions,
      workspace_ids: Type.Optional(workspaceIds),
      workloads: Type.Optional(workloads),
    }),
  },
)

const list = operation(
  {
    id: 'listKeySets',
    tag,
    permission: 'key_sets:read',
    summary: 'List the key sets of an organization',
    answer: { status: 200, description: 'Key sets.', schema: pageOf(reference('KeySet')) },
    refusals: [404],
  },
  { params: inOrganization, querystring: pageQuery },
)

const read = operation(
  {
    id: 'readKeySet',
    tag,
    permission: 'key_sets:read',
    summary: 'Read a key set',
    answer,
    refusals: [404],
  },
  { params },
)

const change = operation(
  {
    id: 'changeKeySet',
    conditional: true,
    tag,
    permission: 'key_sets:write',
    summary: 'Change a key set',
    answer,
    refusals: [404],
  },
  {
    params,
    body: changes({ name, description, permissions, workspace_ids: workspaceIds, workloads }),
  },
)

const rotate = operation(
  {
    id: 'rotateKeySet',
    tag,
    permission: 'key_sets:write',
    summary: 'Replace the secret; tokens signed with the old one expire with it',
    answer: { ...withSecret, status: 200 },
    refusals: [404, 409],
  },
  { params, body: rotation },
)

const remove = operation(
  {
    id: 'deleteKeySet',
    conditional: true,
    tag,
    permission: 'key_sets:write',
    summary: 'Delete a key set; its tokens are invalid at once',
    answer: { status: 204, description: 'Deleted.' },
    refusals: [404],
  },
  { params },
)

const path = '/organizations/:organization_id/key-sets'

/** Organizations' own credentials. */
export const keySetRoutes = (scope: OperatorScope, keySets: KeySets) => {
  scope.post(path, create, async (request, reply) => {
    const { organization_id } = request.params
    const draft = fieldsOf(request.body)
    const { keySet, secret } = await keySets.create(organization_id, draft, causeOf(request))
    reply
      .code(201)
      .header('location', `${scope.prefix}/organizations/${organization_id}/key-sets/${keySet.id}`)
    return { ...keySetJson(keySet), secret }
  })

  scope.get(path, list, async ({ params, query }) =>
    pageJson(await keySets.list(params.organization_id, readPage(query)), keySetJson),
  )

  scope.get(`${path}/:key_set_id`, read, async ({ params }) =>
    keySetJson(await keySets.read(params.organization_id, params.key_set_id)),
  )

  scope.patch(`${path}/:key_set_id`, change, async (request) => {
    const { organization_id, key_set_id } = request.params
    const patch = fieldsOf(request.body)
    const version = { precondition: preconditionOf(request, tagOf) }
    return keySetJson(
      await keySets.change(organization_id, key_set_id, patch, causeOf(request), version),
    )
  })

  scope.post(`${path}/:key_set_id/rotate`, rotate, async (request) => {
    const { organization_id, key_set_id } = request.params
    const after = request.body.retire_others_after_seconds ?? 0
    const cause = causeOf(request)
    const { keySet, secret } = await keySets.rotate(organization_id, key_set_id, after, cause)
    return { ...keySetJson(keySet), secret }
  })

  scope.delete(`${path}/:key_set_id`, remove, async (request, reply) => {
    const { organization_id, key_set_id } = request.params
    const precondition = preconditionOf(request, tagOf)
    await keySets.remove(organization_id, key_set_id, causeOf(request), precondition)
    return reply.code(204).send()
  })
}
