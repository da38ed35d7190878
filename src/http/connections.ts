import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

export interface Connections {
  /**
   * Serves on for a while, and asks each client to leave with its next answer (`Connection: close`). A request on its
   * way fails when its connection is closed meanwhile, or refused because a balancer has not seen yet that this
   * server is not ready. Nobody is waited for when nobody is connected.
   */
  drain(milliseconds: number): Promise<void>
}

/**
 * Keeps an eye on the connections, for an end that nobody notices. Node itself waits at the end for connections that
 * do not count as idle at that moment: those on which nothing was ever asked, such as a load balancer keeps ready,
 * and those whose last answer is still to come, which are kept alive.
 */
export const watchConnections = (server: FastifyInstance): Connections => {
  const open = new Set<Socket>()
  /** Those on which nothing was ever asked. */
  const silent = new Set<Socket>()
  server.server.on('connection', (socket: Socket) => {
    open.add(socket)
    silent.add(socket)
    socket.once('close', () => {
      open.delete(socket)
      silent.delete(socket)
    })
  })
  server.server.prependListener('request', ({ socket }) => void silent.delete(socket))
  let leaving = false
  server.addHook('onSend', (_request, reply, payload, done) => {
    if (leaving) reply.header('connection', 'close')
    done(null, payload)
  })
  server.addHook('preClose', async () => {
    leaving = true
    for (const socket of silent) socket.destroy()
  })
  return {
    drain: async (milliseconds) => {
      leaving = true
      if (open.size > 0) await sleep(milliseconds)
    },
  }
}
