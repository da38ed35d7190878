// The rules for a metadata document (draft-ietf-oauth-client-id-metadata-document §4, RFC 7591 §2).
import { appFaults } from '../clients/app-setting-rules.ts'
import { type AppSettings, defaultSettings } from '../clients/app-settings.ts'
import { type ClientJwks, jwksFaults, publicJwks } from '../clients/client-jwks.ts'
import type { ClientType } from '../clients/client-type.ts'
import { isSvgLink } from '../clients/link.ts'
import type { TokenLifetimes } from '../clients/token-lifetime.ts'
import { fetchedUrlFaults } from '../clients/workloads.ts'
import { type Fault, type FaultReason, faultAt } from '../language/faults.ts'
import { Invalid, refuse } from '../language/service-errors.ts'
import type { AddressRules } from '../outbound/addresses.ts'
import { hostOfClient } from './client-url.ts'

/** What an app says about itself in a document that was read and checked. */
export interface ClientDocument {
  name: string
  clientType: ClientType
  redirectUris: string[]
  /** The words of its `scope`; null: it has none. */
  scopes: string[] | null
  homepageUri: string | null
  logoUri: string | null
  /** Its privacy policy. */
  policyUri: string | null
  /** Its terms of service. */
  tosUri: string | null
  jwks: ClientJwks | null
  /** Where its keys are, instead of `jwks`. */
  jwksUri: string | null
}

export interface DocumentRules {
  lifetimes: TokenLifetimes
  /** Where keys may be fetched from. */
  addresses: AddressRules
}

type Members = Readonly<Record<string, unknown>>

const scopeToken = /^[\x21\x23-\x5b\x5d-\x7e]{1,128}$/
const mostScopes = 200

const isText = (value: unknown): value is string => typeof value === 'string'
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText)

/** The rule of each member that has its own. */
const reasons: Readonly<Record<string, FaultReason>> = {
  client_id: 'document_client',
  client_secret: 'document_secret',
  client_secret_expires_at: 'document_secret',
  token_endpoint_auth_method: 'document_method',
  jwks: 'document_method',
  jwks_uri: 'document_method',
  client_name: 'document_name',
  redirect_uris: 'document_redirects',
  grant_types: 'document_grants',
  response_types: 'document_grants',
  scope: 'document_scope',
  client_uri: 'document_link',
  logo_uri: 'document_link',
  policy_uri: 'document_link',
  tos_uri: 'document_link',
}

const memberFault = (pointer: string, detail: string): Fault => ({
  pointer,
  detail,
  reason: reasons[pointer.split('/')[1] ?? ''] ?? 'document_other',
})
const fault = (member: string, detail: string): Fault[] => [memberFault(`/${member}`, detail)]

/** A string of JSON, and whether it is a member's name; or the begin or end of an object. */
const jsonPart = /("(?:[^"\\]|\\.)*")(\s*:)?|[{}]/g

/** Has an object in the JSON a member twice? @param json valid */
const hasTwin = (json: string): boolean => {
  const open: Set<string>[] = []
  for (const [part, text, colon] of json.matchAll(jsonPart)) {
    if (part === '{') open.push(new Set())
    else if (part === '}') open.pop()
    else if (text && colon) {
      const names = open.at(-1)
      const name = JSON.parse(text) as string
      if (names?.has(name)) return true
      names?.add(name)
    }
  }
  return false
}

const objectIn = (json: string): Members | null => {
  const value: unknown = JSON.parse(json)
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as Members) : null
}

const membersOf = (body: Buffer): Members => {
  let members: Members | null = null
  let isAmbiguous = false
  try {
    const json = new TextDecoder('utf-8', { fatal: true }).decode(body)
    members = objectIn(json)
    isAmbiguous = hasTwin(json)
  } catch {
    // Reported below, without a part of the document.
  }
  if (!members) throw new Invalid([faultAt('', 'document_json', 'is not a JSON object')])
  // RFC 8259 §4: readers disagree which one counts, so others may have seen another document.
  if (isAmbiguous) throw new Invalid([faultAt('', 'document_json', 'has a member twice')])
  // RFC 7592 §2.2: a member without a value is as one that is left out.
  const present = Object.entries(members).filter(([, value]) => value !== null && value !== '')
  return Object.fromEntries(present)
}

/** A member that must be a text, if there is one. */
const textFaults = (members: Members, name: string): Fault[] =>
  members[name] === undefined || isText(members[name]) ? [] : fault(name, 'must be a text')

const links = ['client_uri', 'logo_uri', 'policy_uri', 'tos_uri'] as const

