import { invalidRequest } from '../../../core/language/errors.ts'

/** Name and value of each parameter as sent, repetitions included. */
export type Pairs = readonly (readonly [string, string])[]

/** Characters. Intermediaries accept addresses of this length. */
export const longestRequest = 8000

/**
 * A body may be no longer than an address: anyone can send requests, and each is stored until the user answers.
 * @throws OAuthError invalid_request
 */
export const demandShort = (pairs: Pairs) => {
  const length = pairs.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  if (length > longestRequest) throw invalidRequest('the request is too long', 'request_too_long')
}

/** The only scope that oidc-provider knows. The requested scope is passed in another parameter. */
export const engineScope = 'access'

/**
 * Parameters that our code reads, under names that oidc-provider does not know. It would refuse a permission as an
 * unknown scope, and OpenID parameters without the scope `openid`, which it never sees.
 */
export const renamedParameters = {
  scope: 'requested_scope',
  resource: 'requested_resources',
  nonce: 'requested_nonce',
  max_age: 'requested_max_age',
  id_token_hint: 'requested_id_token_hint',
  acr_values: 'requested_acr_values',
} as const

const engineNames: Readonly<Record<string, string>> = renamedParameters

/** Parameters that oidc-provider only passes on, and those that our rules restrict more than its own. */
export const unrestricted = [
  ...['client_id', 'redirect_uri', 'state', 'login_hint', 'ui_locales', 'code_challenge'],
  ...['organization_id', 'workspace_ids', 'platform_origin', 'dpop_jkt'],
]

// The supported parameters. Others are ignored (RFC 6749 §3.1), including one that oidc-provider would apply (claims).
const known = new Set([
  ...[...unrestricted, ...Object.keys(renamedParameters), 'response_type', 'response_mode'],
  ...['code_challenge_method', 'prompt', 'request', 'request_uri', 'registration'],
])

const longestLocales = 200
const longestLoginHint = 320 // an e-mail address, RFC 5321 §4.5.3.1

/**
 * The provider reads `response_type` as a set and would accept `code code` as `code`, which RFC 6749 §3.1.1 does not
 * define. So any value except `code` becomes one that the provider refuses.
 */
const inProviderWords = (name: string, value: string) =>
  name === 'response_type' && value !== 'code'
    ? 'unsupported'
    : name === 'login_hint'
      ? value.slice(0, longestLoginHint)
      : name === 'ui_locales'
        ? value.slice(0, longestLocales)
        : value

const ofOpenid = ['nonce', 'id_token_hint']

/** One value more than any request may have is enough to refuse the request. */
const mostResources = 11

/** `resource` may be repeated (RFC 8707 §2). The provider refuses any repeated parameter, so it gets one. */
const resourceText = (values: readonly string[]) =>
  values.slice(0, mostResources).map(encodeURIComponent).join(' ')

/** The values of `resource` in a request for the provider. */
export const resourcesIn = (text: string | undefined): string[] =>
  text === undefined ? [] : text.split(' ').map(decodeURIComponent)

/** True for parameters that nothing reads. The provider would store them for an hour, and anyone can send them. */
const isReadByNobody = (name: string, scopes: readonly string[]) =>
  ofOpenid.includes(name) && !scopes.includes('openid')

/** True when a posted answer names more than one platform page. Then not even an error has a recipient. */
export const hasTwoRecipients = (pairs: Pairs): boolean => {
  const isPosted = pairs.some(
    ([name, value]) => name === 'response_mode' && value === 'web_message',
  )
  return isPosted && pairs.filter(([name]) => name === 'platform_origin').length > 1
}

const count = (counts: ReadonlyMap<string, number>, name: string) => counts.get(name) ?? 0

/**
 * Translates a request for the provider: adds defaults and renames our own parameters. An empty parameter counts as
 * absent. A repeated one stays repeated, and the provider refuses it.
 */
export const canonical = (pairs: Pairs): [string, string][] => {
  const sent = pairs.filter(([name, value]) => known.has(name) && value !== '')
  const counts = new Map<string, number>()
  for (const [name] of sent) counts.set(name, count(counts, name) + 1)
  const valuesOf = (name: string) =>
    counts.has(name) ? sent.flatMap(([one, value]) => (one === name ? [value] : [])) : []
  const scopes = valuesOf('scope').flatMap((value) => value.split(' '))
  const query: [string, string][] = []
  const resources = valuesOf('resource')
  if (resources.length > 0) query.push([renamedParameters.resource, resourceText(resources)])
  for (const [name, value] of sent) {
    if (name === 'resource') continue
    const isOnce = counts.get(name) === 1
    if (isOnce && isReadByNobody(name, scopes)) continue
    query.push([isOnce ? (engineNames[name] ?? name) : name, inProviderWords(name, value)])
  }
  if (counts.has('request_uri')) return query
  // RFC 6749 §3.1.1 requires it, and so do OpenID libraries and tests. OAuth requests of the specification have none.
  if (!counts.has('response_type') && !scopes.includes('openid'))
    query.push(['response_type', 'code'])
  if (counts.get('code_challenge') === 1 && !counts.has('code_challenge_method'))
    query.push(['code_challenge_method', 'S256'])
  if (count(counts, 'scope') < 2) query.push(['scope', engineScope])
  return query
}
