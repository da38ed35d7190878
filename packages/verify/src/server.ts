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

/** Uses of permissions between two times. The server counts a key once. */
export interface UsageReport {
  key: string
  from: string
  to: string
  counts: object[]
}

/** The requests to the authorization server. Each throws VerificationUnavailable when it fails. */
export interface AuthorizationServer {
  /** The key set document (RFC 7517). */
  keys(): Promise<JsonObject>
  /** RFC 8414. */
  metadata(): Promise<JsonObject>
  /** RFC 7662. */
  introspect(token: string): Promise<JsonObject>
  /**
   * The changes since the cursor, or all relevant ones without a cursor.
   * @param wait seconds for which the server may hold the request until something changes
   */
  revocations(cursor: string | null, wait: number): Promise<JsonObject>
  /** Reports the use of permissions. Never rejects. @returns false: the server is away, so it is worth another attempt */
  report(report: UsageReport): Promise<boolean>
  /** This process reads no more revocations. Never rejects. */
  leave(): Promise<void>
}

/** The times of an exchange, in milliseconds since 1970. */
export interface Exchanged {
  sentAt: number
  receivedAt: number
  /** The server's time, in whole seconds. */
  date: number
}

/** Gets the result of each request for a purpose; null for a success. */
export type Report = (problem: VerificationUnavailable | null) => void

/** Runs a request and the reading of its answer, and reports the result. */
export const reported = async <Result>(
  report: Report,
  request: () => Promise<Result>,
): Promise<Result> => {
  try {
    const result = await request()
    report(null)
    return result
  } catch (error) {
    if (error instanceof VerificationUnavailable) report(error)
    throw error
  }
}

type Asked = Partial<Outgoing> & Pick<Outgoing, 'url' | 'headers'>

/** The version of this package. */
const version = '0.1.0'

/** Milliseconds for the last request of a process. */
const longestLeave = 1000

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

/** @param onExchanged called with the times of each answer that no cache has stored */
export const createAuthorizationServer = (
  settings: Pick<Settings, 'server' | 'resourceServer' | 'timeout' | 'now'>,
  transport: Transport,
  onExchanged: (exchanged: Exchanged) => void,
): AuthorizationServer => {
  const { server, timeout, now } = settings
  const accept = { accept: 'application/json' }
  const authorized = {
    authorization: basic(settings.resourceServer),
    'user-agent': `latchkey-verify/${version}`,
  }
  /** Names this process. Not made before the first request: some runtimes have no random numbers while they load. */
  let reader: string | null = null

  const ask = async (part: Asked) => {
    const milliseconds = timeout * 1000
    const usual = { method: 'GET', timeout: milliseconds, mostBytes, isIdle: false } as const
    const incoming = await transport.send({ ...usual, ...part }).catch((cause) => {
      const isTooLong = cause instanceof RangeError
      throw new VerificationUnavailable(isTooLong ? 'bad_answer' : 'unreachable', cause)
    })
    return incoming
  }

  const read = async (part: Asked) => readAnswer(await ask(part))

  const readPrivate = async (part: Asked) => {
    const sentAt = now()
    const incoming = await ask({ ...part, headers: { ...part.headers, ...authorized } })
    const date = Date.parse(incoming.date ?? '')
    if (!Number.isNaN(date)) onExchanged({ sentAt, receivedAt: now(), date })
    return readAnswer(incoming)
  }

  return {
    keys: () => read({ url: `${server}/.well-known/jwks.json`, headers: accept }),
    metadata: () =>
      read({
        url: `${server}/.well-known/oauth-authorization-server`,
        headers: accept,
        isIdle: true,
      }),
    introspect: (token) =>
      readPrivate({
        method: 'POST',
        url: `${server}/api/oauth/introspect`,
        headers: { ...accept, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ token }).toString(),
      }),
    report: (report) =>
      ask({
        method: 'POST',
        url: `${server}/api/oauth/usage`,
        headers: {
          ...authorized,
          'content-type': 'application/json',
          'idempotency-key': report.key,
        },
        body: JSON.stringify(report),
      }).then(
        ({ status }) => status < 500 && status !== 429,
        () => false,
      ),
    revocations: (cursor, wait) => {
      reader ??= crypto.randomUUID()
      const known = cursor === null ? {} : { cursor }
      const query = new URLSearchParams({ ...known, wait: String(wait), reader })
      return readPrivate({
        url: `${server}/api/oauth/revocations?${query}`,
        headers: accept,
        timeout: (wait + timeout) * 1000,
        isIdle: wait > 0,
      })
    },
    leave: async () => {
      if (reader === null) return
      const query = new URLSearchParams({ reader, closing: 'true' })
      await ask({
        url: `${server}/api/oauth/revocations?${query}`,
        headers: { ...accept, ...authorized },
        timeout: Math.min(longestLeave, timeout * 1000),
      }).catch(() => undefined)
    },
  }
}
