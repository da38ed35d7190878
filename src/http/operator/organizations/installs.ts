import { type Static, Type } from 'typebox'
import type { StoredInstall } from '../../../core/organizations/install.ts'
import type { InstallPreviews } from '../../../core/organizations/install-preview.ts'
import type { Installs } from '../../../core/organizations/installs.ts'
import type { SuspendAll } from '../../../core/organizations/suspend-all.ts'
import { causeOf, changeOf } from '../change.ts'
import { fieldsOf, jsonOf } from '../json.ts'
import { operations, type Scope } from '../operation.ts'
import { listQuery, pageJson, readPage } from '../paging.ts'
import * as api from '../schemas.ts'
import { expiresAt, idleSeconds, withEnd } from './access-end.ts'
import { audience, shownAudience, withAudience, withShownAudience } from './audience.ts'

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

const switchedInstallsSchema = api.component(
  'SwitchedInstalls',
  'The effect on the apps of an organization.',
  { apps: Type.Integer({ description: 'How many apps were suspended or resumed.' }) },
)
export type SwitchedInstallsJson = Static<typeof switchedInstallsSchema>

const written = jsonOf(installSchema)
const installJson = (install: StoredInstall) => written(withShownAudience(install))
const installPreviewJson = jsonOf(installPreviewSchema)

const on = operations({
  tag: 'installs',
  area: 'installs',
  schema: installSchema,
  one: 'The install.',
  page: 'Installs.',
})
const params = api.pathIds('organization_id', 'client_id')
const inOrganization = api.pathIds('organization_id')

const approval = api.closed({
  permissions: api.permissions,
  ...api.optional({
    workspace_ids: workspaceIds,
    audience,
    expires_at: expiresAt,
    idle_seconds: idleSeconds,
  }),
})

const put = on.put('putInstall', 'Install an app, or replace the approval of the live install', {
  params,
  body: approval,
})

const preview = on.read('previewInstall', 'Say who would have less by an approval', {
  description: 'Changes nothing, and also answers for what the PUT refuses.',
  answer: { description: 'Who is affected, and what is missing.', schema: installPreviewSchema },
  params,
  body: approval,
})

const change = on.change('changeInstall', 'Change parts of a live install, suspend or resume it', {
  params,
  body: api.changes({
    permissions: api.permissions,
    workspace_ids: workspaceIds,
    audience,
    suspended: Type.Boolean(),
    expires_at: expiresAt,
    idle_seconds: idleSeconds,
  }),
})

const list = on.list('listInstalls', 'List the live installs of an organization', {
  params: inOrganization,
  rights: { q: 'apps:read', name: 'apps:read' },
  querystring: listQuery(['name'], { suspended: Type.Boolean() }),
})

const read = on.read('readInstall', 'Read a live install', { params })

const remove = on.remove(
  'uninstall',
  'Uninstall an app; all grants of the install are revoked for good',
  { answer: { description: 'Uninstalled.' }, params },
)

const switching = {
  answer: { description: 'How many apps were changed.', schema: switchedInstallsSchema },
  params: inOrganization,
  body: api.closed({}),
}

const suspend = on.act('suspendAllInstalls', 'Suspend every app of an organization', {
  description:
    'Suspends each installed app that is not suspended yet. Their tokens are refused at once; no approval is lost. ' +
    'Key sets keep working, and so does an app that is installed afterwards.',
  ...switching,
})

const resume = on.act('resumeAllInstalls', 'Resume the apps that were suspended together', {
  description: 'An app that was suspended by itself stays suspended.',
  ...switching,
})

const path = '/organizations/:organization_id/installs'

/** Installs of apps in organizations. */
export const installRoutes = (
  scope: Scope,
  { installs, installPreviews }: { installs: Installs; installPreviews: InstallPreviews },
) => {
  scope.get(path, list, async ({ params, query }) =>
    pageJson(await installs.list(params.organization_id, readPage(query)), installJson),
  )

  scope.put(`${path}/:client_id`, put, async (request) => {
    const approval = {
      ...withAudience(withEnd(fieldsOf(request.body))),
      ...fieldsOf(request.params),
    }
    return installJson(await installs.approve(approval, ...changeOf(request, installJson)))
  })

  scope.get(`${path}/:client_id`, read, async ({ params }) =>
    installJson(await installs.read(params.organization_id, params.client_id)),
  )

  scope.patch(`${path}/:client_id`, change, async (request) => {
    const patch = withAudience(withEnd(fieldsOf(request.body)))
    const [cause, precondition] = changeOf(request, installJson)
    return installJson(
      await installs.change(fieldsOf(request.params), patch, cause, { precondition }),
    )
  })

  scope.post(`${path}/:client_id/preview`, preview, async ({ params, body }) =>
    installPreviewJson(await installPreviews.find(fieldsOf(params), withAudience(fieldsOf(body)))),
  )

  scope.delete(`${path}/:client_id`, remove, async (request) => {
    await installs.end(fieldsOf(request.params), ...changeOf(request, installJson))
  })
}

/** All apps of an organization at once. */
export const suspendAllRoutes = (scope: Scope, { suspendAll }: { suspendAll: SuspendAll }) => {
  const path = '/organizations/:organization_id'
  scope.post(`${path}/suspend-all`, suspend, async (request) => ({
    apps: await suspendAll.suspend(request.params.organization_id, causeOf(request)),
  }))
  scope.post(`${path}/resume-all`, resume, async (request) => ({
    apps: await suspendAll.resume(request.params.organization_id, causeOf(request)),
  }))
}
