/** `packages/go` is vetted, passes its tests and all vectors, and protects a data API of a real server. */
import { execFile, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { currentCode, exchangeCode } from '../../support/flows.ts'
import { isInstalled, whereFound } from '../../support/installed.ts'
import { operatorToken } from '../../support/latchkey.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { registerResourceServer } from '../../support/resource-server.ts'
import { createApp, install } from '../../support/world.ts'
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
    const { running, issuer, world } = scene
    const { clientId, clientSecret } = await registerResourceServer(running)
    const app = await createApp(running, { name: 'Board' })
    await install(running, world.acme, app)
    const code = await currentCode(running, app, world.ana, { organization_id: world.acme })
    const { access_token: token } = (await exchangeCode(issuer, app, code)).body
    const path = `/api/admin/v1/organizations/${world.acme}/installs/${app.client_id}`
    const output = await go(['test', '-count=1', '-v', '-run', '^TestRunningServer$', './...'], {
      LATCHKEY_TEST_ISSUER: issuer,
      LATCHKEY_TEST_TOKEN_AUDIENCE: issuer,
      LATCHKEY_TEST_RESOURCE_SERVER_ID: clientId,
      LATCHKEY_TEST_RESOURCE_SERVER_SECRET: clientSecret,
      LATCHKEY_TEST_TOKEN: token,
      LATCHKEY_TEST_ORGANIZATION: world.acme,
      LATCHKEY_TEST_WORKSPACE: world.sales,
      LATCHKEY_TEST_INSTALL: issuer + path,
      LATCHKEY_TEST_OPERATOR_TOKEN: operatorToken,
    })
    t.match(output, /^--- PASS: TestRunningServer /m)
  })
