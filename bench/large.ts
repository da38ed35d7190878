// A migration, a start and an import at the size of a large customer.
import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { migrate } from '#dist/stores/postgres/connection/migrate.js'
import { operatorToken, type Program, startProgram } from './program.ts'
import { row } from './report.ts'
import { envOf } from './seeded.ts'
import { type BenchStores, startStores } from './stores.ts'

/** Seconds of a migration from the first release and of a start after it, and of an import in tenths. */
export interface Large {
  families: number
  migrateSeconds: number
  startSeconds: number
  lines: number
  tenths: { seconds: number; rss: number }[]
}

/** The last migration of version 0.1.0. */
const firstRelease = '0081_group_changes.sql'
const migrations = new URL('../../migrations/', import.meta.url)

const inDatabase = async (url: string, work: (client: pg.Client) => Promise<unknown>) => {
  const client = new pg.Client(url)
  await client.connect()
  await work(client).finally(() => client.end())
}

/** The tables of version 0.1.0. */
const createFirstRelease = async (client: pg.Client) => {
  await client.query(
    `create table migrations (
       name text primary key, sha256 text not null, applied_at timestamptz not null default now())`,
  )
  for (const name of readdirSync(migrations).sort()) {
    if (!name.endsWith('.sql') || name > firstRelease) continue
    const sql = readFileSync(new URL(name, migrations), 'utf8')
    await client.query(sql)
    const sha256 = createHash('sha256').update(sql).digest('hex')
    await client.query('insert into migrations (name, sha256) values ($1, $2)', [name, sha256])
  }
}

/** People, each with a membership, a consent and a grant, in a hundred organizations; a hundredth as many installs. */
const fillFirstRelease = (families: number) => [
  `insert into organizations (id, name) select 'org' || n, 'Customer ' || n from generate_series(0, 99) n`,
  `insert into apps (client_id, name, interface, client_type, redirect_uris, permissions)
   select 'app' || n, 'App ' || n, 'current', 'public', '{https://app.example/cb}', '{records:create}'
     from generate_series(0, ${families} / 10000 - 1) n`,
  `insert into installs (id, organization_id, client_id, permissions)
   select 'ins' || o.id || a.client_id, o.id, a.client_id, a.permissions from organizations o, apps a`,
  `insert into users (id, email, name)
   select 'usr' || n, 'p' || n || '@bench.test', 'Person ' || n from generate_series(0, ${families} - 1) n`,
  `insert into members (organization_id, user_id, role)
   select 'org' || n % 100, 'usr' || n, 'member' from generate_series(0, ${families} - 1) n`,
  ...['consents (offered,', 'grants (id, redirect_uri, app_epoch, user_epoch,'].map(
    (columns) =>
      `insert into ${columns} user_id, client_id, organization_id, install_id, permissions)
       select ${columns.startsWith('consents') ? 'i.permissions' : "gen_random_uuid(), 'https://app.example/cb', 0, 0"},
         'usr' || n, i.client_id, i.organization_id, i.id, i.permissions
         from generate_series(0, ${families} - 1) n
         join installs i on i.organization_id = 'org' || n % 100 and i.client_id = 'app' || n / 100 % (${families} / 10000)`,
  ),
]

function* people(lines: number) {
  for (let at = 0; at < lines; at++)
    yield `${JSON.stringify({ type: 'user', id: `imp${at}`, email: `i${at}@bench.test`, name: `Person ${at}` })}\n`
}

/** Sends new people and reads the answers. @throws Error when a line is not created */
const importPeople = async ({ port, rss }: Program, lines: number) => {
  const tenths: Large['tenths'] = []
  const began = performance.now()
  const sent = request({
    ...{ host: '127.0.0.1', port, path: '/api/admin/v1/import', method: 'POST' },
    headers: {
      authorization: `Bearer ${operatorToken}`,
      'content-type': 'application/x-ndjson',
    },
  })
  const answered = new Promise<void>((resolve, reject) => {
    sent.once('error', reject)
    sent.once('response', async (response) => {
      let at = 0
      for await (const line of createInterface({ input: response })) {
        if (!line.includes('"created"')) return reject(new Error(line))
        if (++at % Math.ceil(lines / 10) === 0)
          tenths.push({ seconds: (performance.now() - began) / 1000, rss: rss() })
      }
      if (at === lines) resolve()
      else reject(new Error(`${at} of ${lines} lines were answered`))
    })
  })
  await Promise.all([pipeline(Readable.from(people(lines)), sent), answered])
  return tenths
}

const inSeconds = async (work: () => Promise<unknown>) => {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}

const measureIn = async (stores: BenchStores, size: number): Promise<Large> => {
  await inDatabase(stores.databaseUrl, async (client) => {
    await createFirstRelease(client)
    for (const statement of fillFirstRelease(size)) await client.query(statement)
    await client.query('vacuum analyze')
  })
  const migrateSeconds = await inSeconds(() => migrate(stores.databaseUrl))
  const program = await startProgram({ stores, env: envOf(stores, randomBytes(32)) })
  try {
    const tenths = await importPeople(program, size)
    return {
      ...{ families: size, migrateSeconds, lines: size, tenths },
      startSeconds: program.readyMs / 1000,
    }
  } finally {
    await program.stop()
  }
}

/** Measures in stores that version 0.1.0 has filled with this many families, and imports as many people again. */
export const measureLarge = async (size: number): Promise<Large> => {
  const stores = await startStores()
  return measureIn(stores, size).finally(() => stores.stop())
}

const widths = [12, 12, 12]

export const printLarge = (large: Large) => {
  const { families, migrateSeconds, startSeconds, lines, tenths } = large
  console.log(
    `with ${families} families: migration from 0.1.0 ${migrateSeconds.toFixed(1)} s, then a start ${startSeconds.toFixed(2)} s\n`,
  )
  row(widths, ['lines', 'seconds', 'RSS MB'])
  for (const [at, { seconds, rss }] of tenths.entries())
    row(widths, [
      String(((at + 1) * lines) / 10),
      seconds.toFixed(1),
      (rss / 1024 / 1024).toFixed(0),
    ])
}
