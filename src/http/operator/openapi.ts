import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import Fastify, { type FastifyInstance, type FastifyPluginAsync } from 'fastify'
import { buildLazySerializer } from '../server/lazy-schemas.ts'

type Document = Record<string, unknown> & {
  paths: Record<string, Record<string, { requestBody?: RequestBody }>>
}

interface RequestBody {
  required: boolean
  content: Record<string, { schema: { required?: string[] } }>
}

/** Marks bodies with only optional fields as optional. @fastify/swagger marks every body as required. */
const relaxBodies = (document: Document) => {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
  for (const { requestBody } of operations) {
    if (!requestBody) continue
    const [media] = Object.values(requestBody.content)
    requestBody.required = (media?.schema.required ?? []).length > 0
  }
  return document
}

/** Replaces each pattern by `x-pattern`, where the schema has one for clients. */
const forClients = <Part>(part: Part): Part => {
  if (typeof part !== 'object' || part === null) return part
  if (Array.isArray(part)) return part.map(forClients) as Part
  const { 'x-pattern': pattern, ...rest } = part as Record<string, unknown>
  const own = pattern === undefined ? rest : { ...rest, pattern }
  return Object.fromEntries(
    Object.entries(own).map(([name, value]) => [name, forClients(value)]),
  ) as Part
}

const options: FastifyDynamicSwaggerOptions = {
  openapi: {
    openapi: '3.1.0',
    info: {
      title: 'Latchkey Operator API',
      version: '1',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      description:
        'Users, organizations, apps, installs, key sets, resource servers and webhooks of a Latchkey server. ' +
        'JSON in and out. Errors are problem documents (RFC 9457). Lists are paged by `limit` and `cursor`. Secrets are ' +
        'shown only once, in the answer of the call that creates them.',
    },
    servers: [{ url: '/', description: 'This server.' }],
    components: {
      securitySchemes: {
        operatorToken: { type: 'http', scheme: 'bearer', description: 'An operator token.' },
      },
    },
    security: [{ operatorToken: [] }],
  },
  refResolver: { buildLocalReference: (json) => String(json.$id) },
  transformObject: (document) =>
    'openapiObject' in document
      ? forClients(relaxBodies(document.openapiObject as unknown as Document))
      : {},
}

/** Collects the routes on a server of its own, which never listens, and describes them. */
const describe = async (routes: FastifyPluginAsync, prefix: string): Promise<object> => {
  const { default: swagger } = await import('@fastify/swagger')
  const server = Fastify({
    exposeHeadRoutes: false,
    schemaController: { compilersFactory: { buildSerializer: buildLazySerializer } },
  })
  await server.register(swagger, options)
  await server.register(routes, { prefix })
  await server.ready()
  return server.swagger()
}

/**
 * Serves the OpenAPI document. It is made for the first request, because making it takes longer than a third of the
 * start of the server.
 * @param routes registers the described routes and their schemas
 */
export const serveOpenApi = (scope: FastifyInstance, routes: FastifyPluginAsync) => {
  let document: Promise<object> | null = null
  scope.get('/openapi.json', { schema: { hide: true }, exposeHeadRoute: true }, () => {
    document ??= describe(routes, scope.prefix).catch((error) => {
      document = null
      throw error
    })
    return document
  })
}
