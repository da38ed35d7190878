import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Action, Input } from '../command.ts'
import { CommandError, exitCodes, usageError } from '../exit-codes.ts'
import { serverUrl } from '../server-address.ts'
import { generationIn } from '../setting.ts'
import { note, type Terminal } from '../terminal.ts'
import {
  clientOptions,
  narrowing,
  narrowingOptions,
  printTokens,
  requestTokens,
  secretNote,
} from './request.ts'

const defaultRedirect = 'http://127.0.0.1/callback'
const usualTimeout = 300 // seconds
const loopback = new Set(['127.0.0.1', '[::1]', 'localhost'])

const page = (words: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>latchkey</title><p>${words}</p></html>\n`

const redirectIn = (input: Input): URL => {
  const text = input.text('redirect-uri') ?? defaultRedirect
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.protocol !== 'http:' || !loopback.has(url.hostname))
    throw usageError(
      '--redirect-uri must be http on this computer, such as http://127.0.0.1:8976/callback',
    )
  return url
}

/** Listens for the redirect. A redirect URI without a port stands for any free port (RFC 8252 §7.3). */
const listenFor = async (redirect: URL): Promise<{ server: Server; redirectUri: string }> => {
  const server = createServer()
  server.listen(Number(redirect.port || 0), redirect.hostname.replace(/^\[|\]$/g, ''))
  try {
    await once(server, 'listening')
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code ?? 'unknown'
    throw new CommandError(exitCodes.failed, `cannot listen at ${redirect.host} (${reason})`)
  }
  const { port } = server.address() as AddressInfo
  const redirectUri = `http://${redirect.hostname}:${port}${redirect.pathname}${redirect.search}`
  return { server, redirectUri }
}

/**
 * Waits for the parameters of the redirect.
 * @throws CommandError when it takes too long
 */
const callbackAt = (server: Server, path: string, seconds: number): Promise<URLSearchParams> =>
  new Promise((resolve, reject) => {
    const late = new CommandError(exitCodes.failed, `no redirect arrived within ${seconds} s`)
    const timer = setTimeout(() => reject(late), seconds * 1000)
    server.on('request', (request, response) => {
      const url = new URL(request.url ?? '/', 'http://localhost')
      const arrived =
        url.pathname === path && (url.searchParams.has('code') || url.searchParams.has('error'))
      response.writeHead(arrived ? 200 : 404, {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': "default-src 'none'",
        'referrer-policy': 'no-referrer',
        connection: 'close',
      })
      response.end(page(arrived ? 'Done. You may close this window.' : 'Page not found.'))
      if (!arrived) return
      clearTimeout(timer)
      resolve(url.searchParams)
    })
  })

/** Checks that an app must make before it trusts a redirect (RFC 6749 §10.12, RFC 9207 §2.4). */
const codeFrom = (answer: URLSearchParams, state: string, issuer: string | null): string => {
  if (answer.get('state') !== state)
    throw new CommandError(
      exitCodes.failed,
      'the state differs from the one that was sent: this answers another request',
    )
  if (issuer !== null && answer.get('iss')?.replace(/\/$/, '') !== issuer)
    throw new CommandError(exitCodes.failed, 'the issuer in the answer is not this server')
  const error = answer.get('error')
  const description = answer.get('error_description')
  if (error !== null)
    throw new CommandError(exitCodes.refused, description ? `${error}: ${description}` : error)
  return answer.get('code') as string
}

const addressOf = (terminal: Terminal, input: Input, request: Record<string, string>) => {
  const legacy = generationIn(input) === 'legacy'
  const organization = input.text('organization')
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: input.required('client-id'),
    ...request,
    code_challenge_method: 'S256',
    ...narrowing(input),
    ...(organization && { organization_id: organization }),
    ...(input.flag('prompt') && (legacy ? { force_prompt: 'true' } : { prompt: 'consent' })),
  })
  return `${serverUrl(terminal)}${legacy ? '/oauth/authorize' : '/authorize'}?${query}`
}

export const authorize: Action = {
  name: 'authorize',
  summary: 'Act as the app: authorize in the browser (PKCE), receive the code and exchange it.',
  options: {
    ...clientOptions,
    'redirect-uri': {
      value: 'uri',
      help: `on this computer, registered for the app (default: ${defaultRedirect}, any free port)`,
    },
    organization: { value: 'id', help: 'preselect an organization' },
    ...narrowingOptions,
    prompt: { help: 'show the consent page even if it was answered before' },
    timeout: {
      value: 'seconds',
      help: `how long to wait for the browser (default: ${usualTimeout})`,
    },
  },
  notes: [
    'Prints the address to open to stderr and the tokens to stdout. A redirect URI without a port means any free',
    'port, which a public app may use when it has registered the same URI with any port. For a confidential app,',
    'name a registered URI with its port.',
    secretNote,
  ],
  run: async (input, terminal) => {
    const redirect = redirectIn(input)
    const verifier = randomBytes(32).toString('base64url')
    const state = randomBytes(16).toString('base64url')
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    const { server, redirectUri } = await listenFor(redirect)
    try {
      const request = { redirect_uri: redirectUri, state, code_challenge: challenge }
      const address = addressOf(terminal, input, request)
      note(terminal, `Open this address in a browser:\n\n  ${address}\n`)
      const timeout = input.number('timeout') ?? usualTimeout
      const answer = await callbackAt(server, redirect.pathname, timeout)
      const issuer = generationIn(input) === 'current' ? serverUrl(terminal) : null
      const tokens = await requestTokens(terminal, input, {
        grant_type: 'authorization_code',
        code: codeFrom(answer, state, issuer),
        redirect_uri: redirectUri,
        code_verifier: verifier,
      })
      printTokens(terminal, input, tokens)
    } finally {
      server.close()
      server.closeAllConnections()
    }
  },
}
