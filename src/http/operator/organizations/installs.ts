import { type Static, Type } from 'typebox'
import type { StoredInstall } from '../../../core/organizations/install.ts'
import type { InstallPreviews } from '../../../core/organizations/install-preview.ts'
import type { Installs } from '../../../core/organizations/installs.ts'
import type { PermissionUse } from '../../../core/organizations/permission-use.ts'
import type { SuspendAll } from '../../../core/organizations/suspend-all.ts'
import { jsonOf } from '../json.ts'
import { operations, type Scope } from '../operations.ts'
import { listQuery } from '../paging.ts'
import * as api from '../schemas.ts'
import {
  audience,
  expiresAt,
  idleSeconds,
  shownAudience,
  withAudience,
  withEnd,
  withShownAudience,
} from './install-fields.ts'

export const workspaceIds = api.workspaceLimit(
  'null: all workspaces, including future ones. Required for apps of the current interface.',
)

const installSchema = api.component('Install', "An organization's approval of an app.", {
  id: api.id,
  organization_id: api.id,
  client_id: api.id,
  permissions: Type.Array(Type.String()),
  missing: Type.Array(Type.String(), {
    description: 'Permissions that the app requires and the install does not have.',
  }),
  workspace_ids: api.nullable(Type.Array(Type.String())),
  audience: shownAudience,
  denied: Type.Array(Type.String(), {
    description: 'Users whom an admin has denied the app, members or not.',
  }),
  self: Type.Boolean({
    description:
      'Members have made it, each for themselves: `audience` names them. An approval by an admin, such as a PUT, makes it false.',
  }),
  installed_by: api.nullable(
    Type.String({
      description:
        'The user who approved the install, or made it for themselves; null for an operator.',
    }),
  ),
  suspended: Type.Boolean(),
  expires_at: api.nullable(api.timestamp),
  idle_seconds: api.nullable(Type.Integer()),
  created_at: api.timestamp,
  updated_at: api.timestamp,
})
export type InstallJson = Static<typeof installSchema>

const installPreviewSchema = api.component(
  'InstallPreview',
  'Who would have less by an approval.',
  {
    people: Type.Integer({ description: 'Users whose live grants would have less.' }),
    families: Type.Integer({ description: 'Their live grants.' }),
    jobs: Type.Integer({
      description:
        '1 if the app got tokens for itself in the last 30 days, and they would have less.',
    }),
    missing: Type.Array(Type.String(), {
      description: 'Permissions that the app requires and the approval does not have.',
    }),
  },
)

const permissionUseSchema = api.component(
  'PermissionUse',
  'Which granted permissions data APIs have checked, as they report it.',
  {
    days: Type.Integer({ description: 'Including today, in UTC.' }),
    permissions: Type.Array(
      Type.Object({
        permission: Type.String({ description: '`read`: reading on the current interface.' }),
        count: Type.Integer(),
        last_used_on: api.nullable(Type.String({ format: 'date', description: 'Day in UTC.' })),
      }),
    ),
    measured: Type.Boolean({
      description:
        'Every data API that serves the organization and called this server in these days has reported, and there is one. false: a count of 0 says nothing.',
    }),
  },
)

const switchedInstallsSchema = api.component(
  'SwitchedInstalls',
  'The effect on the apps of an organization.',
  { apps: Type.Integer({ description: 'How many apps were suspended or resumed.' }) },
)
export type SwitchedInstallsJson = Static<typeof switchedInstallsSchema>

const written = jsonOf(installSchema)
const installJson = (install: StoredInstall) => written(withShownAudience(install))
const approval = {
  permissions: api.permissions,
  workspace_ids: workspaceIds,
  audience,
  expires_at: expiresAt,
  idle_seconds: idleSeconds,
}
const { permissions, ...optional } = approval
const approvalBody = api.closed({ permissions, ...api.optional(optional) })

