import type { Database } from './database.ts'

/** Is this the web origin of a redirect URI of a public app of the current interface? */
export const isPublicOrigin = (database: Database) => async (origin: string) => {
  const { rows } = await database.query(
    `select 1 from apps
      where interface = 'current' and client_type = 'public' and disabled_at is null
        and web_origins(redirect_uris) @> array[$1::text]
      limit 1`,
    [origin],
    'public_origin',
  )
  return rows.length === 1
}
