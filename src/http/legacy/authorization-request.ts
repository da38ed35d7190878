import type { AuthorizationParameters } from '../../core/authorization/requests.ts'
import type { WebMessageTarget } from '../../core/authorization/web-message.ts'
import type { App } from '../../core/clients/app.ts'
import { isChallenge } from '../../core/grants/pkce.ts'
import { invalidRequest, OAuthError } from '../../core/language/errors.ts'
import { covers } from '../../core/language/permissions.ts'
import { parseScope } from '../../core/language/scope.ts'

const longestState = 4096
const promptingValues = ['true', 'yes', '1']

/** The values of each parameter. Empty values count as absent (RFC 6749 §3.1). */
export const valuesOf = (pairs: [string, string][]) => {
  const values = new Map<string, string[]>()
  for (const [name, value] of pairs) {
    if (value !== '') values.set(name, [...(values.get(name) ?? []), value])
  }
  return values
}

export const singleValue = (values: Map<string, string[]>, name: string) => {
  const [first, ...rest] = values.get(name) ?? []
  if (rest.length > 0) throw invalidRequest(`${name} is repeated`, 'repeated_parameter')
  return first
}

export const notRedirectable = (reason: string) =>
  new OAuthError('invalid_request', 'the client or its redirect URI is not valid', { reason })

/** The recipient of an answer. It is read before anything else and is the same for every later error. */
export interface Target {
  redirectUri: string
  responseType: 'code' | 'token'
  state: string | undefined
  webMessage: WebMessageTarget | null
}

const readChallenge = (app: App, responseType: 'code' | 'token', values: Map<string, string[]>) => {
  const challenge = singleValue(values, 'code_challenge')
  const method = singleValue(values, 'code_challenge_method')
  if (challenge === undefined) {
    // RFC 9700 §2.1.1: required for codes of public apps, optional for confidential ones.
    if (method !== undefined || (responseType === 'code' && app.clientType === 'public'))
      throw invalidRequest('code_challenge is missing', 'challenge_missing')
    return null
  }
  if (method !== undefined && method !== 'S256') {
    throw invalidRequest('code_challenge_method must be S256', 'challenge_method')
  }
  if (!isChallenge(challenge))
    throw invalidRequest('code_challenge is malformed', 'challenge_malformed')
  return challenge
}

const readResponseType = (values: Map<string, string[]>): 'code' | 'token' => {
  const type = singleValue(values, 'response_type')
  if (type === undefined) throw invalidRequest('response_type is missing', 'response_type_missing')
  if (type !== 'code' && type !== 'token') {
    throw new OAuthError('unsupported_response_type', 'response_type must be code or token')
  }
  const mode = singleValue(values, 'response_mode')
  const modes = ['web_message', type === 'code' ? 'query' : 'fragment']
  if (mode !== undefined && !modes.includes(mode)) {
    throw new OAuthError('unsupported_response_mode', 'this response_mode is not supported here')
  }
  return type
}

const isForced = (values: Map<string, string[]>) =>
  promptingValues.includes(singleValue(values, 'force_prompt') ?? '')

/**
 * This interface supports only `none` of `prompt`, for pages that ask from a frame. Its own parameter is
 * `force_prompt`.
 */
export const isSilentRequest = (target: Target, values: Map<string, string[]>) => {
  const isSilent = target.webMessage !== null && singleValue(values, 'prompt') === 'none'
  if (isSilent && isForced(values)) {
    throw invalidRequest('prompt=none and force_prompt exclude each other', 'prompt_none_forced')
  }
  return isSilent
}

/** Reads the parameters after the target is known, so that every fault is returned to the app. */
export const readParameters = (
  app: App,
  target: Target,
  values: Map<string, string[]>,
): AuthorizationParameters => {
  for (const { length } of values.values()) {
    if (length > 1) throw invalidRequest('a parameter is repeated', 'repeated_parameter')
  }
  const responseType = readResponseType(values)
  if (target.state && target.state.length > longestState) throw invalidRequest('state is too long')
  const permissions = parseScope(app, singleValue(values, 'scope'))
  if (permissions && !covers(app.permissions, permissions)) {
    throw new OAuthError('invalid_scope', 'the scope exceeds what the app is registered for')
  }
  return {
    interface: 'legacy',
    clientId: app.clientId,
    redirectUri: target.redirectUri,
    responseType,
    state: target.state ?? null,
    permissions,
    workspaceIds: null,
    organizationHint: singleValue(values, 'organization_id') ?? null,
    loginHint: null,
    prompts: isForced(values) ? ['consent'] : [],
    codeChallenge: readChallenge(app, responseType, values),
    webMessage: target.webMessage,
  }
}
