// The bodies and the queries of requests.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readFilter } from '../../core/provisioning/filter.ts'
import { invalidValue, ScimError } from '../../core/provisioning/scim-error.ts'
import { createSlices } from '../../core/provisioning/work-budget.ts'
import { mostResults } from './discovery.ts'
import { selectionOf } from './resources.ts'

const largestBody = 2 * 1024 * 1024 // bytes: a group with 20,000 members
const deepest = 20
/** Members of one object: attributes are looked up by a name of any case. */
const mostNames = 1000

/** Postgres has no NUL in texts and no lone surrogate in JSON. @throws ScimError invalidValue */
const checkText = (text: string) => {
  if (/\0|\p{Cs}/u.test(text)) throw invalidValue('a text has a character that is not allowed')
}

/** Checks every text, in slices. @returns how many values its lists have @throws ScimError */
export const checkBody = async (body: unknown): Promise<number> => {
  const rest = createSlices()
  const open: [value: unknown, depth: number][] = [[body, 0]]
  let listed = 0
  for (let next = open.pop(); next; next = open.pop()) {
    const [value, depth] = next
    await rest()
    if (typeof value === 'string') checkText(value)
    if (typeof value !== 'object' || value === null) continue
    if (depth >= deepest) throw new ScimError(400, 'invalidSyntax', 'the body is nested too deeply')
    if (Array.isArray(value)) {
      listed += value.length
      for (const member of value) open.push([member, depth + 1])
      continue
    }
    if (Object.keys(value).length > mostNames)
      throw new ScimError(400, 'invalidSyntax', 'an object has too many members')
    for (const [name, member] of Object.entries(value)) {
      checkText(name)
      open.push([member, depth + 1])
    }
  }
  return listed
}

/** Commas of a body: a group with 20,000 members, of four attributes each, has 80,000. */
const mostValues = 100_000

const hasManyValues = (text: string): boolean => {
  let count = 0
  for (let at = text.indexOf(','); at >= 0 && count <= mostValues; at = text.indexOf(',', at + 1))
    count += 1
  return count > mostValues
}

/** Accepts the media types that providers send (RFC 7644 §3.1). */
export const acceptScimJson = (scope: FastifyInstance) => {
  const parse = scope.getDefaultJsonParser('error', 'error')
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    ['application/scim+json', 'application/json'],
    { parseAs: 'string', bodyLimit: largestBody },
    (request, body, done) => {
      if (body === '') done(null, undefined)
      else if (hasManyValues(body as string))
        done(new ScimError(413, 'tooMany', 'the body has too many values'))
      else void parse(request, body as string, done)
    },
  )
}

export const textIn = (query: unknown, name: string): string | undefined => {
  const value = (query as Record<string, unknown>)[name]
  if (value !== undefined && typeof value !== 'string')
    throw invalidValue(`${name} must be given once`)
  return value === '' ? undefined : value
}

const numberIn = (query: unknown, name: string, fallback: number): number => {
  const text = textIn(query, name)
  if (text === undefined) return fallback
  if (!/^-?\d{1,9}$/.test(text)) throw invalidValue(`${name} must be a number`)
  return Number(text)
}

/** RFC 7644 §3.4.2.4: a `startIndex` below 1 is 1, a negative `count` is 0. @returns `start` from 0 */
export const listQuery = (query: unknown) => {
  const filter = textIn(query, 'filter')
  return {
    filter: filter === undefined ? null : readFilter(filter),
    start: Math.max(1, numberIn(query, 'startIndex', 1)) - 1,
    count: Math.min(mostResults, Math.max(0, numberIn(query, 'count', 100))),
  }
}

/** The body of a search has the parameters of a query (RFC 7644 §3.4.3). */
export const searchIn = ({ body }: FastifyRequest): Record<string, unknown> => {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new ScimError(400, 'invalidSyntax', 'the body must be an object')
  const texts = Object.entries(body).map(([name, value]) => [
    name,
    typeof value === 'number' ? String(value) : Array.isArray(value) ? value.join(',') : value,
  ])
  return Object.fromEntries(texts)
}

/** Did the client say which attributes it wants (RFC 7644 §3.9)? */
export const asksForAttributes = ({ query }: { query: unknown }): boolean =>
  ['attributes', 'excludedAttributes'].some((name) => textIn(query, name) !== undefined)

export const selection = ({ query }: { query: unknown }) =>
  selectionOf({
    attributes: textIn(query, 'attributes'),
    excludedAttributes: textIn(query, 'excludedAttributes'),
  })
