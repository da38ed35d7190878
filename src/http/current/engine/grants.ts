import type {
  AuthorizationParameters,
  ConsentAnswer,
} from '../../../core/authorization/requests.ts'
import type { TokenLifetimes } from '../../../core/clients/token-lifetime.ts'
import { briefGrantLifetime } from '../../../core/grants/code-lifetime.ts'
import type { Grant } from '../../../core/grants/grant.ts'

/** The validated parameters that a code is bound to. */
export interface CodeBinding
  extends Pick<AuthorizationParameters, 'redirectUri' | 'codeChallenge'> {
  clientId: string
  /** RFC 9449 §10 */
  dpopJkt: string | null
  /** The answer is posted to a page (`response_mode=web_message`). */
  isPosted: boolean
}

/** The grant of a user's approval, whose family begins with a code. */
export const grantOf = (
  approval: ConsentAnswer,
  binding: CodeBinding,
  lifetimes: TokenLifetimes,
): Grant =>
  // Leaving members out with `...rest` takes longer than all else that the engine does for a request.
  Object.assign(
    {
      id: approval.grantId,
      lifetime: binding.isPosted ? briefGrantLifetime('current', lifetimes) : null,
    },
    approval,
    binding,
  )
