// Apps from the web: who may bring an app that the operator has not reviewed, by the host of its document.
import { hostPolicies } from '../../../core/client-documents/client-hosts.ts'
import type { ClientHostJson } from '../../../http/operator/apps/client-hosts.ts'
import { needsField } from '../../rendering/fields/required-permissions.ts'
import { links } from '../../rendering/forms/blocks.ts'
import type { Body, Field } from '../../rendering/forms/form-field.ts'
import type { ApiRefusal } from '../api.ts'
import { home } from '../console-page.ts'
import { choiceField, codeField, permissionsField } from '../fields.ts'
import type { OperatorVisit } from '../gate.ts'
import type { Tab } from '../tab.ts'

/** @param host null: a new one */
const ruleFields = (visit: OperatorVisit, host: ClientHostJson | null): Field[] => {
  const { text, catalogue } = visit
  const { forms, overview } = text.operator
  const { host: said } = forms
  const names = catalogue.names('current')
  const policy = host?.policy ?? 'review'
  const ceiling = host?.ceiling?.permissions ?? []
  const defaults = host?.defaults
  const optional = defaults?.optional_permissions ?? null
  const number = (name: keyof ClientHostJson['defaults'], label: string, hint: string): Field => ({
    ...{ name, kind: 'number', label, hint, values: [String(defaults?.[name] ?? '')] },
    whenEmpty: null,
  })
  return [
    choiceField('policy', forms.fields.policy, policy, hostPolicies, overview.policies),
    codeField('path_prefix', said.pathPrefix, host?.path_prefix, {
      hint: said.pathPrefixHint,
      whenEmpty: null,
    }),
    {
      ...{ name: 'limit', kind: 'number', label: said.limit, hint: said.limitHint },
      values: [String(host?.limit ?? '')],
    },
    {
      ...permissionsField(visit, 'current', [...names, ...ceiling], ceiling),
      ...{ name: 'ceiling', label: said.ceiling, hint: said.ceilingHint },
    },
    needsField(text, optional, [...names, ...(optional ?? [])]),
    number('access_token_seconds', said.accessTokenSeconds, said.accessTokenSecondsHint),
    number('retry_window_seconds', said.retryWindowSeconds, said.retryWindowSecondsHint),
    number('expires_days', said.expiresDays, said.expiresDaysHint),
  ]
}

const ruleIn = ({ policy, path_prefix, limit, ceiling, needs, ...rest }: Body): Body => {
  const { optional_permissions: optional, ...numbers } = rest
  const hasCeiling = policy === 'admit' || (Array.isArray(ceiling) && ceiling.length > 0)
  return {
    policy,
    path_prefix,
    limit,
    ceiling: hasCeiling ? { interface: 'current', permissions: ceiling } : null,
    defaults: {
      optional_permissions: needs === 'some' ? optional : null,
      ...numbers,
    },
  }
}

/** Faults of `defaults` stand at their fields. */
const atFields = (refusal: ApiRefusal): ApiRefusal => ({
  ...refusal,
  errors: refusal.errors.map((fault) => ({
    ...fault,
    pointer: fault.pointer.replace('/defaults/', '/'),
  })),
})

export const operatorHosts = ({ form, change, confirm }: Tab) => {
  form(`${home}/hosts/new`, 'apps:write', (visit) => {
    const { host: said, fields } = visit.text.operator.forms
    return {
      heading: said.heading,
      lead: said.lead,
      submit: said.submit,
      fields: [
        codeField('host', fields.host, null, { hint: fields.hostHint, isRequired: true }),
        ...ruleFields(visit, null),
      ],
      cancelUrl: home,
      refused: atFields,
      call: ({ host = '', ...body }) => ({
        method: 'PUT',
        path: `/client-hosts/${encodeURIComponent(String(host))}`,
        body: ruleIn(body),
      }),
    }
  })

  const path = `${home}/hosts/:host`
  const read = async ({ api, parameter }: OperatorVisit) => {
    const host = await api.readVersion<ClientHostJson>(`/client-hosts/${parameter('host')}`)
    const { host: subject } = host.item
    return { ...host, subject, url: `${home}/hosts/${encodeURIComponent(subject)}` }
  }

  change(path, 'apps:write', read, ({ item, at, url }, visit) => {
    const { heading, lead, submit, removeSubmit } = visit.text.operator.forms.host
    return {
      heading,
      lead,
      submit,
      fields: ruleFields(visit, item),
      cancelUrl: home,
      blocks: links([removeSubmit, `${url}/remove`]),
      refused: atFields,
      call: (body) => ({ method: 'PUT', path: at, body: ruleIn(body) }),
    }
  })

  confirm(`${path}/remove`, 'apps:write', read, (_, { text }) => {
    const { removeHeading, removeLead, removeSubmit } = text.operator.forms.host
    return {
      words: { heading: removeHeading, lead: removeLead, submit: removeSubmit },
      next: home,
    }
  })
}
