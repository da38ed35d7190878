import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { invalidRequest, OAuthError, StoreUnavailable } from '../../core/language/errors.ts'

/** Converts any error to its public form. Unknown errors become server_error without details. */
export const publicError = (error: unknown): OAuthError => {
  if (error instanceof OAuthError) return error
  if (error instanceof StoreUnavailable) {
    return new OAuthError(
      'temporarily_unavailable',
      'the server cannot answer right now; try again',
      {
        reason: `${error.store}_unavailable`,
        retryAfter: 1,
        cause: error,
      },
    )
  }
  const status = (error as Partial<FastifyError> | null)?.statusCode
  if (status !== undefined && status >= 400 && status < 500) {
    return invalidRequest('the request cannot be read', 'unreadable')
  }
  return new OAuthError('server_error', 'something went wrong', { cause: error })
}

/** A momentary overload of sign-ins is not a fault of the server. */
const levelOf = ({ status, reason }: OAuthError) =>
  status < 500 ? 'info' : reason === 'sign_in_overload' ? 'warn' : 'error'

/** Logs one line per refused request: the reason, without any value that was sent. */
export const logRefusal = (request: FastifyRequest, error: OAuthError) => {
  const line = {
    error: error.code,
    reason: error.reason,
    ...(error.status >= 500 && { err: error.cause }),
  }
  request.log[levelOf(error)](line, 'refused')
  request.outcome ??= { outcome: error.code, reason: error.reason }
}

/** RFC 6749 §5.2. */
export const sendOAuthError = (request: FastifyRequest, reply: FastifyReply, error: OAuthError) => {
  logRefusal(request, error)
  reply
    .code(error.status)
    .header('cache-control', 'no-store')
    .header('pragma', 'no-cache')
    .type('application/json; charset=utf-8')
  if (error.retryAfter !== undefined)
    reply.header('retry-after', String(Math.max(1, error.retryAfter)))
  if (error.code === 'invalid_client' && request.headers.authorization !== undefined) {
    reply.header('www-authenticate', 'Basic realm="latchkey", charset="UTF-8"')
  }
  return reply.send({ error: error.code, error_description: error.description })
}
