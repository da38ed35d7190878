import formbody from '@fastify/formbody'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { proofAlgorithms } from '#verify/rules/dpop-proof'
import type { Userinfo } from '../../core/introspection/userinfo.ts'
import { invalidProof, invalidRequest, OAuthError } from '../../core/language/errors.ts'
import type { Dpop, DpopProof } from '../../core/tokens/dpop.ts'
import { readForm } from '../oauth/form.ts'
import { logRefusal, publicError } from '../oauth/oauth-errors.ts'
import { type IsPublicOrigin, isOrigin, letPageRead } from '../oauth/page-origin.ts'
import { readProof } from './proof.ts'

export interface UserinfoDependencies {
  userinfo: Userinfo
  dpop: Dpop
  isPublicOrigin: IsPublicOrigin
  /** Counts an answer by the reason for a refusal, or null. */
  userinfoRead(refused: string | null): void
}

const url = '/userinfo'
const scheme = /^(bearer|dpop) +([\x21-\x7e]+)$/i

/** A token as it was sent. */
interface Shown {
  token: string
  /** Sent with a DPoP proof (RFC 9449 §7.1), not as a bearer token. */
  isBound: boolean
}

/** RFC 6750 §2: in the header or in a form body, but never in the query and never in two places. */
const readToken = (request: FastifyRequest): Shown | null => {
  const { authorization } = request.headers
  const isForm = request.method === 'POST' && request.headers['content-type'] !== undefined
  const inBody = isForm ? (readForm(request).get('access_token') ?? null) : null
  if (authorization === undefined) return inBody === null ? null : { token: inBody, isBound: false }
  if (inBody !== null) throw invalidRequest('the token is sent in two places', 'two_tokens')
  const [, name, token] = scheme.exec(authorization) ?? []
  if (name === undefined || token === undefined) return null
  return { token, isBound: name.toLowerCase() === 'dpop' }
}

const algorithms = `algs="${proofAlgorithms.join(' ')}"`

const said = (error: OAuthError) => [
  `error="${error.code}"`,
  `error_description="${error.description}"`,
  ...(error.code === 'insufficient_scope' ? ['scope="openid"'] : []),
]

/** RFC 6750 §3, RFC 9449 §7.1: a request without a token gets the supported schemes and no error code. */
const challengesOf = (error: OAuthError, shown: Shown | null): string[] => {
  const bearer = 'Bearer realm="latchkey"'
  const dpop = 'DPoP realm="latchkey"'
  if (shown === null) return [bearer, `${dpop}, ${algorithms}`]
  return shown.isBound || error.reason === 'bound_to_key'
    ? [[dpop, ...said(error), algorithms].join(', ')]
    : [[bearer, ...said(error)].join(', ')]
}

const proofErrors: readonly string[] = ['invalid_dpop_proof', 'use_dpop_nonce']
const challenged: readonly string[] = [
  'invalid_token',
  'insufficient_scope',
  'invalid_request',
  ...proofErrors,
]

/** OpenID Connect Core §5.3. */
export const userinfo = (deps: UserinfoDependencies) => async (scope: FastifyInstance) => {
  await scope.register(formbody)

  const allowOrigin = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('vary', 'Origin').header('cache-control', 'no-store')
    const { origin } = request.headers
    if (origin !== undefined && isOrigin(origin) && (await deps.isPublicOrigin(origin)))
      letPageRead(reply, origin)
  }

  const fail = (reply: FastifyReply, error: OAuthError, shown: Shown | null) => {
    deps.userinfoRead(error.reason)
    logRefusal(reply.request, error)
    if (challenged.includes(error.code))
      reply.header('www-authenticate', challengesOf(error, shown))
    if (error.retryAfter !== undefined)
      reply.header('retry-after', String(Math.max(1, error.retryAfter)))
    return reply
      .code(proofErrors.includes(error.code) ? 401 : error.status)
      .header('cache-control', 'no-store')
      .send({ error: error.code, error_description: error.description })
  }

  const keyOf = ({ token, isBound }: Shown, reply: FastifyReply): DpopProof | null => {
    if (!isBound) return null
    const key = readProof(deps.dpop, reply, url, token)
    if (key === null) throw invalidProof('proof_missing')
    return key
  }

  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    await allowOrigin(request, reply)
    const shown = readToken(request)
    if (shown === null) {
      const missing = new OAuthError('invalid_token', 'the access token is missing', {
        reason: 'token_missing',
      })
      return fail(reply, missing, null)
    }
    try {
      const claims = await deps.userinfo.read(shown.token, keyOf(shown, reply))
      deps.userinfoRead(null)
      return claims
    } catch (error) {
      return fail(reply, publicError(error), shown)
    }
  }

  scope.setErrorHandler((error, _request, reply) =>
    fail(reply, publicError(error), { token: '', isBound: false }),
  )
  scope.get(url, { exposeHeadRoute: false }, answer) // OpenID Connect Core §5.3 has GET and POST
  scope.post(url, answer)
}
