// Nightly, and when scripts/ changes: it packs the program.
/**
 * The packed program: the files of `npm pack` in a directory of their own, with argon2 as the only installed package.
 * Everything else must be in its chunks.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { cp, mkdir, rm, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { freePort } from '../support/free-port.ts'
import { createOpenidProvider, providerClient } from '../support/openid-provider.ts'
import { startServerProcess } from '../support/server-process.ts'
import { filled } from '../support/signed-in.ts'
import { testStores } from '../support/stores.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { startTraceReceiver } from '../support/trace-receiver.ts'
import { createVisitor } from '../support/visitor.ts'

const root = join(import.meta.dirname, '../..')
const directory = await temporaryDirectory('packaged')
t.teardown(() => rm(directory, { recursive: true, force: true }))

const packed = JSON.parse(
  execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
  }),
) as { files: { path: string }[] }[]
for (const { path } of packed[0]?.files ?? [])
  await cp(join(root, path), join(directory, path), { recursive: true })
await mkdir(join(directory, 'node_modules'))
await symlink(join(root, 'node_modules/argon2'), join(directory, 'node_modules/argon2'))

const program = join(directory, 'dist/program/main.js')

const [stores, ...others] = await testStores()
if (!stores) throw new Error('there is no store to test with')
t.teardown(() => Promise.all([stores, ...others].map((one) => one.drop())))

t.test('each chunk of the program can be loaded', async (t) => {
  const chunks = readdirSync(dirname(program)).filter(
    (name) => name.endsWith('.js') && name !== 'main.js',
  )
  const urls = chunks.map((name) => pathToFileURL(join(dirname(program), name)).href)
  const load = `for (const url of ${JSON.stringify(urls)}) await import(url); process.exit()`
  const args = ['--input-type=module', '--eval', load]
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  t.notMatch(stderr, 'Error')
  t.equal(status, 0)
})

t.test('the classes of oidc-provider keep their names, which are in what they store', (t) => {
  const chunks = readdirSync(dirname(program)).filter((name) => name.endsWith('.js'))
  const text = chunks.map((name) => readFileSync(join(dirname(program), name), 'utf8')).join('\n')
  for (const name of ['Session', 'Interaction', 'Grant', 'AccessToken', 'AuthorizationCode'])
    t.ok(new RegExp(`class ${name} extends \\w+`).test(text), name)
  t.end()
})

t.test('the packed program serves everything without further packages', async (t) => {
  const collector = await startTraceReceiver()
  t.teardown(() => collector.stop())
  const provider = await createOpenidProvider()
  await provider.start(['http://127.0.0.1/login/callback'])
  t.teardown(() => provider.stop())
  const port = await freePort()
  const issuer = `http://localhost:${port}`
  const server = await startServerProcess(t, {
    program,
    stores,
    port,
    environment: {
      ISSUER: issuer,
      ...collector.environment,
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: providerClient.id,
      OIDC_CLIENT_SECRET: providerClient.secret,
    },
  })
  const get = (path: string) => fetch(issuer + path, { redirect: 'manual' })

  for (const [path, content] of [
    ['/login', 'name="password"'],
    ['/assets/latchkey.css', '{'],
    ['/docs', '<h1'],
    ['/docs/operating', '<h1'],
    ['/sdk/v1.js', 'Latchkey'],
    ['/api/admin/v1/openapi.json', '"openapi":"3.1.0"'],
    ['/.well-known/oauth-authorization-server', '"authorization_endpoint"'],
  ] as const) {
    const answer = await get(path)
    t.equal(answer.status, 200, path)
    t.ok((await answer.text()).includes(content), path)
    const isStatic = /^\/(assets|docs|sdk)/.test(path)
    t.equal(answer.headers.get('content-encoding'), isStatic ? 'gzip' : null, path)
  }
  const authorization = await get('/authorize?client_id=app_unknown&response_type=code')
  t.equal(authorization.status, 400, 'oidc-provider validates authorization requests')

  const user = { name: 'Ada', email: 'ada@example.com' }
  const visitor = createVisitor(issuer)
  const page = await visitor.get('/login')
  const passkeys = await visitor.fetch(`${issuer}/login/passkey/options`, {
    method: 'POST',
    body: filled(page, {}),
  })
  t.match(await passkeys.json(), { rpId: 'localhost' }, 'the library for passkeys is loaded')

  const common = await server.operator('POST', '/users', { ...user, password: 'password1234' })
  t.equal(common.status, 400, 'the list of common passwords is loaded')
  const rare = await server.operator('POST', '/users', { ...user, password: 'a teapot on a hill' })
  t.equal(rare.status, 201, 'argon2 hashes a password')

  const redirect = await get('/login/oidc')
  t.match(redirect.headers.get('location') ?? '', provider.issuer)

  server.signal('SIGTERM')
  t.same(await server.ended, { code: 0, signal: null })
  t.ok(collector.spans.length > 0, 'traces are exported')
})
