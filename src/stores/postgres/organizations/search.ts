import type {
  AdminKind,
  Found,
  FoundKind,
  SearchStore,
} from '../../../core/organizations/search.ts'
import type { Database } from '../connection/database.ts'
import { byIndexes } from '../connection/lists.ts'
import { sources } from '../connection/search-sources.ts'

/** The first rows of a kind. The words of the condition are those of its index. */
const part = (kind: FoundKind | AdminKind, isExact: boolean, isLimited: boolean) => {
  const { from, id, organization = 'null::text', keys, own } = sources[kind]
  return `(select '${kind}' as kind, ${id} as id, t.name, ${organization} as "organizationId", ${isExact} as exact
  from ${from} where search_vector(t.name, ${keys}) @@ search_query($1, ${isExact})
  ${isLimited ? `and ${own}` : ''} limit $2)`
}

/** @param isLimited to the organizations in $4 */
export const searchQuery = (kinds: readonly (FoundKind | AdminKind)[], isLimited: boolean) => `
with found as (
  select kind, id, name, "organizationId", bool_or(exact) as exact, lower(name) as word
    from (${kinds.flatMap((kind) => [part(kind, true, isLimited), part(kind, false, isLimited)]).join(' union all ')}) parts
   group by kind, id, name, "organizationId"
)
select kind, id, name, "organizationId" from (
  select found.*, row_number() over (partition by exact, kind order by word, id) as turn from found
) ranked
order by exact desc, turn, array_position($3::text[], kind) limit $2`

export const createSearchStore = (database: Database): SearchStore => ({
  find: async <Kind extends FoundKind | AdminKind>(
    text: string,
    kinds: readonly Kind[],
    organizationIds: readonly string[] | null,
    limit: number,
  ) => {
    if (kinds.length === 0) return []
    const values = [text, limit, kinds, ...(organizationIds === null ? [] : [organizationIds])]
    return byIndexes(database, (tx) =>
      tx.rows<Found<Kind>>(searchQuery(kinds, organizationIds !== null), values),
    )
  },
})
