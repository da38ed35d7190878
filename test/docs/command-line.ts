import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import { isInstalled } from '../support/installed.ts'
import { createReader, isEquipped, type Reader } from './reader.ts'

const program = join(import.meta.dirname, '../../dist/program/main.js')

export const canRunCommands = (): boolean => isEquipped.sh() && isInstalled('npx')

/** A reader whose `npx --no latchkey` is the built one. */
export const createNewcomer = async (t: Test, given: Record<string, string>): Promise<Reader> => {
  const reader = await createReader(t, given)
  const bin = join(reader.directory, 'node_modules/.bin')
  await mkdir(bin, { recursive: true })
  await symlink(program, join(bin, 'latchkey'))
  return reader
}

/** Gives a reader the built command without npx, which costs two seconds each time. */
export const addCommand = async (reader: Reader): Promise<void> => {
  const npx = `#!/bin/sh\n[ "$1 $2" = '--no latchkey' ] && shift 2 && exec '${process.execPath}' '${program}' "$@"\n`
  await writeFile(join(reader.directory, 'npx'), npx, { mode: 0o755 })
  reader.env.PATH = `${reader.directory}:${reader.env.PATH}`
}
