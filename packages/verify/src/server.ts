import { VerificationUnavailable } from './errors.ts'
import { type JsonObject, parseObject } from './json.ts'
import { encodeBase64 } from './platform.ts'
import type { Settings } from './settings.ts'
import type { Incoming, Outgoing, Transport } from './transport.ts'

/** The server answered with a status other than 200. */
export class UnexpectedStatus extends Error {
  readonly status: number

  constructor(status: number) {
    super(`the authorization server answered with status ${status}`)
    this.name = 'UnexpectedStatus'
    this.status = status
  }
}

/** The three requests to the authorization server. Each throws VerificationUnavailable when it fails. */
export interface AuthorizationServer {
  /** The key set document (RFC 7517). */
  keys(): Promise<JsonObject>
  /** RFC 7662. */
  introspect(token: string): Promise<JsonObject>
  /**
   * The changes since the cursor, or all relevant ones without a cursor.
   * @param wait seconds for which the server may hold the request until something changes
   */
  revocations(cursor: string | null, wait: number): Promise<JsonObject>
}

const mostBytes = 8 * 1024 * 1024

/** RFC 6749 §2.3.1: id and secret are form-urlencoded inside Basic. */
const basic = ({ clientId, clientSecret }: Settings['resourceServer']) => {
  const encode = (text: string) => new URLSearchParams({ '': text }).toString().slice(1)
  return `Basic ${encodeBase64(`${encode(clientId)}:${encode(clientSecret)}`)}`
}

const readAnswer = ({ status, text }: Incoming): JsonObject => {
  if (status !== 200)
    throw new VerificationUnavailable(
      status === 401 || status === 403 ? 'refused' : 'bad_answer',
      new UnexpectedStatus(status),
    )
  const body = parseObject(text)
  if (!body) throw new VerificationUnavailable('bad_answer', new TypeError('not a JSON object'))
  return body
}

export const createAuthorizationServer = (
  settings: Pick<Settings, 'server' | 'resourceServer' | 'timeout'>,
  transport: Transport,
): AuthorizationServer => {
  const { server, timeout } = settings
  const accept = { accept: 'application/json' }
  const authorized = { ...accept, authorization: basic(settings.resourceServer) }

  const ask = async (part: Partial<Outgoing> & Pick<Outgoing, 'url' | 'headers'>) => {
    const milliseconds = timeout * 1000
    const usual = { method: 'GET', timeout: milliseconds, mostBytes, isIdle: false } as const
    const incoming = await transport.send({ ...usual, ...part }).catch((cause) => {
      const isTooLong = cause instanceof RangeError
      throw new VerificationUnavailable(isTooLong ? 'bad_answer' : 'unreachable', cause)
    })
    return readAnswer(incoming)
  }

  return {
    keys: () => ask({ url: `${server}/.well-known/jwks.json`, headers: accept }),
    introspect: (token) =>
      ask({
        method: 'POST',
        url: `${server}/api/oauth/introspect`,
        headers: { ...authorized, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ token }).toString(),
      }),
    revocations: (cursor, wait) => {
      const query = new URLSearchParams({ ...(cursor !== null && { cursor }), wait: String(wait) })
      return ask({
        url: `${server}/api/oauth/revocations?${query}`,
        headers: authorized,
        timeout: (wait + timeout) * 1000,
        isIdle: wait > 0,
      })
    },
  }
}
