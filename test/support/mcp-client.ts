/** An MCP client as people use it: the SDK's own, with a loopback redirect and a browser. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import type { Test } from 'tap'
import { type Answers, type Visitor, walk } from './visitor.ts'

/** The revisions of the protocol that clients speak. */
export type Era = 'legacy' | '2026-07-28'

export interface McpClientOptions {
  /** The address of the MCP server: all that a person enters, beside the id of a registered client. */
  url: string
  /** The id, or the URL of the client's metadata document, which is its id where servers support that. */
  client: { id: string } | { metadataUrl: string }
  era: Era
}

/** The person at the client: opens each page that the client asks for, in one browser. */
export interface Person {
  visitor: Visitor
  answers: Answers
}

export interface ToolAnswer {
  isError: boolean
  text: string
}

/** A program on the device that receives the answer at a free port. */
const listenOnDevice = async (t: Test) => {
  const received: URLSearchParams[] = []
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
    if (pathname === '/callback') received.push(searchParams)
    response.writeHead(200, { connection: 'close' }).end()
  })
  server.listen(0, 'localhost')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  return { redirectUri: `http://localhost:${port}/callback`, received }
}

/** What an SDK client stores, in memory. `opened` has the authorization URLs that it sent the browser to. */
const createStore = (client: McpClientOptions['client'], redirectUri: string) => {
  const opened: URL[] = []
  const kept: {
    client?: StoredOAuthClientInformation
    tokens?: StoredOAuthTokens | undefined
    verifier?: string
    discovery?: OAuthDiscoveryState
  } = 'id' in client ? { client: { client_id: client.id } } : {}
  const provider: OAuthClientProvider = {
    redirectUrl: redirectUri,
    clientMetadata: { client_name: 'Assistant', redirect_uris: [redirectUri] },
    state: () => randomBytes(16).toString('hex'),
    clientInformation: () => kept.client,
    ...('metadataUrl' in client && {
      clientMetadataUrl: client.metadataUrl,
      saveClientInformation: (information) => {
        kept.client = information
      },
    }),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => {
      kept.tokens = tokens
    },
    invalidateCredentials: (scope) => {
      if (scope === 'all' || scope === 'tokens') kept.tokens = undefined
    },
    redirectToAuthorization: (url) => {
      opened.push(url)
    },
    saveCodeVerifier: (verifier) => {
      kept.verifier = verifier
    },
    codeVerifier: () => kept.verifier ?? '',
    saveDiscoveryState: (discovery) => {
      kept.discovery = discovery
    },
    discoveryState: () => kept.discovery,
  }
  return { provider, opened, kept }
}

const modeOf = (era: Era) => (era === 'legacy' ? 'legacy' : { pin: era })

/** A client that knows nothing but the address of the server and its own id. */
export const createMcpClient = async (
  t: Test,
  { url, client: identity, era }: McpClientOptions,
) => {
  const { redirectUri, received } = await listenOnDevice(t)
  const { provider, opened, kept } = createStore(identity, redirectUri)
  const newTransport = () =>
    new StreamableHTTPClientTransport(new URL(url), { authProvider: provider })
  const newClient = () =>
    new Client(
      { name: 'assistant', version: '1.0.0' },
      { versionNegotiation: { mode: modeOf(era) } },
    )
  let client = newClient()
  let transport = newTransport()
  t.teardown(() => client.close())

  return {
    redirectUri,
    opened,
    /** The stored tokens. */
    tokens: () => kept.tokens,
    /** Makes the stored access token invalid, as if it had expired. */
    loseAccessToken: () => {
      if (kept.tokens) kept.tokens = { ...kept.tokens, access_token: 'lost' }
    },
    connect: () => client.connect(transport),
    /** Starts again with the stored tokens, as after a restart of the program. */
    reconnect: async () => {
      await client.close()
      client = newClient()
      transport = newTransport()
      await client.connect(transport)
    },
    /** Sends the person through the pages of the last authorization URL, and redeems the code. */
    authorize: async ({ visitor, answers }: Person) => {
      const page = await walk(visitor, opened.at(-1) as URL, answers)
      if (!page.left) throw new Error(`the browser stayed at ${page.url.href} (${page.status})`)
      await fetch(page.left)
      const parameters = received.at(-1) as URLSearchParams
      await transport.finishAuth(parameters)
      return parameters
    },
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name: string, args: Record<string, unknown> = {}): Promise<ToolAnswer> => {
      const { content, isError = false } = await client.callTool({ name, arguments: args })
      const text = (content as { text?: string }[]).map((one) => one.text ?? '').join('')
      return { isError, text }
    },
  }
}

export type McpClient = Awaited<ReturnType<typeof createMcpClient>>

/** True if the client had to send the person to the browser. */
export const asksPerson = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => false,
    (error) => {
      if (error instanceof UnauthorizedError) return true
      throw error
    },
  )
