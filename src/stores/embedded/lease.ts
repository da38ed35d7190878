import pg from 'pg'

/** Name of the superuser, and of the database. */
export const owner = 'latchkey'

/** Both methods exist but are missing in the types. */
type Unreferable = pg.Client & { ref?(): void; unref?(): void }

export interface Address {
  host: string
  port: number
}

const key = 0x1a7c_4e71

/** A process with a name is visible to the others, as long as it lives. */
const named = 'latchkey: '

/**
 * Joins the server at an address. `absent`: none listens there; `busy`: it is starting or stopping.
 * @param name what this process is to the others: at most 53 characters of ASCII
 */
export async function takeLease({ host, port }: Address, name = 'lease') {
  const client: Unreferable = new pg.Client({
    host,
    port,
    user: owner,
    database: 'postgres',
    ssl: false,
    connectionTimeoutMillis: 5000,
    application_name: `${named}${name}`,
  })
  let ended = false
  client.on('error', () => {})
  const lost = new Promise<void>((resolve) => {
    client.once('end', () => {
      if (!ended) resolve()
    })
  })
  try {
    await client.connect()
    // Waits while the last process stops the server, and then fails with it.
    await client.query(`select pg_advisory_lock_shared(${key})`)
    await ensureDatabase(client)
  } catch (error) {
    ended = true
    await client.end().catch(() => {})
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EACCES') throw new Error(`${host} belongs to another user`, { cause: error })
    return code === 'ENOENT' || code === 'ECONNREFUSED' ? 'absent' : 'busy'
  }
  client.unref?.()
  return {
    address: { host, port },
    /** Resolves when the connection is lost. */
    lost,
    /** The names of the processes that use the server, such as `server 127.0.0.1:3000`; this one's is absent. */
    others: () => namesOfOthers(client),
    /** Releases the shared lock. True when no other process holds it; then newcomers have to wait. */
    async isLast() {
      ended = true
      client.ref?.()
      return giveUp(client).catch(() => false)
    },
    async end() {
      ended = true
      await client.end().catch(() => {})
    },
  }
}

/** A process's use of the server: a connection that holds a shared advisory lock and ends with the process. */
export type Lease = Exclude<Awaited<ReturnType<typeof takeLease>>, string>

async function namesOfOthers(client: Unreferable): Promise<string[]> {
  // A process must not end before the answer.
  client.ref?.()
  const { rows } = await client
    .query<{ application_name: string }>(
      `select application_name from pg_stat_activity
      where starts_with(application_name, $1) and pid <> pg_backend_pid()`,
      [named],
    )
    .finally(() => client.unref?.())
  return rows.map(({ application_name: name }) => name.slice(named.length))
}

/** Unlocks first: two stopping processes that still held the lock would wait for each other. */
async function giveUp(client: pg.Client): Promise<boolean> {
  await client.query(`select pg_advisory_unlock_shared(${key})`)
  const { rows } = await client.query(`select pg_try_advisory_lock(${key}) as last`)
  return rows[0].last
}

async function ensureDatabase(client: pg.Client): Promise<void> {
  const found = await client.query('select from pg_database where datname = $1', [owner])
  if (found.rowCount) return
  await client.query(`create database ${owner} template template0`).catch((error) => {
    const madeByAnother = error.code === '42P04' || error.code === '23505'
    if (!madeByAnother) throw error
  })
}
