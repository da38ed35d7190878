import { readFile, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { join, resolve } from 'node:path'
import { homeRecord, socketFile } from './home.ts'
import { readPidFile } from './postmaster.ts'

/** `absent`: no database was ever made there; `stopped`: no Postgres runs on it; `running`: processes use it. */
export type ServerState = 'absent' | 'stopped' | 'running'

const answers = (path: string): Promise<boolean> =>
  new Promise((done) => {
    const socket = connect(path)
    socket.once('connect', () => done(true))
    socket.once('error', () => done(false))
    socket.once('close', () => done(false))
    socket.once('connect', () => socket.destroy())
  })

const isMissing = async (path: string) =>
  stat(path).then(
    () => false,
    ({ code }: NodeJS.ErrnoException) => code === 'ENOENT' || code === 'ENOTDIR',
  )

/** Looks at a data directory without creating or starting anything. */
export const standingOf = async (directory: string): Promise<ServerState> => {
  const recorded = await readFile(join(directory, homeRecord), 'utf8').catch(() => null)
  const data = join(recorded?.trim() || resolve(directory, 'postgres'), 'data')
  // A place that was recorded and is gone is not a new installation: its own message says so.
  if (recorded === null && (await isMissing(data))) return 'absent'
  const pidFile = await readPidFile({ data })
  const isRunning = pidFile !== null && (await answers(join(pidFile.host, socketFile)))
  return isRunning ? 'running' : 'stopped'
}
