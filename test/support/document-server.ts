/** A scripted https server for metadata documents of clients. */
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import { makeCertificates } from './certificates.ts'
import type { Json } from './latchkey.ts'

type Script = (response: ServerResponse, request: IncomingMessage) => void

export interface DocumentServer {
  /** With its port. */
  host: string
  /** The URL of a path here. */
  url(path: string): string
  /** Answers a path with a document whose `client_id` is its URL. @returns the URL */
  publish(path: string, members?: Json, headers?: Record<string, string>): string
  /** Answers a path as the script says. @returns the URL */
  script(path: string, script: Script): string
  /** How often a path was requested. */
  count(path: string): number
}

export const startDocumentServer = async (t: Test): Promise<DocumentServer> => {
  const { certificate, key } = await makeCertificates(t, 'DNS:localhost,IP:127.0.0.1')
  // Servers run in the process of the test, and Node reads further authorities only when a process starts.
  const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  const scripts = new Map<string, Script>()
  const counts = new Map<string, number>()
  const server = createServer(
    { cert: await readFile(certificate), key: await readFile(key) },
    (request, response) => {
      const path = request.url ?? ''
      counts.set(path, (counts.get(path) ?? 0) + 1)
      const script = scripts.get(path)
      if (script) script(response, request)
      else response.writeHead(404).end()
    },
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(async () => {
    if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const host = `localhost:${(server.address() as AddressInfo).port}`
  const url = (path: string) => `https://${host}${path}`

  const script: DocumentServer['script'] = (path, answer) => {
    scripts.set(path, answer)
    return url(path)
  }
  return {
    host,
    url,
    script,
    publish: (path, members = {}, headers = {}) =>
      script(path, (response) => {
        const document = {
          client_id: url(path),
          client_name: 'Agent',
          redirect_uris: ['https://agent.example/cb'],
          token_endpoint_auth_method: 'none',
          ...members,
        }
        response.writeHead(200, { 'content-type': 'application/json', ...headers })
        response.end(JSON.stringify(document))
      }),
    count: (path) => counts.get(path) ?? 0,
  }
}
