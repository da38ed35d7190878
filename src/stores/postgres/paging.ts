import type { Page, PageRequest } from '../../services/paging.ts'

/** The place of a row in the order of creation: microseconds since 1970, a dot, its key. */
export const placeColumn = (key: string) =>
  `(extract(epoch from created_at) * 1000000)::bigint || '.' || ${key} as place`

/** Rows behind the place in $1 and $2; goes with `firstOnes` and `pageValues`. */
export const behind = (key: string) =>
  `(created_at, ${key}) > ('epoch'::timestamptz + $1::float8 * interval '1 microsecond', $2::text)`

/** The order of creation, and one row more than $3 allows, which tells whether there is another page. */
export const firstOnes = (key: string) => `order by created_at, ${key} limit $3::integer + 1`

/** The values of $1, $2 and $3. */
export const pageValues = ({ after, limit }: PageRequest) => {
  const [micros = '0', key = ''] = after?.split('.') ?? []
  return [Number(micros), key, limit]
}

/** Cuts off the row too many and says where the next page begins. */
export const toPage = <Row extends { place: string }, Item>(
  rows: readonly Row[],
  { limit }: PageRequest,
  toItem: (row: Row) => Item,
): Page<Item> => ({
  items: rows.slice(0, limit).map(toItem),
  next: rows.length > limit ? (rows[limit - 1]?.place ?? null) : null,
})
