// Nightly, and when packages/python changes: it needs packages of Python.
/** `packages/python` is installed into an environment of its own, and passes its tests there, also with a real server. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { isInstalled, unlessMissing, whereFound } from '../../support/installed.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { settingsFor } from '../running-server.ts'

const run = promisify(execFile)
const folder = fileURLToPath(new URL('../../../packages/python', import.meta.url))
const canMakeEnvironments = isInstalled(
  'python3',
  '-c',
  'import sys, venv, ensurepip; assert sys.version_info >= (3, 10)',
)

/** @returns whether it is installed; false if the package index cannot be reached */
const installPackage = async (python: string): Promise<boolean> => {
  const pip = ['-m', 'pip', 'install', '--quiet', '--retries', '1', `${folder}[test]`]
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

/** @returns the path of its Python, in which the package is installed; else why the tests are skipped */
const createEnvironment = async (): Promise<{ python?: string; skip?: string }> => {
  const { skip } = unlessMissing(canMakeEnvironments, 'Python 3.10 with venv and pip')
  if (skip) return { skip }
  const environment = await mkdtemp(join(tmpdir(), 'latchkey-python-'))
  t.teardown(() => rm(environment, { recursive: true, force: true }))
  await run('python3', ['-m', 'venv', environment])
  const python = join(environment, 'bin', 'python')
  const found = whereFound(await installPackage(python), 'the package index of Python')
  return found.skip ? found : { python }
}

const { python, skip } = await createEnvironment()

const pytest = async (args: string[], more: Record<string, string> = {}): Promise<string> => {
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...more }
  const all = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', ...args]
  const { stdout } = await run(String(python), all, {
    env,
    cwd: tmpdir(),
    maxBuffer: 64 * 1024 * 1024,
  })
  t.match(stdout, /[1-9]\d* passed/)
  t.notMatch(stdout, /failed|skipped/)
  return stdout
}

const tests = join(folder, 'tests')
const onServer = join(tests, 'test_server.py')

t.test(
  'the Python package passes its tests and the vectors, and its types are checked',
  { ...(skip && { skip }), timeout: 400_000 },
  async () => {
    await pytest([tests, `--ignore=${onServer}`])
    const { stdout } = await run(
      String(python),
      ['-m', 'mypy', `--cache-dir=${tmpdir()}/latchkey-mypy`, 'src'],
      { cwd: folder },
    )
    t.match(stdout, 'Success')
  },
)

if (python)
  await onEachBackend('the Python package and a running server', async (_, scene) => {
    await pytest([onServer], await settingsFor(scene))
  })
