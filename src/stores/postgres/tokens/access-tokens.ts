// What is kept about access tokens.
import type { TokenReachStore } from '../../../core/grants/token-reach.ts'
import type { Database } from '../connection/database.ts'

export const createLongestLifetimeStore = (database: Database) => ({
  /**
   * Records that an instance issues access tokens of up to this many seconds. Revocations and retired signing keys are
   * kept for as long as the longest ones ever recorded.
   * @returns the longest recorded lifetime in seconds
   */
  atLeast: async (seconds: number) =>
    (await database.value<number>(
      `insert into longest_token_lifetime as longest (seconds) values ($1)
       on conflict (id) do update set seconds = greatest(longest.seconds, excluded.seconds)
       returning longest.seconds`,
      [seconds],
    )) ?? seconds,
})

export const createTokenReachStore = (database: Database): TokenReachStore => ({
  keep: (id, workspaceIds, lifetime) =>
    database.run(
      `insert into token_reaches (id, workspace_ids, expires_at)
       values ($1, $2, now() + make_interval(secs => $3) + interval '10 minutes')`,
      [id, workspaceIds, lifetime],
      'keep_token_reach',
    ),
})
