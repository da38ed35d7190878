// The endpoints `/test/…`, which no server has that keeps data of users.
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Static, type TSchema, Type } from 'typebox'
import { byServer } from '../../core/audit/audit.ts'
import { endpointPaths } from '../../core/language/endpoints.ts'
import { problem, sendError, sendProblem } from '../../http/oauth/problem.ts'
import { createValidatorCompiler } from '../../http/operator/validation.ts'
import type { TestDatabase } from '../../stores/postgres/connection/test-database.ts'
import type { Foundation } from '../foundation.ts'
import type { Services } from '../services/services.ts'
import { closed, createTestTokens, type SeedLine, seconds, tokenRequest } from './tokens.ts'

const slowness = 3_000 // ms
const clock = Type.Object(
  { now: Type.Optional(Type.String({ format: 'date-time' })), advance: Type.Optional(seconds) },
  { ...closed, minProperties: 1, maxProperties: 1 },
)
const wordsOf = {
  feed: Type.Enum(['ok', 'slow', '503', 'gap']),
  jwks: Type.Enum(['ok', 'slow', '503', 'rotate']),
  introspection: Type.Enum(['ok', 'slow', '503']),
}
const faults = Type.Partial(Type.Object(wordsOf), closed)

const placeOf: Record<string, keyof typeof wordsOf> = {
  '/api/oauth/revocations': 'feed',
  '/.well-known/jwks.json': 'jwks',
  [endpointPaths.introspect[0]]: 'introspection',
}

/** Registered before the fronts: its faults are hooks of their routes. */
export const registerEndpoints = (
  server: FastifyInstance,
  { stores, config }: Foundation,
  services: Services,
  { seed, database }: { seed: readonly SeedLine[]; database: TestDatabase },
) => {
  const { host, port } = new URL(config.issuer)
  const hosts = [host, `127.0.0.1:${port}`, `[::1]:${port}`]
  const mint = createTestTokens(seed, stores, services)
  const readAgain = () => Promise.all([stores.readTime(), services.catalogue.refresh()])
  let present: Static<typeof faults> = {}

  server.addHook('onRequest', async (request, reply) => {
    const place = placeOf[request.routeOptions.url ?? '']
    const fault = place && present[place]
    if (fault === 'slow') await sleep(slowness)
    if (fault === 'gap') (request.query as { cursor?: string }).cursor &&= 'gone'
    if (fault === '503') return reply.code(503).header('retry-after', '1').send()
  })

  // Browsers send Origin with each POST. An attacker's name for this machine is another Host.
  const keepOut = async (request: FastifyRequest, reply: FastifyReply) => {
    const { origin, host: sent = '' } = request.headers
    if (origin === undefined && hosts.includes(sent)) return
    return sendProblem(request, reply, problem(403, 'only programs on this machine may call it'))
  }
  const shared = { onRequest: keepOut, validatorCompiler: createValidatorCompiler() }
  const post = <Body extends TSchema>(
    name: string,
    body: Body,
    run: (body: Static<Body>) => Promise<object>,
  ) =>
    server.post(
      `/test/${name}`,
      { ...shared, schema: { body }, errorHandler: (error, ...of) => sendError(...of, error) },
      async ({ body }, reply) =>
        reply.header('cache-control', 'no-store').send(await run(body as Static<Body>)),
    )
  post('tokens', tokenRequest, async (request) => ({ token: await mint(request) }))
  post('clock', clock, async ({ now = null, advance = 0 }) => {
    await database.moveClock(now, advance)
    await readAgain()
    return { now: new Date(stores.now()) }
  })
  post('faults', faults, async (changes) => {
    if (changes.jwks === 'rotate') await services.signingKeys.rotate(byServer)
    present = { ...present, ...changes }
    return present
  })
  post('reset', Type.Unknown(), async () => {
    present = {}
    await database.restore()
    await readAgain()
    return {}
  })
}
