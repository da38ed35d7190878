import { scopeText } from '../../core/clients/openid.ts'
import type { RefreshExpiration } from '../../core/grants/refresh-token.ts'
import type { Tokens } from '../../core/grants/token-request.ts'
import type { TokenRequestOutcome } from './outcome.ts'

/** Seconds; what has no bound is absent (draft-ietf-oauth-refresh-token-expiration-03). */
export const refreshExpirationJson = ({ authorization, timeout }: RefreshExpiration) => ({
  ...(authorization !== null && { authorization_expires_in: authorization }),
  ...(timeout !== null && { refresh_token_timeout: timeout }),
})

/**
 * Converts issued tokens to the JSON answer of the token endpoint (RFC 6749 §5.1, with fields of our own).
 * @param issuedTokenType set for token exchange (RFC 8693 §2.2.1); null for other grants
 */
export const answerTokens = (tokens: Tokens, issuedTokenType: string | null = null) => {
  const { subject, refreshToken, idToken } = tokens
  return {
    access_token: tokens.accessToken,
    ...(issuedTokenType !== null && { issued_token_type: issuedTokenType }),
    token_type: tokens.jkt === null ? 'Bearer' : 'DPoP',
    expires_in: tokens.expiresIn,
    ...(refreshToken && {
      refresh_token: refreshToken.token,
      ...refreshExpirationJson(refreshToken),
    }),
    scope: scopeText(subject.openidScopes, subject.permissions),
    organization_id: subject.organizationId,
    ...(subject.workspaceIds && { workspace_ids: subject.workspaceIds }),
    ...(idToken !== null && { id_token: idToken }),
  }
}

export type TokenAnswer = ReturnType<typeof answerTokens>

/** Reports the outcome of a token request to the metrics. */
export type TokenOutcome = (one: TokenRequestOutcome) => void
