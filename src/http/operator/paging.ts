import { type Static, type TSchema, Type } from 'typebox'
import { type Page, type PageRequest, placeShape } from '../../core/language/paging.ts'
import { Invalid } from '../../core/language/service-errors.ts'

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
    Type.String({ maxLength: 256, description: '`next` of the previous page; opaque.' }),
  ),
}

/** The query of a list without filters. */
export const pageQuery = Type.Object(pageParameters, { additionalProperties: false })

type PageQuery = Static<typeof pageQuery>

/** The answer of a list. */
export const pageOf = <Item extends TSchema>(item: Item) =>
  Type.Object({
    items: Type.Array(item),
    next: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The cursor of the next page; null on the last one.',
    }),
  })

/** @throws Invalid for a cursor that is not `next` of a list */
export const readPage = ({ limit = defaultLimit, cursor }: PageQuery): PageRequest => {
  if (cursor === undefined) return { limit, after: null }
  const place = Buffer.from(cursor, 'base64url').toString('latin1')
  if (!placeShape.test(place))
    throw new Invalid([{ pointer: '/cursor', detail: 'is not a cursor' }])
  return { limit, after: place }
}

export const pageJson = <Item, Json>(page: Page<Item>, toJson: (item: Item) => Json) => ({
  items: page.items.map(toJson),
  next: page.next === null ? null : Buffer.from(page.next).toString('base64url'),
})
