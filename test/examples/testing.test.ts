// Nightly, and when examples/ changes: it starts the examples.
/** The tests of a data API in three languages, each with a test server of its own. */
import { execFile, spawnSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { program } from '../cli/latchkey-command.ts'
import { isInstalled, whereFound } from '../support/installed.ts'
import { createPythonEnvironment } from '../support/python-environment.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const cwd = join(import.meta.dirname, '../../examples/testing')
const directory = await temporaryDirectory('testing')
t.teardown(() => rm(directory, { recursive: true, force: true }))
const env = {
  ...process.env,
  LATCHKEY: `${process.execPath} ${program}`,
  LATCHKEY_DATA: directory,
  PYTHONDONTWRITEBYTECODE: '1',
}
const run = async (command: string, args: string[]) =>
  (await promisify(execFile)(command, args, { cwd, env })).stdout

t.test('node:test', async (t) => {
  t.match(await run(process.execPath, ['--test', '--test-reporter=tap']), '# pass 2\n')
})

const package_ = join(import.meta.dirname, '../../packages/python')
const { python, skip } = await createPythonEnvironment(t, `${package_}[test]`)
t.test('pytest', { ...(skip && { skip }), timeout: 400_000 }, async (t) => {
  t.match(await run(String(python), ['-m', 'pytest', '-q', '-p', 'no:cacheprovider']), '3 passed')
})

const canBuild =
  isInstalled('go', 'version') && spawnSync('go', ['mod', 'download'], { cwd }).status === 0
t.test('go test', whereFound(canBuild, 'Go with its modules'), async (t) => {
  t.match(await run('go', ['test', '-count=1', '-v']), '--- PASS: TestRecords')
})
