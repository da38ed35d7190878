import { randomText } from '../../../core/crypto/random.ts'
import type { Advance, FamilyStore } from '../../../core/grants/families.ts'
import { liveGeneration } from '../../../core/grants/unsettled-rules.ts'
import { StoreUnavailable } from '../../../core/language/errors.ts'
import { createStoreClock, type StoreClock } from '../../store-clock.ts'
import type { Database } from '../connection/database.ts'

interface AdvanceRow {
  outcome: Advance['outcome'] | 'late' | 'excused'
  reached: number
  clock_ms: string
}

/**
 * Families in a table, for installations without Redis.
 * @param timeout milliseconds after which the caller has given up
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
    unsettled: readonly string[],
  ): Promise<Advance> => {
    const started = performance.now()
    for (;;) {
      const rows = await database.rows<AdvanceRow>(
        'select outcome, reached, clock_ms from advance_family($1, $2, $3, $4, $5, $6, $7)',
        [
          familyId,
          generation,
          nonce,
          retryWindow * 1000,
          clock.deadline(timeout),
          spend,
          unsettled,
        ],
        'advance_family',
      )
      const row = rows[0] as AdvanceRow
      clock.observe(Number(row.clock_ms))
      if (row.outcome === 'excused')
        throw new StoreUnavailable('postgres', new Error('a later request has displaced it'), false)
      if (row.outcome !== 'late') return { outcome: row.outcome, generation: row.reached }
      // Late although there is time left: the store's clock has jumped, and the reply has corrected our copy of it.
      if (performance.now() - started >= timeout) {
        throw new StoreUnavailable('postgres', new Error('the statement arrived too late'), false)
      }
    }
  }

  return {
    create: (familyId, generation, lifetime) =>
      database.affects(
        `insert into families (id, generation, expires_at)
         values ($1, $2, clock_timestamp() + make_interval(secs => $3))
         on conflict (id) do update set generation = excluded.generation, nonce = '',
           advanced_at = clock_timestamp(), expires_at = excluded.expires_at
         where families.expires_at <= clock_timestamp() -- over, and not swept yet`,
        [familyId, generation, lifetime],
      ),
    advance: (familyId, generation, nonce, retryWindow, unsettled = []) =>
      step(familyId, generation, nonce, retryWindow, true, unsettled),
    probe: (familyId, generation, retryWindow, unsettled = []) =>
      step(familyId, generation, randomText(9), retryWindow, false, unsettled),
    live: async (familyId, unsettled = null) => {
      const row = await database.row<{ generation: number; nonce: string }>(
        `select generation, nonce from families
          where id = $1 and (expires_at is null or expires_at > clock_timestamp())`,
        [familyId],
        'family_live',
      )
      return row ? liveGeneration(row.generation, row.nonce, unsettled) : null
    },
    end: (familyId) => database.run('delete from families where id = $1', [familyId]),
  }
}
