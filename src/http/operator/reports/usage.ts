import { type Static, Type } from 'typebox'
import type { UsageReport } from '../../../core/audit/usage-report.ts'
import { dayPattern } from '../../../core/language/period.ts'
import type { AppUse } from '../../../core/organizations/app-use.ts'
import { operations, type Scope } from '../operations.ts'
import { listQuery, pageParameters } from '../paging.ts'
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

export const usageRoutes = (scope: Scope, { usageReport }: { usageReport: UsageReport }) => {
  const on = operations(scope, {
    tag: 'usage',
    area: 'organizations',
    schema: usageDaySchema,
    one: 'Days.',
  })
  const path = '/organizations/:organization_id/usage'

  on.list(path, 'listUsage', 'Count tokens and refusals of an organization, by day and app', {
    description:
      'Default: the last 30 days. Counts are written every few seconds and kept for 400 days. ' +
      'Refusals count once the app has authenticated and the grant or install is known.',
    querystring: api.closed({ ...pageParameters, ...period }),
    run: ({ params, query }, page) => usageReport.list(params.organizationId, query, page),
  })
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

export const appUseRoutes = (scope: Scope, { appUse }: { appUse: AppUse }) => {
  const resource = { tag: 'usage', area: 'apps' } as const
  const onUse = operations(scope, { ...resource, schema: appUseSchema, one: 'Organizations.' })
  const onPeople = operations(scope, { ...resource, schema: appPersonSchema, one: 'People.' })
  const path = '/apps/:client_id/usage'

  onUse.list(path, 'listAppUse', 'List the use of an app by organization', {
    description:
      'Each organization that has installed the app: users, last use, and tokens and refusals of the ' +
      'period (default: the last 30 days). For a legacy app also the progress of the migration to its twin. Last ' +
      'use and counts are written every few seconds.',
    querystring: listQuery(['name'], { ...period }),
    run: ({ params, query }, page) =>
      appUse.organizations(params.clientId, query, { ...page, filter: {} }),
  })

  onPeople.list(
    `${path}/:organization_id`,
    'listAppPeople',
    'List the users who have authorized an app in an organization, with the last use',
    {
      permission: 'users:read',
      querystring: listQuery(['name', 'email'], {}, 'name'),
      run: ({ params }, page) => appUse.people(params, page),
    },
  )
}
