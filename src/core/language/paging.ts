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

/** What is compared of an item; null: the list has this order already. */
type Compared<Item> = ((item: Item) => string | number) | null

const inAnyCase = (value: string | number) =>
  typeof value === 'string' ? value.toLowerCase() : value

const sortedBy = <Item>(all: readonly Item[], compared: Compared<Item>) => {
  if (compared === null) return [...all]
  const keyed = all.map((item) => ({ item, key: inAnyCase(compared(item)) }))
  keyed.sort((one, other) => (one.key < other.key ? -1 : Number(one.key > other.key)))
  return keyed.map(({ item }) => item)
}

/**
 * A page of a list that is read as a whole. A place is a number of items.
 * @param orders by their names in a request; a request without one leaves the list as it is
 * @param textsOf the texts of an item of which `q` is a part; absent: it is not searched
 */
export const pageOfAll = <Item>(
  all: readonly Item[],
  { limit, after, sort = '', q = '' }: PageRequest,
  orders: Readonly<Record<string, Compared<Item>>>,
  textsOf: (item: Item) => readonly string[] = () => [''],
): Page<Item> => {
  const isReverse = sort.startsWith('-')
  const sorted = sortedBy(all, orders[isReverse ? sort.slice(1) : sort] ?? null)
  if (isReverse) sorted.reverse()
  const typed = q.toLowerCase()
  const found = sorted.filter((one) => textsOf(one).some((it) => it.toLowerCase().includes(typed)))
  const start = Number.parseInt(after ?? '0', 10)
  const end = start + limit
  return { items: found.slice(start, end), next: end < found.length ? String(end) : null }
}
