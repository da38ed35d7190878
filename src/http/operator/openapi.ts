import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import Fastify, { type FastifyInstance, type FastifyPluginAsync } from 'fastify'
import type { PermissionCatalogue } from '../../core/language/permission-catalogue.ts'
import { buildLazySerializer } from '../server/lazy-schemas.ts'
import { permissionName, permissionNameTitle } from './schemas.ts'

type Document = Record<string, unknown> & {
  paths: Record<string, Record<string, { requestBody?: RequestBody }>>
  components: { schemas: Record<string, object> }
}

export type Catalogue = Pick<PermissionCatalogue, 'names'>

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

const isPermissionName = (part: object) => 'title' in part && part.title === permissionNameTitle

const asReference = (part: object) => ({
  $ref: `#/components/schemas/${permissionNameTitle}`,
  ...('description' in part && { description: part.description }),
})

const withPatternForClients = ({ 'x-pattern': pattern, ...rest }: Record<string, unknown>) =>
  pattern === undefined ? rest : { ...rest, pattern }

/**
 * Replaces each pattern by `x-pattern`, where the schema has one for clients, and the schemas of permission names by
 * references to one. Names that were inline would repeat in each list.
 */
const forClients = <Part>(part: Part): Part => {
  if (typeof part !== 'object' || part === null) return part
  if (Array.isArray(part)) return part.map(forClients) as Part
  if (isPermissionName(part)) return asReference(part) as Part
  return Object.fromEntries(
    Object.entries(withPatternForClients(part as Record<string, unknown>)).map(([name, value]) => [
      name,
      forClients(value),
    ]),
  ) as Part
}

/**
 * Examples, not an enum: the operator adds and retires permissions while the server runs, and a client that was generated
 * from the document must still send and read later ones.
 */
const namesIn = (catalogue: Catalogue) => {
  const [current, legacy] = [catalogue.names('current'), catalogue.names('legacy')]
  return {
    ...permissionName,
    description:
      'The name of a permission. `examples` lists the names of the catalogue at this moment, and `x-interfaces` those of ' +
      'each interface. They are not an enum, because the operator adds and retires permissions while the server runs: ' +
      'clients must accept other names. A request with a name that the catalogue does not have is refused (400).',
    examples: [...new Set([...current, ...legacy])],
    'x-interfaces': { current, legacy },
  }
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
const describe = async (
  routes: FastifyPluginAsync,
  prefix: string,
  issuerPath: string,
): Promise<Document> => {
  const { default: swagger } = await import('@fastify/swagger')
  const server = Fastify({
    exposeHeadRoutes: false,
    schemaController: { compilersFactory: { buildSerializer: buildLazySerializer } },
  })
  await server.register(swagger, options)
  await server.register(routes, { prefix })
  await server.ready()
  const servers = [{ url: issuerPath || '/', description: 'This server.' }]
  return { ...(server.swagger() as unknown as Document), servers }
}

/** The document as JSON with the current names. It is written again when they have changed. */
const createWriter = (catalogue: Catalogue) => {
  let written: { json: string; current: unknown; legacy: unknown } | null = null
  return ({ components, ...rest }: Document): string => {
    const [current, legacy] = [catalogue.names('current'), catalogue.names('legacy')]
    // The catalogue replaces its lists when it changes.
    if (written?.current === current && written.legacy === legacy) return written.json
    const schemas = { ...components.schemas, [permissionNameTitle]: namesIn(catalogue) }
    const json = JSON.stringify({ ...rest, components: { ...components, schemas } })
    written = { json, current, legacy }
    return json
  }
}

/**
 * Serves the OpenAPI document. It is made for the first request, because making it takes longer than a third of the
 * start of the server.
 * @param routes registers the described routes and their schemas
 * @param catalogue this process's copy, which is at most two seconds old
 * @param issuerPath the path of the issuer, below which clients find the API
 * @returns reads the document
 */
export const serveOpenApi = (
  scope: FastifyInstance,
  routes: FastifyPluginAsync,
  catalogue: Catalogue,
  issuerPath = '',
) => {
  const write = createWriter(catalogue)
  let document: Promise<Document> | null = null
  const read = async () => {
    document ??= describe(routes, scope.prefix, issuerPath).catch((error) => {
      document = null
      throw error
    })
    return write(await document)
  }
  scope.get(
    '/openapi.json',
    { schema: { hide: true }, exposeHeadRoute: true },
    async (_, reply) => {
      return reply.type('application/json; charset=utf-8').send(await read())
    },
  )
  return read
}
