import { type Static, Type } from 'typebox'
import { mostDays } from '../../../core/language/access-end.ts'
import {
  connectRules,
  kindRules,
  type OrganizationPolicies,
  selfInstallRules,
} from '../../../core/organizations/organization-policies.ts'
import { operations, type Scope } from '../operations.ts'
import * as api from '../schemas.ts'

const connect = api.oneOf(connectRules, {
  description:
    'Which apps members may connect. `all`: installed ones, and they may ask an admin for others. `installed`: ' +
    'installed ones only. `ask`: each member needs the approval of an admin for each app.',
})
const days = (description: string) =>
  api.nullable(Type.Integer({ minimum: 1, maximum: mostDays, description }))
const defaultEnds = {
  default_expires_days: days('New installs and consents expire after so many days. null: never.'),
  default_idle_days: days(
    'New installs and consents end after so many days without use. null: never.',
  ),
}

const kindRule = (what: string) =>
  api.oneOf(kindRules, {
    default: 'allow',
    description: `${what} \`ask\`: a member asks an admin, except for what was installed before. \`refuse\`: no access, also for what was connected before, until it is allowed again.`,
  })
const appRules = {
  self_install: api.oneOf(selfInstallRules, {
    default: 'never',
    description:
      '`reviewed_read_only`: members may install for themselves what the operator has reviewed and what only reads.',
  }),
  device_flow: kindRule('Connections made with the code of a device, whatever the app.'),
  public_apps: kindRule('Apps without a secret (`client_type` `public`).'),
  ai_clients: kindRule('Apps whose client id is the address of a document.'),
}

const organizationPolicySchema = api.component(
  'OrganizationPolicy',
  'Which apps the members of an organization may connect, and for how long.',
  { organization_id: api.id, connect, ...defaultEnds, ...appRules },
)
export type OrganizationPolicyJson = Static<typeof organizationPolicySchema>

export const organizationPolicyRoutes = (
  scope: Scope,
  { organizationPolicies }: { organizationPolicies: OrganizationPolicies },
) => {
  const on = operations(scope, {
    area: 'organizations',
    schema: organizationPolicySchema,
    one: 'The policy.',
  })
  const path = '/organizations/:organization_id/policy'

  on.read(
    path,
    'readOrganizationPolicy',
    'Read the policy of an organization about the apps of its members',
    { run: ({ params }) => organizationPolicies.read(params.organizationId) },
  )

  on.put(path, 'putOrganizationPolicy', 'Replace the policy of an organization', {
    description:
      'It decides about new installs and consents; only what it refuses concerns those that exist. Absent: `self_install`, ' +
      '`device_flow`, `public_apps` and `ai_clients` stay, the ends become null.',
    creates: false, // each organization has one
    body: api.closed({ connect, ...api.optional({ ...defaultEnds, ...appRules }) }),
    run: ({ params, body }, ...context) => {
      const settings = { defaultExpiresDays: null, defaultIdleDays: null, ...body }
      return organizationPolicies.put(params.organizationId, settings, ...context)
    },
  })
}
