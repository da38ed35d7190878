import type { FastifyRequest } from 'fastify'

/** A parameter of the page's path, as a segment of a path of the API. */
export const parameter = (request: FastifyRequest, name: string): string =>
  encodeURIComponent((request.params as Record<string, string | undefined>)[name] ?? '')
