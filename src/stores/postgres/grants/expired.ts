import type { FamilyStore } from '../../../core/grants/families.ts'
import type { Database } from '../connection/database.ts'
import { createDeadGrants, removeGrants } from './dead-grants.ts'

/** Days for which outdated rows are kept; `audit` 0: for ever. */
export type Retention = Record<'audit' | 'usage', number>

export const usualRetention: Retention = { audit: 0, usage: 400 }

/** Days for which ended secrets and grants, deliveries and mails are kept. A message is attempted for three days. */
const endedDays = 30

const batch = 1000
const mailEventDays = 3
/** Days for which the id on an error page explains itself. */
const refusedPageDays = 7
/** Days for which the place of a sign-in counts as known. */
const placeDays = 180
/** Days for which a report of use counts once. */
const usageKeyDays = 1

interface CleanUp {
  table: string
  text: string
  values: number[]
}

/** Removes a batch of expired rows of a table; the second condition spares rows that are renewed meanwhile. */
const expired = (table: string, column = 'expires_at'): CleanUp => ({
  table,
  text: `delete from ${table} where ctid = any(array(
     select ctid from ${table} where ${column} < now() limit ${batch})) and ${column} < now()`,
  values: [],
})

/** Removes a batch of rows of a table that are older than some days. */
const kept = (table: string, column: string, days: number): CleanUp => ({
  table,
  text: `delete from ${table} where ctid = any(array(
     select ctid from ${table} where ${column} < now() - make_interval(days => $1) limit ${batch}))
     and ${column} < now() - make_interval(days => $1)`,
  values: [days],
})

/** Each removes a batch of one table, by an index. */
const cleanUpsOf = (retention: Retention): CleanUp[] => [
  expired('records'),
  expired('families'),
  expired('counters'),
  expired('revoked_tokens'),
  expired('token_reaches'),
  expired('verification_keys', 'until'),
  expired('sessions'),
  expired('security_notices'),
  expired('reminders'),
  ...['app_secrets', 'key_set_secrets', 'webhook_secrets', 'operator_tokens'].map((table) =>
    kept(table, 'expires_at', endedDays),
  ),
  // Refused documents, which may wait for a review again.
  kept('app_reviews', 'decided_at', endedDays),
  kept('app_changes', 'decided_at', endedDays),
  kept('delegations', 'last_day', endedDays),
  // Includes messages of deleted webhooks; no message waits that long.
  kept('webhook_deliveries', 'created_at', endedDays),
  kept('mails', 'created_at', endedDays),
  kept('stops', 'at', endedDays),
  kept('feed_readers', 'last_poll_at', endedDays),
  // Of a server that sends no mails any more.
  kept('mail_events', 'created_at', mailEventDays),
  kept('refused_pages', 'at', refusedPageDays),
  kept('sign_in_places', 'seen_at', placeDays),
  {
    table: 'logos',
    text: `delete from logos where digest = any(array(
     select digest from logos where released_at < now() - interval '1 hour' limit ${batch}))
     and released_at < now() - interval '1 hour'
     and not exists (select 1 from apps where logo_digest = logos.digest)
     and not exists (select 1 from organizations where logo_digest = logos.digest)
     and not exists (select 1 from app_changes
       where decided_at is null and after ->> 'uploadedLogo' = logos.digest)`,
    values: [],
  },
  {
    table: 'revocations',
    // The newest entry stays, because cursors of readers refer to it.
    text: `delete from revocations where ctid = any(array(
     select ctid from revocations where until < now()
        and id < (select max(id) from revocations) limit ${batch}))`,
    values: [],
  },
  kept('usage_keys', 'at', usageKeyDays),
  ...['usage_days', 'permission_days', 'resource_server_days'].map((table) => ({
    table,
    text: `delete from ${table} where ctid = any(array(
     select ctid from ${table}
      where day <= (now() at time zone 'utc')::date - $1::integer limit ${batch}))`,
    values: [retention.usage],
  })),
  ...(retention.audit === 0 ? [] : [oldEvents(retention.audit)]),
]

/** The audit trail is ordered by number, so only its first rows can be too old. */
const oldEvents = (days: number): CleanUp => ({
  table: 'audit_events',
  text: `delete from audit_events where id = any(array(
     select id from (select id, at from audit_events order by id limit ${batch}) oldest
      where at < now() - make_interval(days => $1)))`,
  values: [days],
})

