import type {
  Answer,
  IntrospectedGrant,
  IntrospectedInstall,
  IntrospectedKeySet,
  IntrospectionStore,
} from '../../../core/introspection/token-facts.ts'
import type { Interface } from '../../../core/language/permissions.ts'
import { type AppRow, appColumn, appJoins } from '../clients/app-columns.ts'
import { type AskerRow, askerColumn, toAsker } from '../clients/resource-servers.ts'
import {
  type BatchedRead,
  batchedRead,
  bytesOf,
  type HexBytes,
} from '../connection/batched-reads.ts'
import type { Database } from '../connection/database.ts'
import {
  endedReason,
  type GrantRow,
  grantColumns,
  grantJoins,
  grantOf,
  type InstallRow,
  installColumns,
  installJoins,
  installOf,
} from '../grants/grant-columns.ts'

interface TokenRow {
  revoked: boolean
  stored_workspace_ids: string[] | null
}

type GrantTokenRow = AppRow & GrantRow & TokenRow & { ended_reason: string | null }

interface KeySetRow {
  key_set_id: string | null
  client_id: string
  organization_id: string
  interface: Interface
  name: string
  description: string | null
  permissions: string[]
  workspace_ids: string[] | null
  secret_ids: string[]
  digests: HexBytes[]
  sealed: (HexBytes | null)[]
  expiries: (string | null)[]
  ends: boolean[]
  present_workspace_ids: string[]
}

/** Reads the asking resource server ($1) in the same round trip as the requested row. */
const asked = (found: string) => `
select ${askerColumn}, t.*
from (select 1) one
left join resource_servers r on r.client_id = $1
left join lateral (${found}) t on true`

const ofToken = `exists (select 1 from revoked_tokens where jti = $3) as revoked,
  (select workspace_ids from token_reaches where id = $4) as stored_workspace_ids`

const grantQuery = asked(`
select ${appColumn}, ${grantColumns}, ${endedReason} as ended_reason, ${ofToken}
from grants g join apps a on a.client_id = g.client_id ${appJoins}
${grantJoins}
where g.id = $2::uuid`)

const installQuery = asked(`
select ${appColumn}, ${installColumns}, i.organization_id, i.ended_at is not null as install_ended, ${ofToken}
from installs i join apps a on a.client_id = i.client_id ${appJoins}
${installJoins}
where i.id = $2`)

const keySetQuery = (which: string) =>
  asked(`
select k.id as key_set_id, k.client_id, k.organization_id, k.interface, k.name, k.description,
  k.permissions, k.workspace_ids, s.secret_ids, s.digests, s.sealed, s.expiries, s.ends, w.present_workspace_ids
from key_sets k
cross join lateral (
  select coalesce(array_agg(id), '{}') as secret_ids, coalesce(array_agg(digest), '{}') as digests,
         coalesce(array_agg(sealed), '{}') as sealed, coalesce(array_agg(expires_at), '{}') as expiries,
         coalesce(array_agg(coalesce(expires_at <= now(), false)), '{}') as ends
    from key_set_secrets
   where key_set_id = k.id and ($1::text is null or expires_at is null or expires_at > now())
) s
cross join lateral (
  select coalesce(array_agg(id order by id), '{}') as present_workspace_ids
    from workspaces where organization_id = k.organization_id
) w
where ${which}`)

const keySetByClient = keySetQuery('k.client_id = $2')
const keySetBySecret = keySetQuery(
  'k.id in (select key_set_id from key_set_secrets where digest = any($2))',
)

const optional = <Value>(text: string | null | undefined, read: (text: string) => Value) =>
  text == null ? null : read(text)

const keySetOf = (row: KeySetRow): IntrospectedKeySet | null =>
  row.key_set_id === null
    ? null
    : {
        keySet: {
          id: row.key_set_id,
          clientId: row.client_id,
          organizationId: row.organization_id,
          interface: row.interface,
          name: row.name,
          description: row.description,
          permissions: row.permissions,
          workspaceIds: row.workspace_ids,
        },
        secrets: row.secret_ids.map((id, at) => ({
          id,
          digest: bytesOf(row.digests[at] as HexBytes),
          sealed: optional(row.sealed[at], bytesOf),
          expiresAt: optional(row.expiries[at], (text) => new Date(text)),
          ended: row.ends[at] === true,
        })),
        presentWorkspaceIds: row.present_workspace_ids,
      }

type InstallTokenRow = AppRow &
  InstallRow &
  TokenRow & { organization_id: string; install_ended: boolean }

const userTokenOf = (row: GrantTokenRow): IntrospectedGrant | null => {
  const loaded = grantOf(row, row.app)
  return (
    loaded && {
      app: row.app,
      revoked: row.revoked,
      endedReason: row.ended_reason,
      storedWorkspaceIds: row.stored_workspace_ids,
      ...loaded,
    }
  )
}

const installTokenOf = (row: InstallTokenRow): IntrospectedInstall | null => {
  const loaded = installOf(row)
  return (
    loaded && {
      app: row.app,
      organizationId: row.organization_id,
      ended: row.install_ended,
      revoked: row.revoked,
      storedWorkspaceIds: row.stored_workspace_ids,
      ...loaded,
    }
  )
}

export const createIntrospectionStore = (database: Database): IntrospectionStore => {
  const answer = <Row extends object, Found>(
    row: Row & AskerRow,
    toFound: (row: Row) => Found | null,
  ): Answer<Found> => ({
    asker: toAsker(row),
    found: toFound(row),
  })

  const reader = <Row extends object, Found>(
    read: BatchedRead,
    toFound: (row: Row) => Found | null,
  ) => {
    const rowOf = batchedRead<Row & AskerRow>(database, read)
    return async (...values: (string | null)[]) =>
      answer((await rowOf(values)) as Row & AskerRow, toFound)
  }

  return {
    grant: reader(
      { name: 'introspect_grant', query: grantQuery, types: ['text', 'uuid', 'text', 'text'] },
      userTokenOf,
    ),
    install: reader(
      { name: 'introspect_install', query: installQuery, types: ['text', 'text', 'text', 'text'] },
      installTokenOf,
    ),
    keySet: reader(
      { name: 'introspect_key_set', query: keySetByClient, types: ['text', 'text'] },
      keySetOf,
    ),
    keySetBySecret: async (asker, digests) => {
      const { rows } = await database.query<{ row: KeySetRow & AskerRow }>(
        `select to_json(t) as row from (${keySetBySecret}) t`,
        [asker, digests],
        'introspect_secret_key',
      )
      return answer((rows[0] as { row: KeySetRow & AskerRow }).row, keySetOf)
    },
    knownResources: async (uris) => {
      const { rows } = await database.query<{ uri: string }>(
        `select distinct uri from resource_servers, unnest(resource) uri
          where resource && $1::text[] and uri = any($1)`,
        [uris],
      )
      return rows.map(({ uri }) => uri)
    },
    nothing: reader<object, never>(
      { name: 'introspect_nothing', query: asked('select 1 as nothing'), types: ['text'] },
      () => null,
    ),
  }
}
