import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import t from 'tap'

/** The response for a page of a test. */
export interface WebPage {
  html: string
  status?: number
  headers?: Record<string, string>
}

export interface Asked {
  method: string
  path: string
  headers: Record<string, string | string[] | undefined>
  body: string
}

/** Pages of one origin, written by the test. */
export interface WebPages {
  origin: string
  /** By path. */
  pages: Map<string, WebPage | ((requested: Asked) => WebPage)>
  /** All requests. */
  requested: Asked[]
  put(path: string, body: string, headers?: Record<string, string>): string
}

const document = (body: string) =>
  `<!doctype html><html lang="en"><head><link rel="icon" href="data:,"><title>Test</title></head><body>${body}</body></html>`

/** @param name host name of the pages; another host name is another site */
export const startWebPages = async (name: '127.0.0.1' | 'localhost'): Promise<WebPages> => {
  const pages: WebPages['pages'] = new Map()
  const requested: Asked[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url = '/', headers } = request
    const one = { method, path: url, headers, body: await text(request) }
    requested.push(one)
    const found = pages.get(url.split('?', 1)[0] as string)
    const page = typeof found === 'function' ? found(one) : found
    response.writeHead(page ? (page.status ?? 200) : 404, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      ...page?.headers,
    })
    response.end(page?.html ?? 'nothing here')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const origin = `http://${name}:${(server.address() as AddressInfo).port}`
  return {
    origin,
    pages,
    requested,
    put: (path, body, headers = {}) => {
      pages.set(path, { html: document(body), headers })
      return origin + path
    },
  }
}