const mostBatches = 100

/**
 * Repeats until a batch is not full, so that the rows of a busy minute are gone a minute later.
 * @param remove removes a batch
 * @returns the number of removed rows
 */
const inBatches = async (remove: () => Promise<{ found: number; removed: number }>) => {
  let total = 0
  for (let at = 0; at < mostBatches; at++) {
    const { found, removed } = await remove()
    total += removed
    if (found < batch) break
  }
  return total
}

const removeExpired = (database: Database, { text, values }: CleanUp) =>
  inBatches(async () => {
    const { count } = await database.query(text, values)
    return { found: count, removed: count }
  })

interface Unused {
  id: string
  /** As text: a Date would lose the microseconds. */
  made: string
}

/** Unused grants, oldest first, after a given one. */
const unusedGrants = (database: Database, after: Unused | null): Promise<Unused[]> =>
  database.rows<Unused>(
    `select id, created_at::text as made from grants
      where not used and last_used_at is null and taken_over_from is null and created_at < now() - interval '10 minutes'
        and ($1::timestamptz is null or (created_at, id) > ($1, $2::uuid))
      order by created_at, id limit ${batch}`,
    [after?.made ?? null, after?.id ?? null],
  )

/** Removes grants that were never used and have no family: codes that no client redeemed. */
const removeUnused = (database: Database, families: Pick<FamilyStore, 'live'>) => {
  let after: Unused | null = null
  return inBatches(async () => {
    const unused = await unusedGrants(database, after)
    const gone: string[] = []
    for (const { id } of unused) if ((await families.live(id)) === null) gone.push(id)
    // Skips live ones, whose use was not recorded before a crash.
    after = unused.at(-1) ?? null
    const removed = gone.length > 0 ? await removeGrants(database, gone) : 0
    return { found: unused.length, removed }
  })
}

const expiredGrants = `select id from grants where expires_at < now() order by expires_at limit ${batch}`

// One client can make any number of these, so they are removed as soon as their access tokens have expired.
const supersededGrants = `select id from grants
  where ended_reason = 'superseded' and ended_at < now() - interval '1 day' order by ended_at limit ${batch}`

/** Removes expired or replaced grants, with the rest of their families. */
const removeOver = (database: Database, families: Pick<FamilyStore, 'end'>, query: string) =>
  inBatches(async () => {
    const ids = await database.values<string>(query)
    // The family goes first: after a crash the grant is still found.
    for (const id of ids) await families.end(id)
    const removed = ids.length > 0 ? await removeGrants(database, ids) : 0
    return { found: ids.length, removed }
  })

/** Ends families whose grants were deleted with their user, app or organization. */
const endLeft = (database: Database, families: Pick<FamilyStore, 'end'>) =>
  inBatches(async () => {
    const ids = await database.values<string>(
      `select id from left_families order by id limit ${batch}`,
    )
    for (const id of ids) await families.end(id)
    if (ids.length > 0)
      await database.query('delete from left_families where id = any($1::uuid[])', [ids])
    return { found: ids.length, removed: ids.length }
  })

/**
 * Removes expired rows and those that ended long ago, in a limited number of batches.
 * @param onRemoved gets the number of removed rows of each table
 * @returns a function that runs once and resolves to the number of removed rows
 */
export const createCleanUp = (
  database: Database,
  families: Pick<FamilyStore, 'live' | 'end'>,
  retention: Retention = usualRetention,
  onRemoved: (table: string, count: number) => void = () => undefined,
): (() => Promise<number>) => {
  const cleanUps = cleanUpsOf(retention)
  const removeDead = createDeadGrants(database, families, endedDays)
  return async () => {
    let removed = 0
    const record = (table: string, count: number) => {
      removed += count
      onRemoved(table, count)
    }
    for (const one of cleanUps) record(one.table, await removeExpired(database, one))
    record('grants', await removeOver(database, families, expiredGrants))
    record('grants', await removeOver(database, families, supersededGrants))
    record('grants', await removeUnused(database, families))
    record('grants', await removeDead())
    record('left_families', await endLeft(database, families))
    return removed
  }
}
