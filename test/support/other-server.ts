import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Respond = (response: ServerResponse, request: IncomingMessage) => void

/** A server of someone else: responds by path, 404 by default. */
export const startOtherServer = async () => {
  const requested: { path: string; headers: IncomingMessage['headers'] }[] = []
  const routes = new Map<string, Respond>()
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    requested.push({ path, headers: request.headers })
    const respond = routes.get(path)
    if (respond) respond(response, request)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requested,
    /** How many requests had this path. */
    count: (path: string) => requested.filter((one) => one.path === path).length,
    on: (path: string, respond: Respond) => routes.set(path, respond),
    onJson: (path: string, body: unknown, headers: Record<string, string> = {}) =>
      routes.set(path, (response) =>
        response
          .writeHead(200, { 'content-type': 'application/json', ...headers })
          .end(JSON.stringify(body)),
      ),
    off: (path: string) => routes.delete(path),
    stop: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

export type OtherServer = Awaited<ReturnType<typeof startOtherServer>>
