// What operations answer: its description, and the hooks that keep to it.
import type { FastifyInstance } from 'fastify'
import { type TSchema, type TUnsafe, Type } from 'typebox'
import { pageOf } from './paging.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The status of an answer without an error. */
    status?: number
    /** What the answer has, alone or in a list. */
    component?: TSchema
  }

  interface FastifyRequest {
    /** The resource that the request changes did not exist. */
    isNew: boolean
  }
}

/** The name of a schema among the `components` of the OpenAPI document; undefined: it is none of them. */
const nameOf = (schema: TSchema) => (schema as { $id?: string }).$id

export const reference = (component: TSchema): TUnsafe<unknown> =>
  Type.Unsafe<unknown>({ $ref: `${nameOf(component)}#` })

export interface Answer {
  status: 200 | 201 | 202 | 204
  description: string
  /** Absent for 204. */
  schema?: TSchema
  /** Instead of a schema: the answer is a page of these. */
  items?: TSchema
  /** Another media type than JSON. */
  type?: string
}

const refusals = {
  400: 'The request cannot be read or has invalid fields.',
  401: 'The operator token is missing or wrong.',
  403: 'The operator token does not have the permission.',
  404: 'The resource does not exist.',
  409: 'The request conflicts with the stored state.',
  412: 'The resource is not the version that If-Match or If-None-Match demands.',
  413: 'The request body is too large.',
  415: 'The request body is not JSON.',
  500: 'The server failed.',
  503: 'A store is unreachable; try again after Retry-After.',
} as const

export const problemAnswer = (status: keyof typeof refusals) => ({
  description: refusals[status],
  content: { 'application/problem+json': { schema: { $ref: 'Problem#' } } },
})

const etag = { type: 'string', description: 'The version of the resource, for If-Match.' }

export const answerOf = ({ description, schema: given, items, type }: Answer) => {
  if (type !== undefined) return { description, content: { [type]: { schema: {} } } }
  const own = given && nameOf(given) !== undefined ? reference(given) : given
  const schema = items ? pageOf(reference(items)) : own
  if (schema === undefined) return { description, type: 'null' }
  return { description, headers: { ETag: etag }, content: { 'application/json': { schema } } }
}

/** Registers the components of the answers. */
export const addComponents = (scope: FastifyInstance) =>
  scope.addHook('onRoute', ({ config }) => {
    const { component } = config ?? {}
    const name = component && nameOf(component)
    if (name !== undefined && scope.getSchema(name) === undefined) scope.addSchema(component)
  })

/**
 * Answers with the status that the operation declares, unless its handler sets another. A PUT that has created its
 * resource answers 201 (RFC 9110 §9.3.4).
 */
export const answerAsDeclared = (scope: FastifyInstance) => {
  scope.decorateRequest('isNew', false)
  scope.addHook('preHandler', async ({ routeOptions }, reply) => {
    const { status } = routeOptions.config
    if (status !== undefined) reply.code(status)
  })
  scope.addHook('preSerialization', async ({ method, isNew }, reply, payload) => {
    if (method === 'PUT' && isNew && reply.statusCode === 200) reply.code(201)
    return payload
  })
}
