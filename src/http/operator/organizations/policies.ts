import { type Static, Type } from 'typebox'
import { mostDays } from '../../../core/language/access-end.ts'
import {
  connectRules,
  type OrganizationPolicies,
} from '../../../core/organizations/organization-policies.ts'
import { changeOf } from '../change.ts'
import { jsonOf } from '../json.ts'
import { operations, type Scope } from '../operation.ts'
import { closed, component, id, nullable, oneOf, optional, pathIds } from '../schemas.ts'

const connect = oneOf(connectRules, {
  description:
    'Which apps members may connect. `all`: installed ones, and they may ask an admin for others. `installed`: ' +
    'installed ones only. `ask`: each member needs the approval of an admin for each app.',
})
const days = (description: string) =>
  nullable(Type.Integer({ minimum: 1, maximum: mostDays, description }))
const defaultEnds = {
  default_expires_days: days('New installs and consents expire after so many days. null: never.'),
  default_idle_days: days(
    'New installs and consents end after so many days without use. null: never.',
  ),
}

export const organizationPolicySchema = component(
  'OrganizationPolicy',
  'Which apps the members of an organization may connect, and for how long.',
  { organization_id: id, connect, ...defaultEnds },
)
export type OrganizationPolicyJson = Static<typeof organizationPolicySchema>

const policyJson = jsonOf(organizationPolicySchema)

const on = operations({
  tag: 'organizations',
  area: 'organizations',
  schema: 'OrganizationPolicy',
  one: 'The policy.',
})
const params = pathIds('organization_id')

const read = on.read(
  'readOrganizationPolicy',
  'Read the policy of an organization about the apps of its members',
  { params },
)

const put = on.put('putOrganizationPolicy', 'Replace the policy of an organization', {
  description: 'It decides about new installs and consents. Those that exist stay as they are.',
  creates: false, // each organization has one
  params,
  body: closed({ connect, ...optional(defaultEnds) }),
})

const path = '/organizations/:organization_id/policy'

/** Policies of organizations. */
export const organizationPolicyRoutes = (
  scope: Scope,
  { organizationPolicies }: { organizationPolicies: OrganizationPolicies },
) => {
  scope.get(path, read, async ({ params }) =>
    policyJson(await organizationPolicies.read(params.organization_id)),
  )

  scope.put(path, put, async (request) => {
    const { connect, default_expires_days, default_idle_days } = request.body
    const settings = {
      connect,
      defaultExpiresDays: default_expires_days ?? null,
      defaultIdleDays: default_idle_days ?? null,
    }
    const context = changeOf(request, policyJson)
    return policyJson(
      await organizationPolicies.put(request.params.organization_id, settings, ...context),
    )
  })
}
