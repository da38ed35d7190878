// Nightly, and when packages/python changes: it needs packages of Python.
/** `packages/python` is installed into an environment of its own, and passes its tests there, also with a real server. */
import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { createPythonEnvironment } from '../../support/python-environment.ts'
import { settingsFor } from '../running-server.ts'

const run = promisify(execFile)
const folder = fileURLToPath(new URL('../../../packages/python', import.meta.url))
const { python, skip } = await createPythonEnvironment(t, `${folder}[test]`)

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
