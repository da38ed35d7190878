/** The whole data APIs of docs/for-data-apis.md are compiled with the types of their frameworks, and answer over HTTP. */
import { execFile, spawn } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { whereFound } from '../support/installed.ts'
import { audience, resourceServer, startScriptedServer } from '../support/scripted-server.ts'

const root = join(import.meta.dirname, '../..')
const modules = join(root, 'node_modules')
const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc')
const page = readFileSync(join(root, 'docs/for-data-apis.md'), 'utf8')
const samples = [...page.matchAll(/^```ts\n(\/\/ ([a-z]+)-api\.ts\n[\s\S]*?)^```$/gm)].map(
  ([, text = '', framework = '']) => ({ text, framework }),
)

const packages: Record<string, string[]> = {
  fastify: ['fastify'],
  express: ['express', '@types/express'],
  hono: ['hono', '@hono/node-server'],
}
const compilerOptions = {
  target: 'es2022',
  module: 'nodenext',
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  // The declarations of the frameworks are not our matter.
  skipLibCheck: true,
}

t.same(samples.map(({ framework }) => framework).sort(), Object.keys(packages).sort())

for (const { text, framework } of samples) {
  const isThere = packages[framework]?.every((name) => existsSync(join(modules, name))) ?? false
  t.test(framework, whereFound(isThere, `the package ${framework}`), async (t) => {
    const folder = t.testdir({ 'package.json': '{ "type": "module" }', 'api.ts': text })
    symlinkSync(modules, join(folder, 'node_modules'), 'dir')
    const project = { compilerOptions, files: ['api.ts'] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project))
    await promisify(execFile)(process.execPath, [compiler, '-p', folder])

    const server = await startScriptedServer()
    const PORT = String(await freePort())
    const { clientId, clientSecret } = resourceServer
    const settings = { ISSUER: server.issuer, AUDIENCE: audience, RS_ID: clientId, PORT }
    const api = spawn(process.execPath, ['api.js'], {
      cwd: folder,
      env: { ...process.env, ...settings, RS_SECRET: clientSecret },
      stdio: 'inherit',
    })
    t.teardown(async () => {
      api.kill()
      await server.stop()
    })
    const ask = (organization: string, token?: string) =>
      fetch(`http://127.0.0.1:${PORT}/organizations/${organization}/records`, {
        method: 'POST',
        headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      })
    await eventually(async () => (await ask('org1').catch(() => null))?.status === 401)
    const made = await ask('org1', server.token())
    t.equal(made.status, 201)
    t.same(await made.json(), { organization: 'org1' })
    t.equal((await ask('org2', server.token())).status, 403)
  })
}
