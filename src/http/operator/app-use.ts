import { type Static, Type } from 'typebox'
import type { AppPerson, AppUse, AppUseInOrganization } from '../../core/organizations/app-use.ts'
import { operation, reference } from './operation.ts'
import { pageJson, pageOf, pageQuery, readPage } from './paging.ts'
import { id, nullable, pathIds, timestamp } from './schemas.ts'
import type { AdminScope } from './scope.ts'
import { counts, periodQuery } from './usage.ts'

export const appUseSchema = Type.Object(
  {
    organization_id: id,
    organization_name: Type.String(),
    permissions: Type.Array(Type.String(), { description: 'What its admin has approved.' }),
    suspended: Type.Boolean(),
    people: Type.Integer({ description: 'With an authorization that is in force.' }),
    moved: Type.Integer({ description: 'Authorizations that the twin has taken over.' }),
    twin_installed: Type.Unsafe<boolean | null>({
      type: ['boolean', 'null'],
      description: 'null: the app has no twin.',
    }),
    last_used_at: nullable(timestamp),
    issued: counts('Access tokens by grant type, in the period.'),
    refused: counts('Token requests by the reason for which they were refused, in the period.'),
  },
  { $id: 'AppUse', description: 'How one organization uses an app.' },
)

export const appPersonSchema = Type.Object(
  {
    user_id: id,
    name: Type.String(),
    email: Type.String(),
    permissions: Type.Array(Type.String()),
    since: timestamp,
    last_used_at: nullable(timestamp),
  },
  { $id: 'AppPerson', description: 'Somebody who has authorized an app.' },
)

const timeOf = (at: Date | null) => at?.toISOString() ?? null

const useJson = (use: AppUseInOrganization): Static<typeof appUseSchema> => ({
  organization_id: use.organizationId,
  organization_name: use.organizationName,
  permissions: use.permissions,
  suspended: use.suspended,
  people: use.people,
  moved: use.moved,
  twin_installed: use.twinInstalled,
  last_used_at: timeOf(use.lastUsedAt),
  issued: use.issued,
  refused: use.refused,
})

const personJson = (person: AppPerson): Static<typeof appPersonSchema> => ({
  user_id: person.userId,
  name: person.name,
  email: person.email,
  permissions: person.permissions,
  since: person.since.toISOString(),
  last_used_at: timeOf(person.lastUsedAt),
})

const organizations = operation(
  {
    id: 'listAppUse',
    tag: 'usage',
    summary: 'Who uses an app, by organization',
    description:
      'Organizations that have it installed: how many people authorize it, when it was used last, tokens and ' +
      'refusals of the last 30 days unless it is said otherwise; of a legacy app also how far it has moved to its ' +
      'twin. Last use and counts are written every few seconds.',
    answer: { status: 200, description: 'Organizations.', schema: pageOf(reference('AppUse')) },
    refusals: [404],
  },
  { params: pathIds('client_id'), querystring: periodQuery },
)

const people = operation(
  {
    id: 'listAppPeople',
    tag: 'usage',
    summary: 'Who has authorized an app in an organization and when it was used last',
    answer: { status: 200, description: 'People.', schema: pageOf(reference('AppPerson')) },
    refusals: [404],
  },
  { params: pathIds('client_id', 'organization_id'), querystring: pageQuery },
)

/** Who uses an app. */
export const appUseRoutes = (scope: AdminScope, appUse: AppUse) => {
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
