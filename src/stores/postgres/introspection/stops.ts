import type { FeedReaderState, StopAnswer, StopStore } from '../../../core/introspection/stops.ts'
import { insertAuditEvents } from '../audit/audit.ts'
import { computed, plain, selected } from '../connection/columns.ts'
import type { Database } from '../connection/database.ts'

const overlap = (one: string, other: string) =>
  `(${one} is null or ${other} is null or ${one} && ${other})`

const answers = `select r.client_id as "clientId", r.name, f.since, case
    when a.is_complete or (a.at is not null and f.present > 0 and f.since is null) then 'reached'
    when f.since is not null then 'waiting'
    when r.polled_at is null and r.introspected_at is not null then 'asks' end as state,
    extract(epoch from greatest(a.at - s.at, interval '0'))::float8 as seconds
  from resource_servers r
  left join stop_answers a on a.stop_id = s.id and a.resource_server = r.client_id
  cross join lateral stop_readers(r.client_id, s) f
 where ${overlap('r.organization_ids', 's.organization_ids')} and ${overlap('r.organization_ids', '$2::text[]')}
 order by r.created_at, r.client_id`

const readers = selected<FeedReaderState>({
  ...plain('reader', 'lastPollAt', 'library'),
  behind:
    computed(`(select count(*)::integer from revocations v where v.id > f.position and until > now()
    and ${overlap('v.organization_ids', 'r.organization_ids')})`),
})

// Noticed first, and reported later: after an outage of this server, all readers were silent for a while.
const notice = `update feed_readers set noticed_at = now()
  where is_regular and noticed_at is null and last_poll_at < now() - interval '1 minute'`
const report = `with silent as (
    update feed_readers set is_silent = true
     where not is_silent and noticed_at < now() - interval '20 seconds' returning resource_server)
  select resource_server as "clientId", count(*)::integer as count from silent group by 1 order by 1`

export const createStopStore = (database: Database) => {
  const store: StopStore = {
    find: async (id, organizationIds) => {
      const row = await database.row<{ at: Date; answers: (StopAnswer & { since: string })[] }>(
        `select s.at, (select coalesce(json_agg(one), '[]') from (${answers}) one where state is not null) as answers
           from stops s where s.id = $1 and ${overlap('s.organization_ids', '$2')}`,
        [id, organizationIds],
        'find_stop',
      )
      const stated = row?.answers.map(({ since, ...one }) => ({
        ...one,
        since: one.state === 'waiting' ? new Date(since) : null,
      }))
      return row && { at: row.at, answers: stated ?? [] }
    },
    readers: (clientId) =>
      database.rows(
        `select ${readers} from feed_readers f join resource_servers r on r.client_id = f.resource_server
          where f.resource_server = $1 order by first_poll_at, reader`,
        [clientId],
      ),
    reportSilent: database.inTransaction(async (tx, eventOf) => {
      await tx.query(notice)
      const silent = await tx.rows<{ clientId: string; count: number }>(report)
      await insertAuditEvents(
        tx,
        silent.map(({ clientId, count }) => eventOf(clientId, count)),
      )
    }),
  }
  return {
    ...store,
    /** Readers that have become silent within a day. */
    silentReaders: () =>
      database.count(
        `feed_readers where is_silent and last_poll_at > now() - interval '1 day'`,
        [],
      ),
  }
}
