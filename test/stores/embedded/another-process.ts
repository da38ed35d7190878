import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { EmbeddedPostgres } from '../../../src/stores/embedded/launcher.ts'
import { loader } from '../../support/typescript/loader.ts'

export interface Opener {
  child: ChildProcess
  /** Rejects with the output of the process if it exits without opening. */
  connection: Promise<EmbeddedPostgres['connection']>
  /** A normal stop: releases its lease. */
  stop(): Promise<void>
  /** Like a power cut: releases nothing. */
  kill(): Promise<void>
}

const program = join(import.meta.dirname, 'opener.ts')
const environment = { PATH: process.env.PATH }

/** Opens a directory from another process, optionally as another user. */
export function openElsewhere(directory: string, account: { uid?: number; gid?: number } = {}) {
  const child = spawn(process.execPath, [...loader, program, directory], {
    env: environment,
    stdio: ['pipe', 'pipe', 'pipe'],
    ...account,
  })
  let complaint = ''
  child.stderr.on('data', (chunk) => {
    complaint += chunk
  })
  const ended = once(child, 'close')
  const said = once(child.stdout, 'data').then(([line]) => JSON.parse(String(line)))
  const failed = ended.then(() => Promise.reject(new Error(complaint)))
  const connection = Promise.race([said, failed])
  connection.catch(() => {})
  failed.catch(() => {})
  const opener: Opener = {
    child,
    connection,
    async stop() {
      child.stdin.end('stop')
      await ended
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
  return opener
}
