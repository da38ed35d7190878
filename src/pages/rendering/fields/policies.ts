// The rules of an organization for its apps, as admins and operators edit them.
import { mostDays } from '../../../core/language/access-end.ts'
import type { SnakeKeys } from '../../../core/language/case.ts'
import {
  connectRules,
  type PolicySettings,
} from '../../../core/organizations/organization-policies.ts'
import type { Text } from '../../../words/text.ts'
import type { Body, Field } from '../forms/form-field.ts'
import type { Refusal } from '../forms/form-page.ts'

export type PolicyJson = SnakeKeys<PolicySettings>

/** The days that a person has typed; null: none; undefined: no whole number of days that is allowed. */
export const daysIn = (typed: unknown): number | null | undefined => {
  if (typed === null || typed === undefined) return null
  const days = /^\d{1,4}$/.test(String(typed)) ? Number(typed) : 0
  return days > 0 && days <= mostDays ? days : undefined
}

const daysNames = ['default_expires_days', 'default_idle_days'] as const

export const policyFields = ({ organization }: Text, rules: PolicyJson): Field[] => {
  const words = organization.policy
  const labels = { default_expires_days: words.expires, default_idle_days: words.idle }
  return [
    {
      ...{ name: 'connect', kind: 'choice', label: words.connect, isRequired: true },
      values: [rules.connect],
      options: connectRules.map((value) => ({
        value,
        label: words.rules[value],
        hint: words.hints[value],
      })),
    },
    ...daysNames.map(
      (name): Field => ({
        ...{ name, kind: 'number', label: labels[name], hint: words.endsHint, most: 4 },
        values: [String(rules[name] ?? '')],
        whenEmpty: null,
      }),
    ),
  ]
}

/** The rules of a submitted form. The service checks `connect`. */
export const policyIn = ({ organization }: Text, body: Body): PolicyJson | Refusal => {
  const days = daysNames.map((name) => [name, daysIn(body[name])] as const)
  const faulty = days.filter(([, count]) => count === undefined)
  const fault = organization.policy.daysFault(mostDays)
  return faulty.length === 0
    ? ({ connect: body.connect, ...Object.fromEntries(days) } as PolicyJson)
    : { status: 400, errors: new Map(faulty.map(([name]) => [name, fault])), summary: fault }
}
