// Liveness, readiness and metrics, for operators and their monitoring.
import { timingSafeEqual } from 'node:crypto'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { Registry } from 'prom-client'
import { allowOthers, watchRoutes } from '../server/allowed-methods.ts'
import { newRequestId } from '../server/request-id.ts'
import { lacksHost } from '../server/server.ts'
import type { Readiness } from './readiness.ts'

export interface OperationsDependencies {
  /** All metrics in the Prometheus text format. */
  metrics(): Promise<string>
  /** `open` is for every caller. `guarded` adds warnings for callers with the token. */
  readiness: { open: Readiness; guarded: Readiness }
  /** True when the server refuses all requests and only a restart helps. */
  isStuck(): boolean
  /** Guards /metrics and warnings on the public port; null disables both. */
  metricsToken: string | null
}

const sendReadiness = async (reply: FastifyReply, readiness: Readiness) => {
  const { status, body } = await readiness()
  return reply.code(status).header('cache-control', 'no-store').send(body)
}

const mayRead = (request: FastifyRequest, token: string) => {
  const sent = Buffer.from(request.headers.authorization ?? '')
  const expected = Buffer.from(`Bearer ${token}`)
  return sent.length === expected.length && timingSafeEqual(sent, expected)
}

/** Serves liveness, readiness and metrics on the public port. */
export const operations = (deps: OperationsDependencies) => async (scope: FastifyInstance) => {
  const { metrics, metricsToken, readiness } = deps

  scope.get('/health/live', async (_request, reply) => {
    const stuck = deps.isStuck()
    return reply
      .code(stuck ? 503 : 200)
      .header('cache-control', 'no-store')
      .send({ status: stuck ? 'stuck' : 'ok' })
  })

  scope.get('/health/ready', (request, reply) => {
    const isGuarded = metricsToken !== null && mayRead(request, metricsToken)
    return sendReadiness(reply, isGuarded ? readiness.guarded : readiness.open)
  })

  if (metricsToken !== null) {
    scope.get('/metrics', async (request, reply) => {
      if (!mayRead(request, metricsToken)) {
        return reply.code(401).header('www-authenticate', 'Bearer').send({ status: 'unauthorized' })
      }
      return reply.type(Registry.PROMETHEUS_CONTENT_TYPE).send(await metrics())
    })
  }
}

/**
 * Serves metrics and readiness on a separate port, for a network that only the operator can reach.
 * @param readiness with warnings
 */
export const metricsServer = (metrics: () => Promise<string>, readiness: Readiness) => {
  const server = Fastify({
    logger: false,
    exposeHeadRoutes: false,
    genReqId: newRequestId,
    http: { requireHostHeader: false },
  })
  watchRoutes(server)
  server.setNotFoundHandler((request, reply) => {
    const status = allowOthers(request, reply) ? 405 : 404
    return reply.code(status).send({ status: status === 405 ? 'wrong_method' : 'not_found' })
  })
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    if (!lacksHost(request.raw)) return done()
    void reply.code(400).header('connection', 'close').send({ status: 'no_host' })
  })
  server.get('/metrics', async (_request, reply) =>
    reply.type(Registry.PROMETHEUS_CONTENT_TYPE).send(await metrics()),
  )
  server.get('/health/ready', { exposeHeadRoute: true }, (_request, reply) =>
    sendReadiness(reply, readiness),
  )
  return server
}
