import { type Static, Type } from 'typebox'
import type { StoredInstall } from '../../core/organizations/install.ts'
import type { Installs } from '../../core/organizations/installs.ts'
import { expiresAt, idleSeconds, withEnd } from './access-end.ts'
import { etagOf, preconditionOf } from './etag.ts'
import { causeOf } from './guard.ts'
import { fieldsOf, jsonOf } from './json.ts'
import { operation, reference } from './operation.ts'
import { pageJson, pageOf, pageQuery, readPage } from './paging.ts'
import {
  changes,
  closed,
  id,
  nullable,
  pathIds,
  permissions,
  timestamp,
  workspaceLimit,
} from './schemas.ts'
import type { OperatorScope } from './scope.ts'

export const workspaceIds = workspaceLimit(
  'null: all workspaces, including future ones. Required for apps of the current interface.',
)

export const installSchema = Type.Object(
  {
    id,
    organization_id: id,
    client_id: id,
    permissions: Type.Array(Type.String()),
    workspace_ids: nullable(Type.Array(Type.String())),
    installed_by: nullable(
      Type.String({ description: 'The user who approved the install; null for an operator.' }),
    ),
    suspended: Type.Boolean(),
    expires_at: nullable(timestamp),
    idle_seconds: nullable(Type.Integer()),
    created_at: timestamp,
    updated_at: timestamp,
  },
  { $id: 'Install', description: "An organization's approval of an app." },
)
export type InstallJson = Static<typeof installSchema>

const installJson = jsonOf(installSchema)
const tagOf = (install: StoredInstall) => etagOf(installJson(install))

const tag = 'installs'
const params = pathIds('organization_id', 'client_id')
const answer = { status: 200, description: 'The install.', schema: reference('Install') } as const

const put = operation(
  {
    id: 'putInstall',
    conditional: true,
    tag,
    permission: 'installs:write',
    summary: 'Install an app, or replace the approval of the live install',
    answer,
    refusals: [404],
  },
  {
    params,
    body: closed({
      permissions,
      workspace_ids: Type.Optional(workspaceIds),
      expires_at: Type.Optional(expiresAt),
      idle_seconds: Type.Optional(idleSeconds),
    }),
  },
)

const change = operation(
  {
    id: 'changeInstall',
    conditional: true,
    tag,
    permission: 'installs:write',
    summary: 'Change parts of a live install, suspend or resume it',
    answer,
    refusals: [404],
  },
  {
    params,
    body: changes({
      permissions,
      workspace_ids: workspaceIds,
      suspended: Type.Boolean(),
      expires_at: expiresAt,
      idle_seconds: idleSeconds,
    }),
  },
)

const list = operation(
  {
    id: 'listInstalls',
    tag,
    permission: 'installs:read',
    summary: 'List the live installs of an organization',
    answer: { status: 200, description: 'Installs.', schema: pageOf(reference('Install')) },
    refusals: [404],
  },
  { params: pathIds('organization_id'), querystring: pageQuery },
)

const read = operation(
  {
    id: 'readInstall',
    tag,
    permission: 'installs:read',
    summary: 'Read a live install',
    answer,
    refusals: [404],
  },
  { params },
)

const remove = operation(
  {
    id: 'uninstall',
    conditional: true,
    tag,
    permission: 'installs:write',
    summary: 'Uninstall an app; all grants of the install are revoked for good',
    answer: { status: 204, description: 'Uninstalled.' },
    refusals: [404],
  },
  { params },
)

const path = '/organizations/:organization_id/installs'

/** Installs of apps in organizations. */
export const installRoutes = (scope: OperatorScope, installs: Installs) => {
  scope.get(path, list, async ({ params, query }) =>
    pageJson(await installs.list(params.organization_id, readPage(query)), installJson),
  )

  scope.put(`${path}/:client_id`, put, async (request) => {
    const { organization_id, client_id } = request.params
    const approval = withEnd(fieldsOf(request.body))
    const precondition = preconditionOf(request, tagOf)
    return installJson(
      await installs.approve(organization_id, client_id, approval, causeOf(request), precondition),
    )
  })

  scope.get(`${path}/:client_id`, read, async ({ params }) =>
    installJson(await installs.read(params.organization_id, params.client_id)),
  )

  scope.patch(`${path}/:client_id`, change, async (request) => {
    const { organization_id, client_id } = request.params
    const patch = withEnd(fieldsOf(request.body))
    const version = { precondition: preconditionOf(request, tagOf) }
    return installJson(
      await installs.change(organization_id, client_id, patch, causeOf(request), version),
    )
  })

  scope.delete(`${path}/:client_id`, remove, async (request, reply) => {
    const { organization_id, client_id } = request.params
    const precondition = preconditionOf(request, tagOf)
    await installs.end(organization_id, client_id, causeOf(request), precondition)
    return reply.code(204).send()
  })
}
