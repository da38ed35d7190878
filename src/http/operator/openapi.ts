import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'

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
      ? (relaxBodies(document.openapiObject as unknown as Document) as object)
      : {},
}

/** Documents the routes that this scope registers after this call, and serves the document. */
export const serveOpenApi = async (scope: FastifyInstance) => {
  await scope.register(swagger, options)
  scope.get('/openapi.json', { schema: { hide: true }, exposeHeadRoute: true }, async () =>
    scope.swagger(),
  )
}
