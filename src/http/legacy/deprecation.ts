import type { FastifyInstance } from 'fastify'

/** The announced dates for the end of the legacy interface. */
export interface LegacyEnd {
  deprecatedAt: Date | null
  sunsetAt: Date | null
  /** Link to instructions for apps. */
  link: string | null
}

/** The headers that announce the end: RFC 9745 §2 and §3, RFC 8594 §3 and §6. */
export const endHeaders = ({ deprecatedAt, sunsetAt, link }: LegacyEnd): Record<string, string> => {
  const relations = [...(deprecatedAt ? ['deprecation'] : []), ...(sunsetAt ? ['sunset'] : [])].map(
    (relation) => `<${link}>; rel="${relation}"; type="text/html"`,
  )
  return {
    ...(deprecatedAt && { deprecation: `@${Math.floor(deprecatedAt.getTime() / 1000)}` }),
    ...(sunsetAt && { sunset: sunsetAt.toUTCString() }),
    ...(link !== null && relations.length > 0 && { link: relations.join(', ') }),
  }
}

/** Adds the headers to every answer of the scope's routes, refusals included. */
export const announceEnd = (scope: FastifyInstance, end: LegacyEnd) => {
  const headers = endHeaders(end)
  if (Object.keys(headers).length === 0) return
  scope.addHook('onRequest', async (_request, reply) => {
    reply.headers(headers)
  })
}
