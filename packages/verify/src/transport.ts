import type { IncomingMessage, RequestOptions } from 'node:http'
import { nodeHttp, nodeHttps } from './platform.ts'

export interface Outgoing {
  method: 'GET' | 'POST'
  url: string
  headers: Record<string, string>
  body?: string
  /** Milliseconds within which the whole answer must arrive. */
  timeout: number
  /** Maximum length of an answer in bytes. */
  mostBytes: number
  /** No caller waits for the answer, so the request must not keep the process running. */
  isIdle: boolean
}

export interface Incoming {
  status: number
  text: string
  /** The header `Date`; null without one. */
  date: string | null
}

/** Sends requests. Redirects are not followed, because the credentials are for one address only. */
export interface Transport {
  send(outgoing: Outgoing): Promise<Incoming>
  /** Aborts all requests under way. */
  close(): void
}

const readBody = async (
  chunks: AsyncIterable<Uint8Array>,
  mostBytes: number,
  signal?: AbortSignal,
): Promise<string> => {
  const decoder = new TextDecoder()
  let size = 0
  let text = ''
  for await (const chunk of chunks) {
    signal?.throwIfAborted()
    size += chunk.length
    if (size > mostBytes) throw new RangeError(`the answer is longer than ${mostBytes} bytes`)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** Uses the runtime's or a given `fetch`. With it, a waiting long poll keeps the process running until `close`. */
const createFetchTransport = (fetch: typeof globalThis.fetch): Transport => {
  const active = new Set<AbortController>()
  return {
    send: async ({ method, url, headers, body, timeout, mostBytes }) => {
      const controller = new AbortController()
      const timer = setTimeout(() => controller.abort(new Error('no answer in time')), timeout)
      active.add(controller)
      try {
        const { signal } = controller
        const init = { method, headers, signal, redirect: 'manual' as const }
        const response = await fetch(url, body === undefined ? init : { ...init, body })
        const text = response.body ? await readBody(response.body, mostBytes, signal) : ''
        return { status: response.status, text, date: response.headers.get('date') }
      } finally {
        clearTimeout(timer)
        active.delete(controller)
      }
    },
    close: () => {
      for (const controller of active) controller.abort(new Error('closed'))
    },
  }
}

const staleCodes = ['ECONNRESET', 'EPIPE']

interface NodeHttp {
  http: typeof import('node:http')
  https: typeof import('node:https')
}

/** Uses Node's HTTP client: half the cost of `fetch`, and a long poll does not keep the process running. */
const createNodeTransport = ({ http, https }: NodeHttp): Transport => {
  const agents = {
    'http:': new http.Agent({ keepAlive: true }),
    'https:': new https.Agent({ keepAlive: true }),
  }
  let isClosed = false

  const exchange = (url: URL, { method, headers, body, timeout, isIdle }: Outgoing) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const protocol = url.protocol === 'https:' ? 'https:' : 'http:'
      const options: RequestOptions = { method, headers, agent: agents[protocol] }
      const request = (protocol === 'https:' ? https : http).request(url, options, resolve)
      const timer = setTimeout(() => request.destroy(new Error('no answer in time')), timeout)
      request.on('error', (error) =>
        reject(Object.assign(error, { isStale: request.reusedSocket })),
      )
      request.on('close', () => clearTimeout(timer))
      if (isIdle) {
        timer.unref()
        request.on('socket', (socket) => socket.unref())
      }
      request.end(body)
    })

  const receive = async (outgoing: Outgoing): Promise<Incoming> => {
    const response = await exchange(new URL(outgoing.url), outgoing)
    const text = await readBody(response, outgoing.mostBytes)
    return { status: response.statusCode ?? 0, text, date: response.headers.date ?? null }
  }

  // The server may have closed an idle connection, which says nothing about the server. Retry until no such old
  // connection is left. A broken long poll is different: its connection was not idle.
  const send = (outgoing: Outgoing): Promise<Incoming> =>
    receive(outgoing).catch((error) => {
      const isStale = error?.isStale && staleCodes.includes(error.code) && !outgoing.isIdle
      if (isStale && !isClosed) return send(outgoing)
      throw error
    })

  return {
    send,
    close: () => {
      isClosed = true
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}

/** @param fetch replaces the runtime's client */
export const createTransport = (fetch: typeof globalThis.fetch | undefined): Transport =>
  !fetch && nodeHttp && nodeHttps
    ? createNodeTransport({ http: nodeHttp, https: nodeHttps })
    : createFetchTransport(fetch ?? globalThis.fetch)
