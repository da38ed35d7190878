import type { FastifyRequest } from 'fastify'
import { type Filter, readFilter } from '../../core/provisioning/filter.ts'
import { invalidValue, ScimError } from '../../core/provisioning/scim-error.ts'
import { mostResults } from './discovery.ts'
import { selectionOf } from './resources.ts'

interface ListQuery {
  filter: Filter | null
  /** From 0. */
  start: number
  count: number
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

/** RFC 7644 §3.4.2.4: a `startIndex` below 1 is 1, a negative `count` is 0. */
export const listQuery = (query: unknown): ListQuery => {
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

export const selection = ({ query }: { query: unknown }) =>
  selectionOf({
    attributes: textIn(query, 'attributes'),
    excludedAttributes: textIn(query, 'excludedAttributes'),
  })
