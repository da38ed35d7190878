import { type Static, Type } from 'typebox'
import type { UsageReport } from '../../../core/audit/usage-report.ts'
import { dayPattern } from '../../../core/language/period.ts'
import type { AppUse } from '../../../core/organizations/app-use.ts'
import { fieldsOf, jsonOf } from '../json.ts'
import { operation, operations, type Scope } from '../operation.ts'
import { listQuery, pageJson, pageParameters, readPage } from '../paging.ts'
import * as api from '../schemas.ts'

const counts = (description: string) =>
  Type.Record(Type.String(), Type.Integer({ minimum: 1 }), { description })

const usageDaySchema = api.component(
  'UsageDay',
  'The use of an app in an organization on one day.',
  {
    day: Type.String({ format: 'date', description: 'In UTC.' }),
    client_id: api.id,
    issued: counts('Access tokens by grant type.'),
    refused: counts('Refused token requests by reason.'),
  },
)
export type UsageDayJson = Static<typeof usageDaySchema>

const usageJson = jsonOf(usageDaySchema)

const day = (what: string) =>
  Type.Optional(
    Type.String({
      format: 'date',
      'x-pattern': dayPattern,
      'x-reason': 'period',
      description: `${what}, in UTC.`,
    }),
  )

const period = { from: day('The first day'), to: day('The last day') }

const list = operation({
  id: 'listUsage',
  tag: 'usage',
  permission: 'organizations:read',
  summary: 'Count tokens and refusals of an organization, by day and app',
  description:
    'Default: the last 30 days. Counts are written every few seconds and kept for 400 days. ' +
    'Refusals count once the app has authenticated and the grant or install is known.',
  answer: { status: 200, description: 'Days.', items: usageDaySchema },
  params: api.pathIds('organization_id'),
  querystring: api.closed({ ...pageParameters, ...period }),
})

/** Usage counts of an organization's apps. */
export const usageRoutes = (scope: Scope, { usageReport }: { usageReport: UsageReport }) => {
  scope.get('/organizations/:organization_id/usage', list, async ({ params, query }) =>
    pageJson(await usageReport.list(params.organization_id, query, readPage(query)), usageJson),
  )
}

const appUseSchema = api.component('AppUse', 'How one organization uses an app.', {
  organization_id: api.id,
  organization_name: Type.String(),
  permissions: Type.Array(Type.String(), {
    description: 'Approved by an admin of the organization.',
  }),
  suspended: Type.Boolean(),
  people: Type.Integer({
    description:
      'Members whom the app may act for, as an admin sees them. Users who have migrated to the twin are not counted.',
  }),
  moved: Type.Integer({ description: 'Grants migrated to the twin.' }),
  twin_installed: api.nullable(Type.Boolean({ description: 'null: the app has no twin.' })),
  last_used_at: api.nullable(
    Type.String({
      format: 'date-time',
      description: 'Last access token, for a user or for the app itself. null: not used yet.',
    }),
  ),
  issued: counts('Access tokens in the period, by grant type.'),
  refused: counts('Refused token requests in the period, by reason.'),
})
export type AppUseJson = Static<typeof appUseSchema>

const appPersonSchema = api.component('AppPerson', 'A user who has authorized an app.', {
  user_id: api.id,
  name: Type.String(),
  email: Type.String(),
  permissions: Type.Array(Type.String()),
  since: api.timestamp,
  last_used_at: api.nullable(api.timestamp),
})
export type AppPersonJson = Static<typeof appPersonSchema>

const useJson = jsonOf(appUseSchema)
const personJson = jsonOf(appPersonSchema)

const on = operations({
  tag: 'usage',
  area: 'apps',
  schema: appUseSchema,
  one: 'Organizations.',
})

const organizations = on.list('listAppUse', 'List the use of an app by organization', {
  description:
    'Each organization that has installed the app: users, last use, and tokens and refusals of the ' +
    'period (default: the last 30 days). For a legacy app also the progress of the migration to its twin. Last ' +
    'use and counts are written every few seconds.',
  params: api.pathIds('client_id'),
  querystring: listQuery(['name'], { ...period }),
})

const people = on.list(
  'listAppPeople',
  'List the users who have authorized an app in an organization, with the last use',
  {
    permission: 'users:read',
    answer: { description: 'People.', items: appPersonSchema },
    params: api.pathIds('client_id', 'organization_id'),
    querystring: listQuery(['name', 'email'], {}, 'name'),
  },
)

/** The use of an app by organizations and people. */
export const appUseRoutes = (scope: Scope, { appUse }: { appUse: AppUse }) => {
  scope.get('/apps/:client_id/usage', organizations, async ({ params, query }) => {
    const { from, to, ...page } = query
    const used = await appUse.organizations(params.client_id, { from, to }, readPage(page))
    return pageJson(used, useJson)
  })

  scope.get('/apps/:client_id/usage/:organization_id', people, async ({ params, query }) =>
    pageJson(await appUse.people(fieldsOf(params), readPage(query)), personJson),
  )
}
