// How resources are found that meet a filter: by the store, or else among a bounded number of them.
import type { Filter } from './filter.ts'
import { tooMany } from './scim-error.ts'

/** A term that finds resources by an index. */
export type Key = Record<'attribute' | 'value', string>

/**
 * Keys of which each matching resource has at least one; null when the filter has none.
 * @param attributes that have an index, as paths in lower case
 */
export const keysIn = (filter: Filter, attributes: readonly string[]): Key[] | null => {
  switch (filter.kind) {
    case 'compare': {
      const attribute = filter.path.join('.')
      const { operator, value } = filter
      return operator === 'eq' && typeof value === 'string' && attributes.includes(attribute)
        ? [{ attribute, value }]
        : null
    }
    case 'some': {
      const [name] = filter.path
      const { part } = filter
      return part.kind === 'compare' && part.path.join('.') === 'value' && name !== undefined
        ? keysIn({ ...part, path: [name, 'value'] }, attributes)
        : null
    }
    case 'and':
    case 'or': {
      const found = filter.parts.map((part) => keysIn(part, attributes))
      if (filter.kind === 'and') return found.find((keys) => keys !== null) ?? null
      return found.every((keys) => keys !== null) ? found.flat() : null
    }
    default:
      return null
  }
}

/** Does a term of the filter concern this attribute? */
export const concerns = (filter: Filter, attribute: string): boolean => {
  if ('parts' in filter) return filter.parts.some((part) => concerns(part, attribute))
  return filter.kind === 'not' ? concerns(filter.part, attribute) : filter.path[0] === attribute
}

/** How many comparisons the filter has. */
export const termsIn = (filter: Filter): number => {
  if ('parts' in filter) return filter.parts.reduce((sum, part) => sum + termsIn(part), 0)
  return 'part' in filter ? termsIn(filter.part) : 1
}

export interface Found<Resource> {
  /** Of all pages. */
  total: number
  resources: Resource[]
}

export interface Search {
  filter: Filter
  /** Each resource that meets the filter has one of these; null: there are none. */
  keys: readonly Key[] | null
}

export interface SearchStore<Resource> {
  /** Attributes by which it finds resources without reading all. */
  indexed: readonly string[]
  count(organizationId: string): Promise<number>
  /** A page of those that meet the filter, by age, so that new ones come last; null: the store cannot decide each term of it. */
  find(
    organizationId: string,
    search: Search | null,
    page: { start: number; count: number },
  ): Promise<Found<Resource> | null>
  /** Those that may meet the filter: the others are left out as far as the store can decide. */
  candidates(organizationId: string, search: Search, limit: number): Promise<Resource[]>
}

/** Comparisons of the store: terms of the filter for each resource of the organization. */
const mostCompared = 1_000_000
/** Resources that are compared in the process. */
const mostScanned = 2000

/**
 * @param page its `start` is from 0
 * @param meeting those of the candidates that meet the filter
 * @throws ScimError tooMany
 */
export const search = async <Resource>(
  store: SearchStore<Resource>,
  organizationId: string,
  filter: Filter | null,
  page: { start: number; count: number },
  meeting: (candidates: Resource[], filter: Filter) => Promise<Resource[]>,
): Promise<Found<Resource>> => {
  const requested = filter && { filter, keys: keysIn(filter, store.indexed) }
  const terms = requested?.keys === null ? termsIn(requested.filter) : 0
  if (terms > 1 && terms * (await store.count(organizationId)) > mostCompared)
    throw tooMany('the organization is too large for this filter; use fewer terms')
  const found = await store.find(organizationId, requested, page)
  if (found || !requested) return found ?? { total: 0, resources: [] }
  const candidates = await store.candidates(organizationId, requested, mostScanned + 1)
  if (candidates.length > mostScanned)
    throw tooMany('the organization is too large for this filter; use other attributes')
  const all = await meeting(candidates, requested.filter)
  return { total: all.length, resources: all.slice(page.start, page.start + page.count) }
}
