import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Socket, Server as SocketServer } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** Milliseconds that a new connection may take to send its first request during shutdown. */
const graceForNewConnections = 500
/** Milliseconds that a client may take to finish a request or to read an answer during shutdown. */
const graceForSlowClients = 3000
/** Milliseconds without progress after which an unread answer is dropped. */
const longestUnread = 10_000

interface ConnectionState {
  since: number
  asked: boolean
  underWay: number
  /** Bytes received that belong to answered requests. */
  answered: number
  /** The handler has answered the current request. */
  isAnswered: boolean
  /** Bytes that the client has read, and when it last read some. */
  taken: number
  takenAt: number
}

const isStream = (payload: unknown) =>
  typeof payload === 'object' && payload !== null && 'pipe' in payload

/** True when the client has stopped reading its answer. */
const isStalled = (socket: Socket, standing: ConnectionState, now: number) => {
  const taken = socket.bytesWritten - socket.writableLength
  if (taken > standing.taken) standing.takenAt = now
  standing.taken = taken
  return now > standing.takenAt + graceForSlowClients
}

const mayClose = (socket: Socket, standing: ConnectionState, end: number) => {
  const now = performance.now()
  if (standing.underWay > 0) {
    return standing.isAnswered && now > end && isStalled(socket, standing, now)
  }
  if (socket.bytesRead > standing.answered) return now > end
  return standing.asked || now > standing.since + graceForNewConnections
}

/**
 * Tracks connections so that a shutdown loses no request. Node's own close is not enough. It closes connections that
 * look idle at once, although an unread request may have arrived on them. It never closes connections that only look
 * busy: those without any request (a load balancer keeps some ready), clients that stopped in the middle of a request,
 * and clients that do not read their answer.
 */
export const watchConnections = (server: FastifyInstance) => {
  const open = new Map<Socket, ConnectionState>()
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
      // Node restarts this timeout whenever the client reads a part. A stream may need longer for its next part.
      if (!isStream(payload)) socket.setTimeout(longestUnread)
    }
    done(null, payload)
  })

  return {
    /**
     * Keeps serving for a while and asks each client to close its connection after the next answer (`Connection: close`).
     * Closing at once would fail a request in transit, and refusing connections would fail the requests of a balancer
     * that has not yet seen that this server is not ready. Resolves at once when no client is connected.
     */
    drain: async (milliseconds: number) => {
      leaving = true
      if (open.size > 0) await sleep(milliseconds)
    },
    /** Accepts no more connections, and closes each open one when no request is under way on it. */
    settle: async () => {
      leaving = true
      // First serve the connections that the kernel has accepted. One that arrives at this very moment is still reset.
      // Its client may retry, because nothing was read.
      await nextTurn()
      // Not `http.Server.close`, which closes at once what looks idle.
      SocketServer.prototype.close.call(server.server)
      const end = performance.now() + graceForSlowClients
      const empty = new Promise<void>((resolve) => {
        emptied = resolve
      })
      while (open.size > 0) {
        // Read arrived data first, so that only quiet connections are closed.
        await nextTurn()
        for (const [socket, standing] of open) if (mayClose(socket, standing, end)) socket.destroy()
        await Promise.race([empty, sleep(20)])
      }
    },
  }
}
