import { type Socket, Server as SocketServer } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

export interface Connections {
  /**
   * Serves on for a while, and asks each client to leave with its next answer (`Connection: close`). A request on its
   * way fails when its connection is closed meanwhile, or refused because a balancer has not seen yet that this
   * server is not ready. Nobody is waited for when nobody is connected.
   */
  drain(milliseconds: number): Promise<void>
  /** Takes no more connections and closes those that there are: each when nothing is asked on it. */
  settle(): Promise<void>
}

/** Milliseconds in which a client that has just connected says what it wants. */
const youth = 500
/** Milliseconds that the rest of a request may take to arrive. */
const patience = 3000

interface Standing {
  since: number
  asked: boolean
  underWay: number
  /** Bytes that belong to requests which were answered. */
  answered: number
}

/**
 * Keeps an eye on the connections, for an end that nobody notices. Node itself closes at once what looks idle at that
 * moment, though a request may have arrived that it has not read yet, and never what only looks busy: connections on
 * which nothing was ever asked, such as a load balancer keeps ready, and those that stopped in the middle of a request.
 */
export const watchConnections = (server: FastifyInstance): Connections => {
  const open = new Map<Socket, Standing>()
  let leaving = false
  let emptied = () => {}

  server.server.on('connection', (socket: Socket) => {
    open.set(socket, { since: performance.now(), asked: false, underWay: 0, answered: 0 })
    socket.once('close', () => {
      open.delete(socket)
      if (open.size === 0) emptied()
    })
  })
  server.server.prependListener('request', ({ socket }, response) => {
    const standing = open.get(socket)
    if (!standing) return
    standing.asked = true
    standing.underWay++
    response.once('close', () => {
      standing.underWay--
      standing.answered = socket.bytesRead
    })
  })
  server.addHook('onSend', (_request, reply, payload, done) => {
    if (leaving) reply.header('connection', 'close')
    done(null, payload)
  })

  const mayClose = (
    socket: Socket,
    { since, asked, underWay, answered }: Standing,
    end: number,
  ) => {
    const now = performance.now()
    if (underWay > 0) return false
    if (socket.bytesRead > answered) return now > end
    return asked || now > since + youth
  }

  return {
    drain: async (milliseconds) => {
      leaving = true
      if (open.size > 0) await sleep(milliseconds)
    },
    settle: async () => {
      leaving = true
      // Whom the kernel has let in is accepted first. Who comes at the very moment is thrown out unheard all the same, and
      // may come again: nothing was read.
      await nextTurn()
      // Not `http.Server.close`, which closes at once what looks idle.
      SocketServer.prototype.close.call(server.server)
      const end = performance.now() + patience
      const empty = new Promise<void>((resolve) => {
        emptied = resolve
      })
      while (open.size > 0) {
        // What has arrived is read first, so that what is closed then is quiet.
        await nextTurn()
        for (const [socket, standing] of open) if (mayClose(socket, standing, end)) socket.destroy()
        await Promise.race([empty, sleep(20)])
      }
    },
  }
}
