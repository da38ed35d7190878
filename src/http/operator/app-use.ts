import { type Static, Type } from 'typebox'
import type { AppUse } from '../../core/organizations/app-use.ts'
import { jsonOf } from './json.ts'
import { operation, reference } from './operation.ts'
import { pageJson, pageOf, pageQuery, readPage } from './paging.ts'
import { id, nullable, pathIds, timestamp } from './schemas.ts'
import type { OperatorScope } from './scope.ts'
import { counts, periodQuery } from './usage.ts'

export const appUseSchema = Type.Object(
  {
    organization_id: id,
    organization_name: Type.String(),
    permissions: Type.Array(Type.String(), {
      description: 'Approved by an admin of the organization.',
    }),
    suspended: Type.Boolean(),
    people: Type.Integer({ description: 'Users with a live grant.' }),
    moved: Type.Integer({ description: 'Grants migrated to the twin.' }),
    twin_installed: Type.Unsafe<boolean | null>({
      type: ['boolean', 'null'],
      description: 'null: the app has no twin.',
    }),
    last_used_at: nullable(timestamp),
    issued: counts('Access tokens in the period, by grant type.'),
    refused: counts('Refused token requests in the period, by reason.'),
  },
  { $id: 'AppUse', description: 'How one organization uses an app.' },
)
export type AppUseJson = Static<typeof appUseSchema>

export const appPersonSchema = Type.Object(
  {
    user_id: id,
    name: Type.String(),
    email: Type.String(),
    permissions: Type.Array(Type.String()),
    since: timestamp,
    last_used_at: nullable(timestamp),
  },
  { $id: 'AppPerson', description: 'A user who has authorized an app.' },
)
export type AppPersonJson = Static<typeof appPersonSchema>

const useJson = jsonOf(appUseSchema)

const personJson = jsonOf(appPersonSchema)

const organizations = operation(
  {
    id: 'listAppUse',
    tag: 'usage',
    permission: 'apps:read',
    summary: 'List the use of an app by organization',
    description:
      'Each organization that has installed the app: users with a grant, last use, and tokens and refusals of the ' +
      'period (default: the last 30 days). For a legacy app also the progress of the migration to its twin. Last ' +
      'use and counts are written every few seconds.',
    answer: { status: 200, description: 'Organizations.', schema: pageOf(reference('AppUse')) },
    refusals: [404],
  },
  { params: pathIds('client_id'), querystring: periodQuery },
)

const people = operation(
  {
    id: 'listAppPeople',
    tag: 'usage',
    permission: 'users:read',
    summary: 'List the users who have authorized an app in an organization, with the last use',
    answer: { status: 200, description: 'People.', schema: pageOf(reference('AppPerson')) },
    refusals: [404],
  },
  { params: pathIds('client_id', 'organization_id'), querystring: pageQuery },
)

export const appUseRoutes = (scope: OperatorScope, appUse: AppUse) => {
  scope.get('/apps/:client_id/usage', organizations, async ({ params, query }) =>
    pageJson(await appUse.organizations(params.client_id, query, readPage(query)), useJson),
  )

  scope.get('/apps/:client_id/usage/:organization_id', people, async ({ params, query }) =>
    pageJson(
      await appUse.people(params.client_id, params.organization_id, readPage(query)),
      personJson,
    ),
  )
}
