import { scopeText } from '../../core/clients/openid.ts'
import type { AccessTokenSubject } from '../../core/tokens/access-token-claims.ts'
import type { AccessTokens } from '../../core/tokens/access-tokens.ts'
import type { TokenRequestOutcome } from './outcome.ts'

/** The JSON of a successful token request (RFC 6749 §5.1, and the contract's own fields). */
export interface TokenAnswer {
  access_token: string
  /** Of a token exchange (RFC 8693 §2.2.1). */
  issued_token_type?: string
  token_type: 'Bearer' | 'DPoP'
  expires_in: number
  refresh_token?: string
  id_token?: string
  scope: string
  organization_id: string
  workspace_ids?: string[]
}

/**
 * Signs the access token and says what it is good for.
 * @param jkt thumbprint of the key that it is bound to; null: to none
 */
export const answerTokens = (
  accessTokens: AccessTokens,
  subject: AccessTokenSubject,
  refreshToken: string | null,
  jkt: string | null = null,
): TokenAnswer => {
  const { accessToken, expiresIn } = accessTokens.issue(subject, jkt)
  return {
    access_token: accessToken,
    token_type: jkt === null ? 'Bearer' : 'DPoP',
    expires_in: expiresIn,
    ...(refreshToken !== null && { refresh_token: refreshToken }),
    scope: scopeText(subject.openidScopes, subject.permissions),
    organization_id: subject.organizationId,
    ...(subject.workspaceIds && { workspace_ids: subject.workspaceIds }),
  }
}

/** What a token endpoint tells the metrics. */
export type TokenOutcome = (one: TokenRequestOutcome) => void
