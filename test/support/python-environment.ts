/** Packages of Python, in an environment of their own. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { isInstalled, unlessMissing, whereFound } from './installed.ts'

const run = promisify(execFile)

const canMakeEnvironments = isInstalled(
  'python3',
  '-c',
  'import sys, venv, ensurepip; assert sys.version_info >= (3, 10)',
)

/** @returns whether they are installed; false if the package index cannot be reached */
const installPackages = async (python: string, packages: string[]): Promise<boolean> => {
  const pip = ['-m', 'pip', 'install', '--quiet', '--retries', '1', ...packages]
  try {
    await run(python, pip, { timeout: 240_000 })
    return true
  } catch (error) {
    // pip exits with 1 for everything, and says this for an index that does not answer.
    const isUnreachable = /connection broken by|No matching distribution found/.test(String(error))
    if (isUnreachable || (error as { killed?: boolean }).killed) return false
    throw error
  }
}

/** @returns the path of a Python in which the packages are installed; else why the tests are skipped */
export const createPythonEnvironment = async (
  t: Pick<Test, 'teardown'>,
  ...packages: string[]
): Promise<{ python?: string; skip?: string }> => {
  const { skip } = unlessMissing(canMakeEnvironments, 'Python 3.10 with venv and pip')
  if (skip) return { skip }
  const environment = await mkdtemp(join(tmpdir(), 'latchkey-python-'))
  t.teardown(() => rm(environment, { recursive: true, force: true }))
  await run('python3', ['-m', 'venv', environment])
  const python = join(environment, 'bin', 'python')
  const found = whereFound(await installPackages(python, packages), 'the package index of Python')
  return found.skip ? found : { python }
}
