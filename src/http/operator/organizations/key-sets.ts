import { type Static, Type } from 'typebox'
import type { StoredKeySet } from '../../../core/organizations/key-set.ts'
import type { KeySets } from '../../../core/organizations/key-sets.ts'
import { secretJson } from '../apps/secrets.ts'
import { jsonOf } from '../json.ts'
import { operations, type Scope } from '../operations.ts'
import { listQuery } from '../paging.ts'
import * as api from '../schemas.ts'
import { workloadList } from './workloads.ts'

const workloads = workloadList(
  'Workloads, such as a nightly job, that get tokens of the key set by client_credentials, without its secret. Current ' +
    'interface only.',
)

const keySetSchema = api.component('KeySet', "An organization's own credentials.", {
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
})
export type KeySetJson = Static<typeof keySetSchema>

const keySetWithSecretSchema = api.component('KeySetWithSecret', 'A key set and its new secret.', {
  ...keySetSchema.properties,
  secret: api.shownOnce,
})
export type KeySetWithSecretJson = Static<typeof keySetWithSecretSchema>

const write = jsonOf(keySetSchema)
const keySetJson = (keySet: StoredKeySet) =>
  write({ ...keySet, secrets: keySet.secrets.map(secretJson) })

const keyIn = ({ organizationId, keySetId }: Record<'organizationId' | 'keySetId', string>) => ({
  organizationId,
  id: keySetId,
})

const workspaceIds = api.workspaceLimit(
  'Workspaces that its tokens may reach; null: all, including future ones. Always null on the legacy interface.',
)

const withSecret = {
  description: 'The key set and its new secret.',
  schema: keySetWithSecretSchema,
}

export const keySetRoutes = (scope: Scope, { keySets }: { keySets: KeySets }) => {
  const on = operations(scope, {
    tag: 'key sets',
    area: 'key_sets',
    schema: keySetSchema,
    one: 'The key set.',
    page: 'Key sets.',
    json: keySetJson,
    location: (made) => `/organizations/${made.organization_id}/key-sets/${made.id}`,
  })
  const all = '/organizations/:organization_id/key-sets'
  const path = `${all}/:key_set_id` as const

  on.create(all, 'createKeySet', 'Create a key set', {
    answer: withSecret,
    body: api.closed({
      name: api.name,
      description: Type.Optional(api.description),
      interface: api.interfaceName,
      permissions: api.permissions,
      ...api.optional({ workspace_ids: workspaceIds, workloads }),
    }),
    run: async ({ params, body }, cause) => {
      const { keySet, secret } = await keySets.create({ ...body, ...params }, cause)
      return { ...keySetJson(keySet), secret }
    },
  })

  on.list(all, 'listKeySets', 'List the key sets of an organization', {
    querystring: listQuery(['name'], { interface: api.interfaceName }),
    run: ({ params }, page) => keySets.list(params.organizationId, page),
  })

  on.read(path, 'readKeySet', 'Read a key set', {
    run: ({ params }) => keySets.read(params.organizationId, params.keySetId),
  })

  on.change(path, 'changeKeySet', 'Change a key set', {
    body: api.changes({
      name: api.name,
      description: api.description,
      permissions: api.permissions,
      workspace_ids: workspaceIds,
      workloads,
    }),
    run: ({ params, body }, cause, precondition) =>
      keySets.change(keyIn(params), body, cause, { precondition }),
  })

  on.act(
    `${path}/rotate`,
    'rotateKeySet',
    'Replace the secret; tokens signed with the old one expire with it',
    {
      answer: withSecret,
      refusals: [404, 409],
      body: api.rotation,
      run: async ({ params, body: { retireOthersAfterSeconds: after = 0 } }, cause) => {
        const { keySet, secret } = await keySets.rotate(keyIn(params), after, cause)
        return { ...keySetJson(keySet), secret }
      },
    },
  )

  on.remove(path, 'deleteKeySet', 'Delete a key set; its tokens are invalid at once', {
    run: ({ params }, ...context) => keySets.remove(keyIn(params), ...context),
  })
}
