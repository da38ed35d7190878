import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Requests of one connection that may wait for their turn. Honest clients pipeline far fewer. */
const mostWaiting = 256

interface Arrival {
  request: IncomingMessage
  response: ServerResponse
}

/** The requests of one connection: one is served, the others wait in order. */
const createPipeline = (socket: Socket, listener: RequestListener, idleTimeout: number) => {
  const waiting: Arrival[] = []
  let isServing = false

  const serve = ({ request, response }: Arrival) => {
    isServing = true
    response.once('close', afterResponse)
    listener(request, response)
  }

  const serveNext = () => {
    const next = socket.writable ? waiting.shift() : undefined
    if (!next) {
      isServing = false
      return
    }
    socket.setTimeout(idleTimeout) // the last answer had less time
    serve(next)
  }

  const afterResponse = () => {
    // After `Connection: close` no further request may be served (RFC 9112 §9.6).
    if (!socket.writable) waiting.length = 0
    if (waiting.length === 0) isServing = false
    // One request of a connection in a turn of the event loop: the others have theirs between.
    else setImmediate(serveNext)
  }

  return {
    arrived: (arrival: Arrival) => {
      if (socket.destroyed) return
      if (!isServing) return serve(arrival)
      // Not paused until there is room: a socket that is not read does not notice that its client has gone.
      if (waiting.length < mostWaiting) return void waiting.push(arrival)
      waiting.length = 0
      socket.destroy()
    },
  }
}

/**
 * Serves the requests of each connection one after another. A client that pipelines may expect no more: only safe
 * requests may be served at the same time, and answers keep their order (RFC 9112 §9.3.2). So a connection occupies one
 * slot at most and holds one answer that its client has not read, however much it sends. It also keeps Node 20 and 22
 * from a leak: they emit no `close` on a response that waits behind another one when the connection is lost.
 * @param idleTimeout milliseconds without traffic after which a connection with a request under way is closed
 */
export const serveInOrder = (listener: RequestListener, idleTimeout: number): RequestListener => {
  const pipelines = new WeakMap<Socket, ReturnType<typeof createPipeline>>()
  return (request, response) => {
    const { socket } = request
    let pipeline = pipelines.get(socket)
    if (!pipeline) {
      pipeline = createPipeline(socket, listener, idleTimeout)
      pipelines.set(socket, pipeline)
    }
    pipeline.arrived({ request, response })
  }
}
