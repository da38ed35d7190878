// The rules of an organization for its apps.
import type { FastifyInstance } from 'fastify'
import type { OrganizationPolicyJson } from '../../../http/operator/organizations/policies.ts'
import { policyFields, policyIn } from '../../rendering/fields/policies.ts'
import { facts, links, plain } from '../../rendering/forms/blocks.ts'
import type { Block } from '../../rendering/view-models/blocks.ts'
import { doneAt, formPage } from '../console-form.ts'
import type { OperatorPagesDependencies, OperatorVisit } from '../gate.ts'
import { organizationId, organizationPath, organizationUrl, readOrganization } from './path.ts'

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
      fields: policyFields(visit.text, item),
      submit: words.save,
      cancelUrl: organizationUrl(organization.id),
      etag,
      call: (typed) => {
        const body = policyIn(visit.text, typed)
        return 'errors' in body ? { refusal: body } : { method: 'PUT', path: at, body }
      },
      done: doneAt(visit, organizationUrl(organization.id), 'saved'),
    }
  })
