// How resources are found that meet a filter: by the store, or else among a bounded number of them.
import { type Filter, type Key, keysIn, termsIn } from './filter.ts'
import { ScimError } from './scim-error.ts'

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
  /** A page of those that meet the filter, by id; null: the store cannot decide each term of it. */
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

const tooMany = (detail: string) => new ScimError(400, 'tooMany', detail)

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
  const asked = filter && { filter, keys: keysIn(filter, store.indexed) }
  const terms = asked?.keys === null ? termsIn(asked.filter) : 0
  if (terms > 1 && terms * (await store.count(organizationId)) > mostCompared)
    throw tooMany('the organization is too large for this filter; use fewer terms')
  const found = await store.find(organizationId, asked, page)
  if (found || !asked) return found ?? { total: 0, resources: [] }
  const candidates = await store.candidates(organizationId, asked, mostScanned + 1)
  if (candidates.length > mostScanned)
    throw tooMany('the organization is too large for this filter; use other attributes')
  const all = await meeting(candidates, asked.filter)
  return { total: all.length, resources: all.slice(page.start, page.start + page.count) }
}
