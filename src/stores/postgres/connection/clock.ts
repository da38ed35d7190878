import type { StoreClock } from '../../store-clock.ts'
import type { Database } from './database.ts'

/** Milliseconds; a slower reply says little about when it was made. */
const longestTrip = 500

/** Sets the clock from Postgres, the common clock of all instances. */
export const readClock = async (database: Database, clock: StoreClock): Promise<void> => {
  const asked = performance.now()
  const ms = await database.value<string>(
    'select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as ms',
    [],
    'clock',
  )
  const trip = performance.now() - asked
  if (ms !== null && trip < longestTrip) clock.observe(Number(ms), trip / 2)
}
