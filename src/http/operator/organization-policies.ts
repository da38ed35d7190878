import { type Static, Type } from 'typebox'
import { mostDays } from '../../core/language/access-end.ts'
import {
  type ConnectRule,
  connectRules,
  type OrganizationPolicies,
  type OrganizationPolicy,
} from '../../core/organizations/organization-policies.ts'
import { etagOf, preconditionOf } from './etag.ts'
import { causeOf } from './guard.ts'
import { jsonOf } from './json.ts'
import { operation, reference } from './operation.ts'
import { closed, id, nullable, pathIds } from './schemas.ts'
import type { OperatorScope } from './scope.ts'

const connect = Type.Unsafe<ConnectRule>({
  type: 'string',
  enum: [...connectRules],
  description:
    'Which apps members may connect. `all`: installed ones, and they may ask an admin for others. `installed`: ' +
    'installed ones only. `ask`: each member needs the approval of an admin for each app.',
})
const days = (description: string) =>
  nullable(Type.Integer({ minimum: 1, maximum: mostDays, description }))
const expiresDays = days('New installs and consents expire after so many days. null: never.')
const idleDays = days('New installs and consents end after so many days without use. null: never.')

export const organizationPolicySchema = Type.Object(
  {
    organization_id: id,
    connect,
    default_expires_days: expiresDays,
    default_idle_days: idleDays,
  },
  {
    $id: 'OrganizationPolicy',
    description: 'Which apps the members of an organization may connect, and for how long.',
  },
)
export type OrganizationPolicyJson = Static<typeof organizationPolicySchema>

const policyJson = jsonOf(organizationPolicySchema)
const tagOf = (policy: OrganizationPolicy) => etagOf(policyJson(policy))

const tag = 'organizations'
const params = pathIds('organization_id')
const answer = {
  status: 200,
  description: 'The policy.',
  schema: reference('OrganizationPolicy'),
} as const

const read = operation(
  {
    id: 'readOrganizationPolicy',
    tag,
    permission: 'organizations:read',
    summary: 'Read the policy of an organization about the apps of its members',
    answer,
    refusals: [404],
  },
  { params },
)

const put = operation(
  {
    id: 'putOrganizationPolicy',
    conditional: true,
    tag,
    permission: 'organizations:write',
    summary: 'Replace the policy of an organization',
    description: 'It decides about new installs and consents. Those that exist stay as they are.',
    answer,
    refusals: [404],
  },
  {
    params,
    body: closed({
      connect,
      default_expires_days: Type.Optional(expiresDays),
      default_idle_days: Type.Optional(idleDays),
    }),
  },
)

const path = '/organizations/:organization_id/policy'

/** Policies of organizations. */
export const organizationPolicyRoutes = (scope: OperatorScope, policies: OrganizationPolicies) => {
  scope.get(path, read, async ({ params }) =>
    policyJson(await policies.read(params.organization_id)),
  )

  scope.put(path, put, async (request) => {
    const { connect, default_expires_days, default_idle_days } = request.body
    const settings = {
      connect,
      defaultExpiresDays: default_expires_days ?? null,
      defaultIdleDays: default_idle_days ?? null,
    }
    const precondition = preconditionOf(request, tagOf)
    return policyJson(
      await policies.put(request.params.organization_id, settings, causeOf(request), precondition),
    )
  })
}
