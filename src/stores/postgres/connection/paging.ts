import type { Page, PageRequest } from '../../../core/language/paging.ts'

/** Removes the extra row and each row's place, and computes the place of the next page. */
export const toPage = <Item extends object>(
  rows: readonly (Item & { place: string })[],
  { limit }: PageRequest,
): Page<Item> => ({
  items: rows.slice(0, limit).map(({ place: _, ...item }) => item as unknown as Item),
  next: rows.length > limit ? (rows[limit - 1]?.place ?? null) : null,
})
