// Nightly, and when scripts/program changes: the package is installed in an empty folder.
/**
 * The package as a newcomer gets it: packed, installed with npm into an empty folder, and started by its command on the
 * packaged Postgres.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import t from 'tap'
import { freePort } from '../support/free-port.ts'
import { unlessMissing } from '../support/installed.ts'
import { masterKey, operatorAt, operatorToken } from '../support/latchkey.ts'
import { install, pack } from '../support/npm-package.ts'
import { storesNamed } from '../support/open-stores.ts'
import type { StoreSetup } from '../support/stores.ts'
import { findSystemPostgres } from '../support/system-postgres.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)

const packed = JSON.parse(
  (await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: root })).stdout,
)[0] as { files: { path: string; size: number }[]; size: number }

t.test('the package has what a server needs, and nothing else', async (t) => {
  const paths = packed.files.map(({ path }) => path)
  for (const path of [
    'LICENSE',
    'README.md',
    'CHANGELOG.md',
    'package.json',
    'dist/program/main.js',
    'dist/program/THIRD-PARTY-LICENSES.txt',
    'dist/docs/pages.json',
    'dist/sdk/v1.js',
    'dist/sdk/host-v1.js',
    'migrations/0001_initial.sql',
    'deploy/systemd/latchkey.service',
    'deploy/systemd/latchkey-door.service',
    'deploy/.env.example',
    'views/assets/latchkey.css',
  ])
    t.ok(paths.includes(path), path)
  const expected = [
    /^(?:LICENSE|README\.md|CHANGELOG\.md|package\.json)$/,
    /^dist\/program\/(?:[\w-]+\.js|THIRD-PARTY-LICENSES\.txt)$/,
    /^dist\/docs\/(?:pages\.json|search[\w.-]*|pages\/.+\.html|images\/.+\.(?:png|svg))$/,
    /^dist\/sdk\/(?:v1|host-v1)\.js$/,
    /^dist\/compressed\/[\w-]{16}\.(?:br|gzip)$/,
    /^migrations\/\d{4}_\w+\.sql$/,
    /^words\/[\w-]+\.json$/,
    /^deploy\/(?!secrets\/|\.env$).+$/,
    /^views\/.+\.(?:eta|css|js|svg|png|ico)$/,
  ]
  t.same(
    paths.filter((path) => !expected.some((one) => one.test(path))),
    [],
    'no sources, tests, maps or secrets',
  )
  t.ok(packed.size < 4_000_000, `${packed.size} bytes`)
})

const directory = await temporaryDirectory('installed')
const packing = await temporaryDirectory('packed')
t.teardown(() =>
  Promise.all([directory, packing].map((path) => rm(path, { recursive: true, force: true }))),
)
const isThere = await install(directory, await pack('.', packing), '--prefer-offline', '--omit=dev')
const registry = unlessMissing(isThere, 'the registry of npm')
const environment = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  NODE_ENV: 'production',
  LATCHKEY_OPERATOR_TOKEN: operatorToken,
  LATCHKEY_DATA: join(directory, 'data'),
}

const signalGroup = ({ pid = 0 }: ChildProcess, name: NodeJS.Signals) => {
  try {
    process.kill(-pid, name)
  } catch {
    // All have ended.
  }
}

interface Started {
  /** To npx, its shell and the server, as a terminal does. */
  signal(name: NodeJS.Signals): void
  /** The output of the server, when all of them have ended. */
  ended: Promise<string>
}

/** Starts the command in the folder, and waits until it listens. */
const serve = async (port: number): Promise<Started> => {
  const child = spawn('npx', ['--no', 'latchkey', 'serve'], {
    cwd: directory,
    env: { ...environment, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let said = ''
  const ended = once(child, 'close').then(() => said)
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  while (!said.includes('"msg":"listening"')) {
    if (child.exitCode !== null) throw new Error(`the server does not start: ${said}`)
    await sleep(50)
  }
  return { signal: (name) => signalGroup(child, name), ended }
}

t.test('installed, the command serves a first token and stops', registry, async (t) => {
  const port = await freePort()
  const server = await serve(port)
  t.teardown(() => server.signal('SIGKILL'))
  const url = `http://127.0.0.1:${port}`
  const operator = operatorAt(url)
  const { body: organization } = await operator('POST', '/organizations', { name: 'Acme' })
  const { body: app } = await operator('POST', '/apps', {
    name: 'Report Builder',
    interface: 'current',
    client_type: 'confidential',
    redirect_uris: ['http://127.0.0.1:4000/callback'],
    permissions: ['records:create'],
  })
  await operator('PUT', `/organizations/${organization.id}/installs/${app.client_id}`, {
    permissions: ['records:create'],
    workspace_ids: null,
  })
  const answer = await fetch(`${url}/api/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${app.client_id}:${app.client_secret}`)}` },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      organization_id: String(organization.id),
    }),
  })
  t.equal(answer.status, 200)
  t.match(await answer.json(), { token_type: 'Bearer', access_token: /^\S+$/ })
  const { stdout } = await run('npx', ['--no', 'latchkey', 'app', 'list'], {
    cwd: directory,
    env: { ...environment, LATCHKEY_URL: url },
  })
  t.match(stdout, 'Report Builder', 'the command line reaches it')

  server.signal('SIGINT')
  const log = await server.ended
  t.match(log, '"msg":"closing"', 'Ctrl+C stops it')
  t.notMatch(log, /"level":(?:50|60)/, 'without an error')
  await t.rejects(fetch(url))
})

const tools = await findSystemPostgres()
const stores = tools && (await storesNamed('servers'))
const postgres = unlessMissing(isThere && stores !== null, 'the registry of npm, Postgres or Redis')
t.test('installed, the command ends what a restored database would revive', postgres, async (t) => {
  const { databaseUrl, drop } = stores as StoreSetup
  t.teardown(drop)
  const env = { ...environment, DATABASE_URL: databaseUrl, LATCHKEY_MASTER_KEY: masterKey }
  const command = async (...args: string[]) =>
    (await run('npx', ['--no', 'latchkey', ...args, '--json'], { cwd: directory, env })).stdout
  const client = (name: string, ...args: string[]) => run(join(tools as string, name), args)
  const ends = async () => JSON.parse(await command('operator-token', 'list')).items[0]?.expires_at
  const dump = join(packing, 'latchkey.dump')
  const { token } = JSON.parse(await command('operator-token', 'create', '--name', 'deploy'))
  t.type(token, 'string')
  await client('pg_dump', '--format=custom', `--file=${dump}`, databaseUrl)
  const empty = ['drop schema public cascade', 'create schema public']
  await client('psql', databaseUrl, ...empty.flatMap((one) => ['--command', one]))
  await client('pg_restore', '--exit-on-error', '--no-owner', `--dbname=${databaseUrl}`, dump)
  t.equal(await ends(), null, 'valid again')
  t.match(JSON.parse(await command('after-restore')), { operator_tokens: 1 })
  t.ok(Date.parse(await ends()) <= Date.now(), 'and ended')
})
