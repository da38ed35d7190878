// Long lists: the part that the address names, the form above it, the headings that sort it, and the links to its other parts.
import type { FastifyRequest } from 'fastify'
import { type Camel, camelCase } from '../../core/language/case.ts'
import { invalidRequest } from '../../core/language/errors.ts'
import {
  type ListPosition,
  type Page,
  placeShape,
  withReverses,
} from '../../core/language/paging.ts'
import type { Text } from '../../words/text.ts'
import { queried } from './forms/sent-values.ts'
import { keepList } from './left-lists.ts'
import { pathOf } from './signed-cookie.ts'
import type { Choice, FilterField, SortLink } from './view-models/frame.ts'

const entriesOfPage = 25
const longestName = 100

/** Values that filter a list, with their words. */
export interface ListChoice {
  name: string
  label: string
  values: readonly string[]
  labels: Readonly<Record<string, string>>
}

/** A filter by the values that have these words. */
export const choiceOf = (
  name: string,
  label: string,
  labels: ListChoice['labels'],
  values: readonly string[] = Object.keys(labels),
): ListChoice => ({ name, label, values, labels })

interface ListRules {
  picks?: readonly ListPick[]
  /** By what it can be sorted. Null or absent: what answers the request checks it. */
  orders?: readonly string[] | null
  choices?: readonly ListChoice[]
}

/** The part of a long list that the address names. */
export interface ListPart {
  /** The search text; empty when there is none. */
  name: string
  after: ListPosition | null
  /** The order, with `-` before it for its reverse; empty: the usual one. */
  sort: string
  /** Further parameters that choose what the list contains. */
  filters: Record<string, string>
}

export const firstPart: ListPart = { name: '', after: null, sort: '', filters: {} }

/** A search text of the address, without control characters. */
export const searchedText = (request: FastifyRequest, name: string, most = longestName): string =>
  queried(request, name)
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, most)

/** A place in a list that the address names; null: its beginning. */
export const placeIn = (request: FastifyRequest, name: string): ListPosition | null => {
  const place = queried(request, name)
  return placeShape.test(place) ? place : null
}

/** @param limit entries of a page: fewer, where each is tall on a phone */
export const searchOf = ({ name, after, sort, filters }: ListPart, limit = entriesOfPage) => ({
  ...{ limit, after, filter: filters },
  q: name || undefined,
  sort: sort || undefined,
})

/** The address of a part of a list, with additional parameters. */
export const addressOf = (
  path: string,
  { name, after, sort, filters }: ListPart,
  more: Record<string, string> = {},
): string => {
  const query = new URLSearchParams({
    ...(name && { name }),
    ...filters,
    ...(sort && { sort }),
    ...(after && { after }),
    ...more,
  })
  return query.size === 0 ? path : `${path}?${query}`
}

/**
 * Reads the part, and keeps it for links back to the list. Other values that our pages never produce count as absent.
 * @throws OAuthError for an unknown order
 */
export const readPart = (
  request: FastifyRequest,
  { orders, choices = [], picks = [] }: ListRules = {},
): ListPart => {
  const sort = queried(request, 'sort')
  const known = orders && withReverses(orders)
  if (known && sort !== '' && !known.includes(sort))
    throw invalidRequest(`sort has to be one of: ${known.join(', ')}`, 'list_order')
  const chosen = choices.map(({ name }) => [name, queried(request, name)] as const)
  const filters = chosen.filter(([, value], at) => choices[at]?.values.includes(value))
  const typed = picks.flatMap(({ name, picked: { value } }) => (value ? [[name, value]] : []))
  const part = {
    name: searchedText(request, 'name'),
    after: placeIn(request, 'after'),
    ...{ sort, filters: Object.fromEntries([...filters, ...typed]) },
  }
  keepList(request, addressOf(pathOf(request.url), part))
  return part
}

/** Links from a part of a list to the first and the next part. */
export const linksOf = (path: string, part: ListPart, { next }: Pick<Page<unknown>, 'next'>) => ({
  startUrl: part.after && addressOf(path, { ...part, after: null }),
  nextUrl: next && addressOf(path, { ...part, after: next }),
})

/**
 * Makes the link of a heading that sorts, with the direction in which the list is sorted now. A second use turns it round.
 * @param usual the order of a list whose address names none
 */
export const sortsOf =
  (path: string, part: ListPart, usual: string, anchor: string) =>
  (order: string): SortLink => {
    const reverse = `-${order}`
    const current = part.sort || usual
    const sort = current === order ? reverse : order
    return {
      href: `${addressOf(path, { ...part, after: null, sort: sort === usual ? '' : sort })}#${anchor}`,
      direction: current === order ? 'ascending' : current === reverse ? 'descending' : null,
    }
  }

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

/** The choice of an order, for a list without headings. The first order is the usual one. */
const orderChoice = ({ lists }: Text, { sort }: ListPart, orders: readonly ListOrder[]) => {
  const [usual, ...others] = orders.map((id) => ({ id, name: lists.orders[id] }))
  return {
    ...{ name: 'sort', label: lists.sort },
    options: choicesOf(usual?.name ?? '', others, sort),
  }
}

type ListOrder = keyof Text['lists']['orders']

/** What is chosen in a field in which a name is typed. */
export type FilterPick = Pick<FilterField, 'value' | 'note' | 'fault' | 'pick'>

export interface ListPick {
  name: string
  label: string
  picked: FilterPick
}

const pickOf = ({ name, label, picked }: ListPick): FilterField => ({
  ...{ id: name, name, label, type: 'text', choices: [] },
  ...picked,
})

interface FilterParts {
  /** Absent: it has no search. */
  label?: string | null
  /** The id of what is shown after a search: the list. */
  anchor: string
  choices?: readonly ListChoice[]
  picks?: readonly ListPick[]
  /** Absent: its headings sort it. */
  orders?: readonly ListOrder[]
}

export const filterOf = (
  text: Text,
  action: string,
  part: ListPart,
  { label = null, anchor, choices = [], picks = [], orders }: FilterParts,
) => ({
  ...{ action, anchor, label, name: part.name },
  choices: [
    ...choices.map(({ name, label: shown, values, labels }) => {
      const options = values.map((id) => ({ id, name: labels[id] ?? id }))
      const all = labels.all ?? text.lists.all
      return { name, label: shown, options: choicesOf(all, options, part.filters[name] ?? '') }
    }),
    ...(orders ? [orderChoice(text, part, orders)] : []),
  ],
  fields: picks.map(pickOf),
  /** The order, which stays; empty: the usual one. */
  sort: orders ? '' : part.sort,
  /** It searches for nothing. */
  isOpen: part.name === '' && Object.keys(part.filters).length === 0,
})

export type ListFilter = ReturnType<typeof filterOf>

/**
 * A list of a page: what it asks for, and what the page shows around it.
 * @param orders by what its headings sort it, the usual one first; null: what answers the request checks the order
 */
export const listOf = <const Order extends string>(
  { request, text }: { request: FastifyRequest; text: Text },
  url: string,
  orders: readonly Order[] | null,
  parts: FilterParts,
) => {
  const part = readPart(request, { ...parts, orders })
  const sort = sortsOf(url, part, orders?.[0] ?? '', parts.anchor)
  const sorts = (orders ?? []).map((order) => [camelCase(order), sort(order)])
  return {
    part,
    filter: filterOf(text, url, part, parts),
    sorts: Object.fromEntries(sorts) as Record<Camel<Order>, SortLink>,
    ask: (limit?: number) => searchOf(part, limit),
    links: (page: Pick<Page<unknown>, 'next'>) => linksOf(url, part, page),
  }
}
