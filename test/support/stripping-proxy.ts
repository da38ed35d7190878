import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { eventually } from './eventually.ts'
import { freePort } from './free-port.ts'
import { temporaryDirectory } from './temporary-directory.ts'

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
    passTo: async (port: number) => {
      target = port
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The same by nginx. */
export const startStrippingNginx = async (path: string): ReturnType<typeof startStrippingProxy> => {
  const directory = await temporaryDirectory('stripping')
  const port = await freePort()
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(directory, name)};`)
    .join(' ')
  const file = join(directory, 'nginx.conf')
  let nginx: ReturnType<typeof spawn> | undefined
  return {
    port,
    passTo: async (target) => {
      const server = `listen 127.0.0.1:${port}; location ${path}/ { proxy_pass http://127.0.0.1:${target}/; proxy_set_header Host $http_host; }`
      const own = `daemon off; pid ${directory}/pid; error_log stderr; events {}`
      await writeFile(file, `${own} http { access_log off; ${temporary} server { ${server} } }`)
      nginx = spawn('nginx', ['-p', directory, '-e', 'stderr', '-c', file], { stdio: 'inherit' })
      await eventually(() =>
        fetch(`http://127.0.0.1:${port}/`).then(
          () => true,
          () => false,
        ),
      )
    },
    close: async () => {
      if (nginx?.kill()) await once(nginx, 'exit')
      await rm(directory, { recursive: true, force: true })
    },
  }
}
