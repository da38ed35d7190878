/** Name and value of each parameter as it was sent, repetitions included. */
export type Pairs = readonly (readonly [string, string])[]

// The contract's parameters; everything else that a client may send is ignored (RFC 6749 §3.1), also what
// oidc-provider would take to heart (claims, resource, acr_values).
const known = new Set([
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'platform_origin',
  'state',
  'code_challenge',
  'code_challenge_method',
  'prompt',
  'login_hint',
  'request',
  'request_uri',
  'registration',
  'scope',
  'workspace_ids',
  'organization_id',
  'nonce',
  'max_age',
  'id_token_hint',
  'dpop_jkt',
])

/** The one scope that oidc-provider knows; what is asked for travels beside it. */
export const engineScope = 'access'

/**
 * What we read ourselves, under names that mean nothing to oidc-provider: it would refuse a permission as an unknown
 * scope, and the parameters of OpenID without a scope `openid`, which it is never shown.
 */
export const renamedParameters = {
  scope: 'requested_scope',
  nonce: 'requested_nonce',
  max_age: 'requested_max_age',
  id_token_hint: 'requested_id_token_hint',
} as const

const engineNames: Readonly<Record<string, string>> = renamedParameters

const longestLoginHint = 320 // an e-mail address, RFC 5321 §4.5.3.1

/**
 * The provider reads `response_type` as a set, so `code code` would pass for `code` (RFC 6749 §3.1.1 knows no such
 * value): whatever is not exactly that goes in as a word that the provider refuses.
 */
const inProviderWords = (name: string, value: string) =>
  name === 'response_type' && value !== 'code'
    ? 'unsupported'
    : name === 'login_hint'
      ? value.slice(0, longestLoginHint)
      : value

const ofOpenid = ['nonce', 'max_age', 'id_token_hint']

/** What the provider would keep for an hour, for anybody, though nobody reads it. */
const isReadByNobody = (name: string, scopes: readonly string[]) =>
  ofOpenid.includes(name) && !scopes.includes('openid')

/** Does an answer that is to be posted name more than one page around it? Then even an error is for nobody. */
export const isForTwoPages = (pairs: Pairs): boolean => {
  const valuesOf = (name: string) => pairs.flatMap(([one, value]) => (one === name ? [value] : []))
  const isPosted = valuesOf('response_mode').includes('web_message')
  return isPosted && valuesOf('platform_origin').length > 1
}

/**
 * Puts a request into the provider's words: defaults of the contract, and what is ours set aside.
 * A parameter without a value counts as absent; a repeated one stays repeated and is refused by the provider.
 */
export const canonical = (pairs: Pairs): URLSearchParams => {
  const sent = pairs.filter(([name, value]) => known.has(name) && value !== '')
  const count = (name: string) => sent.filter(([one]) => one === name).length
  const scopes = sent.find(([name]) => name === 'scope')?.[1].split(' ') ?? []
  const query = new URLSearchParams()
  for (const [name, value] of sent) {
    const isOnce = count(name) === 1
    if (isOnce && isReadByNobody(name, scopes)) continue
    query.append(isOnce ? (engineNames[name] ?? name) : name, inProviderWords(name, value))
  }
  if (count('request_uri') > 0) return query
  if (count('response_type') === 0) query.append('response_type', 'code')
  if (count('code_challenge') === 1 && count('code_challenge_method') === 0) {
    query.append('code_challenge_method', 'S256')
  }
  if (count('scope') < 2) query.append('scope', engineScope)
  return query
}
