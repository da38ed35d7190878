// Responses of SCIM: resources, lists (RFC 7644 §3.4.2) and errors (§3.12).
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { OAuthError, StoreUnavailable } from '../../core/language/errors.ts'
import { ScimError } from '../../core/provisioning/scim-error.ts'
import { createSlices } from '../../core/provisioning/work-budget.ts'
import type { Resource } from './resources.ts'

const mediaType = 'application/scim+json; charset=utf-8'

const send = (reply: FastifyReply, status: number, text: string) =>
  reply.code(status).type(mediaType).send(text)

const isLarge = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && ('members' in value || 'Resources' in value)

/** JSON in slices: the groups of an answer may have 20,000 members. */
const textOf = async (value: unknown, rest = createSlices()): Promise<string> => {
  if (Array.isArray(value)) {
    const items: string[] = []
    for (const one of value) {
      items.push(isLarge(one) ? await textOf(one, rest) : JSON.stringify(one))
      await rest()
    }
    return `[${items.join(',')}]`
  }
  if (!isLarge(value)) return JSON.stringify(value)
  const members: string[] = []
  for (const [name, one] of Object.entries(value))
    members.push(
      `${JSON.stringify(name)}:${Array.isArray(one) ? await textOf(one, rest) : JSON.stringify(one)}`,
    )
  return `{${members.join(',')}}`
}

export const sendResource = async (reply: FastifyReply, status: number, body: Resource) =>
  send(reply, status, await textOf(body))

/** @param start from 0 */
export const listOf = (resources: readonly Resource[], total: number, start: number): Resource => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
  totalResults: total,
  startIndex: start + 1,
  itemsPerPage: resources.length,
  Resources: resources,
})

interface Refusal {
  status: number
  scimType: string | null
  detail: string
  retryAfter?: number | undefined
}

const unreadable: Record<number, string> = {
  413: 'the body is too large',
  415: 'the body must be application/scim+json',
}

const refusalOf = (error: unknown): Refusal => {
  if (error instanceof ScimError)
    return { status: error.status, scimType: error.scimType, detail: error.message }
  if (error instanceof StoreUnavailable)
    return {
      status: 503,
      scimType: null,
      detail: 'the server cannot answer right now',
      retryAfter: 1,
    }
  if (error instanceof OAuthError) {
    const { status, description: detail, retryAfter } = error
    return { status, scimType: null, detail, retryAfter }
  }
  const { statusCode = 500 } = error as Partial<FastifyError>
  if (statusCode >= 400 && statusCode < 500) {
    const scimType = statusCode === 400 ? 'invalidSyntax' : null
    const detail = unreadable[statusCode] ?? 'the request cannot be read'
    return { status: statusCode, scimType, detail }
  }
  return { status: 500, scimType: null, detail: 'something went wrong' }
}

export const sendScimError = (request: FastifyRequest, reply: FastifyReply, error: unknown) => {
  const { status, scimType, detail, retryAfter } = refusalOf(error)
  // A ScimError is a refusal by the rules of SCIM, whatever its status: the server has not failed.
  if (status >= 500 && !(error instanceof ScimError)) request.log.error({ err: error }, 'failed')
  else request.log.info({ status, ...(scimType && { scimType }) }, 'refused')
  if (retryAfter !== undefined) reply.header('retry-after', String(Math.max(1, retryAfter)))
  const body = {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(status),
    ...(scimType && { scimType }),
    detail,
  }
  return send(reply, status, JSON.stringify(body))
}
