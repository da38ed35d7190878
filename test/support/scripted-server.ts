/**
 * A scripted authorization server for verifiers: real signatures by real keys over real HTTP, but
 * with responses that the test chooses, including ones that the real server would never give.
 */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Json } from './latchkey.ts'

export const audience = 'https://api.example'
export const resourceServer = { clientId: 'rsv:1', clientSecret: 'lkrs_a secret/with+signs' }

/** The argument of `tell`: a feed entry; the default `until` is far in the future. */
export type Told = { type: string; id?: string } & Record<string, unknown>

export interface Answered {
  status?: number
  body: unknown
}
export type Script = (request: Seen) => Answered | null | Promise<Answered | null>

/** A received request. */
export interface Seen {
  path: string
  query: URLSearchParams
  authorization: string | undefined
  form: URLSearchParams
  text: string
  idempotencyKey: string | undefined
}

export interface SigningKey {
  kid: string
  privateKey: KeyObject
  jwk: Record<string, unknown>
}

export interface ScriptedServer {
  issuer: string
  /** All received requests, in order. */
  seen: Seen[]
  /** How often a path was requested. */
  count(path: string): number
  /** The published keys; the first one signs. */
  keys: SigningKey[]
  /** Claims of a valid user token, with changes; undefined removes a claim. */
  claims(part?: Record<string, unknown>): Record<string, unknown>
  /** A token with these claims. */
  token(part?: Record<string, unknown>, header?: Record<string, unknown>): string
  /** Introspection responses by token. */
  known: Map<string, Record<string, unknown>>
  tell(...changes: Told[]): void
  /** Limits the feed to these organizations, and starts it again. */
  serve(...organizations: string[]): void
  /** Clears the feed and starts a new history. */
  reset(...changes: Told[]): void
  /** Responses in place of the server's; null means the normal response. */
  script: Script | null
  stop(): Promise<void>
  start(): Promise<void>
}

export const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

export const newKey = (kid: string): SigningKey => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return {
    kid,
    privateKey,
    jwk: { ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' },
  }
}

/** Signs header and payload, given as values or as text. */
export const signed = (key: KeyObject, header: unknown, payload: unknown) => {
  const input = `${encode(header)}.${encode(payload)}`
  const signature = sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' })
  return `${input}.${signature.toString('base64url')}`
}

export const headerOf = ({ kid }: SigningKey) => ({ alg: 'ES256', typ: 'at+jwt', kid })

/** The feed: without a cursor, or with one of an earlier history, it starts again. */
const createFeed = () => {
  let history: Told[] = []
  let generation = 1
  let served: string[] | null = null
  let waiting: (() => void)[] = []

  const wake = () => {
    for (const one of waiting) one()
    waiting = []
  }
  const since = (cursor: string | null) => {
    const [of, at] = (cursor ?? '0.0').split('.').map(Number) as [number, number]
    const isKnown = of === generation
    return {
      cursor: `${generation}.${history.length}`,
      reset: !isKnown,
      more: false,
      changes: isKnown ? history.slice(at) : history,
      ...(served && { organization_ids: served }),
    }
  }

  return {
    tell: (changes: Told[]) => {
      history.push(...changes)
      wake()
    },
    /** From now on, the feed is about these organizations only. */
    serve: (organizations: string[]) => {
      served = organizations
      generation++
      wake()
    },
    reset: (changes: Told[]) => {
      history = changes
      generation++
      wake()
    },
    wake,
    answer: async ({ query }: Seen): Promise<Answered> => {
      const now = since(query.get('cursor'))
      const wait = Number(query.get('wait') ?? 0)
      if (now.reset || now.changes.length > 0 || wait === 0) return { body: now }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, wait * 1000)
        waiting.push(() => {
          clearTimeout(timer)
          resolve()
        })
      })
      return { body: since(query.get('cursor')) }
    },
  }
}

const read = async (request: IncomingMessage): Promise<Seen> => {
  let text = ''
  for await (const chunk of request) text += chunk
  const url = new URL(request.url ?? '/', 'http://server')
  return {
    path: url.pathname,
    query: url.searchParams,
    authorization: request.headers.authorization,
    form: new URLSearchParams(text),
    text,
    idempotencyKey: request.headers['idempotency-key']?.toString(),
  }
}

const complete = (change: Told): Told => ({ active: false, until: 9_999_999_999, ...change })

export const startScriptedServer = async (): Promise<ScriptedServer> => {
  const feed = createFeed()
  const seen: Seen[] = []
  let port = 0
  let counter = 0
  let server = createServer()

  const usual = async (request: Seen): Promise<Answered> => {
    if (request.path === '/.well-known/jwks.json')
      return { body: { keys: scripted.keys.map((one) => one.jwk) } }
    if (request.path === '/.well-known/oauth-authorization-server')
      return { body: { issuer: scripted.issuer } }
    if (request.path === '/api/oauth/revocations') return feed.answer(request)
    if (request.path === '/api/oauth/introspect')
      return { body: scripted.known.get(request.form.get('token') ?? '') ?? { active: false } }
    return { status: 404, body: {} }
  }

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const one = await read(request)
    seen.push(one)
    const { status = 200, body } = (await scripted.script?.(one)) ?? (await usual(one))
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }

  const scripted: ScriptedServer = {
    issuer: '',
    seen,
    count: (path) => seen.filter((one) => one.path === path).length,
    keys: [newKey('key-1')],
    claims: (part = {}) => {
      const now = Math.floor(Date.now() / 1000)
      return {
        iss: scripted.issuer,
        aud: audience,
        sub: 'usr1',
        client_id: 'app1',
        iat: now,
        exp: now + 3600,
        jti: `jti${++counter}`,
        scope: 'records:create records:update',
        interface: 'current',
        kind: 'user',
        organization_id: 'org1',
        permissions: ['records:create', 'records:update'],
        workspace_ids: ['wks1', 'wks2'],
        grant_id: 'grn1',
        install_id: 'ins1',
        app_epoch: 0,
        user_epoch: 0,
        ...part,
      }
    },
    token: (part, header) => {
      const key = scripted.keys[0] as SigningKey
      return signed(key.privateKey, { ...headerOf(key), ...header }, scripted.claims(part))
    },
    known: new Map(),
    tell: (...changes) => feed.tell(changes.map(complete)),
    reset: (...changes) => feed.reset(changes.map(complete)),
    serve: (...organizations) => feed.serve(organizations),
    script: null,
    stop: async () => {
      if (!server.listening) return
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      feed.wake()
    },
    start: async () => {
      server = createServer((request, response) => void handle(request, response).catch(() => {}))
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
      port = (server.address() as AddressInfo).port
      scripted.issuer = `http://127.0.0.1:${port}`
    },
  }
  await scripted.start()
  return scripted
}

/** An introspection response for a key set of either interface. */
export const keySetAnswer = (part: Json = {}): Json => ({
  active: true,
  kind: 'key_set',
  interface: 'legacy',
  iss: 'http://irrelevant.example',
  sub: 'kcl1',
  client_id: 'kcl1',
  organization_id: 'org1',
  scope: 'readData',
  permissions: ['readData'],
  workspace_ids: null,
  iat: 1,
  ...part,
})
