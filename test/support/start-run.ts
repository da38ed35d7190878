/** Starts every backend that is installed here. */
import { databaseUrl } from './database-url.ts'
import { startTestPostgres } from './embedded-postgres.ts'
import { findRedis, startRedis } from './private-redis.ts'
import { crashedRuns, type RunRecord, thisRun, writeRecord } from './run-record.ts'
import { stopRun } from './stop-run.ts'
import { findSystemPostgres, startSystemPostgres } from './system-postgres.ts'
import { temporaryDirectory } from './temporary-directory.ts'

for (const runner of crashedRuns()) await stopRun(runner)

const directory = await temporaryDirectory('test')
const record: RunRecord = { directory }
try {
  note({})
  await Promise.all([embedded(), postgres(), redis()])
} catch (error) {
  await stopRun(thisRun())
  throw error
}

async function embedded(): Promise<void> {
  const connection = await startTestPostgres(directory)
  if (connection) note({ embedded: { url: databaseUrl(connection) } })
  else warn('NOT TESTED: the packaged Postgres, there is none for this platform')
}

async function postgres(): Promise<void> {
  const bin = await findSystemPostgres()
  if (bin) note({ postgres: await startSystemPostgres(bin, directory) })
  else warn('NOT TESTED: a Postgres server over TCP, no initdb and pg_ctl are installed')
}

async function redis(): Promise<void> {
  const program = findRedis()
  if (program) note({ redis: await startRedis(program, directory) })
  else warn('NOT TESTED: Redis, no redis-server is installed')
}

function note(started: Partial<RunRecord>): void {
  Object.assign(record, started)
  writeRecord(thisRun(), record)
}

function warn(line: string): void {
  console.error(`\n*** ${line} ***\n`)
}
