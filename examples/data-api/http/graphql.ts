import websocket from '@fastify/websocket'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type DocumentNode, specifiedRules, validate } from 'graphql'
import mercurius, { type MercuriusOptions } from 'mercurius'
import type { VerifyClientCallbackAsync } from 'ws'
import type { Generation, OperationContext, Protect } from '../access/guard.ts'
import { createCurrentResolvers } from '../current/resolvers.ts'
import { currentSchema } from '../current/schema.ts'
import type { Data } from '../data/data.ts'
import { createLegacyResolvers } from '../legacy/resolvers.ts'
import { legacySchema } from '../legacy/schema.ts'
import { isAllowedOrigin } from './cross-origin.ts'
import { checkDocument, checkOperations, mostTokens } from './documents.ts'
import { formatErrors } from './errors.ts'
import { createSockets } from './sockets.ts'

const commonSchema = `
  scalar JSON
  type Query
  type Mutation
  type Subscription
`

export const path = '/graphql'

const mostOperations = 20
/** Bytes of a request; an attachment of 10 MB in Base64 fits. */
const mostBody = 15_000_000
/** Bytes of a message on a websocket. */
const mostPayload = 100_000

/** Set by mercurius's websocket plugin. */
const isWebsocket = (request: FastifyRequest) => (request as { ws?: boolean }).ws === true

/** GET is for websockets only: a query with its secret in the URL would end up in logs. */
const checkRequest = async (request: FastifyRequest, reply: FastifyReply) => {
  const refuse = (status: number, message: string) =>
    reply
      .code(status)
      .send({ data: null, errors: [{ message, extensions: { code: 'bad-input' } }] })
  if (request.method !== 'POST' && !isWebsocket(request))
    return refuse(405, 'operations are sent with POST').header('allow', 'POST')
  if (Array.isArray(request.body) && request.body.length > mostOperations)
    return refuse(400, `at most ${mostOperations} operations at once`)
  return undefined
}

const optionsFor = (
  data: Data,
  doors: Record<Generation, Protect>,
  sockets: ReturnType<typeof createSockets>,
): MercuriusOptions => {
  const legacy = createLegacyResolvers(data, doors.legacy)
  const current = createCurrentResolvers(data, doors.current)
  return {
    path,
    schema: [commonSchema, legacySchema, currentSchema],
    resolvers: {
      Query: { ...legacy.Query, ...current.Query },
      Mutation: { ...legacy.Mutation, ...current.Mutation },
      Subscription: legacy.Subscription,
    } as NonNullable<MercuriusOptions['resolvers']>,
    context: (request): OperationContext => ({ request }),
    errorFormatter: formatErrors as NonNullable<MercuriusOptions['errorFormatter']>,
    allowBatchedQueries: true,
    queryDepth: 8,
    graphql: { parseOptions: { maxTokens: mostTokens } },
    subscription: {
      keepAlive: 20_000,
      context: (socket) => ({ carried: sockets.carriedBy(socket) }),
    },
    additionalRouteOptions: { bodyLimit: mostBody, preHandler: checkRequest },
  }
}

/** Both interfaces at one address. @param origins of browser apps that may open a websocket */
export const registerGraphql = async (
  server: FastifyInstance,
  data: Data,
  doors: Record<Generation, Protect>,
  origins: readonly string[] = [],
): Promise<void> => {
  const sockets = createSockets(server.log)
  const verifyClient: VerifyClientCallbackAsync = ({ origin, req }, next) =>
    next(isAllowedOrigin(origin, req.headers.host, origins), 403)
  await server.register(websocket, { options: { maxPayload: mostPayload, verifyClient } })
  server.websocketServer.on('connection', sockets.follow)
  await server.register(mercurius, optionsFor(data, doors, sockets))

  // Mercurius keeps valid documents, and checks them once.
  const operations = new WeakMap<DocumentNode, number>()
  server.graphql.addHook('preValidation', async (schema, document) => {
    operations.set(document, checkDocument(schema, document))
  })

  // A credential may be in a variable that the operation does not declare, which GraphQL drops. In
  // an array, each operation has its own context and credential.
  const begun = new WeakMap<FastifyRequest, number>()
  server.graphql.addHook('preExecution', async (_schema, document, context, variables) => {
    Object.assign(context, { variables: variables ?? {} })
    const { request } = context as unknown as OperationContext
    const count = (begun.get(request) ?? 0) + (operations.get(document) ?? 0)
    checkOperations(count)
    begun.set(request, count)
  })

  // Mercurius validates queries and mutations, but not subscriptions.
  server.graphql.addHook('preSubscriptionExecution', async (schema, document) => {
    checkDocument(schema, document)
    const [fault] = validate(schema, document, specifiedRules, { maxErrors: 1 })
    if (fault) throw fault
  })
}
