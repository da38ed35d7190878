import type { OAuthErrorJson } from '../../http/oauth/oauth-errors.ts'
import type { TokenAnswer } from '../../http/oauth/token-answer.ts'
import type { Action, Input, Option } from '../command.ts'
import { CommandError, exitCodes } from '../exit-codes.ts'
import { fetchServer } from '../operator-api.ts'
import { fields, givenPairs, listed, print } from '../output.ts'
import { secretFromEnvironment, secretFromStdin } from '../secret-input.ts'
import { nameServer } from '../server-address.ts'
import { generation, generationIn, optionsOf, type Settings, words } from '../setting.ts'
import { note, type Terminal } from '../terminal.ts'

export const clientOptions: Record<string, Option> = {
  'client-id': { value: 'id', help: 'the app that requests the token' },
  interface: generation('the interface of the endpoints (default: current)').option,
}

export const narrowed: Settings = {
  scope: {
    ...words('scope <a,b>', 'fewer permissions than approved'),
    read: (input) => input.words('scope')?.join(' '),
  },
  workspace_ids: words('workspaces <a,b>', 'fewer workspaces than approved (current)'),
}

export const narrowingOptions = optionsOf(narrowed)

export const secretNote =
  'The secret of a confidential app is read from LATCHKEY_CLIENT_SECRET or LATCHKEY_CLIENT_SECRET_FILE.'

const paths = { current: '/api/oauth/token', legacy: '/api/oauth/access_token' } as const

/** Scope and workspaces as parameters. Omits those that are not given. */
export const narrowing = (input: Input): Record<string, string> => {
  const [scope, workspaces] = [input.words('scope'), input.words('workspaces')]
  return {
    ...(scope && { scope: scope.join(' ') }),
    ...(workspaces && { workspace_ids: workspaces.join(' ') }),
  }
}

/**
 * Sends a token request as the app would.
 * @throws CommandError with the server's own error code
 */
export const requestTokens = async (
  terminal: Terminal,
  input: Input,
  parameters: Record<string, string>,
): Promise<TokenAnswer> => {
  const secret = secretFromEnvironment(terminal, 'LATCHKEY_CLIENT_SECRET')
  const url = nameServer(terminal)
  const response = await fetchServer(`${url}${paths[generationIn(input)]}`, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams({
      ...parameters,
      client_id: input.required('client-id'),
      ...(secret && { client_secret: secret }),
    }),
  })
  const json = (await response.json().catch(() => ({}))) as TokenAnswer | Partial<OAuthErrorJson>
  if ('access_token' in json) return json
  const { error = `status ${response.status}`, error_description: description } = json
  const reference = response.headers.get('x-request-id')
  throw new CommandError(exitCodes.refused, description ? `${error}: ${description}` : error, [
    ...(error === 'invalid_client' && !secret ? [secretNote] : []),
    ...(reference ? [`request ${reference}`] : []),
  ])
}

/** Prints tokens to stdout, once. */
export const printTokens = (terminal: Terminal, input: Input, tokens: TokenAnswer) => {
  const pairs = givenPairs([
    ['access token', tokens.access_token],
    ['refresh token', tokens.refresh_token],
    ['ID token', tokens.id_token],
    ['expires in', `${tokens.expires_in} s`],
    ['scope', listed(tokens.scope.split(' ').filter(Boolean))],
    ['organization', tokens.organization_id],
    ['workspaces', tokens.workspace_ids && listed(tokens.workspace_ids)],
  ])
  print(terminal, input, tokens, () => fields(pairs))
}

/** Reads a token from the environment or stdin, alone or in the JSON output of another `latchkey token` command. */
export const tokenIn = async (
  terminal: Terminal,
  variable: string,
  member: 'access_token' | 'refresh_token',
): Promise<string> => {
  const text =
    secretFromEnvironment(terminal, variable) ??
    (await secretFromStdin(terminal, member.replace('_', ' ')))
  if (!text.trimStart().startsWith('{')) return text.trim()
  try {
    const value: unknown = JSON.parse(text)[member]
    if (typeof value === 'string') return value
  } catch {
    // reported below, like JSON without the token
  }
  throw new CommandError(exitCodes.usage, `the JSON on stdin has no ${member}`)
}

export const refresh: Action = {
  name: 'refresh',
  summary: 'Exchange a refresh token for new tokens; the old one is consumed.',
  options: { ...clientOptions, ...narrowingOptions },
  notes: [
    'The refresh token is read from LATCHKEY_REFRESH_TOKEN or stdin, also as printed with --json.',
    secretNote,
  ],
  run: async (input, terminal) => {
    input.required('client-id')
    const refreshToken = await tokenIn(terminal, 'LATCHKEY_REFRESH_TOKEN', 'refresh_token')
    const parameters = { grant_type: 'refresh_token', refresh_token: refreshToken }
    const tokens = await requestTokens(terminal, input, { ...parameters, ...narrowing(input) })
    printTokens(terminal, input, tokens)
    note(
      terminal,
      'Keep the new refresh token. Using the old one again would revoke the whole family.',
    )
  },
}

export const clientCredentials: Action = {
  name: 'client-credentials',
  summary: 'Get an install token: the app for itself, in an organization that installed it.',
  options: {
    'client-id': clientOptions['client-id'] as Option,
    organization: { value: 'id', help: 'the organization to access' },
    ...narrowingOptions,
  },
  notes: [secretNote],
  run: async (input, terminal) => {
    const tokens = await requestTokens(terminal, input, {
      grant_type: 'client_credentials',
      organization_id: input.required('organization'),
      ...narrowing(input),
    })
    printTokens(terminal, input, tokens)
  },
}
