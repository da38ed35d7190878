import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isLoopback } from '../config/values.ts'
import { usageError } from './exit-codes.ts'
import { secretFromEnvironment } from './secret-input.ts'
import { note, type Terminal } from './terminal.ts'

/**
 * The address of the running server: LATCHKEY_URL, else ISSUER, else the default. http is allowed only on this machine,
 * because operator tokens, client secrets and refresh tokens are sent (RFC 6749 §1.6).
 * @throws CommandError
 */
export const serverUrl = ({ env }: Pick<Terminal, 'env'>): string => {
  const name = env.LATCHKEY_URL ? 'LATCHKEY_URL' : 'ISSUER'
  const text = env[name] || `http://localhost:${env.PORT || 3000}`
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol))
    throw usageError(`${name} must be an http(s) address such as https://auth.example.com`)
  if (url.protocol === 'http:' && !isLoopback(url))
    throw usageError(`${name} must use https: tokens are not sent over http`, [
      'without https, run the command on the machine of the server or through a tunnel',
    ])
  return url.origin + url.pathname.replace(/\/+$/, '')
}

const probeMs = 1000

/** The issuer of the server that answers at the address; null: none does. No secret is sent. */
export const issuerAt = async (url: string, timeout = probeMs): Promise<string | null> => {
  try {
    const response = await fetch(`${url}/.well-known/oauth-authorization-server`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
    })
    const { issuer } = (await response.json()) as { issuer?: unknown }
    return typeof issuer === 'string' ? issuer : null
  } catch {
    return null
  }
}

/** Settings that only the machine of the server has. */
const ofServer = ['DATABASE_URL', 'DATABASE_URL_FILE', 'LATCHKEY_DATA']

/**
 * The address for the Operator API. On the machine of the server it is that of the server itself, because a proxy in front
 * of ISSUER hides the Operator API.
 * @throws CommandError
 */
export const operatorUrl = async (terminal: Pick<Terminal, 'env'>): Promise<string> => {
  const url = serverUrl(terminal)
  const { ISSUER, LATCHKEY_URL, PORT } = terminal.env
  if (LATCHKEY_URL || !ISSUER || !ofServer.some((name) => terminal.env[name])) return url
  const here = `http://127.0.0.1:${PORT || 3000}${new URL(url).pathname.replace(/\/$/, '')}`
  return (await issuerAt(here)) === ISSUER ? here : url
}

/** Names the running server on stderr. @returns its address @throws CommandError */
export const nameServer = (terminal: Terminal, url = serverUrl(terminal)): string => {
  note(terminal, `Server: ${url}`)
  return url
}

/**
 * LATCHKEY_OPERATOR_TOKEN or its file, else the token that the server created at its first start.
 * @throws CommandError
 */
export const operatorToken = async ({ env }: Pick<Terminal, 'env'>): Promise<string> => {
  const given = secretFromEnvironment({ env }, 'LATCHKEY_OPERATOR_TOKEN')
  if (given !== undefined) return given
  const path = join(env.LATCHKEY_DATA || './data', 'secrets.json')
  const text = await readFile(path, 'utf8').catch(() => null)
  const kept = text && (JSON.parse(text) as { operator_token?: string }).operator_token
  if (kept) return kept
  throw usageError('no operator token is configured', [
    `set LATCHKEY_OPERATOR_TOKEN, or LATCHKEY_DATA to the server's data directory (now: ${path})`,
    'create one with: latchkey operator-token create --name <name>',
  ])
}
