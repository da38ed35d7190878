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

/** The app `a` has the text of `$n` in its name; true when `$n` is null. */
export const nameContains = (n: number) =>
  `($${n}::text is null or position(lower($${n}::text) in lower(a.name)) > 0)`

/** The place of a user `u` in a list sorted by name. It contains the id, because names change. */
export const userPlace = `'0.' || u.id as place`

/** The user id in a place of `userPlace`. */
export const userIdOf = (request: PageRequest) => installIdOf(request)

/** Users `u` after the one with the id in `$n`, by name. All users when that one no longer exists. */
export const afterUser = (n: number) => `(
  not exists (select 1 from users where id = $${n})
  or (lower(u.name), u.id) > (select lower(name), id from users where id = $${n}))`

/** The user `u` has the text of `$n` in the name or the e-mail address; true when `$n` is null. */
export const userMatches = (n: number) =>
  `($${n}::text is null or position(lower($${n}::text) in lower(u.name)) > 0
    or position(lower($${n}::text) in lower(u.email)) > 0)`

/** Removes the extra row and each row's place, and computes the place of the next page. */
export const toPage = <Item extends object>(
  rows: readonly (Item & { place: string })[],
  { limit }: PageRequest,
): Page<Item> => ({
  items: rows.slice(0, limit).map(({ place: _, ...item }) => item as unknown as Item),
  next: rows.length > limit ? (rows[limit - 1]?.place ?? null) : null,
})
