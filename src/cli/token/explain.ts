import type { TokenInspectionJson } from '../../http/operator/tokens/inspection.ts'
import { tokenReasons } from '../../words/en/token-reasons.ts'
import { CommandError } from '../exit-codes.ts'
import { createOperatorApi } from '../operator-api.ts'
import { fields, listed, moment, shown } from '../output.ts'
import { nameServer, operatorToken, operatorUrl } from '../server-address.ts'
import type { Terminal } from '../terminal.ts'

/** Kinds of access tokens that the server signs. */
export const signedKinds: Record<string, string> = {
  user: 'user token: an app, for a person',
  install: 'install token: an app, for itself',
}

const kinds: Record<string, string> = {
  ...signedKinds,
  refresh_token: 'refresh token: an app, for a person',
  code: 'authorization code: an app, for a person',
  self_signed: 'self-signed: the owner of a key set',
  secret_key: "a key set's secret",
}

/** Asks the server to explain a token; null when no operator token is configured. */
export const askServer = async (terminal: Terminal, token: string) => {
  const operator = await operatorToken(terminal).catch((error: unknown) => {
    if (error instanceof CommandError) return null
    throw error
  })
  if (operator === null) return null
  const url = nameServer(terminal, await operatorUrl(terminal))
  const api = createOperatorApi({ url, token: operator })
  return api.call<TokenInspectionJson>('POST', '/tokens/inspect', { token })
}

/** The reason for a refusal and what helps; null when the token is accepted. */
export const refusalWords = ({ refused }: TokenInspectionJson) => {
  const known: Record<string, { why: string; move: string }> = tokenReasons
  if (refused === null) return null
  return known[refused] ?? { why: refused, move: '' }
}

/** The server's explanation as text, line by line. */
export const explanation = (answer: TokenInspectionJson): string => {
  const { token, named_client_id: named } = answer
  const refusal = refusalWords(answer)
  const verdict: [string, string][] = refusal
    ? [
        ['valid', `no: ${refusal.why}`],
        ['what helps', shown(refusal.move)],
        ['sub-reason', shown(answer.refused)],
      ]
    : [['valid', 'yes']]
  if (!token) return fields([...verdict, ['names key set', shown(named)]])
  const none = token.interface === 'current' ? 'reading only' : 'nothing'
  return fields([
    ...verdict,
    ['kind', kinds[token.type] ?? kinds[token.kind] ?? token.kind],
    ['interface', token.interface],
    ['for', token.user_id ?? 'itself'],
    ['app or key set', token.client_id],
    ['through', listed(token.actors)],
    ['organization', token.organization_id],
    ['may', token.permissions.length > 0 ? listed(token.permissions) : none],
    ['tells who it is', listed(token.openid_scopes)],
    ['where', token.workspace_ids === null ? 'everywhere' : listed(token.workspace_ids)],
    ['issued', moment(token.issued_at)],
    ['expires', moment(token.expires_at)],
    ['bound to key', shown(token.key_thumbprint)],
  ])
}
