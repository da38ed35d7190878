// The rules of an organization for its apps.
import type { FastifyInstance } from 'fastify'
import { mostDays } from '../../../core/language/access-end.ts'
import { connectRules } from '../../../core/organizations/organization-policies.ts'
import type { OrganizationPolicyJson } from '../../operator/organization-policies.ts'
import type { Block } from '../rendering/operator-view-models.ts'
import { facts, links, plain } from './blocks.ts'
import type { Field } from './console-field.ts'
import { doneAt, fieldRefusal, formPage } from './console-form.ts'
import type { OperatorPagesDependencies, OperatorVisit } from './operator-gate.ts'
import {
  organizationId,
  organizationPath,
  organizationUrl,
  readOrganization,
} from './organization-path.ts'

/** The days that a person has typed; null: none; undefined: not a whole number. */
export const daysIn = (typed: unknown): number | null | undefined => {
  if (typed === null || typed === undefined) return null
  const days = /^\d{1,4}$/.test(String(typed)) ? Number(typed) : 0
  return days > 0 ? days : undefined
}

export const policyBlocks = async (
  { text, api, may }: OperatorVisit,
  id: string,
): Promise<Block[]> => {
  const { policy } = text.operator.daily
  const rules = await api.read<OrganizationPolicyJson>(`/organizations/${id}/policy`)
  const days = (count: number | null) => plain(count === null ? policy.noEnd : policy.days(count))
  return [
    facts(policy.heading, [
      [policy.connect, plain(text.organization.policy.rules[rules.connect])],
      [policy.expires, days(rules.default_expires_days)],
      [policy.idle, days(rules.default_idle_days)],
    ]),
    ...links(may('organizations:write') && [policy.change, `${organizationUrl(id)}/policy`]),
  ]
}

const fieldsOf = ({ text }: OperatorVisit, rules: OrganizationPolicyJson): Field[] => {
  const words = text.organization.policy
  const days = (name: 'default_expires_days' | 'default_idle_days', label: string): Field => ({
    name,
    kind: 'text',
    label,
    hint: words.endsHint,
    values: [String(rules[name] ?? '')],
    whenEmpty: null,
  })
  return [
    {
      name: 'connect',
      kind: 'choice',
      label: words.connect,
      values: [rules.connect],
      options: connectRules.map((value) => ({
        value,
        label: words.rules[value],
        hint: words.hints[value],
      })),
    },
    days('default_expires_days', words.expires),
    days('default_idle_days', words.idle),
  ]
}

export const operatorPolicy = (scope: FastifyInstance, deps: OperatorPagesDependencies) =>
  formPage(scope, deps, `${organizationPath}/policy`, 'organizations:write', async (visit) => {
    const { item: organization } = await readOrganization(visit)
    const at = `/organizations/${organizationId(visit)}/policy`
    const { item, etag } = await visit.api.readVersion<OrganizationPolicyJson>(at)
    const { policy: words } = visit.text.organization
    return {
      tab: 'organizations',
      heading: visit.text.operator.daily.policy.heading,
      subject: organization.name,
      lead: words.lead,
      fields: fieldsOf(visit, item),
      submit: words.save,
      cancelUrl: organizationUrl(organization.id),
      etag,
      call: ({ connect, ...typed }) => {
        const body: Record<string, unknown> = { connect }
        for (const name of ['default_expires_days', 'default_idle_days']) {
          const days = daysIn(typed[name])
          if (days === undefined) return fieldRefusal(name, words.daysFault(mostDays))
          body[name] = days
        }
        return { method: 'PUT', path: at, body }
      },
      done: doneAt(visit, organizationUrl(organization.id), 'saved'),
    }
  })
