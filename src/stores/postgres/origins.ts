import type { Database } from './database.ts'

/** Is this the web origin of a redirect URI of a public app of the current interface? */
export const isPublicOrigin = (database: Database) => async (origin: string) => {
  const { rows } = await database.query(
    `select 1 from apps
      where interface = 'current' and client_type = 'public' and disabled_at is null
        and exists (
          select 1 from unnest(redirect_uris) as uri
           where uri = $1 or starts_with(uri, $1 || '/') or starts_with(uri, $1 || '?'))
      limit 1`,
    [origin],
    'public_origin',
  )
  return rows.length === 1
}
