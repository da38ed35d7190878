import { createServer as createSocketServer } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * For a server that listens at 127.0.0.1: also accepts its connections at `[::1]`, because a browser may try either
 * address for `localhost`. Without IPv6 no browser can connect there.
 * @returns stops to accept
 * @throws Error when another program has the port there: browsers would reach that one
 */
export const listenAtOtherLoopback = async ({ server }: FastifyInstance, port: number) => {
  // With the options that `http.Server` has.
  const other = createSocketServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
    server.emit('connection', socket),
  )
  await new Promise<void>((resolve, reject) => {
    other.once('listening', resolve)
    other.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? reject(error) : resolve(),
    )
    other.listen(port, '::1')
  })
  return () => void (other.listening && other.close())
}
