import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { newRequestId } from '../http/server/request-id.ts'
import type { CheckAnswer } from './check.ts'
import type { DoorMetrics } from './metrics.ts'

/** The log of the door: one JSON object per line, as the server writes it. */
export type DoorLog = Record<Level, (about: object, message: string) => void>
type Level = 'debug' | 'info' | 'warn' | 'error'

/** An answer of constant or small text. */
export interface SmallAnswer {
  status: number
  type: string
  body: string
}

/** What a path answers to GET and HEAD. */
export type Pages = Record<string, () => SmallAnswer | Promise<SmallAnswer>>

export const jsonPage = (status: number, body: object | string): SmallAnswer => ({
  status,
  type: 'application/json; charset=utf-8',
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

const always = ['Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff']

const send = (
  { method, headers: { 'content-length': length, 'transfer-encoding': encoding } }: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: { status: number; headers: readonly string[]; body: string },
  isClosing: boolean,
) => {
  // The body of a request is not read.
  const hasBody = encoding !== undefined || Number(length ?? 0) > 0
  response.writeHead(status, [
    ...always,
    ...headers,
    'Content-Length',
    String(Buffer.byteLength(body)),
    ...(hasBody || isClosing ? ['Connection', 'close'] : []),
  ] as string[])
  response.end(method === 'HEAD' ? undefined : body)
}

const splitUrl = (url = ''): [path: string, query: string] => {
  const at = url.indexOf('?')
  return at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)]
}

/** Serves pages: health, keys, metrics. Any other path is 404, any other method 405. */
export const servePages =
  (log: DoorLog, isClosing: () => boolean, pages: Pages): RequestListener =>
  (request, response) => {
    const answer = ({ status, type, body }: SmallAnswer, more: string[] = []) =>
      send(
        request,
        response,
        { status, headers: ['Content-Type', type, ...more], body },
        isClosing(),
      )
    const [path] = splitUrl(request.url)
    const page = Object.hasOwn(pages, path) ? pages[path] : undefined
    if (!page) return answer(jsonPage(404, { status: 'not_found' }))
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return answer(jsonPage(405, { status: 'wrong_method' }), ['Allow', 'GET, HEAD'])
    Promise.resolve()
      .then(page)
      .then(answer)
      .catch((err) => {
        log.error({ err }, 'failed')
        answer(jsonPage(500, { status: 'failed' }))
      })
  }

const levels = {
  allowed: 'debug',
  invalid: 'info',
  forbidden: 'info',
  unavailable: 'warn',
  misconfigured: 'warn',
  failed: 'error',
} as const

/**
 * Serves `/check`, and all other paths as pages. The method of a check decides nothing: Envoy asks with that of its client.
 */
export const serveChecks = (deps: {
  check(query: string, rawHeaders: readonly string[]): Promise<CheckAnswer>
  pages: RequestListener
  metrics: Pick<DoorMetrics, 'checked'>
  log: DoorLog
  isClosing: () => boolean
}): RequestListener => {
  const { check, pages, metrics, log, isClosing } = deps

  const record = (answer: CheckAnswer, began: number, reqId: string | null) => {
    const { status, outcome, reason, hint, error } = answer
    const elapsed = performance.now() - began
    metrics.checked(outcome, reason, elapsed / 1000)
    const level = levels[outcome]
    const about = { status, ms: Math.round(elapsed), ...(reqId && { reqId }) }
    if (outcome === 'allowed') log.debug(about, 'allowed')
    else log[level]({ ...about, reason, hint, err: error }, 'refused')
  }

  return (request, response) => {
    const [path, query] = splitUrl(request.url)
    if (path !== '/check') return pages(request, response)
    const began = performance.now()
    void check(query, request.rawHeaders).then((answer) => {
      const reqId = answer.outcome === 'allowed' ? null : newRequestId()
      const headers = reqId ? [...answer.headers, 'X-Request-Id', reqId] : answer.headers
      send(request, response, { ...answer, headers }, isClosing())
      record(answer, began, reqId)
    })
  }
}
