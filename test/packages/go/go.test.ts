/** `packages/go` is vetted, passes its tests and all vectors, and protects a data API of a real server. */
import { execFile, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { isInstalled, whereFound } from '../../support/installed.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { settingsFor } from '../running-server.ts'
import { files, vectorsIn } from '../vectors/vectors.ts'

const cwd = fileURLToPath(new URL('../../../packages/go', import.meta.url))
const run = promisify(execFile)
const go = async (args: string[], env: Record<string, string> = {}): Promise<string> => {
  const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 }
  return (await run('go', args, options)).stdout
}

const canBuild =
  isInstalled('go', 'version') && spawnSync('go', ['mod', 'download'], { cwd }).status === 0
const options = { ...whereFound(canBuild, 'Go with its modules'), timeout: 300_000 }

t.test('the Go module is formatted, vetted, and passes the vectors', options, async (t) => {
  t.equal((await run('gofmt', ['-l', '.'], { cwd })).stdout, '')
  await go(['vet', './...'])
  const output = await go(['test', '-count=1', '-v', './...'])
  t.match(output, `${files.flatMap(vectorsIn).length} vectors`)
  t.match(output, /^--- PASS: TestVectors /m)
})

if (canBuild)
  await onEachBackend('the Go module and a running server', async (t, scene) => {
    const output = await go(
      ['test', '-count=1', '-v', '-run', '^TestRunningServer$', './...'],
      await settingsFor(scene),
    )
    t.match(output, /^--- PASS: TestRunningServer /m)
  })
