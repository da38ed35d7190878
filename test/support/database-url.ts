import type { EmbeddedPostgres } from '../../src/stores/embedded/launcher.ts'

/** The host of a URL cannot be a Unix socket, so it goes into the query, as in libpq. */
export function databaseUrl({
  host,
  port,
  user,
  database,
}: EmbeddedPostgres['connection']): string {
  const query = new URLSearchParams({ host, port: String(port), user })
  return `postgresql:///${database}?${query}`
}
