import type { CounterStore, ExpiringRecord, RecordStore } from '../../../core/limits/records.ts'
import type { Database } from './database.ts'

/** The same records as in Redis, in a table. Expired records do not count, even before the sweeper removes them. */
export const createRecordStore = (database: Database): RecordStore => ({
  put: (collection, key, record, lifetime) =>
    database.run(
      `insert into records (collection, key, state, value, expires_at)
       values ($1, $2, $3, $4, clock_timestamp() + make_interval(secs => $5))
       on conflict (collection, key) do update
         set state = excluded.state, value = excluded.value, expires_at = excluded.expires_at`,
      [collection, key, record.state, record.value, lifetime],
    ),
  insert: (collection, key, record, lifetime) =>
    database.affects(
      `insert into records (collection, key, state, value, expires_at)
       values ($1, $2, $3, $4, clock_timestamp() + make_interval(secs => $5))
       on conflict (collection, key) do update
         set state = excluded.state, value = excluded.value, expires_at = excluded.expires_at
         where records.expires_at <= clock_timestamp()`,
      [collection, key, record.state, record.value, lifetime],
    ),
  find: (collection, key) =>
    database.row<ExpiringRecord>(
      `select state, value from records
        where collection = $1 and key = $2 and expires_at > clock_timestamp()`,
      [collection, key],
      'record_find',
    ),
  // Racing updates pass the row lock one by one, and the loser reads the new state.
  change: (collection, key, from, record) =>
    database.affects(
      `update records set state = $4, value = $5
        where collection = $1 and key = $2 and state = $3 and expires_at > clock_timestamp()`,
      [collection, key, from, record.state, record.value],
    ),
  take: async (collection, key) => {
    const row = await database.row<ExpiringRecord & { live: boolean }>(
      `delete from records where collection = $1 and key = $2
       returning state, value, expires_at > clock_timestamp() as live`,
      [collection, key],
    )
    return row?.live ? { state: row.state, value: row.value } : null
  },
  delete: (collection, key) =>
    database.run('delete from records where collection = $1 and key = $2', [collection, key]),
})

interface CounterRow {
  count: number
  left: string
}

const left = 'extract(epoch from expires_at - clock_timestamp()) as left'
const isRunning = 'key = $1 and expires_at > clock_timestamp()'
const readCount = `select count, ${left} from counters where ${isRunning}`
const subtractHits = `update counters set count = count + $2 where ${isRunning} returning count, ${left}`
const addHits = `
  insert into counters (key, count, expires_at)
  values ($1, $2, clock_timestamp() + make_interval(secs => $3))
  on conflict (key) do update set
    count = case when counters.expires_at <= clock_timestamp() then excluded.count
                 else counters.count + excluded.count end,
    expires_at = case when counters.expires_at <= clock_timestamp() then excluded.expires_at
                      else counters.expires_at end
  returning count, ${left}`

export const createCounterStore = (database: Database): CounterStore => {
  const ask = (key: string, by: number, window: number) => {
    const values = [key, by, window]
    if (by > 0) return database.query<CounterRow>(addHits, values)
    return by < 0
      ? database.query<CounterRow>(subtractHits, values.slice(0, 2))
      : database.query<CounterRow>(readCount, [key])
  }
  return {
    hit: async (key, by, window) => {
      const [row] = (await ask(key, by, window)).rows
      if (!row) return { count: 0, resetsIn: window }
      return { count: row.count, resetsIn: Math.max(1, Math.ceil(Number(row.left))) }
    },
  }
}
