import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'

/** Requests of one connection that may wait for their turn. Honest clients pipeline far fewer. */
const mostWaiting = 256

type Arrival = Parameters<RequestListener>

/** The requests of one connection: one is served, the others wait in order. */
const createPipeline = (socket: Socket, listener: RequestListener, idleTimeout: number) => {
  const waiting: Arrival[] = []
  let isServing = false

  const serve = ([request, response]: Arrival) => {
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
    socket.setTimeout(idleTimeout) // restores the timeout that the last answer shortened
    serve(next)
  }

  const afterResponse = () => {
    // After `Connection: close` no further request may be served (RFC 9112 §9.6).
    if (!socket.writable) waiting.length = 0
    if (waiting.length === 0) isServing = false
    // Starts one request of a connection per turn of the event loop, so that other connections get their turns.
    else setImmediate(serveNext)
  }

  return {
    arrived: (...arrival: Arrival) => {
      if (socket.destroyed) return
      if (!isServing) return serve(arrival)
      // Do not pause the socket instead: an unread socket does not notice that its client has disconnected.
      if (waiting.length < mostWaiting) return void waiting.push(arrival)
      waiting.length = 0
      socket.destroy()
    },
  }
}

/**
 * Serves the requests of each connection one after another. RFC 9112 §9.3.2 allows this: answers must keep their order,
 * and only safe requests may be served in parallel. So a connection occupies at most one slot and holds at most one
 * unread answer, however much it sends. This also avoids a leak in Node 20 and 22: when the connection is lost, they
 * emit no `close` on a response that waits behind another one.
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
    pipeline.arrived(request, response)
  }
}
