// Nightly, and when deploy/systemd changes: the package is installed in an empty folder.
/** The units for systemd: what systemd says about them, and the settings that they give. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, chown, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { readConfig } from '../../src/config/config.ts'
import { readDoorConfig } from '../../src/config/door.ts'
import { freePort } from '../support/free-port.ts'
import { isInstalled, unlessMissing, whereFound } from '../support/installed.ts'
import { masterKey, operatorToken } from '../support/latchkey.ts'
import { install, pack } from '../support/npm-package.ts'
import { startServerProcess } from '../support/server-process.ts'
import { testStores } from '../support/stores.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { settings, text } from './manifests.ts'

const unitNames = ['latchkey', 'latchkey-door']
const unitOf = (name: string) => text(`deploy/systemd/${name}.service`)
const valuesOf = (key: string, unit = unitOf('latchkey')): string[] =>
  [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value)
const equipped = whereFound(isInstalled('systemd-analyze', '--version'), 'systemd-analyze')

const directory = await temporaryDirectory('systemd')
t.teardown(() => rm(directory, { recursive: true, force: true }))
const copyOf = (name: string) => join(directory, `${name}.service`)
// systemd wants to see the program.
for (const name of unitNames)
  await writeFile(copyOf(name), unitOf(name).replace('/usr/bin/node', process.execPath))

/** @returns its output, also when it finds faults */
const analyze = (...args: string[]): { code: number; said: string } => {
  try {
    const stdio = ['ignore', 'pipe', 'pipe'] as const
    return {
      code: 0,
      said: execFileSync('systemd-analyze', args, { encoding: 'utf8', stdio: [...stdio] }),
    }
  } catch (error) {
    const { status, stdout, stderr } = error as { status: number; stdout: string; stderr: string }
    return { code: status, said: stdout + stderr }
  }
}

for (const name of unitNames) {
  t.test(`systemd accepts the unit ${name}`, equipped, async (t) => {
    const { code, said } = analyze('verify', '--recursive-errors=no', copyOf(name))
    t.equal(code, 0, said)
    t.notMatch(said, `${name}.service`, 'no warning about it')
  })

  t.test(`systemd counts ${name} as well confined`, equipped, async (t) => {
    const options = ['--offline=true', '--threshold=20', '--no-pager']
    const { code, said } = analyze('security', ...options, copyOf(name))
    t.equal(code, 0, said.split('\n').slice(-3).join('\n'))
  })
}

const environmentOf = (unit: string): Record<string, string> =>
  Object.fromEntries(
    valuesOf('Environment', unit)
      .flatMap((line) => line.split(' '))
      .map((one) => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)]),
  )
const credentialsOf = (unit: string): Record<string, string> =>
  Object.fromEntries(
    valuesOf('LoadCredential', unit).map((one) => one.split(':') as [string, string]),
  )
const environment = environmentOf(unitOf('latchkey'))
const credentials = credentialsOf(unitOf('latchkey'))

for (const name of unitNames)
  t.test(`the settings of ${name} exist, and its secrets are credentials`, async (t) => {
    const known = settings()
    const ofNode = ['NODE_ENV', 'NODE_OPTIONS', 'MALLOC_MMAP_THRESHOLD_']
    const given = environmentOf(unitOf(name))
    for (const one of Object.keys(given)) t.ok(known.has(one) || ofNode.includes(one), one)
    for (const [credential, path] of Object.entries(credentialsOf(unitOf(name)))) {
      t.equal(path, `/etc/latchkey/secrets/${credential}`)
      t.ok(Object.values(given).includes(`%d/${credential}`), `${credential} is read`)
    }
  })

t.test('the door reads its secret', async (t) => {
  await writeFile(join(directory, 'resource_server_secret'), 'a secret of the door')
  const given = Object.entries(environmentOf(unitOf('latchkey-door'))).map(([name, value]) => [
    name,
    value.replace('%d', directory),
  ])
  const own = { ISSUER: 'https://auth.example.com', RESOURCE_SERVER_ID: 'rs' }
  const config = readDoorConfig({ ...Object.fromEntries(given), ...own })
  t.match(config, { resourceServer: { clientSecret: 'a secret of the door' }, port: 3080 })
})

