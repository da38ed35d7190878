// The operations of a resource of the Operator API, by kinds.
import type { FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import type { Static, TObject, TSchema, TUnknown } from 'typebox'
import type { OperatorPermission } from '../../core/credentials/operator-permissions.ts'
import { type CamelKeys, camelKeys } from '../../core/language/case.ts'
import type { Page, PageRequest } from '../../core/language/paging.ts'
import type { Precondition } from '../../core/language/precondition.ts'
import type { OperatorCause } from '../../core/people/account-guard.ts'
import type { Answer } from './answers.ts'
import { etagOf, preconditionOf } from './etag.ts'
import { causeOf } from './guard.ts'
import { jsonOf, type Source } from './json.ts'
import { type About, operation, type Schemas, type Scope } from './operation.ts'
import { pageJson, pageQuery, readPage } from './paging.ts'
import { pathIds } from './schemas.ts'
import type { LimitedCall } from './token-rights.ts'

export type { Scope }

type AreaOf<Permission> = Permission extends `${infer Area}:write` ? Area : never

interface Resource<Schema extends TObject, Item> {
  /** Of its operations in the description; its area by default. */
  tag?: string
  /** `apps`: it needs `apps:read` and `apps:write`. `*`: it needs all permissions. */
  area: AreaOf<OperatorPermission> | '*'
  /** How a token that is limited to organizations may read it. */
  limited?: LimitedCall
  schema: Schema
  /** Describes the answer with one. */
  one: string
  /** Describes the answer with a page of them. */
  page?: string
  /** Writes an item. Absent: as the schema says. */
  json?: (item: Item) => Static<Schema>
  /** What the entity tag of an item is made of. Absent: its JSON. */
  version?: (item: Item) => object
  /** The path of a new one, which is answered as `Location`. */
  location?: (json: Static<Schema>) => string
}

/** The names of the parameters in a path such as `/users/:user_id`. */
type NamesIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

const idsIn = (path: string) => {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as string)
  return names.length > 0 ? { params: pathIds(...names) } : {}
}

/** A call as its handler gets it: the ids in the path and the fields of the body have their names inside. */
interface Call<
  Path extends string,
  Params extends TSchema,
  Body extends TSchema,
  Query extends TSchema,
> {
  params: CamelKeys<Params extends TUnknown ? Record<NamesIn<Path>, string> : Static<Params>>
  body: CamelKeys<Static<Body>>
  query: Static<Query>
  request: FastifyRequest
  reply: FastifyReply
}

/** What an operation has of its own. Its answer has the status of its kind unless it names another. */
interface Details<
  Path extends string,
  Params extends TSchema,
  Body extends TSchema,
  Query extends TSchema,
  Given extends unknown[],
  Result,
> extends Partial<Omit<About, 'id' | 'summary' | 'answer'>> {
  method?: HTTPMethods
  /** Absent: each parameter of the path is an id. */
  params?: Params
  body?: Body
  /** null: the list is one page. */
  querystring?: Query | null
  answer?: Omit<Answer, 'status'> & Partial<Answer>
  run(call: Call<Path, Params, Body, Query>, ...given: Given): Promise<Result>
}

/** What all operations of a kind have in common. */
interface Kind<Given extends unknown[], Result> extends Omit<About, 'id' | 'summary'> {
  method: HTTPMethods
  querystring?: TSchema
  /** What the handler gets in addition to the call. */
  given(request: FastifyRequest): Given
  /** Writes the result of the handler. Absent: it is the answer. */
  write?(result: Result, reply: FastifyReply): unknown
}

/** The last arguments of a change of a resource. The precondition is the rule of `If-Match` and `If-None-Match`. */
type Change<Item> = [cause: OperatorCause, precondition: Precondition<Item>]

/**
 * Serves the operations of a resource, by kinds. The handlers of `list`, `read`, `put` and `change` return items; those of
 * `create` and `act` return the answer.
 */
