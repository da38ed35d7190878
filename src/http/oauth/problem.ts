import { STATUS_CODES } from 'node:http'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { OAuthError, StoreUnavailable } from '../../core/language/errors.ts'
import type { Fault, FaultReason } from '../../core/language/faults.ts'
import {
  Conflict,
  CursorExpired,
  Forbidden,
  Invalid,
  NotFound,
  PreconditionFailed,
} from '../../core/language/service-errors.ts'
import { OutboundBusy } from '../../core/outbound/waits.ts'

/** RFC 9457 §3.1. `detail` and `errors` are public and never echo values that were sent. */
export interface Problem {
  type: string
  title: string
  status: number
  detail: string
  /** For invalid input: JSON pointers (RFC 6901) into the body, or names of query parameters. */
  errors?: readonly Fault[]
  /** Further members of the document (RFC 9457 §3.2). */
  members?: Readonly<Record<string, number>>
  /** For 403: the permission that the request needs. */
  permission?: string
  /** Seconds; becomes Retry-After. */
  retryAfter?: number
}

const mostFaults = 50
const longestPointer = 200

const typeOf = (name: string) => `urn:latchkey:problem:${name.replaceAll('_', '-')}`

/** A problem whose status says everything (RFC 9457 §4.2.1). */
export const problem = (status: number, detail: string): Problem => ({
  type: 'about:blank',
  title: STATUS_CODES[status] ?? 'Error',
  status,
  detail,
})

const invalid = (faults: readonly Fault[]): Problem => ({
  ...problem(400, 'the request has invalid fields'),
  type: typeOf('invalid_input'),
  title: 'Invalid input',
  errors: faults.slice(0, mostFaults),
})

type ValidationError = NonNullable<FastifyError['validation']>[number]

const escaped = (name: unknown) => String(name).replaceAll('~', '~0').replaceAll('/', '~1')

/** What is wrong, by the keyword of JSON Schema. */
export const details: Record<string, string> = {
  required: 'is required',
  additionalProperties: 'is not a field of this request',
  pattern: 'has characters that it must not have, or not the form that it needs',
}

/** The values that are allowed, where they are few. */
const oneOfIn = (allowed: unknown) =>
  Array.isArray(allowed) && allowed.length <= mostFaults
    ? `has to be one of: ${allowed.join(', ')}`
    : null

/** Rules of JSON Schema. */
const reasons: Record<string, FaultReason> = {
  required: 'required',
  additionalProperties: 'unknown_field',
  minItems: 'empty',
  maxItems: 'too_many',
  uniqueItems: 'duplicate',
  minimum: 'out_of_range',
  maximum: 'out_of_range',
}

/** The rule of the value: that of the innermost schema that names one (`x-reason`), or that of JSON Schema. */
const reasonOf = ({ keyword, schemaPath, params }: ValidationError, schema: unknown) => {
  let reason = reasons[keyword] ?? 'form'
  if ('missingProperty' in params || 'additionalProperty' in params) return reason
  let part = schema as Record<string, unknown> | undefined
  for (const name of schemaPath.split('/').slice(1, -1)) {
    part = part?.[name] as Record<string, unknown> | undefined
    reason = (part?.['x-reason'] as FaultReason | undefined) ?? reason
  }
  return reason
}

const faultOf = (error: ValidationError, schema: unknown): Fault => {
  const { keyword, instancePath, params, message } = error
  const member = params.missingProperty ?? params.additionalProperty
  const pointer = member === undefined ? instancePath : `${instancePath}/${escaped(member)}`
  return {
    pointer: pointer.slice(0, longestPointer),
    detail: details[keyword] ?? oneOfIn(params.allowedValues) ?? message ?? 'is invalid',
    reason: reasonOf(error, schema),
  }
}

const unreadable: Record<number, string> = {
  404: 'there is nothing here',
  413: 'the request body is larger than this server takes',
  415: 'the request body must be application/json',
}

/** Converts any error to its public problem. Unknown errors become 500 without details. */
const problemOf = (error: unknown, { routeOptions }: FastifyRequest): Problem => {
  if (error instanceof NotFound) return problem(404, error.message)
  if (error instanceof PreconditionFailed) return problem(412, error.message)
  if (error instanceof CursorExpired)
    return { ...problem(410, error.message), type: typeOf('cursor_expired') }
  if (error instanceof Conflict)
    return { ...problem(409, error.message), type: typeOf(error.reason), members: error.members }
  if (error instanceof Invalid) return invalid(error.faults)
  if (error instanceof Forbidden)
    return {
      ...problem(403, error.message),
      type: typeOf('forbidden'),
      permission: error.permission,
    }
  if (error instanceof StoreUnavailable || error instanceof OutboundBusy)
    return { ...problem(503, 'the server cannot answer right now; try again'), retryAfter: 1 }
  if (error instanceof OAuthError) {
    const { status, description, retryAfter } = error
    return { ...problem(status, description), ...(retryAfter !== undefined && { retryAfter }) }
  }
  const { validation, validationContext, statusCode = 500 } = error as Partial<FastifyError>
  if (validation) {
    const schema = routeOptions.schema?.[validationContext as 'body']
    return invalid(validation.slice(0, mostFaults).map((one) => faultOf(one, schema)))
  }
  if (statusCode >= 400 && statusCode < 500)
    return problem(statusCode, unreadable[statusCode] ?? 'the request cannot be read')
  return problem(500, 'something went wrong')
}

/** Answers with the problem document and the request id. */
export const sendProblem = (request: FastifyRequest, reply: FastifyReply, answer: Problem) => {
  const { retryAfter, members, ...document } = answer
  if (retryAfter !== undefined) reply.header('retry-after', String(Math.max(1, retryAfter)))
  return reply
    .code(answer.status)
    .header('cache-control', 'no-store')
    .type('application/problem+json')
    .send(JSON.stringify({ ...document, ...members, request_id: request.id }))
}

/** Logs the error, with its cause only for server faults, and answers. */
export const sendError = (request: FastifyRequest, reply: FastifyReply, error: unknown) => {
  const answer = problemOf(error, request)
  if (answer.status >= 500) request.log.error({ err: error }, 'failed')
  else {
    const { status, type, permission } = answer
    request.log.info({ status, type, ...(permission && { permission }) }, 'refused')
  }
  return sendProblem(request, reply, answer)
}
