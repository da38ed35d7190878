/** Request targets that a proxy and the program behind it may read differently, sent byte by byte. */
import { connect as connectHttp2, constants } from 'node:http2'
import { connect } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'

const encoded = (path: string, letter = path.charAt(1)) =>
  path.replace(letter, `%${letter.charCodeAt(0).toString(16)}`)

const upward = [
  '..',
  '%2e%2e',
  '%2E%2e',
  '.%2e',
  '%2e.',
  '%252e%252e',
  '%c0%ae%c0%ae',
  '%u002e%u002e',
]
const parents = [...upward, '..;', '..;x=1', '..%00', '..%3b', '..%20', '..%09']
const slashes = [
  '%2f',
  '%2F',
  '%5c',
  '\\',
  '%252f',
  '%c0%af',
  '%ef%bc%8f',
  '%u2215',
  '//',
  '/./',
  '/%2e/',
]

/** Targets that lead from one path to the other for one of two readers. Both begin with a slash. */
const between = (from: string, to: string): string[] => {
  const above = from.split('/').slice(1)
  const climb = (up: string, slash: string) => `${from}${`${slash}${up}`.repeat(above.length)}`
  return [
    ...parents.map((up) => `${climb(up, '/')}${to}`),
    ...slashes.map((slash) => `${climb('..', slash)}${to.replaceAll('/', slash)}`),
    ...slashes.map((slash) => `${climb('%2e%2e', slash)}${to}`),
    ...['?', '#', '%3f', '%23', ';', ';/..', '%00', '%0d%0a', '%20HTTP/1.1%0d%0ax:'].map(
      (cut) => `${from}${cut}${to}`,
    ),
  ]
}

/** Other spellings of one path. */
const spellings = (path: string): string[] => [
  ...['/', '/./', '/%2e', '//', '///', '\\', '%2f', '%5c', '/x/..'].map((start) => start + path),
  ...[
    '/',
    '//',
    '/.',
    '.',
    '..',
    '%2e',
    '%20',
    '%09',
    '\t',
    '%00',
    ';',
    ';x=1',
    '%3b',
    '\\',
    '%5c',
  ].map((end) => path + end),
  ...['#', '#x', '%23', '?', '%3f', '?/..', '::$DATA', '~', '%0a', '%a0', '%', '%zz'].map(
    (end) => path + end,
  ),
  ...['http://other.example', 'http://127.0.0.1', 'HTTP://other.example', '//other.example'].map(
    (start) => start + path,
  ),
  path.slice(1),
  path.toUpperCase(),
  encoded(path),
  encoded(path).replaceAll('%', '%25'),
  encoded(path.toUpperCase()),
  path.replace(/.$/, (last) => encoded(last, last)),
  path.replaceAll('/', '//'),
]

/**
 * Odd targets for a path that is open and one that is not.
 * @param guarded each begins with a slash, and has no query
 */
export const oddPaths = (open: string, guarded: string): string[] => [
  ...spellings(guarded),
  ...spellings(open),
  ...between(open, guarded),
  ...between(guarded, open),
]

/** Headers by which a client names another request than the one it sends. */
export const namesOfRequests = (path: string): [name: string, value: string][] => [
  ...[
    'X-Original-URI',
    'X-Original-URL',
    'X-Rewrite-URL',
    'X-Forwarded-Uri',
    'X-Forwarded-Prefix',
  ].map((name): [string, string] => [name, path]),
  ['X-Original-Method', 'GET'],
  ['X-Forwarded-Method', 'GET'],
  ['X-HTTP-Method-Override', 'GET'],
  ['X-Forwarded-Host', 'other.example'],
  ['X-Envoy-Original-Path', path],
]

export interface OddAnswer {
  /** 0: the connection was closed without an answer. */
  status: number
  body: string
}

export interface OddRequest {
  target: string
  method?: string
  host?: string
  headers?: readonly (readonly [name: string, value: string])[]
}

const bytesOf = (text: string) => Buffer.from(text, 'latin1')

/** Sends a request as it is over HTTP/1.1. @param tls without a check of the certificate */
export const sendOdd = async (
  port: number,
  { target, method = 'GET', host = 'localhost', headers = [] }: OddRequest,
  tls = false,
): Promise<OddAnswer> => {
  const at = { host: '127.0.0.1', port }
  const socket = tls
    ? connectTls({ ...at, servername: host, rejectUnauthorized: false })
    : connect(at)
  const lines = [['Host', host], ['Connection', 'close'], ...headers].map((one) => one.join(': '))
  socket.write(bytesOf(`${[`${method} ${target} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`))
  const said = await textOf(socket).catch(() => '')
  const [head = '', ...rest] = said.split('\r\n\r\n')
  return {
    status: Number(/^HTTP\/1\.\d (\d{3})/.exec(head)?.[1] ?? 0),
    body: rest.join('\r\n\r\n'),
  }
}

/** Sends a `:path` as it is over a connection of its own. */
export const sendOddHttp2 = async (port: number, target: string): Promise<OddAnswer> => {
  const session = connectHttp2(`https://localhost:${port}`, { rejectUnauthorized: false })
  const failed = new Promise<never>((_resolve, reject) => session.once('error', reject))
  const request = session.request({ [constants.HTTP2_HEADER_PATH]: target })
  let status = 0
  request.once('response', (headers) => {
    status = Number(headers[constants.HTTP2_HEADER_STATUS])
  })
  try {
    return { body: await Promise.race([textOf(request), failed]), status }
  } catch {
    return { status: 0, body: '' }
  } finally {
    session.destroy()
  }
}
