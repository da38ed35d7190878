import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook as Verifier } from 'standardwebhooks'

/** A received request. */
export interface Received {
  method: string
  path: string
  headers: IncomingHttpHeaders
  /** Its `webhook-id`. */
  id: string
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: messages are looked into freely by tests
  body: any
  at: number
}

export type Answer = number | ((response: ServerResponse, received: Received) => void)

const textOf = async (request: AsyncIterable<Buffer>) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

const until = async (isSo: () => boolean, what: string, timeout = 120_000) => {
  const end = Date.now() + timeout
  while (!isSo()) {
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** A webhook endpoint; it responds with the result of `answer`, 200 by default. */
export const startReceiver = async (port = 0) => {
  const received: Received[] = []
  let answer: Answer = 200
  const server = createServer(async (request, response) => {
    const text = await textOf(request)
    const one: Received = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      id: String(request.headers['webhook-id']),
      text,
      body: request.headers['content-type'] === 'application/json' ? JSON.parse(text) : null,
      at: Date.now(),
    }
    received.push(one)
    if (typeof answer === 'number') response.writeHead(answer).end('thank you')
    else answer(response, one)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    received,
    answerWith: (next: Answer) => {
      answer = next
    },
    /** The requests to this path. */
    at: (path: string) => received.filter((one) => one.path === path),
    types: (path?: string) =>
      received
        .filter((one) => path === undefined || one.path === path)
        .map(({ body }) => body.type),
    /** Waits until this many have arrived. */
    waitFor: (count: number) => until(() => received.length >= count, `${count} messages`),
    stop: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>

/** Whether another implementation accepts the signature with this secret. */
export const isSignedWith = (secret: string, { text, headers }: Received): boolean => {
  const verifier = new Verifier(secret)
  // It parses what it verifies, and several lines are no JSON.
  if (headers['content-type'] === 'application/x-ndjson') {
    const at = new Date(Number(headers['webhook-timestamp']) * 1000)
    return headers['webhook-signature'] === verifier.sign(String(headers['webhook-id']), at, text)
  }
  try {
    verifier.verify(text, headers as Record<string, string>)
    return true
  } catch {
    return false
  }
}

export { until }
