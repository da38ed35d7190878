// The identity provider of an organization, whose assertions give tokens of members.
import type { FastifyInstance } from 'fastify'
import type { IdentityProviderJson } from '../../../http/operator/organizations/identity-providers.ts'
import { code, codes, facts, links, plain, words } from '../../rendering/forms/blocks.ts'
import type { Field } from '../../rendering/forms/form-field.ts'
import type { Block } from '../../rendering/view-models/blocks.ts'
import { confirmPage, doneAt, formPage } from '../console-form.ts'
import type { OperatorPagesDependencies, OperatorVisit } from '../gate.ts'
import { organizationPath, organizationUrl, readOrganization } from './path.ts'

const path = `${organizationPath}/identity-provider`
const apiPath = (id: string) => `/organizations/${id}/identity-provider`

/** The provider and its version; null: the organization has none. */
const readProvider = async ({ api }: OperatorVisit, id: string) =>
  (await api.exists(apiPath(id))) ? api.readVersion<IdentityProviderJson>(apiPath(id)) : null

export const identityProviderBlocks = async (
  visit: OperatorVisit,
  id: string,
): Promise<Block[]> => {
  const { text, may } = visit
  const { identityProvider: said } = text.operator.daily
  const provider = (await readProvider(visit, id))?.item ?? null
  const [url, mayChange] = [`${organizationUrl(id)}/identity-provider`, may('organizations:write')]
  if (provider === null)
    return [
      facts(said.heading, [[said.issuer, plain(said.none)]]),
      ...links(mayChange && [said.set, url]),
    ]
  const { issuer, client_ids: clientIds, jwks_uri: jwksUri } = provider
  return [
    facts(said.heading, [
      [said.issuer, code(issuer)],
      [said.apps, clientIds === null ? plain(said.everyApp) : codes(text, clientIds)],
      [said.jwksUri, jwksUri === null ? plain(said.discovered) : code(jwksUri)],
    ]),
    words(said.hint),
    ...links(mayChange && [said.change, url], mayChange && [said.remove, `${url}/remove`]),
  ]
}

const fieldsOf = ({ text }: OperatorVisit, provider: IdentityProviderJson | null): Field[] => {
  const { identityProvider: said } = text.operator.daily
  return [
    {
      name: 'issuer',
      kind: 'text',
      label: said.issuer,
      hint: said.issuerHint,
      values: [provider?.issuer ?? ''],
      isRequired: true,
      isCode: true,
    },
    {
      name: 'client_ids',
      kind: 'area',
      label: said.apps,
      hint: said.appsHint,
      values: provider?.client_ids ?? [],
      isCode: true,
    },
    {
      name: 'jwks_uri',
      kind: 'text',
      label: said.jwksUri,
      hint: said.jwksUriHint,
      values: [provider?.jwks_uri ?? ''],
      whenEmpty: null,
      isCode: true,
    },
  ]
}

export const operatorIdentityProvider = (
  scope: FastifyInstance,
  deps: OperatorPagesDependencies,
) => {
  formPage(scope, deps, path, 'organizations:write', async (visit) => {
    const { item: organization } = await readOrganization(visit)
    const provider = await readProvider(visit, organization.id)
    return {
      tab: 'organizations',
      subject: organization.name,
      ...visit.text.operator.daily.identityProvider.setForm,
      fields: fieldsOf(visit, provider?.item ?? null),
      cancelUrl: organizationUrl(organization.id),
      ...(provider && { etag: provider.etag }),
      call: ({ client_ids: ids, ...body }) => {
        // An empty list stays empty when it was empty: no app may use the provider.
        const isNone = provider?.item.client_ids?.length === 0
        const clientIds = Array.isArray(ids) && (ids.length > 0 || isNone) ? ids : null
        return {
          method: 'PUT',
          path: apiPath(organization.id),
          body: { ...body, client_ids: clientIds },
        }
      },
      done: doneAt(visit, organizationUrl(organization.id), 'saved'),
    }
  })

  confirmPage(scope, deps, `${path}/remove`, 'organizations:write', async (visit) => {
    const { item: organization } = await readOrganization(visit)
    const { item, etag } = await visit.api.readVersion<IdentityProviderJson>(
      apiPath(organization.id),
    )
    return {
      tab: 'organizations',
      words: visit.text.operator.daily.identityProvider.removeForm,
      subject: `${organization.name} ${item.issuer}`,
      cancelUrl: organizationUrl(organization.id),
      etag,
      call: () => ({ method: 'DELETE', path: apiPath(organization.id) }),
      done: doneAt(visit, organizationUrl(organization.id), 'deleted'),
    }
  })
}
