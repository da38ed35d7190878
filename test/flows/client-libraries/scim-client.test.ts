// Nightly, and when src/http/scim changes: it needs a client in Python.
/** An off-the-shelf SCIM client and its conformance checks, where Python has them. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isInstalled, whereFound } from '../../support/installed.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { connectProvider } from '../../support/scim.ts'

const python = process.env.LATCHKEY_TEST_PYTHON ?? 'python3'
const script = join(import.meta.dirname, 'scim_conformance.py')
const hasTester = isInstalled(python, '-c', 'import scim2_tester, scim2_client.engines.httpx2')
const options = whereFound(hasTester, 'the Python packages scim2-tester and scim2-client[httpx2]')

await onEachBackend('scim2-tester finds no fault', async (t, { running, world }) => {
  t.test('users and workspaces', options, async (t) => {
    const { token } = await connectProvider(running, world.acme)
    const env = { ...process.env, SCIM_URL: `${running.urls[0]}/scim/v2`, SCIM_TOKEN: token }
    const run = promisify(execFile)(python, [script], { env }).then(
      ({ stdout }) => ({ stdout, passed: true }),
      (error: { stdout: string; stderr: string }) => ({
        stdout: error.stdout + error.stderr,
        passed: false,
      }),
    )
    const { stdout, passed } = await run
    t.ok(passed, stdout)
    t.match(stdout, /[1-9]\d* checks succeeded, 0 failed/)
  })
})
