// What lives here: what operators and their machines ask of a running server.
import { timingSafeEqual } from 'node:crypto'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { Registry } from 'prom-client'
import { newRequestId } from '../request-id.ts'

export interface OperationsDependencies {
  /** All metrics, as Prometheus reads them. */
  metrics(): Promise<string>
  /** One check for each store; rejects when it is away. */
  stores: Record<string, () => Promise<void>>
  /** What is wrong with how they are set up; they serve all the same. */
  warnings(): string[]
  /** True once the server is going down: no new traffic, please. */
  isClosing(): boolean
  /** True when the server refuses everything and only a restart helps. */
  isStuck(): boolean
  /** Guards /metrics on the public port; null: it is not there. */
  metricsToken: string | null
}

const checkTimeout = 1000

const isUp = async (check: () => Promise<void>) => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('too slow')), checkTimeout)
  })
  try {
    await Promise.race([check(), late])
    return true
  } catch {
    return false
  } finally {
    clearTimeout(timer)
  }
}

const mayRead = (request: FastifyRequest, token: string) => {
  const sent = Buffer.from(request.headers.authorization ?? '')
  const expected = Buffer.from(`Bearer ${token}`)
  return sent.length === expected.length && timingSafeEqual(sent, expected)
}

/** Liveness, readiness and metrics. */
export const operations = (deps: OperationsDependencies) => async (scope: FastifyInstance) => {
  const { metrics, metricsToken } = deps

  scope.get('/health/live', { exposeHeadRoute: true }, async (_request, reply) => {
    const stuck = deps.isStuck()
    return reply
      .code(stuck ? 503 : 200)
      .header('cache-control', 'no-store')
      .send({ status: stuck ? 'stuck' : 'ok' })
  })

  scope.get('/health/ready', { exposeHeadRoute: true }, async (_request, reply) => {
    const names = Object.keys(deps.stores)
    const up = await Promise.all(Object.values(deps.stores).map(isUp))
    const down = names.filter((_, at) => !up[at])
    const ready = down.length === 0 && !deps.isClosing()
    const warnings = deps.warnings()
    return reply
      .code(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({
        status: ready ? 'ok' : deps.isClosing() ? 'closing' : 'unavailable',
        down,
        ...(warnings.length > 0 && { warnings }),
      })
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

/** The same metrics on a port of their own, for a network that only the operator reaches. */
export const metricsServer = (metrics: () => Promise<string>): FastifyInstance => {
  const server = Fastify({ logger: false, exposeHeadRoutes: false, genReqId: newRequestId })
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  server.get('/metrics', async (_request, reply) =>
    reply.type(Registry.PROMETHEUS_CONTENT_TYPE).send(await metrics()),
  )
  return server
}
