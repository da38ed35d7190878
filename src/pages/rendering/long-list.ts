// Long lists: the part that the address names, the search form above it, and the links to its other parts.
import type { FastifyRequest } from 'fastify'
import {
  type ListPosition,
  type Page,
  placeShape,
  type SearchRequest,
} from '../../core/language/paging.ts'
import { queried } from './forms/sent-values.ts'
import type { Choice, ListFilter, ListLinks } from './view-models/frame.ts'

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

/** @param limit entries of a page: fewer, where each is tall on a phone */
export const searchOf = ({ name, after }: ListPart, limit = entriesOfPage): SearchRequest => ({
  limit,
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
export const linksOf = (
  path: string,
  part: ListPart,
  { next }: Pick<Page<unknown>, 'next'>,
): ListLinks => ({
  startUrl: part.after && addressOf(path, { ...part, after: null }),
  nextUrl: next && addressOf(path, { ...part, after: next }),
})

/** The first choice means all. A chosen value that is not offered is added. */
export const choicesOf = (
  all: string,
  options: readonly { id: string; name: string }[],
  chosen: string,
): Choice[] => {
  const isKnown = chosen === '' || options.some(({ id }) => id === chosen)
  const offered = isKnown ? options : [...options, { id: chosen, name: chosen }]
  return [{ id: '', name: all }, ...offered].map(({ id, name }) => ({
    value: id,
    label: name,
    isChosen: id === chosen,
  }))
}

interface FilteredPart<Value> extends ListPart {
  /** Null: all. */
  chosen: Value | null
}

/** The part of a list that the address names, and the chosen value of its parameter `name`. */
export const readFiltered = <Value extends string>(
  request: FastifyRequest,
  name: string,
  values: readonly Value[],
): FilteredPart<Value> => {
  const chosen = values.find((one) => one === queried(request, name)) ?? null
  return { ...readPart(request), filters: chosen ? { [name]: chosen } : {}, chosen }
}

/**
 * The search form above a list.
 * @param anchor the id of what is shown after a search: the list
 * @param choice values that filter it, with their words
 */
export const filterOf = <Value extends string = never>(
  action: string,
  { name, filters = {} }: ListPart,
  label: string,
  anchor: string,
  choice?: {
    name: string
    label: string
    values: readonly Value[]
    labels: Readonly<Record<Value | 'all', string>>
  },
): ListFilter => {
  const options = choice?.values.map((id) => ({ id, name: choice.labels[id] })) ?? []
  return {
    ...{ action, anchor, label, name },
    choice: choice
      ? {
          ...{ name: choice.name, label: choice.label },
          options: choicesOf(choice.labels.all, options, filters[choice.name] ?? ''),
        }
      : null,
    isOpen: name === '' && Object.keys(filters).length === 0,
  }
}
