/**
 * A place in a list, made by a store and passed back to it: a number, and an id where the number is not unique. A client
 * id can be a URL.
 * @see placeShape
 */
export type ListPosition = string

/** JSON Schema writes it as a pattern with the flag `u`. */
export const placePattern = '^[0-9]{1,16}(\\.[!-~]{1,500})?$'

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
  /** Items after this place; null: from the beginning. */
  after: ListPosition | null
}

/** A page of search results. */
export interface SearchRequest extends PageRequest {
  /** Only items with this text in the name, ignoring case; null: all items. */
  name: string | null
}

export interface Page<Item> {
  items: Item[]
  /** The beginning of the next page; null on the last one. */
  next: ListPosition | null
}
