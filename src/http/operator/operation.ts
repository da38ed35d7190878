import type { FastifyTypeProvider } from 'fastify'
import { type Static, type TSchema, type TUnsafe, Type } from 'typebox'
import type { OperatorPermission } from '../../core/credentials/operator-permissions.ts'
import { tagsPattern } from './etag.ts'
import type { LimitedCall } from './token-rights.ts'

/** Gives handlers the request types of their schemas. */
export interface TypeBoxProvider extends FastifyTypeProvider {
  validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown
}

/** Refers to a schema under `components`. */
export const reference = (id: string): TUnsafe<unknown> => Type.Unsafe<unknown>({ $ref: `${id}#` })

interface Answer {
  status: 200 | 201 | 204
  description: string
  /** Absent for 204. */
  schema?: object
  /** Another media type than JSON. */
  type?: string
}

interface About {
  id: string
  tag: string
  /** The permission that an operator token needs. */
  permission: OperatorPermission
  /** A second one that it needs. */
  alsoPermission?: OperatorPermission
  /** How a token that is limited to organizations may call it; absent: as its path says. */
  limited?: LimitedCall
  summary: string
  description?: string
  answer: Answer
  /** A parameter of the path that is not an id of ours: its schema checks it. */
  checked?: string
  /** It may create the resource: then the answer is the same with 201. */
  creates?: true
  /** It changes one resource and honours If-Match and If-None-Match. */
  conditional?: true
  /** Statuses of problem documents in addition to those of every operation. */
  refusals?: readonly (404 | 409)[]
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

const problemAnswer = (status: keyof typeof refusals) => ({
  description: refusals[status],
  content: { 'application/problem+json': { schema: { $ref: 'Problem#' } } },
})

const etag = { type: 'string', description: 'The version of the resource, for If-Match.' }

const answerOf = ({ description, schema, type }: Answer) =>
  type !== undefined
    ? { description, content: { [type]: { schema: {} } } }
    : schema
      ? { description, headers: { ETag: etag }, content: { 'application/json': { schema } } }
      : { description, type: 'null' }

const conditions = {
  type: 'object',
  properties: {
    'if-match': {
      type: 'string',
      'x-pattern': tagsPattern,
      description: 'Change the resource only if its ETag is one of these; * if it exists.',
    },
    'if-none-match': {
      type: 'string',
      'x-pattern': tagsPattern,
      description: 'Change the resource only if its ETag is none of these; * if it does not exist.',
    },
  },
} as const

const describe = ({ description, permission, alsoPermission }: About) =>
  [
    ...(description === undefined ? [] : [description]),
    `Permission: \`${permission}\`.`,
    ...(alsoPermission === undefined ? [] : [`And: \`${alsoPermission}\`.`]),
  ].join(' ')

/** The schema of a route. It defines validation, serialization and the OpenAPI description. */
export const operation = <
  Request extends { params?: TSchema; body?: TSchema; querystring?: TSchema },
>(
  about: About,
  request: Request,
) => {
  const statuses = [
    400,
    401,
    403,
    ...(about.refusals ?? []),
    ...(about.conditional ? ([412] as const) : []),
    ...(request.body ? ([413, 415] as const) : []),
    500,
    503,
  ] as const
  const problems = statuses.map((status) => [status, problemAnswer(status)])
  return {
    exposeHeadRoute: true, // RFC 9110 §9.3.2: a resource that has GET has HEAD
    config: {
      permission: about.permission,
      ...(about.alsoPermission && { alsoPermission: about.alsoPermission }),
      ...(about.limited && { limited: about.limited }),
      ...(about.checked !== undefined && { checked: about.checked }),
    },
    schema: {
      ...request,
      ...((about.conditional ? { headers: conditions } : {}) as object),
      operationId: about.id,
      'x-permission': about.permission,
      ...(about.alsoPermission && { 'x-also-permission': about.alsoPermission }),
      tags: [about.tag],
      summary: about.summary,
      description: describe(about),
      response: {
        [about.answer.status]: answerOf(about.answer),
        ...(about.creates && { 201: answerOf(about.answer) }),
        ...Object.fromEntries(problems),
      },
    },
  }
}