export const installRoutes = (
  scope: Scope,
  services: {
    installs: Installs
    installPreviews: InstallPreviews
    permissionUse: PermissionUse
    suspendAll: SuspendAll
  },
) => {
  const { installs, installPreviews, permissionUse, suspendAll } = services
  const on = operations(scope, {
    area: 'installs',
    schema: installSchema,
    one: 'The install.',
    page: 'Installs.',
    json: installJson,
  })
  const onPreview = operations(scope, {
    area: 'installs',
    schema: installPreviewSchema,
    one: 'Who is affected, and what is missing.',
  })
  const onUse = operations(scope, {
    area: 'installs',
    schema: permissionUseSchema,
    one: 'The use of each granted permission.',
  })
  const onAll = operations(scope, {
    area: 'installs',
    schema: switchedInstallsSchema,
    one: 'How many apps were changed.',
  })
  const within = '/organizations/:organization_id'
  const path = `${within}/installs/:client_id` as const

  on.list(`${within}/installs`, 'listInstalls', 'List the live installs of an organization', {
    rights: { q: 'apps:read', name: 'apps:read' },
    querystring: listQuery(['name'], { suspended: Type.Boolean() }),
    run: ({ params }, page) => installs.list(params.organizationId, page),
  })

  on.put(path, 'putInstall', 'Install an app, or replace the approval of the live install', {
    body: approvalBody,
    run: ({ params, body }, ...context) =>
      installs.approve({ ...withAudience(withEnd(body)), ...params }, ...context),
  })

  on.read(path, 'readInstall', 'Read a live install', {
    run: ({ params }) => installs.read(params.organizationId, params.clientId),
  })

  on.change(path, 'changeInstall', 'Change parts of a live install, suspend or resume it', {
    body: api.changes({ ...approval, suspended: Type.Boolean({ default: false }) }),
    run: ({ params, body }, cause, precondition) =>
      installs.change(params, withAudience(withEnd(body)), cause, { precondition }),
  })

  onPreview.read(`${path}/preview`, 'previewInstall', 'Say who would have less by an approval', {
    method: 'POST',
    description: 'Changes nothing, and also answers for what the PUT refuses.',
    body: approvalBody,
    run: ({ params, body }) => installPreviews.find(params, withAudience(body)),
  })

  onUse.read(`${path}/usage`, 'readPermissionUse', 'Say which granted permissions are used', {
    description: 'Not measured is never not used. Counts are kept for 400 days.',
    querystring: api.closed({
      days: Type.Optional(Type.Integer({ minimum: 1, maximum: 400, default: 30 })),
    }),
    run: async ({ params, query }) => {
      const { permissions, ...use } = await permissionUse.ofInstall(params, query.days ?? 30)
      return {
        ...use,
        permissions: permissions.map(({ lastUsedOn, ...one }) => ({
          ...one,
          last_used_on: lastUsedOn,
        })),
      }
    },
  })

  on.remove(path, 'uninstall', 'Uninstall an app; all grants of the install are revoked for good', {
    answer: { description: 'Uninstalled.' },
    run: ({ params }, ...context) => installs.end(params, ...context),
  })

  onAll.act(`${within}/suspend-all`, 'suspendAllInstalls', 'Suspend every app of an organization', {
    description:
      'Suspends each installed app that is not suspended yet. Their tokens are refused at once; no approval is lost. ' +
      'Key sets keep working, and so does an app that is installed afterwards.',
    body: api.closed({}),
    run: async ({ params }, cause) => ({
      apps: await suspendAll.suspend(params.organizationId, cause),
    }),
  })

  onAll.act(
    `${within}/resume-all`,
    'resumeAllInstalls',
    'Resume the apps that were suspended together',
    {
      description: 'An app that was suspended by itself stays suspended.',
      body: api.closed({}),
      run: async ({ params }, cause) => ({
        apps: await suspendAll.resume(params.organizationId, cause),
      }),
    },
  )
}
