import type { DueLogo, LogoOwner, LogoState, LogoStore } from '../../../core/logos/logo-store.ts'
import { ownerOfApp } from '../clients/app-owners.ts'
import type { Database, Queryable } from '../connection/database.ts'

/** `source` has a turn of its own: an owner of apps, or an organization. */
const places: Record<LogoOwner, { table: string; key: string; source: string }> = {
  app: { table: 'apps', key: 'client_id', source: ownerOfApp('one.client_id') },
  organization: { table: 'organizations', key: 'id', source: 'one.id' },
}

// Rows that another instance claims are skipped. The update checks the time again, because it sees a newer version of the
// row than the selection may have seen.
const claimOf = ({ table, key, source }: { table: string; key: string; source: string }) => `
with ranked as (
  select ${key} as id, row_number() over (
      partition by ${source}, logo_digest is not null order by logo_due_at) as place
    from ${table} one where logo_due_at <= now()),
due as (
  select ranked.id from ${table} one join ranked on ranked.id = one.${key} where logo_due_at <= now()
   order by logo_digest is not null, place, logo_due_at limit $1::integer
   for update of one skip locked)
update ${table} one
   set logo_due_at = case when one.logo_attempts + 1 < $3::integer
         then clock_timestamp() + make_interval(secs => $2::float8) end,
       logo_attempts = least(one.logo_attempts + 1, 1000)
  from due where one.${key} = due.id and one.logo_due_at <= now()
returning due.id, one.logo_uri as uri, one.logo_etag as etag, one.logo_attempts as attempts`

const dueAfter = (at: string) => `now() + make_interval(secs => ${at}::float8)`

/** What each outcome sets; its own parameters begin at $3. */
const outcomes = {
  stored: `logo_digest = $3, logo_etag = $4, logo_attempts = 0, logo_fault = null,
    logo_due_at = ${dueAfter('$5')}`,
  unchanged: `logo_attempts = 0, logo_fault = null, logo_due_at = ${dueAfter('$3')}`,
  failed: `logo_due_at = ${dueAfter('$3')}, logo_fault = $4,
    logo_digest = case when $4 = 'svg' then null else logo_digest end`,
  postponed: `logo_due_at = ${dueAfter('$3')}, logo_attempts = greatest(logo_attempts - 1, 0)`,
}

/** An image that an app or organization shows has no time of release. */
const stillReleased = 'case when logos.released_at is not null then now() end'

/** @returns false when the owner has another logo by now */
const write = (
  on: Queryable,
  { owner, id, uri }: DueLogo,
  outcome: keyof typeof outcomes,
  ...values: unknown[]
) => {
  const { table, key } = places[owner]
  const text = `update ${table} set ${outcomes[outcome]} where ${key} = $1 and logo_uri = $2`
  return on.affects(text, [id, uri, ...values])
}

export const createLogoStore = (database: Database): LogoStore => {
  const claimFrom = async (owner: LogoOwner, values: number[]): Promise<DueLogo[]> => {
    const rows = await database.rows<Omit<DueLogo, 'owner'>>(claimOf(places[owner]), values)
    return rows.map((row) => ({ ...row, owner }))
  }
  return {
    claim: async (...values) => [
      ...(await claimFrom('app', values)),
      ...(await claimFrom('organization', values)),
    ],

    store: database.inTransaction(async (tx, logo, { digest, image, etag }, freshSeconds) => {
      await tx.query(
        `insert into logos (digest, image) values ($1, $2)
           on conflict (digest) do update set released_at = null`,
        [digest, image],
      )
      // Where the owner has another logo by now, nothing may need this one.
      if (!(await write(tx, logo, 'stored', digest, etag, freshSeconds)))
        await tx.query('update logos set released_at = now() where digest = $1', [digest])
    }),

    unchanged: async (logo, freshSeconds) =>
      void (await write(database, logo, 'unchanged', freshSeconds)),

    failed: async (logo, { retryAfter, fault }) =>
      void (await write(database, logo, 'failed', retryAfter, fault)),

    postpone: async (logo, retryAfter) =>
      void (await write(database, logo, 'postponed', retryAfter)),

    image: (digest) =>
      database.value('select image from logos where digest = $1', [digest], 'logo'),

    keep: (digest, image) =>
      database.run(
        `insert into logos (digest, image, released_at) values ($1, $2, now())
         on conflict (digest) do update set released_at = ${stillReleased}`,
        [digest, image],
      ),

    renew: (...values) =>
      database.affects(`update logos set released_at = ${stillReleased} where digest = $1`, values),

    stateOf: async (clientId) =>
      (await database.row<LogoState>(
        'select logo_digest as digest, logo_fault as fault from apps where client_id = $1',
        [clientId],
      )) ?? { digest: null, fault: null },
  }
}
