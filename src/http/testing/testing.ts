// The endpoints of a test server, `/test/…`: what a test needs, and no server that keeps data of users has.
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyPluginAsync, FastifySchemaCompiler } from 'fastify'
import { type Static, Type } from 'typebox'
import { endpointPaths } from '../../core/language/endpoints.ts'
import { problem, sendError, sendProblem } from '../oauth/problem.ts'
import { seconds, type TestTokens, tokenRequest } from './tokens.ts'

export interface TestingDependencies {
  issuer: string
  /** Validates without dropping or converting anything. */
  compile: FastifySchemaCompiler<object>
  mint: TestTokens
  /** @param to RFC 3339 */
  setClock(to: string): Promise<unknown>
  advanceClock(seconds: number): Promise<unknown>
  rotateKeys(): Promise<unknown>
  /** Clock and data as after the start. */
  reset(): Promise<unknown>
}

const slowness = 3_000 // ms
const word = <Words extends readonly string[]>(...words: [...Words]) => Type.Enum(words)
const closed = { additionalProperties: false }
const clockBody = Type.Object(
  { now: Type.Optional(Type.String({ format: 'date-time' })), advance: Type.Optional(seconds) },
  { ...closed, minProperties: 1, maxProperties: 1 },
)
const usual = ['ok', 'slow', '503'] as const
const faultsBody = Type.Partial(
  Type.Object({
    feed: word(...usual, 'gap'),
    jwks: word(...usual, 'rotate'),
    introspection: word(...usual),
  }),
  closed,
)
type Faults = Static<typeof faultsBody>

const faultAt = {
  '/api/oauth/revocations': 'feed',
  '/.well-known/jwks.json': 'jwks',
  [endpointPaths.introspect[0]]: 'introspection',
} as Record<string, keyof Faults>

/** Registered before the fronts, because its faults are hooks of their routes. */
export const testing = async (server: FastifyInstance, deps: TestingDependencies) => {
  const { host, port } = new URL(deps.issuer)
  const hosts = [host, `127.0.0.1:${port}`, `[::1]:${port}`]
  let faults: Faults = {}

  server.addHook('onRequest', async (request, reply) => {
    const fault = faults[faultAt[request.routeOptions.url ?? ''] ?? 'feed']
    if (!(request.routeOptions.url ?? '' in faultAt) || !fault) return
    if (fault === 'slow') await sleep(slowness)
    if (fault === 'gap') (request.query as { cursor?: string }).cursor &&= 'gone'
    if (fault === '503') return reply.code(503).header('retry-after', '1').send()
  })

  const endpoints: FastifyPluginAsync = async (scope) => {
    scope.setValidatorCompiler(deps.compile)
    scope.setErrorHandler((error, request, reply) => sendError(request, reply, error))
    // A page in a browser sends Origin with each POST; a name that an attacker points to this machine is another Host.
    scope.addHook('onRequest', async (request, reply) => {
      const { origin, host: sent } = request.headers
      if (origin === undefined && hosts.includes(sent ?? '')) return
      return sendProblem(request, reply, problem(403, 'only programs on this machine may call it'))
    })
    const post = <Body extends Type.TSchema>(
      name: string,
      body: Body,
      answer: (body: Static<Body>) => Promise<unknown>,
    ) =>
      scope.post(`/test/${name}`, { schema: { body } }, async (request, reply) => {
        const sent = await answer((request.body ?? {}) as Static<Body>)
        return reply.header('cache-control', 'no-store').send(sent ?? {})
      })

    post('tokens', tokenRequest, async (wish) => ({ token: await deps.mint(wish) }))
    post('clock', clockBody, async ({ now, advance = 0 }) => {
      await (now === undefined ? deps.advanceClock(advance) : deps.setClock(now))
    })
    post('faults', faultsBody, async (wanted) => {
      if (wanted.jwks === 'rotate') await deps.rotateKeys()
      faults = { ...faults, ...wanted }
    })
    post('reset', Type.Unknown(), async () => {
      faults = {}
      await deps.reset()
    })
  }
  await server.register(endpoints)
}
