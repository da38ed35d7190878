/**
 * Takes a database of each backend, prints the test databases there, and waits until it is killed.
 */
import pg from 'pg'
import { testStores } from './stores.ts'

const found = await Promise.all(
  (await testStores()).map(async ({ name, databaseUrl }) => {
    const client = new pg.Client(databaseUrl)
    await client.connect()
    const { rows } = await client.query<{ datname: string }>(
      `select datname from pg_database where datname like 'test%'`,
    )
    await client.end()
    return { name, exists: rows.map(({ datname }) => datname) }
  }),
)
process.stdout.write(`${JSON.stringify(found)}\n`)
setInterval(() => {}, 60_000)
