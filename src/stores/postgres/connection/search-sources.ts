// Where a search looks: the tables that have names, by kinds.
import type { AdminKind, FoundKind } from '../../../core/organizations/search.ts'

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

export const sources: Record<FoundKind | AdminKind, Source> = {
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

/**
 * The rows of a kind that a text finds. `offset 0` keeps the planner from reading the rows in the order of a list, and
 * trying each of them.
 */
export const foundRows = (kind: FoundKind) => {
  const { from, keys } = sources[kind]
  return `(select t.* from ${from} where search_vector(t.name, ${keys}) @@ search_query(?, false) offset 0)`
}

/** The condition for rows whose column is the id of what a text finds, for a list. */
export const foundIn = (kind: FoundKind, column: string) => {
  const { from, id, keys } = sources[kind]
  return `${column} = any(array(
    select ${id} from ${from} where search_vector(t.name, ${keys}) @@ search_query(?, false)))`
}

/** The same for the list of an organization, in which a part of these texts is enough. */
export const foundNearby = (kind: FoundKind, column: string, ...texts: string[]) =>
  [foundIn(kind, column), ...texts.map((text) => `position(lower(?) in lower(${text})) > 0`)].join(
    ' or ',
  )
