import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest } from 'fastify'
import { newSecret } from '../../core/crypto/identifiers.ts'
import { watchRoutes } from '../server/allowed-methods.ts'
import { buildLazySerializer } from '../server/lazy-schemas.ts'
import { type OperatorFrontOptions, operatorFront } from './front.ts'
import type { InProcessOrigin } from './guard.ts'

export interface InProcessCall {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below `/api/admin/v1`. */
  path: string
  body?: object | undefined
  /** Change the resource only if it has this entity tag. */
  etag?: string | undefined
  /** Only if the resource does not exist yet. */
  creates?: boolean
}

export interface InProcessAnswer {
  status: number
  etag: string | null
  /** The parsed JSON; null without a body. */
  body: unknown
}

const requestIdHeader = 'latchkey-request-id'

const createOperatorServer = async (
  options: OperatorFrontOptions,
  logger: FastifyBaseLogger,
  releaseSlotOf: (token: string) => FastifyRequest['releaseSlot'],
): Promise<FastifyInstance> => {
  const server = Fastify({
    loggerInstance: logger,
    genReqId: ({ headers }) => String(headers[requestIdHeader]),
    exposeHeadRoutes: false,
    schemaController: { compilersFactory: { buildSerializer: buildLazySerializer } },
    routerOptions: { maxParamLength: 512 },
  })
  watchRoutes(server)
  server.decorateRequest('releaseSlot', null)
  server.addHook('onRequest', (request, _reply, done) => {
    request.releaseSlot = releaseSlotOf(
      request.headers.authorization?.slice('Bearer '.length) ?? '',
    )
    done()
  })
  await server.register(operatorFront(options))
  await server.ready()
  return server
}

/**
 * Calls of the Operator API inside this process, with the rights of a person: the same routes check the same
 * permissions, validate the same fields and write the same audit events. The server behind it never listens. It is made
 * for the first call.
 */
export const createInProcessApi = (
  options: Omit<OperatorFrontOptions, 'isOperator' | 'operatorRefused' | 'callApi'>,
  logger: FastifyBaseLogger,
) => {
  // A token exists for the time of one call, and only here.
  const callers = new Map<string, InProcessOrigin>()
  let server: Promise<FastifyInstance> | null = null
  const make = () =>
    createOperatorServer(
      {
        ...options,
        callApi: call,
        isOperator: async (token) => callers.get(token)?.operator ?? null,
        operatorRefused: () => undefined,
      },
      logger,
      (token) => callers.get(token)?.releaseSlot ?? null,
    )

  const call = async (
    origin: InProcessOrigin,
    { method, path, body, etag, creates }: InProcessCall,
  ): Promise<InProcessAnswer> => {
    server ??= make().catch((error: unknown) => {
      server = null
      throw error
    })
    const token = newSecret('operatorToken')
    callers.set(token, origin)
    try {
      const answer = await (await server).inject({
        method,
        url: `/api/admin/v1${path}`,
        remoteAddress: origin.address,
        headers: {
          authorization: `Bearer ${token}`,
          [requestIdHeader]: origin.requestId,
          ...(etag !== undefined && { 'if-match': etag }),
          ...(creates && { 'if-none-match': '*' }),
        },
        ...(body !== undefined && { payload: body }),
      })
      const { etag: current } = answer.headers
      return {
        status: answer.statusCode,
        etag: current === undefined ? null : String(current),
        body: answer.payload === '' ? null : answer.json(),
      }
    } finally {
      callers.delete(token)
    }
  }
  return call
}
