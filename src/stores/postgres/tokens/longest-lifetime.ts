import type { Database } from '../connection/database.ts'

export interface LongestLifetimeStore {
  /**
   * Records that an instance issues access tokens of up to this many seconds. Revocations and retired signing keys are
   * kept for as long as the longest ones ever recorded.
   * @returns the longest recorded lifetime in seconds
   */
  atLeast(seconds: number): Promise<number>
}

export const createLongestLifetimeStore = (database: Database): LongestLifetimeStore => ({
  atLeast: async (seconds) =>
    (await database.value<number>(
      `insert into longest_token_lifetime as longest (seconds) values ($1)
       on conflict (id) do update set seconds = greatest(longest.seconds, excluded.seconds)
       returning longest.seconds`,
      [seconds],
    )) ?? seconds,
})
