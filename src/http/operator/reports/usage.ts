import { type Static, Type } from 'typebox'
import type { UsageReport } from '../../../core/audit/usage-report.ts'
import { dayPattern } from '../../../core/language/period.ts'
import { jsonOf } from '../json.ts'
import { operation, reference } from '../operation.ts'
import { pageJson, pageOf, pageParameters, readPage } from '../paging.ts'
import { closed, component, id, pathIds } from '../schemas.ts'
import type { OperatorScope } from '../scope.ts'

export const counts = (description: string) =>
  Type.Record(Type.String(), Type.Integer({ minimum: 1 }), { description })

export const usageDaySchema = component(
  'UsageDay',
  'The use of an app in an organization on one day.',
  {
    day: Type.String({ format: 'date', description: 'In UTC.' }),
    client_id: id,
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

/** Query of a list that covers a period. */
export const periodQuery = closed({
  ...pageParameters,
  from: day('The first day'),
  to: day('The last day'),
})

const list = operation({
  id: 'listUsage',
  tag: 'usage',
  permission: 'organizations:read',
  summary: 'Count tokens and refusals of an organization, by day and app',
  description:
    'Default: the last 30 days. Counts are written every few seconds and kept for 400 days. ' +
    'Refusals count once the app has authenticated and the grant or install is known.',
  answer: { status: 200, description: 'Days.', schema: pageOf(reference('UsageDay')) },
  params: pathIds('organization_id'),
  querystring: periodQuery,
})

/** Usage counts of an organization's apps. */
export const usageRoutes = (scope: OperatorScope, usage: UsageReport) => {
  scope.get('/organizations/:organization_id/usage', list, async ({ params, query }) =>
    pageJson(await usage.list(params.organization_id, query, readPage(query)), usageJson),
  )
}
