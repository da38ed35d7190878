// An MCP server beside Latchkey: a second front of the data API in ../data-api. server.ts has the
// wiring, gate.ts everything about tokens, tools.ts the operations, metadata.ts the way to the
// authorization server.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type Access, createVerifier, type VerifierOptions } from '@latchkey-auth/verify'
import {
  hostHeaderValidation,
  type NodeMcpRequestHandler,
  originValidation,
  toNodeHandler,
} from '@modelcontextprotocol/node'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { noAttachments } from '../data-api/data/attached.ts'
import { openData } from '../data-api/data/data.ts'
import type { PlatformSeed } from '../data-api/data/seed.ts'
import { createGate } from './gate.ts'
import { metadataOf, metadataPath } from './metadata.ts'
import { createTools } from './tools.ts'

export interface McpServerOptions {
  /** The public address, without a path. */
  url: string
  /** The database of the data API. */
  databaseUrl: string
  /** Organizations and members; null if the database has them already. */
  platform: PlatformSeed | null
  verifier: VerifierOptions
}

/** Of the endpoint. */
export const path = '/mcp'

type Authenticated = Parameters<NodeMcpRequestHandler>[0]

/** Pages of this device, such as the MCP Inspector, may call the server. Other sites may not. */
const localHosts = ['localhost', '127.0.0.1', '[::1]']

const allowPages = ({ headers }: IncomingMessage, response: ServerResponse) => {
  response.setHeader('access-control-allow-origin', headers.origin ?? '*')
  response.setHeader('vary', 'Origin')
  response.setHeader('access-control-allow-methods', 'POST, GET')
  const asked = headers['access-control-request-headers']
  if (asked !== undefined) response.setHeader('access-control-allow-headers', asked)
  response.setHeader('access-control-expose-headers', 'WWW-Authenticate, DPoP-Nonce, Retry-After')
}

const sendJson = (response: ServerResponse, status: number, body: unknown) =>
  response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(body === null ? '' : JSON.stringify(body))

/** Builds the server; it does not listen yet. Closing it closes the verifier and the database. */
export const createMcpServer = async (options: McpServerOptions): Promise<Server> => {
  const { url, databaseUrl, platform } = options
  const resource = `${url}${path}`
  const { hostname } = new URL(url)
  const data = await openData(databaseUrl, platform, noAttachments)
  const verifier = createVerifier(options.verifier)
  const metadata = metadataOf({ resource, issuer: options.verifier.issuer })
  const resourceMetadataUrl = `${url}${metadataPath(resource)}`
  const verify = createGate({ verifier, resource, resourceMetadataUrl })
  const serverFor = createTools(data)
  const handler = createMcpHandler(({ authInfo }) => serverFor(authInfo?.extra?.access as Access))
  const serve = toNodeHandler(handler)
  // Another site's page could reach a server on this device through its own name (DNS rebinding).
  const isOwnHost = hostHeaderValidation([hostname])
  const isAllowedOrigin = originValidation([hostname, ...localHosts])

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    if (!isOwnHost(request, response) || !isAllowedOrigin(request, response)) return
    allowPages(request, response)
    const [target] = (request.url ?? '').split('?')
    if (request.method === 'OPTIONS') return void response.writeHead(204).end()
    if (target === metadataPath(resource)) return void sendJson(response, 200, metadata)
    if (target !== path) return void sendJson(response, 404, { error: 'not_found' })
    const auth = await verify(request, response)
    if (auth) await serve(Object.assign(request, { auth }) as Authenticated, response)
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error) => {
      console.error(error)
      if (!response.headersSent) sendJson(response, 500, { error: 'server_error' })
      else response.destroy()
    })
  })
  return server.once('close', () => {
    const closing = [handler.close(), verifier.close(), data.close()]
    Promise.all(closing).catch((error) => console.error(error))
  })
}
