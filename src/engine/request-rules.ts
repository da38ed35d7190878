import { errors, type KoaContextWithOIDC } from 'oidc-provider'
import type { App } from '../domain/app.ts'
import { OAuthError } from '../domain/errors.ts'
import { covers } from '../domain/permissions.ts'
import { isChallenge } from '../domain/pkce.ts'
import { parsePrompt } from '../domain/prompt.ts'
import { parseScope, parseWorkspaceIds } from '../domain/scope.ts'
import { registeredTarget, type WebMessageTarget } from '../domain/web-message.ts'
import type { AuthorizationParameters } from '../services/authorization-requests.ts'
import { askedScope } from './parameters.ts'

const longestState = 4096

const text = (value: unknown) => (typeof value === 'string' ? value : undefined)

const inProviderWords = <Result>(work: () => Result): Result => {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    throw error.code === 'invalid_scope'
      ? new errors.InvalidScope(error.description, '')
      : new errors.InvalidRequest(error.description)
  }
}

/**
 * Where the answer is posted to; null: it is not posted.
 * @throws OAuthError when there is nobody to post it to
 */
export const recipientOf = (
  ctx: KoaContextWithOIDC,
  app: App,
  platformOrigins: readonly string[],
): WebMessageTarget | null => {
  const sent = ctx.oidc.params as Record<string, unknown>
  if (sent.response_mode !== 'web_message') return null
  const redirectUri = text(sent.redirect_uri) ?? ''
  const platform = text(sent.platform_origin)
  return registeredTarget(app.redirectUris, redirectUri, platform, platformOrigins)
}

/**
 * What our contract asks of a request beyond what oidc-provider checks; runs after its own checks.
 * @throws the provider's errors, which it turns into an answer at the redirect URI
 */
export const readRequest = (
  ctx: KoaContextWithOIDC,
  app: App,
  webMessage: WebMessageTarget | null,
): AuthorizationParameters => {
  const sent = ctx.oidc.params as Record<string, unknown>
  const state = text(sent.state) ?? null
  const codeChallenge = text(sent.code_challenge) ?? ''
  if (state && state.length > longestState) throw new errors.InvalidRequest('state is too long')
  // RFC 7636 §4.2: a S256 challenge is 43 characters of base64url.
  if (!isChallenge(codeChallenge)) throw new errors.InvalidRequest('code_challenge is malformed')

  const permissions = inProviderWords(() => parseScope('current', text(sent[askedScope])))
  const workspaceIds = inProviderWords(() => parseWorkspaceIds(text(sent.workspace_ids)))
  if (permissions && !covers(app.permissions, permissions)) {
    throw new errors.InvalidScope('the scope exceeds what the app is registered for', '')
  }
  return {
    interface: 'current',
    clientId: app.clientId,
    redirectUri: sent.redirect_uri as string,
    responseType: 'code',
    state,
    permissions,
    workspaceIds,
    organizationHint: text(sent.organization_id) ?? null,
    loginHint: text(sent.login_hint)?.slice(0, 320) ?? null,
    prompts: inProviderWords(() => parsePrompt(text(sent.prompt))).prompts,
    codeChallenge,
    webMessage,
  }
}
