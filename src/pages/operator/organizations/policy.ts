// The rules of an organization for its apps.
import type { OrganizationPolicyJson } from '../../../http/operator/organizations/policies.ts'
import { policyFields, policyIn } from '../../rendering/fields/policies.ts'
import { facts, links, plain } from '../../rendering/forms/blocks.ts'
import type { Block, Cell } from '../../rendering/view-models/blocks.ts'
import type { OperatorVisit } from '../gate.ts'
import type { Tab } from '../tab.ts'
import { organizationPath, organizationUrl, readOrganization } from './path.ts'

export const policyBlocks = async (
  { text, api, may }: OperatorVisit,
  id: string,
): Promise<Block[]> => {
  const { policy } = text.operator.daily
  const words = text.organization.policy
  const rules = await api.read<OrganizationPolicyJson>(`/organizations/${id}/policy`)
  const days = (count: number | null) => plain(count === null ? policy.noEnd : policy.days(count))
  return [
    facts(policy.heading, [
      [policy.connect, plain(words.rules[rules.connect])],
      [policy.selfInstall, plain(words.selfInstall.rules[rules.self_install])],
      ...(['device_flow', 'public_apps', 'ai_clients'] as const).map((name): [string, Cell] => [
        words.kinds[name].label,
        plain(words.kinds.rules[rules[name]]),
      ]),
      [policy.expires, days(rules.default_expires_days)],
      [policy.idle, days(rules.default_idle_days)],
    ]),
    ...links(may('organizations:write') && [policy.change, `${organizationUrl(id)}/policy`]),
  ]
}

export const operatorPolicy = ({ form }: Tab) =>
  form(`${organizationPath}/policy`, 'organizations:write', async (visit) => {
    const { text, api } = visit
    const { item: organization, at: place, url } = await readOrganization(visit)
    const { item, etag, at } = await api.readVersion<OrganizationPolicyJson>(`${place}/policy`)
    const { lead, save } = text.organization.policy
    return {
      heading: text.operator.daily.policy.heading,
      subject: organization.name,
      lead,
      fields: policyFields(text, item),
      submit: save,
      cancelUrl: `${url}/settings`,
      etag,
      call: (typed) => {
        const body = policyIn(text, typed)
        return 'errors' in body ? { refusal: body } : { method: 'PUT', path: at, body }
      },
    }
  })
