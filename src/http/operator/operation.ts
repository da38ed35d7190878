import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyTypeProvider,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type { Static, TSchema, TUnknown } from 'typebox'
import type { OperatorPermission } from '../../core/credentials/operator-permissions.ts'
import { type Answer, answerOf, problemAnswer } from './answers.ts'
import { tagsPattern } from './etag.ts'
import type { LimitedCall } from './token-rights.ts'

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

export interface About {
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
  /** The largest body in bytes, where it may be larger than usual. */
  bodyLimit?: number
  /** It may create the resource: then the answer is the same with 201. */
  creates?: boolean
  /** It changes one resource and honours If-Match and If-None-Match. */
  conditional?: true
  /** Statuses of problem documents in addition to those of every operation. Absent: 404 if the path has parameters. */
  refusals?: readonly (404 | 409)[]
}

/** The schemas of a request. */
export interface Schemas<Params extends TSchema, Body extends TSchema, Query extends TSchema> {
  params?: Params
  body?: Body
  querystring?: Query
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
  const { schema, items: component = schema } = about.answer
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
    ...(about.bodyLimit !== undefined && { bodyLimit: about.bodyLimit }),
    exposeHeadRoute: true, // RFC 9110 §9.3.2: a resource that has GET has HEAD
    config: {
      permission,
      status: about.answer.status,
      ...(component && { component }),
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
