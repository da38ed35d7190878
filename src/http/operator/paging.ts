import { type Static, type TSchema, Type } from 'typebox'
import { type Page, type PageRequest, placePattern } from '../../core/language/paging.ts'
import { closed, nullable } from './schemas.ts'

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

type PageQuery = Static<typeof pageQuery>

/** The answer of a list. */
export interface PageJson<Item> {
  items: Item[]
  next: string | null
}

/** Its schema. */
export const pageOf = <Item extends TSchema>(item: Item) =>
  Type.Object({
    items: Type.Array(item),
    next: nullable(
      Type.String({ description: 'The cursor of the next page; null on the last one.' }),
    ),
  })

export const readPage = ({ limit = defaultLimit, cursor }: PageQuery): PageRequest => ({
  limit,
  after: cursor ?? null,
})

export const pageJson = <Item, Json>(
  page: Page<Item>,
  toJson: (item: Item) => Json,
): PageJson<Json> => ({
  items: page.items.map(toJson),
  next: page.next,
})