/** A list of the document that must have what this server does, if there is a list. */
const includesFaults = (members: Members, name: string, needed: string): Fault[] => {
  const value = members[name]
  if (value === undefined) return []
  if (!isTexts(value)) return fault(name, 'must be a list of texts')
  return value.includes(needed) ? [] : fault(name, `must have ${needed}`)
}

const scopeFaults = ({ scope }: Members): Fault[] => {
  if (scope === undefined) return []
  if (!isText(scope)) return fault('scope', 'must be a text')
  const words = scopesIn(scope)
  return words.length <= mostScopes && words.every((word) => scopeToken.test(word))
    ? []
    : fault('scope', 'is not a list of scopes')
}

const scopesIn = (scope: string) => [...new Set(scope.split(' ').filter(Boolean))]

/** A document is public, so it can have no secret. Its method must need none. */
const authenticationFaults = (members: Members): Fault[] => {
  const { token_endpoint_auth_method: method = 'none', jwks, jwks_uri: jwksUri } = members
  const secrets = ['client_secret', 'client_secret_expires_at'].filter((name) => name in members)
  if (secrets.length > 0)
    return secrets.flatMap((name) => fault(name, 'must not be in a public document'))
  if (method === 'none') return []
  if (method !== 'private_key_jwt')
    return fault('token_endpoint_auth_method', 'must be none or private_key_jwt')
  if (jwksUri !== undefined)
    return jwks === undefined
      ? textFaults(members, 'jwks_uri')
      : fault('jwks_uri', 'cannot be beside jwks')
  const keys = (jwks as { keys?: unknown } | null | undefined)?.keys
  const isKeys = Array.isArray(keys) && keys.every((key) => typeof key === 'object' && key !== null)
  return isKeys ? [] : fault('jwks', 'must have the public keys of private_key_jwt')
}

const shapeFaults = (members: Members, url: string): Fault[] => [
  ...(members.client_id === url ? [] : fault('client_id', 'is not the URL of the document')),
  ...textFaults(members, 'client_name'),
  ...links.flatMap((name) => textFaults(members, name)),
  ...(isTexts(members.redirect_uris) ? [] : fault('redirect_uris', 'must be a list of texts')),
  ...includesFaults(members, 'grant_types', 'authorization_code'),
  ...includesFaults(members, 'response_types', 'code'),
  ...scopeFaults(members),
  ...authenticationFaults(members),
]

/** An SVG is left out: it is no reason to refuse the client. */
const logoOf = (uri: string | null) =>
  uri !== null && URL.canParse(uri) && isSvgLink(uri) ? null : uri

const documentOf = (members: Members, url: string): ClientDocument => {
  const text = (name: string) => (members[name] as string | undefined) ?? null
  const isConfidential = members.token_endpoint_auth_method === 'private_key_jwt'
  return {
    name: text('client_name') ?? hostOfClient(url).slice(0, 100),
    clientType: isConfidential ? 'confidential' : 'public',
    redirectUris: members.redirect_uris as string[],
    scopes: isText(members.scope) ? scopesIn(members.scope) : null,
    homepageUri: text('client_uri'),
    logoUri: logoOf(text('logo_uri')),
    policyUri: text('policy_uri'),
    tosUri: text('tos_uri'),
    jwks:
      isConfidential && members.jwks !== undefined
        ? { keys: (members.jwks as ClientJwks).keys }
        : null,
    jwksUri: isConfidential ? text('jwks_uri') : null,
  }
}

/** Fields of an app, by the members of a document. */
const memberOf: Readonly<Record<string, string>> = {
  name: 'client_name',
  homepage_uri: 'client_uri',
}

/** The rules for registered apps, with the names of the document. */
const ruleFaults = (document: ClientDocument, lifetimes: TokenLifetimes): Fault[] => {
  const { scopes: _, ...own } = document
  const app: AppSettings = { ...defaultSettings, ...own, interface: 'current', permissions: [] }
  return appFaults(app, lifetimes).map(({ pointer, detail }) => {
    const [, field = '', ...rest] = pointer.split('/')
    return memberFault(['', memberOf[field] ?? field, ...rest].join('/'), detail)
  })
}

/** Checks a document that was read from this URL. @throws Invalid with every fault, by the members of the document */
export const checkedDocument = async (
  url: string,
  body: Buffer,
  { lifetimes, addresses }: DocumentRules,
): Promise<ClientDocument> => {
  const members = membersOf(body)
  refuse(shapeFaults(members, url))
  const document = documentOf(members, url)
  refuse([
    ...ruleFaults(document, lifetimes),
    ...[
      ...(await jwksFaults(document.jwks)),
      ...fetchedUrlFaults('/jwks_uri', document.jwksUri, addresses),
    ].map(({ pointer, detail }) => memberFault(pointer, detail)),
  ])
  return { ...document, jwks: document.jwks && publicJwks(document.jwks) }
}
