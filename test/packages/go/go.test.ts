// Nightly, and when packages/go changes: it needs Go.
/** `packages/go` is vetted, passes its tests and all vectors, and protects a data API of a real server. */
import { execFile, spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { eventually } from '../../support/eventually.ts'
import { freePort } from '../../support/free-port.ts'
import { isInstalled, unlessMissing, whereFound } from '../../support/installed.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
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

const readme = readFileSync(join(cwd, 'README.md'), 'utf8')
const samplesIn = (language: string) =>
  [...readme.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(
    ([, sample = '']) => sample,
  )

/** Builds and uses the quick start in an empty folder, as its reader does. @returns the answer of the data API */
const followQuickStart = async (t: Test, settings: Record<string, string>): Promise<string> => {
  const folder = await temporaryDirectory('go-quick-start')
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const port = String(await freePort())
  const env = { ...process.env, ...settings, PORT: port, LATCHKEY: join(cwd, '../..') }
  const [build = '', use = ''] = samplesIn('sh')
  await writeFile(join(folder, 'main.go'), samplesIn('go')[0] ?? '')
  await run('bash', ['-euc', build], { cwd: folder, env })
  const child = spawn(join(folder, 'data-api'), { env, stdio: 'ignore' })
  t.teardown(() => child.kill())
  const records = `http://127.0.0.1:${port}/workspaces/${settings.WORKSPACE_ID}/records`
  const status = () =>
    fetch(records, { method: 'POST' }).then(
      (one) => one.status,
      () => null,
    )
  await eventually(async () => (await status()) === 401)
  return (await run('bash', ['-euc', use], { cwd: folder, env })).stdout
}

if (canBuild)
  await onEachBackend('the Go module and a running server', async (t, scene) => {
    const settings = await settingsFor(scene)
    const canPaste = isInstalled('bash') && isInstalled('curl')
    await t.test('the quick start works', unlessMissing(canPaste, 'bash and curl'), async (t) => {
      // The names that the demo writes for samples.
      const clientId = settings.LATCHKEY_TEST_CLIENT_ID as string
      const answer = await followQuickStart(t, {
        ISSUER: scene.issuer,
        AUDIENCE: settings.LATCHKEY_TEST_TOKEN_AUDIENCE as string,
        RS_ID: settings.LATCHKEY_TEST_RESOURCE_SERVER_ID as string,
        RS_SECRET: settings.LATCHKEY_TEST_RESOURCE_SERVER_SECRET as string,
        CLIENT_ID: clientId,
        CLIENT_SECRET: settings.LATCHKEY_TEST_CLIENT_SECRET as string,
        ORGANIZATION_ID: scene.world.acme,
        WORKSPACE_ID: scene.world.sales,
      })
      t.equal(answer, `created by ${clientId}\n`)
    })
    // It uninstalls the app.
    const output = await go(
      ['test', '-count=1', '-v', '-run', '^TestRunningServer$', './...'],
      settings,
    )
    t.match(output, /^--- PASS: TestRunningServer /m)
  })
