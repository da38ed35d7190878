import pg from 'pg'

const withClient = async <Result>(url: string, work: (client: pg.Client) => Promise<Result>) => {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Creates an empty database beside a given one. @returns its address */
export const createDatabase = async (url: string, name: string): Promise<string> => {
  await withClient(url, (client) =>
    client.query(`create database ${client.escapeIdentifier(name)}`),
  )
  return url.replace(/@\/[^?]*/, `@/${name}`)
}

/** Bytes of all tables and their indexes, without the space of deleted rows and of old row versions. */
export const keptBytes = (url: string): Promise<number> =>
  withClient(url, async (client) => {
    await client.query('vacuum full')
    const { rows } = await client.query<{ bytes: number }>(
      `select sum(pg_total_relation_size(relid))::float8 as bytes from pg_stat_user_tables`,
    )
    return rows[0]?.bytes ?? Number.NaN
  })
