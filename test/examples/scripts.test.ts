// Nightly, and when examples/ changes: it starts the example.
/** The two examples without a user: a job with install tokens, and a script with a key set. */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { organizations } from '../../demo/cast.ts'
import { runExample, startScene } from './beside-demo.ts'

const scene = await startScene()
const { api, acmeId } = scene

const job = 'install-token-job'
const script = 'key-set-script'
const added = 'Sales\tWeekly review'

const serve = async (t: Test, listener: RequestListener) => {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

t.test('the script reads all workspaces and sees the task that the job added', async (t) => {
  const before = await runExample(t, scene, script)
  t.equal(before.code, 0)
  const first = new Set(
    before.out
      .trim()
      .split('\n')
      .map((row) => row.split('\t')[0]),
  )
  t.same([...first], organizations.acme.workspaces.map(({ name }) => name).toSorted())
  t.match(before.out, 'Support\tRenewal for Northwind\t')
  t.notMatch(before.out, added)

  t.match(await runExample(t, scene, job), { code: 0, out: 'The task is there.\n', err: '' })
  t.match((await runExample(t, scene, script)).out, added)
})

t.test('a workspace that was not approved is refused', async (t) => {
  const rows = await api.list<{ id: string; name: string }>(`/organizations/${acmeId}/workspaces`)
  const finance = rows.find(({ name }) => name === 'Finance')?.id ?? ''
  // An existing environment variable has priority over the file.
  const { code, out } = await runExample(t, scene, job, { env: { WORKSPACE_ID: finance } })
  t.same({ code, out }, { code: 1, out: '' })
})

t.test('an unavailable server causes exit code 75, and a later run succeeds', async (t) => {
  const away: Record<string, RequestListener> = {
    'answers 503': (_request, response) => {
      response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '1' })
      response.end('{"error":"temporarily_unavailable","error_description":"come back later"}')
    },
    'hangs up': ({ socket }) => void socket.destroy(),
  }
  for (const [what, listener] of Object.entries(away)) {
    const url = await serve(t, listener)
    for (const name of ['LATCHKEY_ISSUER', 'DATA_API']) {
      const { code, out } = await runExample(t, scene, job, { env: { [name]: url } })
      t.same({ code, out }, { code: 75, out: '' }, `${name} ${what}`)
    }
  }
})

t.test(
  'a fault for the operator causes exit code 1: a wrong secret, an app that is not installed',
  async (t) => {
    const env = { LATCHKEY_CLIENT_SECRET: 'lkcs_wrong' }
    t.match(await runExample(t, scene, job, { env }), { code: 1, out: '' })
    const clientId = await scene.clientIdOf('installTokenJob')
    await api.call('DELETE', `/organizations/${acmeId}/installs/${clientId}`)
    const uninstalled = await runExample(t, scene, job)
    t.match(uninstalled, { code: 1, out: '' })
    t.ok(uninstalled.err)
  },
)

t.test('rotating the key set’s secret invalidates the script’s secret', async (t) => {
  const path = `/organizations/${acmeId}/key-sets`
  const [keySet] = await api.list<{ id: string }>(path)
  await api.call('POST', `${path}/${keySet?.id}/rotate`, {})
  const { code, out } = await runExample(t, scene, script)
  t.same({ code, out }, { code: 1, out: '' })
})
