// The rules of an organization for its apps, as admins and operators edit them.
import { mostDays } from '../../../core/language/access-end.ts'
import type { SnakeKeys } from '../../../core/language/case.ts'
import {
  connectRules,
  kindRules,
  type PolicySettings,
  selfInstallRules,
} from '../../../core/organizations/organization-policies.ts'
import type { Text } from '../../../words/text.ts'
import { tamperedForm } from '../forms/approval-form.ts'
import type { Body, Field } from '../forms/form-field.ts'
import type { Refusal } from '../forms/form-page.ts'

export type PolicyJson = SnakeKeys<PolicySettings>

/** The days that a person has typed; null: none; undefined: no whole number of days that is allowed. */
const daysIn = (typed: unknown): number | null | undefined => {
  if (typed === null || typed === undefined) return null
  const days = /^\d{1,4}$/.test(String(typed)) ? Number(typed) : 0
  return days > 0 && days <= mostDays ? days : undefined
}

const daysNames = ['default_expires_days', 'default_idle_days'] as const

/** The rules that are a choice, from the one that allows least. */
export const policyChoices = {
  connect: ['ask', 'installed', 'all'],
  self_install: ['never', 'reviewed_read_only'],
  device_flow: ['refuse', 'ask', 'allow'],
  public_apps: ['refuse', 'ask', 'allow'],
  ai_clients: ['refuse', 'ask', 'allow'],
} satisfies { [Name in keyof PolicyJson]?: PolicyJson[Name][] }

type ChoiceName = keyof typeof policyChoices

const choice = <Rule extends string>(
  name: ChoiceName,
  value: Rule,
  all: readonly Rule[],
  words: {
    label: string
    hint?: string | null
    rules: Record<Rule, string>
    hints: Record<Rule, string>
  },
): Field => ({
  ...{ name, kind: 'choice', label: words.label, hint: words.hint ?? null, isRequired: true },
  values: [value],
  options: all.map((one) => ({ value: one, label: words.rules[one], hint: words.hints[one] })),
})

export const policyFields = ({ organization }: Text, policy: PolicyJson): Field[] => {
  const words = organization.policy
  const labels = { default_expires_days: words.expires, default_idle_days: words.idle }
  const { kinds, connect: label, rules, hints } = words
  return [
    choice('connect', policy.connect, connectRules, { label, rules, hints }),
    choice('self_install', policy.self_install, selfInstallRules, words.selfInstall),
    ...(['device_flow', 'public_apps', 'ai_clients'] as const).map((name) =>
      choice(name, policy[name], kindRules, { ...kinds[name], ...kinds }),
    ),
    ...daysNames.map(
      (name): Field => ({
        ...{ name, kind: 'number', label: labels[name], hint: words.endsHint, most: 4 },
        values: [String(policy[name] ?? '')],
        whenEmpty: null,
      }),
    ),
  ]
}

/** The rules of a submitted form. @throws OAuthError for a choice that was not on the page */
export const policyIn = ({ organization }: Text, body: Body): PolicyJson | Refusal => {
  const choices = Object.entries(policyChoices).map(([name, known]) => {
    if (!(known as readonly unknown[]).includes(body[name])) throw tamperedForm()
    return [name, body[name]] as const
  })
  const days = daysNames.map((name) => [name, daysIn(body[name])] as const)
  const faulty = days.filter(([, count]) => count === undefined)
  const fault = organization.policy.daysFault(mostDays)
  return faulty.length === 0
    ? (Object.fromEntries([...choices, ...days]) as PolicyJson)
    : { status: 400, errors: new Map(faulty.map(([name]) => [name, fault])), summary: fault }
}
