import { StoreUnavailable } from '../../domain/errors.ts'
import type { Advance, FamilyStore } from '../../services/families.ts'
import { createStoreClock, type StoreClock } from '../store-clock.ts'
import type { Database } from './database.ts'

interface AdvanceRow {
  outcome: Advance['outcome'] | 'late'
  reached: number
  clock_ms: string
}

/**
 * Families in a table, for installations without Redis.
 * @param timeout milliseconds that a call may take before its caller has given up
 */
export const createFamilyStore = (
  database: Database,
  timeout: number,
  clock: StoreClock = createStoreClock(),
): FamilyStore => {
  const step = async (
    familyId: string,
    generation: number,
    nonce: string,
    retryWindow: number,
    spend: boolean,
  ): Promise<Advance> => {
    const started = performance.now()
    for (;;) {
      const { rows } = await database.query<AdvanceRow>(
        'select outcome, reached, clock_ms from advance_family($1, $2, $3, $4, $5, $6)',
        [familyId, generation, nonce, retryWindow * 1000, clock.deadline(timeout), spend],
        'advance_family',
      )
      const row = rows[0] as AdvanceRow
      clock.observe(Number(row.clock_ms))
      if (row.outcome !== 'late') return { outcome: row.outcome, generation: row.reached }
      // Called late although there is time left: the store's date has jumped, and now we know it.
      if (performance.now() - started >= timeout) {
        throw new StoreUnavailable('postgres', new Error('the statement came too late'))
      }
    }
  }

  return {
    create: async (familyId, generation, lifetime) => {
      const { count } = await database.query(
        `insert into families (id, generation, expires_at)
         values ($1, $2, clock_timestamp() + make_interval(secs => $3))
         on conflict (id) do update set generation = excluded.generation, nonce = '',
           advanced_at = clock_timestamp(), expires_at = excluded.expires_at
         where families.expires_at <= clock_timestamp() -- over, and not swept yet`,
        [familyId, generation, lifetime],
      )
      return count === 1
    },
    advance: (familyId, generation, nonce, retryWindow) =>
      step(familyId, generation, nonce, retryWindow, true),
    probe: (familyId, generation, retryWindow) =>
      step(familyId, generation, '', retryWindow, false),
    live: async (familyId) => {
      const { rows } = await database.query<{ generation: number }>(
        `select generation from families
          where id = $1 and (expires_at is null or expires_at > clock_timestamp())`,
        [familyId],
        'family_live',
      )
      return rows[0]?.generation ?? null
    },
    end: async (familyId) => {
      await database.query('delete from families where id = $1', [familyId])
    },
  }
}
