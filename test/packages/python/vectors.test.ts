/** `packages/python` is installed into an environment of its own, and passes the vectors there. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { isInstalled, unlessMissing, whereFound } from '../../support/installed.ts'

const run = promisify(execFile)
const folder = fileURLToPath(new URL('../../../packages/python', import.meta.url))
const canMakeEnvironments = isInstalled(
  'python3',
  '-c',
  'import sys, venv, ensurepip; assert sys.version_info >= (3, 10)',
)

/** @returns whether it is installed; false if the package index cannot be reached */
const install = async (python: string): Promise<boolean> => {
  try {
    await run(python, ['-m', 'pip', 'install', '--quiet', '--retries', '1', `${folder}[test]`])
    return true
  } catch (error) {
    // pip exits with 1 for everything, and says this for an index that does not answer.
    if (/connection broken by|No matching distribution found/.test(String(error))) return false
    throw error
  }
}

t.test(
  'the Python package passes the vectors',
  { ...unlessMissing(canMakeEnvironments, 'Python 3.10 with venv and pip'), timeout: 300_000 },
  async (t): Promise<void> => {
    const environment = await mkdtemp(join(tmpdir(), 'latchkey-python-'))
    t.teardown(() => rm(environment, { recursive: true, force: true }))
    await run('python3', ['-m', 'venv', environment])
    const python = join(environment, 'bin', 'python')
    const { skip } = whereFound(await install(python), 'the package index of Python')
    if (skip) return void t.pass(skip, { skip })
    const tests = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', join(folder, 'tests')]
    const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' }
    const { stdout } = await run(python, tests, { env, cwd: environment })
    t.match(stdout, /[1-9]\d* passed/)
    t.notMatch(stdout, /failed|skipped/)
  },
)
