// The endpoints `/test/…`, which no server has that keeps data of users.
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, RouteShorthandOptions } from 'fastify'
import { type Static, type TSchema, Type } from 'typebox'
import { byServer } from '../../core/audit/audit.ts'
import { endpointPaths } from '../../core/language/endpoints.ts'
import { Forbidden } from '../../core/language/service-errors.ts'
import { sendError } from '../../http/oauth/problem.ts'
import { createValidatorCompiler } from '../../http/operator/validation.ts'
import type { TestDatabase } from '../../stores/postgres/connection/test-database.ts'
import type { Foundation } from '../foundation.ts'
import type { Services } from '../services/services.ts'
import { closed, createTestTokens, type SeedLine, seconds, tokenRequest } from './tokens.ts'

type Run<Body extends TSchema> = (body: Static<Body>) => Promise<object>
const slowness = 3_000 // ms
const times = Type.Object({ now: Type.String({ format: 'date-time' }), advance: seconds })
const clock = Type.Partial(times, { ...closed, minProperties: 1, maxProperties: 1 })
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
  const hosts = ['localhost', '127.0.0.1', '[::1]'].map((name) => `${name}:${config.port}`)
  const mint = createTestTokens(seed, stores, services)
  const readAgain = async () => {
    await Promise.all([stores.readTime(), services.catalogue.refresh()])
    return { now: new Date(stores.now()) }
  }
  let present: Static<typeof faults> = {}

  server.addHook('onRequest', async (request, reply) => {
    const fault = present[placeOf[request.routeOptions.url ?? ''] as keyof typeof wordsOf]
    if (fault === 'slow') await sleep(slowness)
    if (fault === 'gap') (request.query as { cursor?: string }).cursor &&= 'gone'
    if (fault === '503') return reply.code(503).header('retry-after', '1').send()
  })

  const shared: RouteShorthandOptions = {
    // Browsers send Origin with each POST. An attacker's name for this machine is another Host.
    onRequest: async ({ headers }) => {
      if (headers.origin !== undefined || !hosts.includes(headers.host ?? ''))
        throw new Forbidden('none', 'only programs on this machine may call it')
    },
    validatorCompiler: createValidatorCompiler(),
    errorHandler: (error, request, reply) => sendError(request, reply, error),
  }
  const post = <Body extends TSchema>(name: string, body: Body, run: Run<Body>) =>
    server.post(`/test/${name}`, { ...shared, schema: { body } }, (sent) => run(sent.body as never))
  post('tokens', tokenRequest, async (request) => ({ token: await mint(request) }))
  post('clock', clock, async ({ now = null, advance = 0 }) => {
    await database.moveClock(now, advance)
    return readAgain()
  })
  post('faults', faults, async (changes) => {
    if (changes.jwks === 'rotate') await services.signingKeys.rotate(byServer)
    present = { ...present, ...changes }
    return present
  })
  post('reset', Type.Unknown(), async () => {
    present = {}
    await database.restore()
    return readAgain()
  })
}
