/** An uninstall with three real data APIs: the receipt tells which of their processes know it, at each moment. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { createDoor } from '../../src/door/door.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { isInstalled, whereFound } from '../support/installed.ts'
import type { Json } from '../support/latchkey.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { type ResourceServer, registerResourceServer } from '../support/resource-server.ts'
import { signedIn } from '../support/signed-in.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const pathOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const cwd = pathOf('packages/go')
const canBuild =
  isInstalled('go', 'version') && spawnSync('go', ['mod', 'download'], { cwd }).status === 0
const withGo = whereFound(canBuild, 'Go with its modules').skip === undefined

/** A process with the library for Node. */
const pod = `
  import { createVerifier } from ${JSON.stringify(pathOf('packages/verify/src/verify.ts'))}
  const { ISSUER: issuer, RS_ID: clientId, RS_SECRET: clientSecret } = process.env
  const verifier = createVerifier({ issuer, audience: issuer, resourceServer: { clientId, clientSecret } })
  setInterval(() => {}, 1000)
  process.on('SIGTERM', async () => {
    await verifier.close()
    process.exit(0)
  })`

const started = (
  t: Test,
  command: string,
  args: string[],
  issuer: string,
  { clientId, clientSecret }: ResourceServer,
  env: Record<string, string> = {},
): ChildProcess => {
  const own = { ISSUER: issuer, AUDIENCE: issuer, RS_ID: clientId, RS_SECRET: clientSecret }
  const child = spawn(command, args, { env: { ...process.env, ...own, ...env }, stdio: 'ignore' })
  t.teardown(() => child.kill('SIGKILL'))
  return child
}

await onEachBackend('a stop of real data APIs', async (t, { running, issuer, world }) => {
  const { operator } = running
  const { acme, confidential, second, kim } = world
  const [node, go, door] = await Promise.all([
    registerResourceServer(running, { name: 'Tables' }),
    registerResourceServer(running, { name: 'Reports' }),
    registerResourceServer(running, { name: 'Files' }),
  ])
  const register = pathOf('test/support/typescript/register.mjs')
  const args = [`--import=${register}`, '--input-type=module', '--eval', pod]
  const [pod1, pod2] = [1, 2].map(() => started(t, process.execPath, args, issuer, node))
  const doorSettings = { port: 0, host: '127.0.0.1', origins: [], maxRevocationAge: null }
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  const files = createDoor(
    {
      ...{ ...doorSettings, issuer, audience: issuer, server: issuer },
      ...{ resourceServer: door, metricsPort: null, shutdownDrain: 0, usage: true },
    },
    log,
  )
  await files.listen()
  t.teardown(files.close)
  if (withGo) {
    const folder = await temporaryDirectory('go-data-api')
    t.teardown(() => rm(folder, { recursive: true, force: true }))
    const program = join(folder, 'data-api')
    execFileSync('go', ['build', '-o', program, './example'], { cwd })
    started(t, program, [], issuer, go, { PORT: String(await freePort()) })
  }
  const readersOf = async ({ clientId }: ResourceServer) =>
    (await operator('GET', `/resource-servers/${clientId}/readers`)).body.items as Json[]
  const all = [[node, 2], ...(withGo ? [[go, 1]] : []), [door, 1]] as [ResourceServer, number][]
  /** All wait for changes: each has asked again from the end of the feed. */
  const areIdle = async () => {
    const readers = await Promise.all(all.map(([api]) => readersOf(api)))
    const isThere = readers.every((of, at) => of.length === all[at]?.[1])
    return isThere && readers.flat().every(({ behind }) => behind === 0)
  }
  await eventually(areIdle)
  for (const [api, kind] of [
    [node, /^latchkey-verify\//],
    [door, /^latchkey-verify\//],
    ...(withGo ? [[go, /^latchkey-verify-go\//] as const] : []),
  ] as const)
    t.match((await readersOf(api))[0]?.library, kind)

  const uninstall = async (app: typeof confidential) => {
    const path = `/organizations/${acme}/installs/${app.client_id}`
    const { headers } = await operator('DELETE', path)
    const id = headers.get('latchkey-stop')
    return `/organizations/${acme}/stops/${id}`
  }
  const ids = (list: Json[]) => list.map((one) => one.resource_server).sort()

  const known = await operator('GET', `${await uninstall(confidential)}?wait=25`)
  t.same(ids(known.body.reached), all.map(([{ clientId }]) => clientId).sort())
  t.same(known.body.waiting, [])
  for (const { seconds } of known.body.reached) t.ok(seconds > 0 && seconds < 25)

  pod2?.kill('SIGSTOP')
  const path = await uninstall(second)
  const others = all.filter(([api]) => api !== node).map(([{ clientId }]) => clientId)
  await eventually(async () => (await operator('GET', path)).body.reached.length === others.length)
  const partly = (await operator('GET', path)).body
  t.same(ids(partly.reached), others.sort())
  t.same(ids(partly.waiting), [node.clientId], 'one of two processes hangs')
  const visitor = await signedIn(issuer, kim)
  const page = await visitor.get(path)
  t.match(page.text, `${others.length} of ${all.length} data APIs have it`)
  t.match(page.text, /Tables/)

  pod2?.kill('SIGCONT')
  const settled = await operator('GET', `${path}?wait=25`)
  t.same(settled.body.waiting, [], 'it continues')
  t.match((await visitor.get(path)).text, new RegExp(`All ${all.length} data APIs have it`))

  pod1?.kill('SIGTERM')
  await files.close()
  await eventually(async () => (await readersOf(node)).length === 1)
  t.same(await readersOf(door), [], 'what closes is forgotten')
  t.same((await operator('GET', path)).body.reached, settled.body.reached, 'reached stays reached')
})
