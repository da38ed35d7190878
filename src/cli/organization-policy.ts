import type { OrganizationPolicyJson } from '../http/operator/organization-policies.ts'
import type { Input } from './action.ts'
import { usageError } from './exit-codes.ts'
import { operatorAction } from './operator-action.ts'
import { pathSegment } from './operator-api.ts'
import { type Column, printOne } from './output.ts'

const daysOf = (days: number | null) => (days === null ? 'never' : `after ${days} days`)

const columns: Column<OrganizationPolicyJson>[] = [
  ['organization', (policy) => policy.organization_id],
  ['members connect', (policy) => policy.connect],
  ['access expires', (policy) => daysOf(policy.default_expires_days)],
  ['unused access ends', (policy) => daysOf(policy.default_idle_days)],
]

const pathOf = (input: Input) =>
  `/organizations/${pathSegment(input.argument('organization-id'))}/policy`

/** `never`, or a number of days. */
const daysIn = (input: Input, option: string): number | null => {
  const text = input.text(option)
  if (text === undefined || text === 'never') return null
  if (!/^\d{1,4}$/.test(text)) throw usageError(`--${option} is not a number of days`)
  return Number(text)
}

export const setPolicy = operatorAction({
  name: 'set-policy',
  summary: 'Replace the policy of an organization.',
  positionals: ['organization-id'],
  options: {
    connect: {
      value: 'all|installed|ask',
      help: 'the apps that members may connect: installed ones and others on request, installed ones only, or each one after an admin has approved it',
    },
    'expires-days': {
      value: 'days',
      help: 'days after which new installs and consents expire (default: never)',
    },
    'idle-days': {
      value: 'days',
      help: 'days without use after which they end (default: never)',
    },
  },
  run: async (api, input, terminal) => {
    const body = {
      connect: input.required('connect'),
      default_expires_days: daysIn(input, 'expires-days'),
      default_idle_days: daysIn(input, 'idle-days'),
    }
    printOne(
      terminal,
      input,
      columns,
      await api.call<OrganizationPolicyJson>('PUT', pathOf(input), body),
    )
  },
})

export const policy = operatorAction({
  name: 'policy',
  summary: 'Show the policy of an organization.',
  positionals: ['organization-id'],
  run: async (api, input, terminal) =>
    printOne(
      terminal,
      input,
      columns,
      await api.call<OrganizationPolicyJson>('GET', pathOf(input)),
    ),
})
