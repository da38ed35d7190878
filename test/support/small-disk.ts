import { execFile } from 'node:child_process'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { temporaryDirectory } from './temporary-directory.ts'

const run = promisify(execFile)

/** A file system that is small enough to fill. */
export interface SmallDisk {
  directory: string
  fill(): Promise<void>
  free(): Promise<void>
}

/** @returns null if mounting is not allowed */
export const mountSmallDisk = async (t: Test, megabytes: number): Promise<SmallDisk | null> => {
  const directory = await temporaryDirectory('disk')
  const options = `size=${megabytes}m,mode=755`
  const isMounted = await run('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', directory]).then(
    () => true,
    () => false,
  )
  t.teardown(async () => {
    if (isMounted) await run('umount', ['-l', directory])
    await rm(directory, { recursive: true, force: true })
  })
  if (!isMounted) return null
  const filler = join(directory, 'filler')
  return {
    directory,
    fill: async () => {
      const file = await open(filler, 'a')
      try {
        for (const size of [1 << 20, 1 << 12]) {
          const chunk = Buffer.alloc(size)
          while ((await file.write(chunk).catch(() => ({ bytesWritten: 0 }))).bytesWritten > 0);
        }
      } finally {
        await file.close()
      }
    },
    free: () => rm(filler, { force: true }),
  }
}

/** The same for one process, by a file size limit, where mounting is not allowed. */
export const limitFiles = (directory: string, pid: () => number): SmallDisk => {
  const limit = (bytes: string) => run('prlimit', ['--pid', String(pid()), `--fsize=${bytes}:`])
  return {
    directory,
    fill: async () => void (await limit('4096')),
    free: async () => void (await limit('unlimited').catch(() => undefined)), // It may have exited.
  }
}
