import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { faultAt } from '../../core/language/faults.ts'
import type { Precondition } from '../../core/language/precondition.ts'
import { Invalid, PreconditionFailed } from '../../core/language/service-errors.ts'

/** Shown once, or not a change of the resource. */
const unversioned = new Set([
  ...['client_secret', 'secret', 'token', 'last_used_at', 'has_signed_in'],
  ...['last_event_id', 'last_success_at', 'behind', 'last_error'],
])

/** The strong entity tag of a resource (RFC 9110 §8.8.3): a digest of its JSON. */
export const etagOf = (json: object) => {
  const text = JSON.stringify(json, (name, value) => (unversioned.has(name) ? undefined : value))
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
}

const answersResource = (method: string, status: number) =>
  status === 201 || (status === 200 && method !== 'POST')

/** Sets the entity tag of each answered resource, unless its route has set it. */
export const tagResources = (scope: FastifyInstance) =>
  scope.addHook('preSerialization', async ({ method }, reply, payload) => {
    if (answersResource(method, reply.statusCode) && !reply.hasHeader('etag'))
      reply.header('etag', etagOf(payload as object))
    return payload
  })

type Tags = '*' | string[]

const tag = '(?:W/)?"[\\x21\\x23-\\x7e]*"'
/**
 * Pattern of If-Match and If-None-Match: *, or a list of entity tags. Each space can belong to one part only, so that a
 * long header is read in linear time.
 */
export const tagsPattern = `^[ \\t]*(?:\\*[ \\t]*|${tag}[ \\t]*(?:,[ \\t]*${tag}[ \\t]*)*)$`
const shape = new RegExp(tagsPattern)
const tags = new RegExp(tag, 'g')

/** RFC 9110 §13.1.1. A header that cannot be read must not be ignored: the change would be made without its rule. */
const tagsOf = ({ headers }: FastifyRequest, name: 'if-match' | 'if-none-match'): Tags | null => {
  const value = headers[name]
  if (value === undefined) return null
  if (value.trim() === '*') return '*'
  if (!shape.test(value))
    throw new Invalid([faultAt(`/${name}`, 'form', 'must be * or entity tags in quotes')])
  return value.match(tags) ?? []
}

const withoutWeakness = (one: string) => one.replace(/^W\//, '')

/**
 * The rule of `If-Match` and `If-None-Match` for the resource that the request changes.
 * @param tagOf the entity tag of the resource
 * @throws Invalid for a header that cannot be read
 */
export const preconditionOf = <Item>(
  request: FastifyRequest,
  tagOf: (item: Item) => string,
): Precondition<Item> => {
  const match = tagsOf(request, 'if-match')
  const noneMatch = tagsOf(request, 'if-none-match')
  return (current) => {
    const own = current === null ? null : tagOf(current)
    const has = (tags: Tags) => own !== null && (tags === '*' || tags.includes(own))
    const isOther = match !== null && !has(match)
    const isSame =
      noneMatch !== null && has(noneMatch === '*' ? '*' : noneMatch.map(withoutWeakness))
    if (isOther || isSame) throw new PreconditionFailed()
  }
}
