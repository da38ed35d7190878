import { execFileSync } from 'node:child_process'
import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { operatorToken } from '../../src/cli/server-address.ts'
import { readConfig } from '../../src/config/config.ts'
import type { ConfigError } from '../../src/config/config-error.ts'
import { environment } from '../../src/config/environment.ts'
import { readSecret, secretSettings } from '../../src/config/secret-files.ts'
import { text } from '../deploy/manifests.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const key = 'q9Xh0m1yqgkFvJmC5fV4sYwYF0c1xQF7r0Tn3V2oKzE='
const older = 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0U1w='
const values: Record<(typeof secretSettings)[number], string> = {
  DATABASE_URL: 'postgres://latchkey:db-secret@db.example/latchkey',
  REDIS_URL: 'redis://:redis-secret@redis.example',
  LATCHKEY_MASTER_KEY: key,
  LATCHKEY_PREVIOUS_MASTER_KEYS: older,
  LATCHKEY_OPERATOR_TOKEN: 'operator-token-of-the-tests',
  METRICS_TOKEN: 'metrics-secret',
  SMTP_URL: 'smtps://latchkey:smtp-secret@mail.example',
  OIDC_CLIENT_SECRET: 'oidc-secret',
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=otlp-secret',
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-key=traces-secret',
  RESOURCE_SERVER_SECRET: 'door-secret',
}
const ofOpenTelemetry = ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS']
const others = {
  MAIL_FROM: 'latchkey@mail.example',
  OIDC_ISSUER: 'https://id.example',
  OIDC_CLIENT_ID: 'latchkey',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otlp.example',
}

const directory = await temporaryDirectory('secret-files')
t.teardown(() => rm(directory, { recursive: true, force: true }))
let counter = 0
const file = async (content: string | Buffer, mode = 0o600) => {
  const path = join(directory, `secret${++counter}`)
  await writeFile(path, content)
  await chmod(path, mode)
  return path
}

const faultsOf = (settings: NodeJS.ProcessEnv): string[] => {
  try {
    readConfig(settings)
    return []
  } catch (error) {
    return (error as ConfigError).faults
  }
}

t.test('every secret setting can be read from a file', async (t) => {
  const files = await Promise.all(
    Object.entries(values).map(async ([name, value]) => [`${name}_FILE`, await file(`${value}\n`)]),
  )
  const fromFiles = readConfig({ ...others, ...Object.fromEntries(files) })
  t.same(fromFiles, readConfig({ ...others, ...values }))
  t.equal(fromFiles.operatorToken, values.LATCHKEY_OPERATOR_TOKEN)
})

t.test('the list of secret settings is complete', async (t) => {
  const names = [...Object.keys(environment.properties), ...ofOpenTelemetry]
  const isSecret = /_(KEYS?|TOKEN|SECRET|PASSWORD|HEADERS)$|^(DATABASE|REDIS|SMTP)_URL$/
  const secret = names.filter((name) => isSecret.test(name))
  t.same(secret.toSorted(), [...secretSettings].toSorted())
  for (const name of secretSettings)
    t.match(text('docs/configuration.md'), `\`${name}_FILE\``, 'documented')
})

t.test('trailing line breaks are not part of a secret', async (t) => {
  for (const end of ['', '\n', '\r\n', '\n\n']) {
    const faults: string[] = []
    const path = await file(`a secret${end}`)
    t.equal(readSecret({ METRICS_TOKEN_FILE: path }, 'METRICS_TOKEN', faults), 'a secret')
    t.same(faults, [])
  }
  const keys = await file(`${key}\n${older}\n`)
  const read = (path: string) =>
    readConfig({ LATCHKEY_MASTER_KEY: older, LATCHKEY_PREVIOUS_MASTER_KEYS_FILE: path }).masterKeys
  t.equal(read(keys).length, 3, 'previous master keys may be on separate lines')
  t.equal(read(await file('\n')).length, 1, 'and the list may be empty')
})

