import type { ListedSession, SessionEnd, SessionStore } from '../../../core/people/session.ts'
import { insertAuditEvents } from '../audit/audit.ts'
import { batchedRead } from '../connection/batched-reads.ts'
import { type Columns, computed, nested, of, plain, selected } from '../connection/columns.ts'
import type { Database, Queryable } from '../connection/database.ts'
import { columnsOfPerson, readStanding } from './people.ts'

/**
 * True for a session of an enabled user with current epochs, not expired and not idle for too long (`idle` seconds;
 * 0: no limit).
 */
export const isLive = (
  idle: string,
) => `u.disabled_at is null and s.credentials_epoch = u.credentials_epoch
  and s.sessions_epoch = u.sessions_epoch and s.expires_at > clock_timestamp()
  and (${idle} = 0 or s.last_seen_at > clock_timestamp() - make_interval(secs => ${idle}))`

/** The seconds since the last recorded use of a session `s`. */
export const sinceSeen = 'extract(epoch from clock_timestamp() - s.last_seen_at)'

type Found = NonNullable<Awaited<ReturnType<SessionStore['find']>>>

const foundColumns: Columns<Found> = {
  user: nested(columnsOfPerson, 'u'),
  ...plain('id', 'authenticatedAt', 'methods', 'passkeyIds'),
  unseen: computed(sinceSeen),
  hasNotices: computed(`exists (select from security_notices n where n.user_id = s.user_id
    and n.session_id is distinct from s.id and n.expires_at > clock_timestamp())`),
  locale: of('u'),
  isOperator: computed('exists (select from operators o where o.user_id = s.user_id)'),
}

const listedColumns: Columns<ListedSession> = {
  ...plain('id', 'methods', 'address', 'browser'),
  ...plain('system', 'createdAt', 'lastSeenAt'),
}

const findQuery = `
select ${selected(foundColumns, 's')}
  from sessions s join users u on u.id = s.user_id
 where s.lineage_hash = $1 and s.token_hash = $2 and ${isLive('$3')}`

/** Ends the sessions that a `delete … returning id` returns, and writes an event for each. */
export const endSessions = async (
  on: Queryable,
  text: string,
  values: readonly unknown[],
  event: SessionEnd,
): Promise<number> => {
  const ids = await on.values<string>(text, values)
  await insertAuditEvents(on, ids.map(event))
  return ids.length
}

export const createSessionStore = (database: Database): SessionStore => {
  const read = batchedRead<Found>(database, findQuery, ['text', 'text', 'integer'], 'session_find')

  return {
    // The passkeys are locked until the session exists: a removal waits, and then finds the session.
    insert: (session) =>
      database.affects(
        `with held as (select id from passkeys where id = any($9::text[]) for key share),
         opened as (insert into sessions (id, lineage_hash, token_hash, user_id, credentials_epoch,
           sessions_epoch, methods, authenticated_at, passkey_ids, address, browser, system,
           expires_at)
         select $1, $2, $3, $4, $5::integer, $6::integer, $7::text[], $8::bigint, $9::text[], $10,
           $11, $12, clock_timestamp() + make_interval(secs => $13)
          where (select count(*) from held) = cardinality($9::text[]) returning user_id),
         first as (update users set has_signed_in = true
           where id = (select user_id from opened) and not has_signed_in)
         select from opened`,
        [
          session.id,
          session.lineageHash,
          session.tokenHash,
          session.user.id,
          session.user.credentialsEpoch,
          session.user.sessionsEpoch,
          session.methods,
          session.authenticatedAt,
          session.passkeyIds,
          session.address,
          session.browser,
          session.system,
          session.lifetime,
        ],
      ),

    find: ({ lineageHash, tokenHash, idle }) => read([lineageHash, tokenHash, idle]),

    // One row, found by its id: a session that has ended leaves no row to renew, and a later end finds the renewed
    // row.
    renew: (id, session) =>
      database.affects(
        `with held as (select id from passkeys where id = any($7::text[]) for key share)
         update sessions set token_hash = $2, credentials_epoch = $3, sessions_epoch = $4,
           methods = $5, authenticated_at = $6::bigint, passkey_ids = $7::text[],
           last_seen_at = now()
          where id = $1 and (select count(*) from held) = cardinality($7::text[])`,
        [
          id,
          session.tokenHash,
          session.user.credentialsEpoch,
          session.user.sessionsEpoch,
          session.methods,
          session.authenticatedAt,
          session.passkeyIds,
        ],
      ),

    // A session that another transaction holds is being used or ended there.
    seen: (ids, after) =>
      database.run(
        `with due as (
           select id from sessions
            where id = any($1) and last_seen_at < clock_timestamp() - make_interval(secs => $2)
            order by id for no key update skip locked
         )
         update sessions s set last_seen_at = clock_timestamp() from due where s.id = due.id`,
        [ids, after],
        'seen_sessions',
      ),

    list: (userId, idle, most) =>
      database.rows(
        `select ${selected(listedColumns, 's')}
           from sessions s join users u on u.id = s.user_id
          where s.user_id = $1 and ${isLive('$2::integer')}
          order by s.last_seen_at desc, s.id limit $3`,
        [userId, idle, most],
      ),

    endLineage: (lineageHash) =>
      database.run('delete from sessions where lineage_hash = $1', [lineageHash]),

    end: database.inTransaction(
      async (tx, userId, id, event) =>
        (await endSessions(
          tx,
          'delete from sessions where user_id = $1 and id = $2 returning id',
          [userId, id],
          event,
        )) > 0,
    ),

    standingOf: (userId) => readStanding(database, userId),

    endAll: database.inTransaction((tx, userId, except, event) =>
      endSessions(
        tx,
        'delete from sessions where user_id = $1 and id is distinct from $2 returning id',
        [userId, except],
        event,
      ),
    ),

    // Runs after each insert: the last of several concurrent ones sees all sessions.
    endOldest: database.inTransaction((tx, userId, most, idle, event) =>
      endSessions(
        tx,
        `delete from sessions where id = any(array(
             select s.id from sessions s join users u on u.id = s.user_id
              where s.user_id = $1 and ${isLive('$3::integer')}
              order by s.created_at desc, s.id offset $2::integer)) returning id`,
        [userId, most, idle],
        event,
      ),
    ),
  }
}
