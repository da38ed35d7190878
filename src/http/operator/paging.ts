import { type Static, type TSchema, Type } from 'typebox'
import {
  type Page,
  type PageRequest,
  placePattern,
  withReverses,
} from '../../core/language/paging.ts'
import { longestSearch } from '../../core/organizations/search.ts'
import { closed, nullable, oneOf, optional } from './schemas.ts'

const defaultLimit = 50
const largestLimit = 200

export const pageParameters = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: largestLimit,
      default: defaultLimit,
      description: 'At most this many items.',
    }),
  ),
  cursor: Type.Optional(
    Type.String({ pattern: placePattern, description: '`next` of the previous page.' }),
  ),
}

/** The query of a list without filters. */
export const pageQuery = closed(pageParameters)

type ListQuery = Static<typeof pageQuery> & { sort?: string; q?: string } & NonNullable<
    PageRequest['filter']
  >

/**
 * The query of a list that can be sorted by these, and searched.
 * @param filters values that its items have
 * @param usual the order without `sort`
 */
export const sortedQuery = <Filters extends Record<string, TSchema>>(
  orders: readonly string[],
  filters: Filters,
  usual: string,
) =>
  closed({
    ...pageParameters,
    ...optional({
      sort: oneOf(withReverses(orders), {
        default: usual,
        description:
          'What the list is sorted by; with `-` before it the other way round. Equal items are in the order of their ids. A cursor belongs to its order.',
      }),
      ...filters,
      q: Type.String({
        minLength: 1,
        maxLength: longestSearch,
        pattern: '\\S',
        description:
          'Each word begins a word of the name, or the text begins an id or e-mail address, as in `GET /search`. Lists of hosts, permissions, signing keys, tokens and webhooks: a part of the text, in any case.',
      }),
    }),
  })

/** The query of a list that can be sorted by the time of creation too. */
export const listQuery = <Filters extends Record<string, TSchema> = Record<never, never>>(
  orders: readonly string[],
  filters = {} as Filters,
  usual = 'created_at',
) => sortedQuery(['created_at', ...orders], filters, usual)

/** The answer of a list. */
export interface PageJson<Item> {
  items: Item[]
  next: string | null
}

export const pageOf = <Item extends TSchema>(item: Item) =>
  Type.Object({
    items: Type.Array(item),
    next: nullable(
      Type.String({ description: 'The cursor of the next page; null on the last one.' }),
    ),
  })

/** The other parameters are filters of the list. */
export const readPage = ({ limit = defaultLimit, cursor, sort, q, ...filter }: ListQuery) => ({
  ...{ limit, after: cursor ?? null, sort, q, filter },
})

export const pageJson = <Item, Json>(
  page: Page<Item>,
  toJson: (item: Item) => Json,
): PageJson<Json> => ({
  items: page.items.map(toJson),
  next: page.next,
})
