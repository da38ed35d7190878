import type { FastifyRequest } from 'fastify'
import {
  type ListPosition,
  type Page,
  placeShape,
  type SearchRequest,
} from '../../core/language/paging.ts'
import { queried } from './forms/sent-values.ts'
import type { ListLinks } from './view-models/frame.ts'

const entriesOfPage = 25
const longestName = 100

/** The part of a long list and the search text that the address names. */
export interface ListPart {
  /** The search text; empty when there is none. */
  name: string
  after: ListPosition | null
  /** Further parameters that choose what the list contains. */
  filters?: Record<string, string>
}

/** The beginning of a list. */
export const firstPart: ListPart = { name: '', after: null }

/** A search text of the address, without control characters. */
export const searchedText = (request: FastifyRequest, name: string, most = longestName): string =>
  queried(request, name)
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, most)

/** Reads `after` and `name`. Values that our pages never produce count as absent. */
export const readPart = (request: FastifyRequest): ListPart => {
  const after = queried(request, 'after')
  return { name: searchedText(request, 'name'), after: placeShape.test(after) ? after : null }
}

export const searchOf = ({ name, after }: ListPart): SearchRequest => ({
  limit: entriesOfPage,
  after,
  name: name || null,
})

/** The address of a part of a list, with additional parameters. */
export const addressOf = (
  path: string,
  { name, after, filters }: ListPart,
  more: Record<string, string> = {},
): string => {
  const query = new URLSearchParams({
    ...(name && { name }),
    ...filters,
    ...(after && { after }),
    ...more,
  })
  return query.size === 0 ? path : `${path}?${query}`
}

/** Links from a part of a list to the first and the next part. */
export const linksOf = (path: string, part: ListPart, { next }: Page<unknown>): ListLinks => ({
  startUrl: part.after && addressOf(path, { ...part, after: null }),
  nextUrl: next && addressOf(path, { ...part, after: next }),
})
