import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Socket, Server as SocketServer } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

export interface Connections {
  /**
   * Serves on for a while, and asks each client to leave with its next answer (`Connection: close`). A request on its
   * way fails when its connection is closed meanwhile, or refused because a balancer has not seen yet that this
   * server is not ready. Ends at once when no client is connected.
   */
  drain(milliseconds: number): Promise<void>
  /** Accepts no more connections and closes the open ones, each when no request is under way on it. */
  settle(): Promise<void>
}

/** Milliseconds that a new connection has to send its first request while the server shuts down. */
const graceForNewConnections = 500
/** Milliseconds that the rest of a request may take to arrive, and an answer to be read, while the server shuts down. */
const graceForSlowClients = 3000
/** Milliseconds without progress after which an answer that the client does not read is dropped. */
const longestUnread = 10_000

interface Standing {
  since: number
  asked: boolean
  underWay: number
  /** Bytes that belong to requests which were answered. */
  answered: number
  /** The handler has answered the request that is being served. */
  isAnswered: boolean
  /** Bytes that the client has taken, and when it was seen to take some last. */
  taken: number
  takenAt: number
}

const isStream = (payload: unknown) =>
  typeof payload === 'object' && payload !== null && 'pipe' in payload

/** Whether the client takes nothing of its answer. */
const isStalled = (socket: Socket, standing: Standing, now: number) => {
  const taken = socket.bytesWritten - socket.writableLength
  if (taken > standing.taken) standing.takenAt = now
  standing.taken = taken
  return now > standing.takenAt + graceForSlowClients
}

const mayClose = (socket: Socket, standing: Standing, end: number) => {
  const now = performance.now()
  if (standing.underWay > 0) {
    return standing.isAnswered && now > end && isStalled(socket, standing, now)
  }
  if (socket.bytesRead > standing.answered) return now > end
  return standing.asked || now > standing.since + graceForNewConnections
}

/**
 * Follows the connections, so that a shutdown loses no request. Node itself closes at once what looks idle at that
 * moment, though a request may have arrived that it has not read yet, and never what only looks busy: connections that
 * never sent a request, such as a load balancer keeps ready, clients that stopped in the middle of a request, and
 * clients that do not read their answer.
 */
export const watchConnections = (server: FastifyInstance): Connections => {
  const open = new Map<Socket, Standing>()
  let leaving = false
  let emptied = () => {}

  const opened = (socket: Socket) => {
    const since = performance.now()
    const none = { asked: false, underWay: 0, answered: 0, isAnswered: false }
    open.set(socket, { since, ...none, taken: 0, takenAt: since })
    socket.once('close', () => {
      open.delete(socket)
      if (open.size === 0) emptied()
    })
  }

  const requested = ({ socket }: IncomingMessage, response: ServerResponse) => {
    const standing = open.get(socket)
    if (!standing) return
    standing.asked = true
    standing.underWay++
    response.once('close', () => {
      standing.underWay--
      standing.isAnswered = false
      standing.answered = socket.bytesRead
    })
  }

  server.server.on('connection', opened)
  server.server.prependListener('request', requested)
  server.addHook('onSend', ({ raw: { socket } }, reply, payload, done) => {
    if (leaving) reply.header('connection', 'close')
    const standing = open.get(socket)
    if (standing) {
      standing.isAnswered = true
      standing.takenAt = performance.now()
      // Node starts this time again whenever a part is taken. A stream may need longer for its next part.
      if (!isStream(payload)) socket.setTimeout(longestUnread)
    }
    done(null, payload)
  })

  return {
    drain: async (milliseconds) => {
      leaving = true
      if (open.size > 0) await sleep(milliseconds)
    },
    settle: async () => {
      leaving = true
      // Connections that the kernel has accepted are served first. One that arrives at this very moment is reset all the
      // same, and its client may try again: nothing was read.
      await nextTurn()
      // Not `http.Server.close`, which closes at once what looks idle.
      SocketServer.prototype.close.call(server.server)
      const end = performance.now() + graceForSlowClients
      const empty = new Promise<void>((resolve) => {
        emptied = resolve
      })
      while (open.size > 0) {
        // What has arrived is read first, so that a connection is closed only when it is quiet.
        await nextTurn()
        for (const [socket, standing] of open) if (mayClose(socket, standing, end)) socket.destroy()
        await Promise.race([empty, sleep(20)])
      }
    },
  }
}
