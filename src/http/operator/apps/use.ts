import { type Static, Type } from 'typebox'
import type { AppUse } from '../../../core/organizations/app-use.ts'
import { jsonOf } from '../json.ts'
import { operations, reference } from '../operation.ts'
import { pageJson, pageOf, pageQuery, readPage } from '../paging.ts'
import { counts, periodQuery } from '../reports/usage.ts'
import { component, id, nullable, pathIds, timestamp } from '../schemas.ts'
import type { OperatorScope } from '../scope.ts'

export const appUseSchema = component('AppUse', 'How one organization uses an app.', {
  organization_id: id,
  organization_name: Type.String(),
  permissions: Type.Array(Type.String(), {
    description: 'Approved by an admin of the organization.',
  }),
  suspended: Type.Boolean(),
  people: Type.Integer({ description: 'Users with a live grant.' }),
  moved: Type.Integer({ description: 'Grants migrated to the twin.' }),
  twin_installed: nullable(Type.Boolean({ description: 'null: the app has no twin.' })),
  last_used_at: nullable(timestamp),
  issued: counts('Access tokens in the period, by grant type.'),
  refused: counts('Refused token requests in the period, by reason.'),
})
export type AppUseJson = Static<typeof appUseSchema>

export const appPersonSchema = component('AppPerson', 'A user who has authorized an app.', {
  user_id: id,
  name: Type.String(),
  email: Type.String(),
  permissions: Type.Array(Type.String()),
  since: timestamp,
  last_used_at: nullable(timestamp),
})
export type AppPersonJson = Static<typeof appPersonSchema>

const useJson = jsonOf(appUseSchema)
const personJson = jsonOf(appPersonSchema)

const on = operations({
  tag: 'usage',
  read: 'apps:read',
  write: 'apps:read',
  schema: 'AppUse',
  one: 'Organizations.',
})

const organizations = on.list('listAppUse', 'List the use of an app by organization', {
  description:
    'Each organization that has installed the app: users with a grant, last use, and tokens and refusals of the ' +
    'period (default: the last 30 days). For a legacy app also the progress of the migration to its twin. Last ' +
    'use and counts are written every few seconds.',
  params: pathIds('client_id'),
  querystring: periodQuery,
})

const people = on.list(
  'listAppPeople',
  'List the users who have authorized an app in an organization, with the last use',
  {
    permission: 'users:read',
    answer: { description: 'People.', schema: pageOf(reference('AppPerson')) },
    params: pathIds('client_id', 'organization_id'),
    querystring: pageQuery,
  },
)

export const appUseRoutes = (scope: OperatorScope, appUse: AppUse) => {
  scope.get('/apps/:client_id/usage', organizations, async ({ params, query }) =>
    pageJson(await appUse.organizations(params.client_id, query, readPage(query)), useJson),
  )

  scope.get('/apps/:client_id/usage/:organization_id', people, async ({ params, query }) => {
    const { client_id, organization_id } = params
    return pageJson(await appUse.people(client_id, organization_id, readPage(query)), personJson)
  })
}
