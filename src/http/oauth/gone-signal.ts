import type { FastifyReply } from 'fastify'

/**
 * Aborts the wait when the client disconnects. Listens on the response: a connection may live for years and would
 * collect listeners.
 */
export const goneSignal = (reply: FastifyReply): AbortSignal => {
  const controller = new AbortController()
  reply.raw.once('close', () => controller.abort())
  return controller.signal
}
