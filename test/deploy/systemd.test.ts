/** The unit for systemd: what systemd says about it, and the settings that it gives to the server. */
import { execFileSync } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { readConfig } from '../../src/config/config.ts'
import { isInstalled, whereFound } from '../support/installed.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { settings, text } from './manifests.ts'

const unit = text('deploy/systemd/latchkey.service')
const valuesOf = (key: string): string[] =>
  [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value)
const equipped = whereFound(isInstalled('systemd-analyze', '--version'), 'systemd-analyze')

const directory = await temporaryDirectory('systemd')
t.teardown(() => rm(directory, { recursive: true, force: true }))
const copy = join(directory, 'latchkey.service')
// systemd wants to see the program.
await writeFile(copy, unit.replace('/usr/bin/node', process.execPath))

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

t.test('systemd accepts the unit', equipped, async (t) => {
  const { code, said } = analyze('verify', '--recursive-errors=no', copy)
  t.equal(code, 0, said)
  t.notMatch(said, 'latchkey.service', 'no warning about it')
})

t.test('systemd counts it as well confined', equipped, async (t) => {
  const { code, said } = analyze('security', '--offline=true', '--threshold=20', '--no-pager', copy)
  t.equal(code, 0, said.split('\n').slice(-3).join('\n'))
})

t.test('its settings exist, and its secrets are credentials', async (t) => {
  const credentials = Object.fromEntries(
    valuesOf('LoadCredential').map((one) => one.split(':') as [string, string]),
  )
  const environment = Object.fromEntries(
    valuesOf('Environment')
      .flatMap((line) => line.split(' '))
      .map((one) => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)]),
  )
  const known = settings()
  const ofNode = ['NODE_ENV', 'NODE_OPTIONS', 'MALLOC_MMAP_THRESHOLD_']
  for (const name of Object.keys(environment)) t.ok(known.has(name) || ofNode.includes(name), name)
  for (const [name, path] of Object.entries(credentials)) {
    t.equal(path, `/etc/latchkey/secrets/${name}`)
    t.ok(Object.values(environment).includes(`%d/${name}`), `${name} is read`)
  }
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
  t.match(valuesOf('ExecStart').join(), `/opt/latchkey/node_modules/${name}/${bin.latchkey} serve`)
})
