import type { SecretDigest } from '../../../core/clients/app.ts'
import { codeLifetime } from '../../../core/grants/code-lifetime.ts'
import type {
  GrantStore,
  LoadedClient,
  WithGrant,
  WithInstall,
} from '../../../core/grants/store.ts'
import { appJoins, appJson } from '../clients/app-columns.ts'
import { type BatchedRead, batchedRead, bytesOf, type InJson } from '../connection/batched-reads.ts'
import { type Columns, computed, nested, of, selected } from '../connection/columns.ts'
import { type Database, onForeignKeyViolation } from '../connection/database.ts'
import { isLiveInstall } from '../organizations/live.ts'
import { grantColumns, grantJoins, installColumns, installJoins } from './grant-columns.ts'
import { batchedInsert } from './insert-grants.ts'
import { surplusOf } from './surplus-grants.ts'

/** Data of a client as Postgres returns it. */
export type Stored<Loaded extends LoadedClient> = Omit<Loaded, 'secrets'> & {
  secrets: InJson<SecretDigest>[]
}

/** The client `a`, and the data to authenticate it, with `clientJoins`. */
export const clientColumns: Columns<Stored<LoadedClient>> = {
  app: computed(appJson),
  secrets: of('s'),
}

export const clientJoins = `
  ${appJoins}
  cross join lateral (
    select coalesce(json_agg(json_build_object('id', id, 'digest', digest, 'foreignHash', foreign_hash)), '[]') as secrets
      from app_secrets
     where client_id = a.client_id and (expires_at is null or expires_at > now())
  ) s`

const grantQuery = `
select ${selected<Stored<WithGrant>>({ ...clientColumns, grant: nested(grantColumns(), 'g', 'id') })}
from apps a ${clientJoins}
left join grants g on g.id = $2::uuid and g.client_id = a.client_id
${grantJoins}
where a.client_id = $1`

const installQuery = `
select ${selected<Stored<WithInstall>>({ ...clientColumns, install: nested(installColumns({ install: 'i', app: 'a', policy: 'ip' }, '$3'), 'i', 'id') })}
from apps a ${clientJoins}
left join installs i
  on i.client_id = a.client_id and i.organization_id = $2 and ${isLiveInstall('i')}
${installJoins}
where a.client_id = $1`

/** Reads a client, and what else the query finds with it. @returns a function of the query's parameters */
export const clientRead = <Loaded extends LoadedClient>(
  database: Database,
  ...read: BatchedRead
) => {
  const find = batchedRead<Stored<Loaded>>(database, ...read)
  return async (...values: (string | null)[]): Promise<Loaded | null> => {
    const row = await find(values)
    if (!row) return null
    const secrets = row.secrets.map((one) => ({ ...one, digest: bytesOf(one.digest) }))
    return { ...row, secrets } as unknown as Loaded
  }
}

// Recorded once per secret and day (UTC), with an audit event for the organization.
const noteEndless = `
with seen as (
  update key_set_secrets set endless_token_seen_at = now()
   where id = any($1)
     and (endless_token_seen_at is null
          or (endless_token_seen_at at time zone 'utc')::date < (now() at time zone 'utc')::date)
  returning id, key_set_id
)
insert into audit_events (type, actor_kind, actor_id, organization_id, client_id, detail)
select 'key_set.token_without_expiry', 'client', k.client_id, k.organization_id, k.client_id,
       jsonb_build_object('key_set_id', k.id, 'secret_id', seen.id)
  from seen join key_sets k on k.id = seen.key_set_id`

/** Maximum rows per statement: writing more at once would block the event loop. */
const mostNoted = 500

const noteUse = (table: string, type: 'text[]' | 'uuid[]') => `
update ${table} set last_used_at = now()${table === 'grants' ? ', used = true' : ''}
 where id = any($1::${type}) and (last_used_at is null or last_used_at < now() - interval '1 minute')`

/** Nonces per grant. Each one belongs to a request whose reply was lost although the store had run it. */
const mostUnsettled = 32

const keepUnsettled = `
update grants g
   set unsettled = jsonb_build_object('generation', r.generation,
         'until', now() + make_interval(secs => ${codeLifetime}),
         'nonces', (
           select jsonb_agg(nonce) from (
             select jsonb_array_elements(g.unsettled -> 'nonces') as nonce
              where (g.unsettled ->> 'generation')::integer = r.generation
              union
             select to_jsonb(unnest(string_to_array(r.nonces, ' '))) limit ${mostUnsettled}
           ) n))
  from unnest($1::uuid[], $2::integer[], $3::text[]) as r(id, generation, nonces)
 where g.id = r.id
   and (g.unsettled is null or (g.unsettled ->> 'generation')::integer <= r.generation)`

export const createGrantStore = (database: Database): GrantStore => {
  /** To the minute, so that a row in constant use is not written constantly. */
  const touchRows = async (table: string, type: 'text[]' | 'uuid[]', ids: readonly string[]) => {
    for (let from = 0; from < ids.length; from += mostNoted)
      await database.query(noteUse(table, type), [ids.slice(from, from + mostNoted)])
  }

  const insert = batchedInsert(database)

  return {
    loadGrant: clientRead<WithGrant>(database, grantQuery, ['text', 'uuid'], 'load_grant'),
    loadInstall: clientRead<WithInstall>(
      database,
      installQuery,
      ['text', 'text', 'text'],
      'load_install',
    ),
    insert: (grant, countUpTo) =>
      insert(grant, countUpTo).then((inserted) => inserted ?? false, onForeignKeyViolation(null)),
    surplus: surplusOf(database),
    discard: (grantId) => database.run('delete from grants where id = $1 and not used', [grantId]),
    bind: (grantId, jkt) =>
      database.affects(
        'update grants set dpop_jkt = $2 where id = $1 and (dpop_jkt is null or dpop_jkt = $2)',
        [grantId, jkt],
      ),
    end: (grantId, reason) =>
      database.affects(
        'update grants set ended_at = now(), ended_reason = $2 where id = $1 and ended_at is null',
        [grantId, reason],
      ),
    touch: async ({ grants, secrets, installs, keySetSecrets, endless }) => {
      await touchRows('grants', 'uuid[]', grants)
      await touchRows('app_secrets', 'text[]', secrets)
      await touchRows('installs', 'text[]', installs)
      await touchRows('key_set_secrets', 'text[]', keySetSecrets)
      if (endless.length > 0) await database.query(noteEndless, [endless])
    },
    keepUnsettled: async (requests) => {
      const all = [...requests]
      await database.query(keepUnsettled, [
        all.map(([id]) => id),
        all.map(([, { generation }]) => generation),
        all.map(([, { nonces }]) => nonces.join(' ')),
      ])
    },
  }
}
