import { scopeText } from '../../core/clients/openid.ts'
import type { RefreshExpiration } from '../../core/grants/refresh-token.ts'
import type { Tokens } from '../../core/grants/token-request.ts'
import type { TokenRequestOutcome } from './outcome.ts'

/** The JSON answer to a successful token request (RFC 6749 §5.1, with fields of our own). */
export interface TokenAnswer {
  access_token: string
  /** Set for token exchange (RFC 8693 §2.2.1). */
  issued_token_type?: string
  token_type: 'Bearer' | 'DPoP'
  expires_in: number
  refresh_token?: string
  authorization_expires_in?: number
  refresh_token_timeout?: number
  scope: string
  organization_id: string
  workspace_ids?: string[]
  id_token?: string
}

/** Seconds; what has no bound is absent (draft-ietf-oauth-refresh-token-expiration-03). */
export const refreshExpirationJson = ({ authorization, timeout }: RefreshExpiration) => ({
  ...(authorization !== null && { authorization_expires_in: authorization }),
  ...(timeout !== null && { refresh_token_timeout: timeout }),
})

/**
 * Converts issued tokens to the answer of the token endpoint.
 * @param issuedTokenType set for token exchange; null for other grants
 */
export const answerTokens = (
  tokens: Tokens,
  issuedTokenType: string | null = null,
): TokenAnswer => {
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

/** Reports the outcome of a token request to the metrics. */
export type TokenOutcome = (one: TokenRequestOutcome) => void
