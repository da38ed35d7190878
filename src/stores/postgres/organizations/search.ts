import type {
  AdminKind,
  Found,
  FoundKind,
  SearchStore,
} from '../../../core/organizations/search.ts'
import type { Database } from '../connection/database.ts'

interface Source {
  from: string
  id: string
  organization?: string
  /** The columns of its index, beside the name. */
  keys: string
  /** It belongs to the organizations in $4. */
  own: string
}

const app = { id: 't.client_id', keys: 't.client_id' }
const withinOne = { organization: 't.organization_id', own: 't.organization_id = any($4)' }

const sources: Record<FoundKind | AdminKind, Source> = {
  organization: { from: 'organizations t', id: 't.id', keys: 't.id', own: 't.id = any($4)' },
  workspace: { from: 'workspaces t', id: 't.id', keys: 't.id', ...withinOne },
  app: {
    ...{ from: 'apps t', ...app },
    own: 't.client_id in (select client_id from installs where ended_at is null and organization_id = any($4))',
  },
  user: {
    ...{ from: 'users t', id: 't.id', keys: 't.id, t.email' },
    own: 't.id in (select user_id from members where organization_id = any($4))',
  },
  key_set: { from: 'key_sets t', id: 't.id', keys: 't.id, t.client_id', ...withinOne },
  resource_server: { from: 'resource_servers t', ...app, own: 't.organization_ids && $4' },
  request: {
    ...{ from: 'install_requests r join apps t on t.client_id = r.client_id', ...app, id: 'r.id' },
    own: 'r.decided_at is null and r.organization_id = any($4)',
  },
}

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
    return database.transaction(async (tx) => {
      // A plan that reads all rows looks cheap, as it needs only the first that fit. Where these come late, it reads all.
      await tx.run('set local enable_seqscan = off')
      return tx.rows<Found<Kind>>(searchQuery(kinds, organizationIds !== null), values)
    })
  },
})
