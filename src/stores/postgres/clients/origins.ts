import { batchedRead } from '../connection/batched-reads.ts'
import type { Database } from '../connection/database.ts'

/** Is this the web origin of a redirect URI of a public app on the current interface? */
export const isPublicOrigin = (database: Database) => {
  const read = batchedRead<{ found: boolean }>(
    database,
    `
      select true as found from apps
       where interface = 'current' and client_type = 'public' and disabled_at is null
         and web_origins(redirect_uris) @> array[$1]
       limit 1`,
    ['text'],
    'public_origin',
  )
  return async (origin: string): Promise<boolean> => (await read([origin])) !== null
}
