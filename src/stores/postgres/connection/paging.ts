import type { Page, PageRequest } from '../../../core/language/paging.ts'

/** The place of an install `i` in a list sorted by name. It contains the id, because names change. */
export const installPlace = `'0.' || i.id as place`

/** The install id in a place of `installPlace`. */
export const installIdOf = ({ after }: PageRequest) => after?.split('.')[1] ?? null

/**
 * Installs `i` of apps `a` after the one with the id in `$n`, by the names of apps and of organizations `o`. All
 * installs when that one no longer exists.
 */
export const afterInstall = (n: number) => `(
  not exists (select 1 from installs where id = $${n})
  or (lower(a.name), lower(o.name), i.id) > (
    select lower(aa.name), lower(oo.name), ii.id from installs ii
    join apps aa on aa.client_id = ii.client_id
    join organizations oo on oo.id = ii.organization_id
    where ii.id = $${n}))`

export const orderByNames = 'lower(a.name), lower(o.name), i.id'

/** Removes the extra row and each row's place, and computes the place of the next page. */
export const toPage = <Item extends object>(
  rows: readonly (Item & { place: string })[],
  { limit }: PageRequest,
): Page<Item> => ({
  items: rows.slice(0, limit).map(({ place: _, ...item }) => item as unknown as Item),
  next: rows.length > limit ? (rows[limit - 1]?.place ?? null) : null,
})