t.test('the server reads its secrets', async (t) => {
  const values: Record<string, string> = {
    database_url: 'postgres://a:b@db/latchkey',
    redis_url: 'rediss://redis',
    master_key: 'q9Xh0m1yqgkFvJmC5fV4sYwYF0c1xQF7r0Tn3V2oKzE=',
    operator_token: '7c2f90d41e5ba8637d0e94c1fb28a65d',
  }
  t.same(Object.keys(credentials).toSorted(), Object.keys(values).toSorted())
  for (const [name, value] of Object.entries(values)) await writeFile(join(directory, name), value)
  const given = Object.entries(environment).map(([name, value]) => [
    name,
    value.replace('%d', directory),
  ])
  const config = readConfig({ ...Object.fromEntries(given), ISSUER: 'https://auth.example.com' })
  t.match(config, { databaseUrl: values.database_url })
})

t.test('it starts the program of the package', async (t) => {
  const { name, bin } = JSON.parse(text('package.json'))
  const program = `/opt/latchkey/node_modules/${name}/${bin.latchkey}`
  t.match(valuesOf('ExecStart').join(), `${program} serve`)
  t.match(valuesOf('ExecStart', unitOf('latchkey-door')).join(), `${program} door`)
})

/** Neither root nor an owner of any file. */
const userId = 61_184
/** What DynamicUser, NoNewPrivileges, CapabilityBoundingSet, UMask and ProtectSystem mean for the program. */
const confine = `
umask ${valuesOf('UMask').join()}
mount --bind / / && mount -o remount,bind,ro / || exit 99
cd "$1" && shift
exec setpriv --reuid ${userId} --regid ${userId} --clear-groups --no-new-privs --bounding-set -all "$@"
`
const canConfine =
  process.getuid?.() === 0 &&
  isInstalled('setpriv', '--version') &&
  isInstalled('unshare', '--mount', 'mount', '--bind', '/', '/')
const confined = whereFound(canConfine, 'root with setpriv and unshare')

t.test('its command serves as an unprivileged user that may write nowhere', confined, async (t) => {
  const [stores] = await testStores({ only: 'servers' })
  const opt = await temporaryDirectory('opt')
  const packing = await temporaryDirectory('packed')
  t.teardown(async () => {
    await Promise.all([opt, packing].map((path) => rm(path, { recursive: true, force: true })))
    await stores?.drop()
  })
  await chmod(opt, 0o755)
  const isThere = await install(
    opt,
    await pack('.', packing),
    '--prefer-offline',
    '--omit=optional',
  )
  if (!stores || !isThere) {
    const { skip = false } = unlessMissing(false, 'the registry of npm, Postgres or Redis')
    t.fail('the command cannot be tried', { skip })
    return
  }

  // systemd copies the credentials to a directory that the service alone can read.
  const directoryOf = join(packing, 'credentials')
  const values: Record<string, string> = {
    database_url: stores.databaseUrl,
    redis_url: stores.redisUrl ?? '',
    master_key: masterKey,
    operator_token: operatorToken,
  }
  await mkdir(directoryOf)
  for (const name of Object.keys(credentials)) {
    await writeFile(join(directoryOf, name), `${values[name]}\n`, { mode: 0o400 })
    await chown(join(directoryOf, name), userId, userId)
  }
  await chown(directoryOf, userId, userId)
  await chmod(directoryOf, 0o500)
  await chmod(packing, 0o711)

  const given = Object.entries(environment).map(
    ([name, value]) => `${name}=${value.replace('%d', directoryOf)}`,
  )
  const port = await freePort()
  const [, program = '', ...rest] = valuesOf('ExecStart').join().split(' ')
  t.same(rest, ['serve'])
  const server = await startServerProcess(t, {
    stores,
    port,
    // Only what the unit and its EnvironmentFile give: the other variables are dropped.
    launcher: [
      'env',
      '-i',
      ...given,
      'ISSUER=https://auth.example.com',
      'TRUSTED_PROXIES=127.0.0.1',
      `PORT=${port}`,
      'PATH=/usr/sbin:/usr/bin:/sbin:/bin',
      ...['unshare', '--mount', 'sh', '-c', confine, 'sh', opt],
    ],
    program: program.replace('/opt/latchkey', opt),
  })
  const ready = await fetch(`${server.url}/health/ready`)
  t.equal(ready.status, 200, server.log())
  const { status } = await server.operator('POST', '/organizations', { name: 'Acme' })
  t.equal(status, 201)
  const owner = readFileSync(`/proc/${server.child.pid}/status`, 'utf8')
  t.match(owner, new RegExp(`^Uid:\\s+${userId}\\s`, 'm'))
  t.match(owner, /^CapBnd:\s+0+$/m)
  server.signal('SIGTERM')
  t.same(await server.ended, { code: 0, signal: null })
  t.notMatch(server.log(), /"level":(?:50|60)/, 'without an error')
  t.same((await readdir(opt)).toSorted(), ['node_modules', 'package-lock.json', 'package.json'])
})
