import { cp, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import { temporaryDirectory } from './temporary-directory.ts'

const root = join(import.meta.dirname, '../..')

/**
 * The next version of the program: the built one with further migrations. @param migrations SQL by
 * file name @returns the path of its command line
 */
export const nextVersion = async (t: Test, migrations: Record<string, string>): Promise<string> => {
  const directory = await temporaryDirectory('next-version')
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  await cp(join(root, 'dist'), join(directory, 'dist'), { recursive: true })
  await cp(join(root, 'migrations'), join(directory, 'migrations'), { recursive: true })
  for (const name of ['node_modules', 'views', 'words', 'package.json'])
    await symlink(join(root, name), join(directory, name))
  for (const [name, sql] of Object.entries(migrations))
    await writeFile(join(directory, 'migrations', name), sql)
  return join(directory, 'dist/program/main.js')
}
