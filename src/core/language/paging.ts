/**
 * A place in a list, made by a store and passed back to it: a number, and an id where the number is not unique, or the
 * text by which the list is sorted and an id, encoded. A client id can be a URL.
 * @see placeShape
 */
export type ListPosition = string

/** JSON Schema writes it as a pattern with the flag `u`. */
export const placePattern = '^[0-9]{1,16}(\\.[!-~]{1,2000})?$'

/** Text of another shape never reaches a store. */
export const placeShape = new RegExp(placePattern, 'u')

/** The number and the id in a place; null: there is no place. */
export const partsOfPlace = (place: ListPosition | null): [number: string, id: string] | null => {
  if (place === null) return null
  const [number = ''] = place.split('.', 1)
  return [number, place.slice(number.length + 1)]
}

export interface PageRequest {
  /** At most this many items. */
  limit: number
  /** Items after this place; null: from the beginning. It belongs to one order. */
  after: ListPosition | null
  /** The order, with `-` before it for its reverse; absent: the usual one of the list. */
  sort?: string | undefined
  /** Only items that this text finds, as the search does; absent: all items. */
  q?: string | undefined
  /** Only items with these values; absent: all items. */
  filter?: Readonly<Record<string, string | number | boolean | undefined>>
}

/** Orders and their reverses, as a request names them. */
export const withReverses = (orders: readonly string[]) =>
  orders.flatMap((order) => [order, `-${order}`])

export interface Page<Item> {
  items: Item[]
  /** The beginning of the next page; null on the last one. */
  next: ListPosition | null
}
