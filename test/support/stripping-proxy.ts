import { once } from 'node:events'
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'

/**
 * A proxy that removes a path from each target, and passes on the documents that stand before it (RFC 8414 §3.1). It
 * answers anything else with 404, as a host does whose other paths belong to other programs.
 */
export const startStrippingProxy = async (path: string) => {
  let target = 0
  const innerOf = (url: string) => {
    if (url.startsWith('/.well-known/') && url.endsWith(path)) return url
    const isBelow = url === path || url.startsWith(`${path}/`) || url.startsWith(`${path}?`)
    const inner = isBelow ? url.slice(path.length) : null
    return inner?.startsWith('/') === false ? `/${inner}` : inner
  }
  const server = createServer((request, response) => {
    const { method, headers, url = '' } = request
    const inner = innerOf(url)
    if (inner === null) {
      response.writeHead(404).end('not below the path')
      return
    }
    const passed = send(
      { port: target, host: '127.0.0.1', path: inner, method, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
        pipeline(answer, response, () => {})
      },
    )
    passed.once('error', () => response.destroy())
    pipeline(request, passed, () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    passTo: (port: number) => {
      target = port
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
