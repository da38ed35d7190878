import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** The status of a request whose client closed the connection before it had the answer, as nginx writes it. */
export const brokenOff = 499

/** @param status `brokenOff` when the client has left @param ms milliseconds since the request arrived */
export type Answered = (request: FastifyRequest, status: number, ms: number) => void

const hasLeft = ({ raw }: FastifyRequest) => raw.destroyed && !raw.complete

/** Reports each request once: when its answer is sent, or when its client has broken it off. */
export const watchAnswers = (server: FastifyInstance, answered: Answered): void => {
  const report = (request: FastifyRequest, reply: FastifyReply, status: number) =>
    answered(request, status, reply.elapsedTime)
  server.addHook('onRequest', (request, reply, done) => {
    reply.raw.setMaxListeners(20) // Fastify has nine of its own for a stream
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) report(request, reply, brokenOff)
    })
    done()
  })
  server.addHook('onResponse', (request, reply, done) => {
    // When the connection ends before the whole request has arrived, no client is left to read the answer.
    if (reply.raw.writableFinished)
      report(request, reply, hasLeft(request) ? brokenOff : reply.statusCode)
    done()
  })
}
