import formbody from '@fastify/formbody'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { invalidRequest, OAuthError } from '../../domain/errors.ts'
import type { Userinfo } from '../../services/userinfo.ts'
import { readForm } from '../form.ts'
import { logRefusal, publicError } from '../oauth-errors.ts'
import { isOrigin } from './preflight.ts'

export interface UserinfoDependencies {
  userinfo: Userinfo
  isPublicOrigin(origin: string): Promise<boolean>
  /** Counts an answer: why there were no claims, or null. */
  userinfoRead(refused: string | null): void
}

const scheme = /^bearer +([\x21-\x7e]+)$/i

/** RFC 6750 §2: in the header, or in the body of a form; never in the query, and not in two places. */
const readToken = (request: FastifyRequest): string | null => {
  const { authorization } = request.headers
  const isForm = request.method === 'POST' && request.headers['content-type'] !== undefined
  const inBody = isForm ? (readForm(request).get('access_token') ?? null) : null
  if (authorization === undefined) return inBody
  if (inBody !== null) throw invalidRequest('the token is sent in two places', 'two_tokens')
  return scheme.exec(authorization)?.[1] ?? null
}

/** RFC 6750 §3: who sends no token is told which kind to send, and nothing else. */
const challengeOf = (error: OAuthError, hasToken: boolean) =>
  [
    'Bearer realm="latchkey"',
    ...(hasToken ? [`error="${error.code}"`, `error_description="${error.description}"`] : []),
    ...(error.code === 'insufficient_scope' ? ['scope="openid"'] : []),
  ].join(', ')

const challenged: readonly string[] = ['invalid_token', 'insufficient_scope', 'invalid_request']

/** OpenID Connect Core §5.3. */
export const userinfo = (deps: UserinfoDependencies) => async (scope: FastifyInstance) => {
  await scope.register(formbody)

  const allowOrigin = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('vary', 'Origin').header('cache-control', 'no-store')
    const { origin } = request.headers
    if (origin === undefined || !isOrigin(origin) || !(await deps.isPublicOrigin(origin))) return
    reply
      .header('access-control-allow-origin', origin)
      .header('access-control-expose-headers', 'www-authenticate')
  }

  const fail = (
    request: FastifyRequest,
    reply: FastifyReply,
    error: OAuthError,
    hasToken: boolean,
  ) => {
    deps.userinfoRead(error.reason)
    logRefusal(request, error)
    if (challenged.includes(error.code))
      reply.header('www-authenticate', challengeOf(error, hasToken))
    if (error.retryAfter !== undefined)
      reply.header('retry-after', String(Math.max(1, error.retryAfter)))
    return reply
      .code(error.status)
      .header('cache-control', 'no-store')
      .send({ error: error.code, error_description: error.description })
  }

  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    await allowOrigin(request, reply)
    const token = readToken(request)
    if (token === null) {
      const missing = new OAuthError('invalid_token', 'there is no access token', {
        reason: 'token_missing',
      })
      return fail(request, reply, missing, false)
    }
    const claims = await deps.userinfo.read(token)
    deps.userinfoRead(null)
    return claims
  }

  scope.setErrorHandler((error, request, reply) => fail(request, reply, publicError(error), true))
  scope.get('/userinfo', answer)
  scope.post('/userinfo', answer)
}
