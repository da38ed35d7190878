import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A listener that must never get a request. */
export const startCanary = async () => {
  const requested: string[] = []
  const server = createServer((request, response) => {
    requested.push(request.url ?? '')
    response.end()
  })
  server.on('connection', () => requested.push('(connection)'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requested,
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}
