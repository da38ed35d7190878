// The rules of an organization for its apps.
import type { OrganizationPolicyJson } from '../../../http/operator/organizations/policies.ts'
import { policyFields, policyIn } from '../../rendering/fields/policies.ts'
import { facts, links } from '../../rendering/forms/blocks.ts'
import type { OperatorVisit } from '../gate.ts'
import type { Tab } from '../tab.ts'
import { organizationPath, organizationUrl, readOrganization } from './path.ts'

export const policyBlocks = async ({ text, api, may }: OperatorVisit, id: string) => {
  const { policy } = text.operator.daily
  const words = text.organization.policy
  const rules = await api.read<OrganizationPolicyJson>(`/organizations/${id}/policy`)
  const days = (count: number | null) => (count === null ? policy.noEnd : policy.days(count))
  return [
    facts(policy.heading, [
      [policy.connect, words.rules[rules.connect]],
      [policy.selfInstall, words.selfInstall.rules[rules.self_install]],
      ...(['device_flow', 'public_apps', 'ai_clients'] as const).map((name): [string, string] => [
        words.kinds[name].label,
        words.kinds.rules[rules[name]],
      ]),
      [policy.expires, days(rules.default_expires_days)],
      [policy.idle, days(rules.default_idle_days)],
    ]),
    ...links(may('organizations:write') && [policy.change, `${organizationUrl(id)}/policy`]),
  ]
}

const readPolicy = async (visit: OperatorVisit) => {
  const { at, url, subject } = await readOrganization(visit)
  const read = await visit.api.readVersion<OrganizationPolicyJson>(`${at}/policy`)
  return { ...read, url: `${url}/settings`, subject }
}

export const operatorPolicy = ({ change }: Tab) =>
  change(`${organizationPath}/policy`, 'organizations:write', readPolicy, ({ item, at }, visit) => {
    const { text } = visit
    const { lead, save } = text.organization.policy
    return {
      heading: text.operator.daily.policy.heading,
      lead,
      fields: policyFields(text, item),
      submit: save,
      call: (typed) => {
        const body = policyIn(text, typed)
        return 'errors' in body ? { refusal: body } : { method: 'PUT', path: at, body }
      },
    }
  })
