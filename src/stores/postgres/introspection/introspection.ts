import type {
  IntrospectedActor,
  IntrospectedGrant,
  IntrospectedInstall,
  IntrospectedKeySet,
  IntrospectionRead,
  IntrospectionStore,
} from '../../../core/introspection/token-facts.ts'
import { appJoins, appJson } from '../clients/app-columns.ts'
import {
  type CredentialsRow,
  credentialsColumn,
  mayHave,
  toCredentials,
} from '../clients/resource-servers.ts'
import { type BatchedRead, batchedRead, bytesOf, type InJson } from '../connection/batched-reads.ts'
import { type Columns, computed, nested, of, plain, selected } from '../connection/columns.ts'
import type { Database } from '../connection/database.ts'
import {
  endedReason,
  grantColumns,
  grantJoins,
  installColumns,
  installJoins,
  paused,
} from '../grants/grant-columns.ts'
import { keySetColumns } from '../organizations/key-sets.ts'
import { isLiveInstall, keptOut } from '../organizations/live.ts'

/** The subject of a token as one column. */
const found = <Found extends object>(columns: Columns<Found>, alias: string) =>
  selected({ found: nested(columns, alias) })

type ActorRow = IntrospectedActor & { revoked: boolean }

const actorColumns = selected<ActorRow>({
  installId: computed('i.id'),
  clientId: of('a'),
  appEpoch: of('a', 'families_epoch'),
  disabled: computed('a.disabled_at is not null'),
  permissions: of('a'),
  installPermissions: of('i', 'permissions'),
  installWorkspaceIds: of('i', 'workspace_ids'),
  paused: paused('i', 'a', 'p'),
  ended: computed(`not (${isLiveInstall('i')})`),
  keptOut: keptOut('i', '$3'),
  revoked: computed('exists (select 1 from revoked_tokens where jti = any($2))'),
})

const actorsQuery = `
select ${actorColumns}
from installs i join apps a on a.client_id = i.client_id
left join organization_policies p on p.organization_id = i.organization_id
where i.id = any($1)`

/** Reads the asking resource server ($1) in the same round trip as the requested row. */
const requested = (query: string) => `
select ${credentialsColumn}, t.found
from (select 1) one
left join resource_servers r on r.client_id = $1
left join lateral (${query}) t on true`

const ofToken = {
  revoked: computed('exists (select 1 from revoked_tokens where jti = $3)'),
  storedWorkspaceIds: computed('(select workspace_ids from token_reaches where id = $4)'),
}

const introspectedGrant: Columns<IntrospectedGrant> = {
  app: computed(appJson),
  ...grantColumns(),
  unused: computed('extract(epoch from now() - greatest(g.created_at, g.last_used_at))::integer'),
  endedReason: computed(endedReason),
  ...ofToken,
}

const grantQuery = requested(`
select ${found(introspectedGrant, 'g')}
from grants g join apps a on a.client_id = g.client_id ${appJoins}
${grantJoins}
where g.id = $2::uuid`)

const introspectedInstall: Columns<IntrospectedInstall> = {
  app: computed(appJson),
  ...installColumns({ install: 'i', app: 'a', policy: 'ip' }, 'null'),
  ...plain('organizationId'),
  ended: computed(`not (${isLiveInstall('i')})`),
  ...ofToken,
}

const installQuery = requested(`
select ${found(introspectedInstall, 'i')}
from installs i join apps a on a.client_id = i.client_id ${appJoins}
${installJoins}
where i.id = $2`)

type Secret = IntrospectedKeySet['secrets'][number]

const secretColumns: Columns<InJson<Secret>> = {
  ...plain('id', 'digest', 'sealed', 'expiresAt'),
  ended: computed('coalesce(expires_at <= now(), false)'),
}

type StoredKeySet = Omit<IntrospectedKeySet, 'secrets'> & { secrets: InJson<Secret>[] }

const introspectedKeySet: Columns<StoredKeySet> = {
  keySet: nested(keySetColumns, 'k'),
  secrets: of('s'),
  presentWorkspaceIds: of('w'),
}

const keySetQuery = (which: string) =>
  requested(`
select ${found(introspectedKeySet, 'k')}
from key_sets k
cross join lateral (
  select coalesce(json_agg(secret), '[]') as secrets
    from key_set_secrets cross join lateral (select ${selected(secretColumns)}) secret
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

const optional = <Value>(text: string | null, read: (text: string) => Value) =>
  text === null ? null : read(text)

const keySetOf = (stored: StoredKeySet): IntrospectedKeySet => ({
  ...stored,
  secrets: stored.secrets.map((secret) => ({
    ...secret,
    digest: bytesOf(secret.digest),
    sealed: optional(secret.sealed, bytesOf),
    expiresAt: optional(secret.expiresAt, (text) => new Date(text)),
  })),
})

const withBytes = (read: IntrospectionRead<StoredKeySet>) => ({
  ...read,
  found: read.found && keySetOf(read.found),
})

type Row<Found> = CredentialsRow & { found: Found | null }

export const createIntrospectionStore = (database: Database): IntrospectionStore => {
  const reader = <Found>(...read: BatchedRead) => {
    const rowOf = batchedRead<Row<Found>>(database, ...read)
    return async (...values: (string | null)[]): Promise<IntrospectionRead<Found>> => {
      const row = (await rowOf(values)) as Row<Found>
      return { resourceServer: toCredentials(row), found: row.found }
    }
  }
  const readKeySet = reader<StoredKeySet>(keySetByClient, ['text', 'text'], 'introspect_key_set')

  return {
    grant: reader(grantQuery, ['text', 'uuid', 'text', 'text'], 'introspect_grant'),
    install: reader(installQuery, ['text', 'text', 'text', 'text'], 'introspect_install'),
    keySet: async (resourceServer, clientId) =>
      withBytes(await readKeySet(resourceServer, clientId)),
    keySetBySecret: async (resourceServer, digests) => {
      const row = (await database.value<Row<StoredKeySet>>(
        `select to_json(t) as row from (${keySetBySecret}) t`,
        [resourceServer, digests],
        'introspect_secret_key',
      ))!
      return withBytes({ resourceServer: toCredentials(row), found: row.found })
    },
    actors: async (installIds, tokenIds, userId) => {
      const rows = await database.rows<ActorRow>(
        actorsQuery,
        [installIds, tokenIds, userId],
        'introspect_actors',
      )
      return { found: rows, revoked: rows.some(({ revoked }) => revoked) }
    },
    knownResources: (stems) =>
      database.values(
        `select distinct unnest(resource) from resource_servers where ${mayHave('$1')}`,
        [stems],
      ),
    nothing: reader<never>(requested('select null as found'), ['text'], 'introspect_nothing'),
  }
}
