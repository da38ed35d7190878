import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import t from 'tap'

export interface Arrival {
  method: string
  /** Path and query; a fragment stays in the browser. */
  url: URL
  body: URLSearchParams
}

/** An app at its redirect URI, which stores the requests that arrive. */
export interface LoopbackApp {
  origin: string
  redirectUri: string
  arrivals: Arrival[]
  /** The last request, by GET or by POST. */
  last(): URLSearchParams
}

export const startLoopbackApp = async (): Promise<LoopbackApp> => {
  const arrivals: Arrival[] = []
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', origin)
    const body = new URLSearchParams(await text(request))
    if (url.pathname === '/cb') arrivals.push({ method: request.method ?? '', url, body })
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><link rel="icon" href="data:,"><title>The app</title>You are back')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    redirectUri: `${origin}/cb`,
    arrivals,
    last: () => {
      const arrival = arrivals.at(-1)
      if (!arrival) throw new Error('nothing has arrived at the app')
      return arrival.method === 'POST' ? arrival.body : arrival.url.searchParams
    },
  }
}
