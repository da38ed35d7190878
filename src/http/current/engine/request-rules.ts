import { errors } from 'oidc-provider'
import { isThumbprint } from '#verify/rules/dpop-proof'
import type {
  AuthorizationParameters,
  OpenidRequest,
  StepUpRequest,
} from '../../../core/authorization/requests.ts'
import { registeredTarget, type WebMessageTarget } from '../../../core/authorization/web-message.ts'
import type { App } from '../../../core/clients/app.ts'
import { mayOmitChallenge, type RequestedScope, readScope } from '../../../core/clients/openid.ts'
import { parseResources, type Targets } from '../../../core/clients/targets.ts'
import { isChallenge } from '../../../core/grants/pkce.ts'
import { OAuthError } from '../../../core/language/errors.ts'
import { covers } from '../../../core/language/permissions.ts'
import { parseWorkspaceIds } from '../../../core/language/scope.ts'
import { parsePrompt } from '../../../core/people/prompt.ts'
import { contextClasses } from '../../../core/people/sign-in-method.ts'
import type { IdTokens } from '../../../core/tokens/id-tokens.ts'
import { renamedParameters, resourcesIn } from './parameters.ts'
import type { Redirect } from './request-context.ts'

const longestState = 4096
// RFC 6749 appendix A allows these characters for `state`. OpenID Connect Core does not restrict `nonce`.
const nonceShape = /^[\x20-\x7e]{1,512}$/
const maxAgeShape = /^\d{1,9}$/

/** The parameters of a request under the names of `canonical`. Those of oidc-provider have a key for each that it knows. */
export type SentParameters = Readonly<Record<string, unknown>>

const text = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** The error of the provider for one of ours, which it returns to the redirect URI. */
export const inProviderTerms = (error: unknown): unknown => {
  if (!(error instanceof OAuthError)) return error
  if (error.code === 'invalid_scope') return new errors.InvalidScope(error.description, '')
  if (error.code === 'invalid_target') return new errors.InvalidTarget(error.description)
  return new errors.InvalidRequest(error.description)
}

const inProviderWords = <Result>(work: () => Result): Result => {
  try {
    return work()
  } catch (error) {
    throw inProviderTerms(error)
  }
}

const readNonce = (value: string | undefined) => {
  if (value === undefined) return null
  if (!nonceShape.test(value)) throw new errors.InvalidRequest('nonce is malformed')
  return value
}

const readMaxAge = (value: string | undefined) => {
  if (value === undefined) return null
  if (!maxAgeShape.test(value)) throw new errors.InvalidRequest('max_age is malformed')
  return Number(value)
}

/** The hint must belong to the app. It may be expired: it tells of a current or past session (OpenID Connect Core §3.1.2.1). */
const readExpectedUser = (value: string | undefined, app: App, readHint: IdTokens['readHint']) => {
  if (value === undefined) return null
  const hint = readHint(value)
  if (hint?.clientId !== app.clientId)
    throw new errors.InvalidRequest('id_token_hint is not an ID token of this client')
  return hint.userId
}

/** Unknown classes are ignored: `acr_values` is a preference (OpenID Connect Core §3.1.2.1). */
const readContextClasses = (value: string | undefined) => {
  const preferred = value?.split(' ') ?? []
  return contextClasses.filter((one) => preferred.includes(one))
}

/** RFC 9470 §4: these parameters have a meaning in any request. */
const readStepUp = (sent: SentParameters): StepUpRequest => ({
  maxAge: readMaxAge(text(sent[renamedParameters.max_age])),
  contextClasses: readContextClasses(text(sent[renamedParameters.acr_values])),
})

const isDemanding = ({ maxAge, contextClasses = [] }: StepUpRequest) =>
  maxAge !== null || contextClasses.length > 0

/** OpenID Connect Core §3.1.2.1: without `openid` in `scope` the others have no meaning. */
const readOpenid = (
  sent: SentParameters,
  app: App,
  scope: RequestedScope | null,
  readHint: IdTokens['readHint'],
): OpenidRequest | null =>
  scope === null || scope.openidScopes.length === 0
    ? null
    : {
        scopes: scope.openidScopes,
        nonce: readNonce(text(sent[renamedParameters.nonce])),
        ...readStepUp(sent),
        expectedUser: readExpectedUser(text(sent[renamedParameters.id_token_hint]), app, readHint),
      }

/**
 * The recipient of a posted answer; null when the answer is not posted.
 * @throws OAuthError when there is no valid recipient
 */
export const recipientOf = (
  sent: SentParameters,
  app: App,
  platformOrigins: readonly string[],
): WebMessageTarget | null => {
  if (sent.response_mode !== 'web_message') return null
  const redirectUri = text(sent.redirect_uri) ?? ''
  const platform = text(sent.platform_origin)
  return registeredTarget(app.redirectUris, redirectUri, platform, platformOrigins)
}

/** Where the answer goes. */
export const redirectIn = (sent: SentParameters): Redirect => ({
  uri: text(sent.redirect_uri) ?? '',
  mode: text(sent.response_mode),
  platform: text(sent.platform_origin),
  state: text(sent.state),
})

const localesIn = (uiLocales: string | undefined) => (uiLocales ? { uiLocales } : {})

/**
 * Our validation of a request in addition to that of oidc-provider. Runs after it.
 * @throws errors of the provider, which it returns to the redirect URI
 */
export const readRequest = (
  sent: SentParameters,
  app: App,
  context: {
    webMessage: WebMessageTarget | null
    readHint: IdTokens['readHint']
    isDefaultAudience: Targets['isDefault']
  },
): AuthorizationParameters => {
  const state = text(sent.state) ?? null
  const codeChallenge = text(sent.code_challenge) ?? null
  if (state && state.length > longestState) throw new errors.InvalidRequest('state is too long')
  // RFC 7636 §4.2: a S256 challenge is 43 characters of base64url.
  const isGiven =
    codeChallenge !== null || !mayOmitChallenge(app, text(sent[renamedParameters.scope]))
  if (isGiven && !isChallenge(codeChallenge ?? ''))
    throw new errors.InvalidRequest('code_challenge is malformed')
  const dpopJkt = text(sent.dpop_jkt)
  if (dpopJkt !== undefined && !isThumbprint(dpopJkt))
    throw new errors.InvalidRequest('dpop_jkt is malformed')

  const scope = inProviderWords(() => readScope(app, text(sent[renamedParameters.scope])))
  const permissions = scope?.permissions ?? null
  const workspaceIds = inProviderWords(() => parseWorkspaceIds(text(sent.workspace_ids)))
  if (permissions && !covers(app.permissions, permissions)) {
    throw new errors.InvalidScope('the scope exceeds what the app is registered for', '')
  }
  const resources = inProviderWords(() =>
    parseResources(resourcesIn(text(sent[renamedParameters.resource]))),
  )
  const openid = readOpenid(sent, app, scope, context.readHint)
  const stepUp = readStepUp(sent)
  return {
    interface: 'current',
    clientId: app.clientId,
    redirectUri: sent.redirect_uri as string,
    responseType: 'code',
    state,
    permissions,
    ...(scope?.beyond && { beyond: scope.beyond }),
    workspaceIds,
    ...(!context.isDefaultAudience(resources) && { resources }),
    organizationHint: text(sent.organization_id) ?? null,
    loginHint: text(sent.login_hint) ?? null,
    ...localesIn(text(sent.ui_locales)),
    ...inProviderWords(() => parsePrompt(text(sent.prompt))),
    codeChallenge,
    openid,
    ...(!openid && isDemanding(stepUp) && { stepUp }),
    webMessage: context.webMessage,
  }
}
