import { existsSync, readdirSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import { unlessMissing } from './installed.ts'
import { temporaryDirectory } from './temporary-directory.ts'

/** Debian's path: /usr/lib/x86_64-linux-gnu/faketime. */
const findLibrary = (): string | null => {
  const folders = existsSync('/usr/lib') ? readdirSync('/usr/lib') : []
  const paths = folders.map((one) => join('/usr/lib', one, 'faketime/libfaketimeMT.so.1'))
  return paths.find(existsSync) ?? null
}

const library = findLibrary()
export const noFaketime = unlessMissing(library !== null, 'libfaketime')

/** A clock for a process in place of the machine's. */
export interface WrongDate {
  /**
   * For the process. Its monotonic clock stays, because a wrong date does not change the length of
   * a second.
   */
  environment: Record<string, string>
  /** Sets it, also at run time. @param seconds ahead of the true time, or behind it */
  set(seconds: number): Promise<void>
}

const signed = (seconds: number) => `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}`

export const wrongDate = async (t: Test, seconds: number): Promise<WrongDate> => {
  if (library === null) throw new Error('libfaketime is not installed')
  const directory = await temporaryDirectory('date')
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  const file = join(directory, 'date')
  const set = (ahead: number) => writeFile(file, signed(ahead))
  await set(seconds)
  return {
    environment: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
      FAKETIME_CACHE_DURATION: '1',
    },
    set,
  }
}
