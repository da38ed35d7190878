import type { StoreClock } from '../../store-clock.ts'
import type { Database } from './database.ts'

/** Milliseconds; an answer that took longer says little about when it was given. */
const longestTrip = 500

/** Sets the clock by that of Postgres: the one date that all instances go by. */
export const readClock = async (database: Database, clock: StoreClock): Promise<void> => {
  const asked = performance.now()
  const { rows } = await database.query<{ ms: string }>(
    'select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as ms',
    [],
    'clock',
  )
  const trip = performance.now() - asked
  if (rows[0] && trip < longestTrip) clock.observe(Number(rows[0].ms), trip / 2)
}