t.test('follows symbolic links, which Kubernetes uses for mounted secrets', async (t) => {
  const path = join(directory, 'link')
  await symlink(await file('linked-metrics-token', 0o444), path)
  t.equal(readConfig({ METRICS_TOKEN_FILE: path }).metrics.token, 'linked-metrics-token')
})

t.test('a faulty file is reported by its setting, without its path or content', async (t) => {
  const secret = 'content-of-the-file'
  const pipe = join(directory, 'pipe')
  execFileSync('sh', ['-c', 'mkfifo "$0"', pipe])
  const folder = join(directory, 'folder')
  await mkdir(folder)
  const cases: [what: string, path: string, fault: string][] = [
    ['no file', join(directory, 'absent'), 'cannot be read (ENOENT)'],
    ['the secret itself', secret, 'cannot be read (ENOENT)'],
    ['a directory', folder, 'must name a regular file'],
    ['a pipe that nothing writes to', pipe, 'must name a regular file'],
    ['a device', '/dev/zero', 'must name a regular file'],
    ['an empty file', await file(''), 'must name a file that is not empty'],
    ['only a line break', await file('\n'), 'must name a file that is not empty'],
    ['two lines', await file(`${secret}\n${secret}\n`), 'must name a file with one line'],
    ['a zero byte', await file(`${secret}\0`), 'must name a file with one line'],
    ['bytes that are no text', await file(Buffer.from([0xff, 0xfe])), 'must name a file with one'],
    ['a large file', await file('x'.repeat(64 * 1024 + 1)), 'must name a file of at most 65536'],
    ['a file that all may change', await file(secret, 0o666), 'must name a file that not every'],
  ]
  for (const name of secretSettings) {
    if (name === 'LATCHKEY_PREVIOUS_MASTER_KEYS') continue
    for (const [what, path, expected] of cases) {
      const faults = faultsOf({ [`${name}_FILE`]: path })
      t.equal(faults.length, 1, `${name}: ${what}`)
      t.match(faults[0], `${name}_FILE ${expected}`, what)
      t.notMatch(faults[0], secret, what)
      t.notMatch(faults[0], directory, what)
    }
  }
})

t.test('a variable and its file together are a fault', async (t) => {
  for (const name of secretSettings) {
    const path = await file(values[name])
    const faults = faultsOf({ ...others, ...values, [`${name}_FILE`]: path })
    t.same(faults, [`${name}_FILE and ${name} are both set; set one of them`])
  }
  const empty = { METRICS_TOKEN: '', METRICS_TOKEN_FILE: await file('from-the-file') }
  t.equal(readConfig(empty).metrics.token, 'from-the-file', 'an empty variable counts as absent')
  t.same(faultsOf({ METRICS_TOKEN: 'direct', METRICS_TOKEN_FILE: '' }), [])
})

t.test('the content of a file is checked like the variable, and not repeated', async (t) => {
  const LATCHKEY_OPERATOR_TOKEN_FILE = await file('too-short')
  const DATABASE_URL_FILE = await file('mysql://user:hidden-password@db')
  const faults = faultsOf({ LATCHKEY_OPERATOR_TOKEN_FILE, DATABASE_URL_FILE })
  t.match(faults.join('\n'), /LATCHKEY_OPERATOR_TOKEN must have at least 16 characters/)
  t.match(faults.join('\n'), /DATABASE_URL must start with postgres/)
  t.notMatch(faults.join('\n'), /too-short|hidden-password/)
})

t.test('the command line reads secrets from files too', async (t) => {
  const env = { LATCHKEY_OPERATOR_TOKEN_FILE: await file('operator-token-in-a-file\n') }
  t.equal(await operatorToken({ env }), 'operator-token-in-a-file')
  const both = { ...env, LATCHKEY_OPERATOR_TOKEN: 'operator-token' }
  await t.rejects(operatorToken({ env: both }), { message: /are both set/ })
  await t.rejects(operatorToken({ env: { LATCHKEY_OPERATOR_TOKEN_FILE: '/absent' } }), {
    message: 'LATCHKEY_OPERATOR_TOKEN_FILE cannot be read (ENOENT)',
  })
})
