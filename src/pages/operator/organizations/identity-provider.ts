// The identity provider of an organization, whose assertions give tokens of members.
import type { IdentityProviderJson } from '../../../http/operator/organizations/identity-providers.ts'
import { code, codes, facts, links, words } from '../../rendering/forms/blocks.ts'
import type { Field } from '../../rendering/forms/form-field.ts'
import { codeField, linesField } from '../fields.ts'
import type { OperatorVisit } from '../gate.ts'
import type { Tab } from '../tab.ts'
import { organizationPath, organizationUrl, readOrganization } from './path.ts'

const path = `${organizationPath}/identity-provider`

export const identityProviderBlocks = async ({ text, api, may }: OperatorVisit, id: string) => {
  const { identityProvider: said } = text.operator.daily
  const provider = await api.find<IdentityProviderJson>(`/organizations/${id}/identity-provider`)
  const [url, mayChange] = [`${organizationUrl(id)}/identity-provider`, may('organizations:write')]
  if (provider === null)
    return [facts(said.heading, [[said.issuer, said.none]]), ...links(mayChange && [said.set, url])]
  const { issuer, client_ids: clientIds, jwks_uri: jwksUri } = provider.item
  return [
    facts(said.heading, [
      [said.issuer, code(issuer)],
      [said.apps, clientIds === null ? said.everyApp : codes(text, clientIds)],
      [said.jwksUri, jwksUri === null ? said.discovered : code(jwksUri)],
    ]),
    words(said.hint),
    ...links(mayChange && [said.change, url], mayChange && [said.remove, `${url}/remove`]),
  ]
}

const fieldsOf = ({ text }: OperatorVisit, provider: IdentityProviderJson | undefined): Field[] => {
  const { issuer, issuerHint, apps, appsHint, jwksUri, jwksUriHint } =
    text.operator.daily.identityProvider
  return [
    codeField('issuer', issuer, provider?.issuer, { hint: issuerHint, isRequired: true }),
    linesField('client_ids', apps, provider?.client_ids, { hint: appsHint }),
    codeField('jwks_uri', jwksUri, provider?.jwks_uri, { hint: jwksUriHint, whenEmpty: null }),
  ]
}

const readProvider = async (visit: OperatorVisit) => {
  const { at, url, subject } = await readOrganization(visit)
  const read = await visit.api.readVersion<IdentityProviderJson>(`${at}/identity-provider`)
  return { ...read, url: `${url}/sign-in`, subject: `${subject} ${read.item.issuer}` }
}

export const operatorIdentityProvider = ({ change, confirm }: Tab) => {
  change(path, 'organizations:write', readOrganization, async ({ at: place, url }, visit) => {
    const at = `${place}/identity-provider`
    const provider = await visit.api.find<IdentityProviderJson>(at)
    return {
      ...visit.text.operator.daily.identityProvider.setForm,
      fields: fieldsOf(visit, provider?.item),
      cancelUrl: `${url}/sign-in`,
      etag: provider?.etag,
      call: ({ client_ids: ids, ...body }) => {
        // An empty list stays empty when it was empty: no app may use the provider.
        const isNone = provider?.item.client_ids?.length === 0
        const clientIds = Array.isArray(ids) && (ids.length > 0 || isNone) ? ids : null
        return { method: 'PUT', path: at, body: { ...body, client_ids: clientIds } }
      },
    }
  })

  confirm(`${path}/remove`, 'organizations:write', readProvider, (_, { text }) => ({
    words: text.operator.daily.identityProvider.removeForm,
  }))
}
