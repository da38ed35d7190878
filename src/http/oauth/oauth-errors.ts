import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { invalidRequest, OAuthError, StoreUnavailable } from '../../core/language/errors.ts'
import { OutboundBusy } from '../../core/outbound/waits.ts'

const unavailable = (reason: string, cause: Error) => {
  const description = 'the server cannot answer right now; try again'
  return new OAuthError('temporarily_unavailable', description, { reason, retryAfter: 1, cause })
}

/** Converts any error to its public form. Unknown errors become server_error without details. */
export const publicError = (error: unknown): OAuthError => {
  if (error instanceof OAuthError) return error
  if (error instanceof StoreUnavailable) return unavailable(`${error.store}_unavailable`, error)
  if (error instanceof OutboundBusy) return unavailable('outbound_busy', error)
  const status = (error as Partial<FastifyError> | null)?.statusCode
  if (status !== undefined && status >= 400 && status < 500) {
    return invalidRequest('the request cannot be read', 'unreadable')
  }
  return new OAuthError('server_error', 'something went wrong', { cause: error })
}

const overloads = ['sign_in_overload', 'outbound_busy']

/** A momentary overload, such as of sign-ins, is not a fault of the server. */
const levelOf = ({ status, reason }: OAuthError) =>
  status < 500 ? 'info' : overloads.includes(reason) ? 'warn' : 'error'

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
const oauthErrorJson = ({ code, description }: OAuthError) => ({
  error: code,
  error_description: description,
})

export type OAuthErrorJson = ReturnType<typeof oauthErrorJson>

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
  return reply.send(oauthErrorJson(error))
}

export type AnswerError = (
  request: FastifyRequest,
  reply: FastifyReply,
  error: OAuthError,
) => Promise<FastifyReply> | FastifyReply

/** Answers each error of a scope in its public form. */
export const answerErrors = (scope: FastifyInstance, answer: AnswerError) => {
  scope.setErrorHandler((error, request, reply) => answer(request, reply, publicError(error)))
}
