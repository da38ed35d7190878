import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import { isInstalled, unlessMissing } from '../support/installed.ts'
import { createReader, isEquipped, type Reader, type Shell } from './reader.ts'

const program = join(import.meta.dirname, '../../dist/program/main.js')

export const canRunCommands = (): boolean => isEquipped.sh() && isInstalled('npx')

/** Options of a test that pastes commands into a shell. */
export const unlessShellMissing = (shell: Shell): { skip?: string } =>
  unlessMissing(canRunCommands() && isInstalled(shell), `${shell}, curl, openssl or npx`)

/** A reader whose `npx --no latchkey` is the built one. */
export const createNewcomer = async (
  t: Test,
  given: Record<string, string>,
  shell: Shell,
): Promise<Reader> => {
  const reader = await createReader(t, given, shell)
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