export const operations = <Schema extends TObject, Item = Source<Static<Schema>>>(
  scope: Scope,
  { area, limited, schema, one, page = one, location, ...resource }: Resource<Schema, Item>,
) => {
  const json = resource.json ?? (jsonOf(schema) as unknown as (item: Item) => Static<Schema>)
  const version = resource.version ?? json
  const tag = resource.tag ?? area

  const kind =
    <Given extends unknown[], Result, UsualQuery extends TSchema = TUnknown>({
      method: usual,
      given,
      write = (result) => result,
      ...common
    }: Kind<Given, Result>) =>
    <
      Path extends string,
      Params extends TSchema = TUnknown,
      Body extends TSchema = TUnknown,
      Query extends TSchema = UsualQuery,
    >(
      path: Path,
      id: string,
      summary: string,
      { method = usual, run, ...own }: Details<Path, Params, Body, Query, Given, Result>,
    ) => {
      const answer = { status: common.answer.status, ...(own.answer ?? common.answer) }
      const about = { ...common, ...idsIn(path), ...own, answer, id, summary }
      scope.route({
        method,
        url: path,
        ...operation(about as About & Schemas<TSchema, TSchema, TSchema>),
        handler: async (request, reply) => {
          const { params, body, query } = request
          const call: unknown = {
            params: camelKeys(params ?? {}),
            body: camelKeys(body ?? {}),
            ...{ query, request, reply },
          }
          const result = await run(call as Call<Path, Params, Body, Query>, ...given(request))
          return answer.status === 204 ? undefined : write(result, reply)
        },
      })
    }

  const setLocation = (reply: FastifyReply, answered: object) => {
    if (location) reply.header('location', scope.prefix + location(answered as Static<Schema>))
  }
  const written = (item: Item, reply: FastifyReply) => {
    if (resource.version) reply.header('etag', etagOf(version(item)))
    const answered = json(item)
    if (reply.request.isNew) setLocation(reply, answered as object)
    return answered
  }
  const permissionTo = (act: 'read' | 'write') =>
    area === '*' ? area : (`${area}:${act}` as const)
  const answer = { status: 200, description: one, schema } as const
  const reading = { tag, permission: permissionTo('read'), answer, ...(limited && { limited }) }
  const writing = { tag, permission: permissionTo('write'), answer }
  const causeIn = (request: FastifyRequest): [OperatorCause] => [causeOf(request)]
  /** The precondition also notes whether the resource existed. @throws Invalid for a header that cannot be read */
  const changeIn = (request: FastifyRequest): Change<Item> => {
    const precondition = preconditionOf(request, (item: Item) => etagOf(version(item) as object))
    const note = (current: Item | null) => {
      precondition(current)
      request.isNew = current === null
    }
    return [causeOf(request), note]
  }
  const changing = {
    ...writing,
    given: changeIn,
    write: written,
    conditional: true,
  } as const
  return {
    json,
    /** Its query is that of a list without filters, unless it names another. */
    list: kind<[PageRequest], Page<Item>, typeof pageQuery>({
      ...reading,
      method: 'GET',
      answer: { status: 200, description: page, items: schema },
      querystring: pageQuery,
      given: ({ query }) => [readPage(query as Static<typeof pageQuery>)],
      write: (items) => pageJson(items, json),
    }),
    read: kind<[], Item>({ ...reading, method: 'GET', given: () => [], write: written }),
    create: kind<[OperatorCause], object>({
      ...writing,
      method: 'POST',
      answer: { ...answer, status: 201 },
      given: causeIn,
      write: (created, reply) => {
        setLocation(reply, created)
        return created
      },
    }),
    /** Creates (201) or replaces it (200). */
    put: kind<Change<Item>, Item>({ ...changing, method: 'PUT', creates: true }),
    change: kind<Change<Item>, Item>({ ...changing, method: 'PATCH' }),
    remove: kind<Change<Item>, unknown>({
      ...writing,
      method: 'DELETE',
      answer: { status: 204, description: 'Deleted.' },
      given: changeIn,
      conditional: true,
    }),
    /** Any other call. */
    act: kind<[OperatorCause], unknown>({ ...writing, method: 'POST', given: causeIn }),
  }
}
