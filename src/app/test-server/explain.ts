import type { FastifyInstance } from 'fastify'

/** For development: refusals state their reasons. The demo and the test server call it; no setting does. */
export const explainRefusals = (server: FastifyInstance, issuer: string) =>
  server.addHook('preSerialization', async ({ outcome }, _reply, answer) => {
    const { error, error_description: text } = (answer ?? {}) as Record<string, string>
    if (error === undefined || outcome?.outcome !== error) return answer
    const reason = { error_description: `${outcome.reason}: ${text}` }
    return { error, ...reason, error_uri: `${issuer}/docs/errors` }
  })
