import { access, rm } from 'node:fs/promises'
import { stopTestPostgres } from '../embedded-postgres.ts'
import { stopRedis } from '../private-redis.ts'
import { stopSystemPostgres } from '../system-postgres.ts'
import { type RunRecord, removeRecord } from './run-record.ts'

/** Stops the servers of a run, this one or one whose keeper was killed, and removes their files. */
export async function stopRun(runner: number, record: RunRecord): Promise<void> {
  if (await exists(record.directory)) {
    // A server of a crashed run may have stopped already.
    await Promise.allSettled([
      record.hasEmbedded && stopTestPostgres(record.directory),
      record.postgres && stopSystemPostgres(record.postgres),
      record.redis && stopRedis(record.redis),
    ])
    await rm(record.directory, { recursive: true, force: true, maxRetries: 5 })
  }
  removeRecord(runner)
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
