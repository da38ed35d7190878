import type { TokenReachStore } from '../../../core/grants/token-reach.ts'
import type { Database } from '../connection/database.ts'

export const createTokenReachStore = (database: Database): TokenReachStore => ({
  keep: (id, workspaceIds, lifetime) =>
    database.run(
      `insert into token_reaches (id, workspace_ids, expires_at)
       values ($1, $2, now() + make_interval(secs => $3) + interval '10 minutes')`,
      [id, workspaceIds, lifetime],
      'keep_token_reach',
    ),
})
