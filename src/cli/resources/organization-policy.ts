import type { OrganizationPolicyJson } from '../../http/operator/organizations/policies.ts'
import { apiAction, inColumns } from '../api-action.ts'
import { usageError } from '../exit-codes.ts'
import type { Column } from '../output.ts'
import { required, type Setting, text } from '../setting.ts'

const daysOf = (days: number | null) => (days === null ? 'never' : `after ${days} days`)

const columns: Column<OrganizationPolicyJson>[] = [
  ['organization', (policy) => policy.organization_id],
  ['members connect', (policy) => policy.connect],
  ['access expires', (policy) => daysOf(policy.default_expires_days)],
  ['unused access ends', (policy) => daysOf(policy.default_idle_days)],
]

/** `never`, or a number of days. */
const days = (name: string, help: string): Setting => ({
  ...text(name, 'days', help),
  read: (input) => {
    const given = input.text(name)
    if (given === undefined || given === 'never') return null
    if (!/^\d{1,4}$/.test(given)) throw usageError(`--${name} is not a number of days`)
    return Number(given)
  },
})

export const setPolicy = apiAction({
  name: 'set-policy',
  summary: 'Replace the policy of an organization.',
  call: 'PUT /organizations/{organization-id}/policy',
  settings: {
    connect: required(
      text(
        'connect',
        'all|installed|ask',
        'the apps that members may connect: installed ones and others on request, installed ones only, or each one after an admin has approved it',
      ),
    ),
    default_expires_days: days(
      'expires-days',
      'days after which new installs and consents expire (default: never)',
    ),
    default_idle_days: days('idle-days', 'days without use after which they end (default: never)'),
  },
  print: inColumns(columns),
})

export const policy = apiAction({
  name: 'policy',
  summary: 'Show the policy of an organization.',
  call: 'GET /organizations/{organization-id}/policy',
  print: inColumns(columns),
})
