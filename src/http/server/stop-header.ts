import type { FastifyInstance } from 'fastify'

/** More than requests that end something can be under way. */
const most = 1000

/** The header of an answer that ends something: `Latchkey-Stop`, the id of its stop. */
export const createStopHeader = () => {
  /** By request, oldest first. */
  const stops = new Map<string, string>()
  return {
    /** The first stop of a request counts. */
    made: (requestId: string, stop: string) => {
      if (!stops.has(requestId)) stops.set(requestId, stop)
      if (stops.size > most) stops.delete(stops.keys().next().value as string)
    },
    watch: (server: FastifyInstance) => {
      server.addHook('onSend', (request, reply, _payload, done) => {
        const stop = stops.get(request.id)
        if (stop !== undefined) reply.header('latchkey-stop', stop)
        done()
      })
    },
  }
}

export type StopHeader = ReturnType<typeof createStopHeader>
