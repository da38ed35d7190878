import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyTypeProvider,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import { type Static, type TSchema, type TUnknown, type TUnsafe, Type } from 'typebox'
import type { OperatorPermission } from '../../core/credentials/operator-permissions.ts'
import { tagsPattern } from './etag.ts'
import { pageOf } from './paging.ts'
import type { LimitedCall } from './token-rights.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The status of an answer without an error. */
    status?: number
  }

  interface FastifyRequest {
    /** The resource that the request changes did not exist. */
    isNew: boolean
  }
}

/** Gives handlers the request types of their schemas. */
export interface TypeBoxProvider extends FastifyTypeProvider {
  validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown
}

/** The Fastify scope of the routes. */
export type Scope = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxProvider
>

/** Refers to a schema under `components`. */
export const reference = (id: string): TUnsafe<unknown> => Type.Unsafe<unknown>({ $ref: `${id}#` })

interface Answer {
  status: 200 | 201 | 204
  description: string
  /** The name of one under `components`, or the schema itself. Absent for 204. */
  schema?: string | object
  /** Another media type than JSON. */
  type?: string
}

interface About {
  id: string
  tag: string
  /** The permission that an operator token needs; null: none, and the handler keeps to its permissions. */
  permission: OperatorPermission | null
  /** A second one that it needs. */
  alsoPermission?: OperatorPermission
  /** Permissions that parameters of its query need in addition, and orders (`sort`) by their names. */
  rights?: Readonly<Record<string, OperatorPermission>>
  /** How a token that is limited to organizations may call it; absent: as its path says. */
  limited?: LimitedCall
  summary: string
  description?: string
  answer: Answer
  /** A parameter of the path that is not an id of ours: its schema checks it. */
  checked?: string
  /** It may create the resource: then the answer is the same with 201. */
  creates?: boolean
  /** It changes one resource and honours If-Match and If-None-Match. */
  conditional?: true
  /** Statuses of problem documents in addition to those of every operation. Absent: 404 if the path has parameters. */
  refusals?: readonly (404 | 409)[]
}

/** The schemas of a request. */
interface Schemas<Params extends TSchema, Body extends TSchema, Query extends TSchema> {
  params?: Params
  body?: Body
  querystring?: Query
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

const answerOf = ({ description, schema: named, type }: Answer) => {
  if (type !== undefined) return { description, content: { [type]: { schema: {} } } }
  if (named === undefined) return { description, type: 'null' }
  const schema = typeof named === 'string' ? reference(named) : named
  return { description, headers: { ETag: etag }, content: { 'application/json': { schema } } }
}

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

const describe = ({ description, permission, alsoPermission, rights = {} }: About) =>
  [
    ...(description === undefined ? [] : [description]),
    permission === null ? 'Any token may call it.' : `Permission: \`${permission}\`.`,
    ...(alsoPermission === undefined ? [] : [`And: \`${alsoPermission}\`.`]),
    ...Object.entries(rights).map(([name, right]) => `For \`${name}\` also \`${right}\`.`),
  ].join(' ')

/** The schema of a route. It defines validation, serialization and the OpenAPI description. */
export const operation = <
  Params extends TSchema = TUnknown,
  Body extends TSchema = TUnknown,
  Query extends TSchema = TUnknown,
>(
  about: About & Schemas<Params, Body, Query>,
) => {
  const { params, body, querystring, permission, alsoPermission, limited, checked, rights } = about
  const statuses = [
    400,
    401,
    403,
    ...(about.refusals ?? (params ? ([404] as const) : [])),
    ...(about.conditional ? ([412] as const) : []),
    ...(body ? ([413, 415] as const) : []),
    500,
    503,
  ] as const
  const problems = statuses.map((status) => [status, problemAnswer(status)])
  const request = {
    ...(params && { params }),
    ...(body && { body }),
    ...(querystring && { querystring }),
    ...(about.conditional && { headers: conditions }),
  }
  return {
    exposeHeadRoute: true, // RFC 9110 §9.3.2: a resource that has GET has HEAD
    config: {
      permission,
      status: about.answer.status,
      ...(alsoPermission && { alsoPermission }),
      ...(limited && { limited }),
      ...(rights && { rights }),
      ...(checked !== undefined && { checked }),
    },
    schema: {
      ...(request as { params: Params; body: Body; querystring: Query }),
      operationId: about.id,
      ...(permission !== null && { 'x-permission': permission }),
      ...(alsoPermission && { 'x-also-permission': alsoPermission }),
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

type AreaOf<Permission> = Permission extends `${infer Area}:write` ? Area : never

interface Resource {
  tag: string
  /** `apps`: it needs `apps:read` and `apps:write`. `*`: it needs all permissions. */
  area: AreaOf<OperatorPermission> | '*'
  /** How a token that is limited to organizations may read it. */
  limited?: LimitedCall
  /** The name of its schema under `components`. */
  schema: string
  /** Describes the answer with one. */
  one: string
  /** Describes the answer with a page of them. */
  page?: string
}

/** What an operation has of its own. Its answer has the status of its kind unless it names another. */
type Details<Params extends TSchema, Body extends TSchema, Query extends TSchema> = Partial<
  Omit<About, 'id' | 'summary' | 'answer'>
> & { answer?: Omit<Answer, 'status'> & Partial<Answer> } & Schemas<Params, Body, Query>

const kindOf =
  (common: Omit<About, 'id' | 'summary'>) =>
  <
    Params extends TSchema = TUnknown,
    Body extends TSchema = TUnknown,
    Query extends TSchema = TUnknown,
  >(
    id: string,
    summary: string,
    details: Details<Params, Body, Query> = {},
  ) => {
    const answer = { status: common.answer.status, ...(details.answer ?? common.answer) }
    return operation<Params, Body, Query>({ ...common, ...details, answer, id, summary })
  }

/** The kinds of operations of a resource, with what all of a kind have in common. */
export const operations = ({ tag, area, limited, schema, one, page = one }: Resource) => {
  const permissionTo = (act: 'read' | 'write') =>
    area === '*' ? area : (`${area}:${act}` as const)
  const reading = { tag, permission: permissionTo('read'), ...(limited && { limited }) }
  const writing = { tag, permission: permissionTo('write') }
  const answer = { status: 200, description: one, schema } as const
  const change = kindOf({ ...writing, answer, conditional: true })
  const items = pageOf(reference(schema))
  return {
    list: kindOf({ ...reading, answer: { status: 200, description: page, schema: items } }),
    read: kindOf({ ...reading, answer }),
    create: kindOf({ ...writing, answer: { ...answer, status: 201 } }),
    /** Creates (201) or replaces it (200). */
    put: kindOf({ ...writing, answer, conditional: true, creates: true }),
    change,
    remove: kindOf({
      ...writing,
      answer: { status: 204, description: 'Deleted.' },
      conditional: true,
    }),
    /** Any other call. */
    act: kindOf({ ...writing, answer }),
  }
}

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
