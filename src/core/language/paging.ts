/**
 * A place in a list, made by a store and handed back to it: a number and, where that alone is not unique, an id.
 * @see placeShape
 */
export type Place = string

/** What a place may look like; anything else never reaches a store. */
export const placeShape = /^\d{1,16}(?:\.[A-Za-z0-9_-]{1,128})?$/

export interface PageRequest {
  /** At most this many items. */
  limit: number
  /** Items behind this place; null from the beginning. */
  after: Place | null
}

/** A page of what somebody looks for. */
export interface Search extends PageRequest {
  /** Only what has this in its name, in capital letters or not; null: everything. */
  name: string | null
}

export interface Page<Item> {
  items: Item[]
  /** Where the next page begins; null on the last one. */
  next: Place | null
}
