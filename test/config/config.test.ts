import { createHash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import t from 'tap'
import { readConfig } from '../../src/config/config.ts'
import type { ConfigError } from '../../src/config/config-error.ts'

const key = createHash('sha256').update('a key of the tests').digest()
const other = createHash('sha256').update('another').digest()
const database = { DATABASE_URL: 'postgres://db.example/latchkey' }
const servers = { ...database, LATCHKEY_MASTER_KEY: key.toString('hex') }

const faultsOf = (environment: NodeJS.ProcessEnv): string[] => {
  try {
    readConfig(environment)
    return []
  } catch (error) {
    return (error as ConfigError).faults
  }
}

t.test('defaults: this machine only, embedded stores, generated secrets', async (t) => {
  t.match(readConfig({}), {
    port: 3000,
    host: '127.0.0.1',
    issuer: 'http://localhost:3000',
    legacyOrigin: null,
    platformOrigins: [],
    audience: 'http://localhost:3000',
    databaseUrl: null,
    redisUrl: null,
    dataDirectory: './data',
    masterKeys: [],
    operatorToken: null,
    trustedProxies: [],
    metrics: { port: null, token: null },
    outbound: { allowPrivate: false },
    limits: {
      clientFailures: 100,
      clientFailuresPerAddress: 1000,
      tokenRequests: 0,
      signInFailures: 10,
      signInFailuresPerAddress: 100,
      authorizations: 1000,
      grants: 600,
      pagePosts: 1000,
    },
    grantsPerUserAndApp: 100,
    tracing: null,
  })
  t.same(
    readConfig({ PORT: '', ISSUER: '', DATABASE_URL: '' }),
    readConfig({}),
    'an empty value counts as absent',
  )
  t.ok(Object.isFrozen(readConfig({})))
})

t.test('every setting is read', async (t) => {
  t.match(
    readConfig({
      ...servers,
      PORT: '8080',
      HOST: '0.0.0.0',
      ISSUER: 'https://auth.example/',
      LEGACY_ORIGIN: 'https://legacy.example:8443',
      LEGACY_API_ORIGIN: 'https://legacy-api.example',
      CURRENT_TOKEN_SECONDS: '60',
      LEGACY_TOKEN_SECONDS: '86400',
      PLATFORM_ORIGINS: 'https://platform.example, https://other.example:8443',
      TOKEN_AUDIENCE: 'https://api.example',
      REDIS_URL: 'rediss://redis.example',
      STORE_TIMEOUT_MS: '900',
      TRUSTED_PROXIES: '10.0.0.0/8, ::1  192.168.1.1',
      METRICS_PORT: '9100',
      METRICS_TOKEN: 'metrics',
      LATCHKEY_OPERATOR_TOKEN: 'k3Vq9-x7Lw2pZr4T',
      BRAND_ACCENT: '#3355cc',
      SUPPORT_URI: 'mailto:help@auth.example',
      PRIVACY_URI: 'https://auth.example/privacy',
      WEBHOOK_ALLOW_PRIVATE: 'true',
      LIMIT_CLIENT_FAILURES: '7',
      LIMIT_TOKEN_REQUESTS: '600',
      LIMIT_SIGN_IN_FAILURES: '5',
      LIMIT_AUTHORIZATIONS: '8',
      LIMIT_GRANTS: '12',
      GRANTS_PER_USER_AND_APP: '5',
      LIMIT_PAGE_POSTS: '9',
      DATABASE_POOLER: 'transaction',
      WORKERS: '8',
      AUDIT_KEPT_DAYS: '730',
    }),
    {
      port: 8080,
      host: '0.0.0.0',
      issuer: 'https://auth.example/',
      legacyOrigin: 'https://legacy.example:8443',
      legacyApiOrigin: 'https://legacy-api.example',
      tokenLifetimes: { current: 60, legacy: 86_400 },
      platformOrigins: ['https://platform.example', 'https://other.example:8443'],
      audience: 'https://api.example',
      databaseUrl: database.DATABASE_URL,
      redisUrl: 'rediss://redis.example',
      storeTimeout: 900,
      trustedProxies: ['10.0.0.0/8', '::1', '192.168.1.1'],
      metrics: { port: 9100, token: 'metrics' },
      operatorToken: 'k3Vq9-x7Lw2pZr4T',
      brand: {
        accent: '#3355cc',
        links: {
          support: 'mailto:help@auth.example',
          privacy: 'https://auth.example/privacy',
          terms: null,
        },
      },
      outbound: { allowPrivate: true },
      limits: {
        clientFailures: 7,
        clientFailuresPerAddress: 70,
        tokenRequests: 600,
        signInFailures: 5,
        authorizations: 8,
        grants: 12,
        pagePosts: 9,
      },
      grantsPerUserAndApp: 5,
      databasePooler: 'transaction',
      workers: 8,
      retention: { audit: 730, usage: 400 },
    },
  )
})

t.test('starts as many workers as there are cores', async (t) => {
  const { workers } = readConfig({ WORKERS: 'auto' })
  t.equal(workers, Math.min(availableParallelism(), 64))
})

t.test('master keys are 32 bytes in hex or base64, the current one first', async (t) => {
  for (const form of ['hex', 'base64', 'base64url'] as const) {
    const config = readConfig({ ...servers, LATCHKEY_MASTER_KEY: key.toString(form) })
    t.same(config.masterKeys, [key], form)
  }
  t.same(
    readConfig({ ...servers, LATCHKEY_MASTER_KEY: key.toString('hex').toUpperCase() }).masterKeys,
    [key],
  )
  const previous = `${other.toString('base64')}, ${key.toString('hex')}`
  t.same(readConfig({ ...servers, LATCHKEY_PREVIOUS_MASTER_KEYS: previous }).masterKeys, [
    key,
    other,
    key,
  ])
})

t.test('rejects a weak or malformed master key', async (t) => {
  const cases: [string, RegExp][] = [
    ['0'.repeat(64), /not random/],
    ['ff'.repeat(32), /not random/],
    ['ab'.repeat(32), /not random/],
    [Buffer.alloc(32, 'x').toString('base64'), /not random/],
    ['changeme', /32 bytes/],
    [key.toString('hex').slice(2), /32 bytes/],
    [`${key.toString('hex')}00`, /32 bytes/],
    [key.subarray(1).toString('base64'), /32 bytes/],
    [Buffer.concat([key, key]).toString('base64'), /32 bytes/],
    [`${key.toString('hex').slice(1)}g`, /32 bytes/],
    ['é'.repeat(32), /32 bytes/],
  ]
  for (const [value, fault] of cases) {
    const [first, ...more] = faultsOf({ ...servers, LATCHKEY_MASTER_KEY: value })
    t.match(first, fault, value)
    t.match(first, /^LATCHKEY_MASTER_KEY /)
    t.notMatch(first, value, 'the message does not repeat it')
    t.same(more, [])
  }
  const [fault] = faultsOf({ ...servers, LATCHKEY_PREVIOUS_MASTER_KEYS: 'changeme' })
  t.match(fault, /^LATCHKEY_PREVIOUS_MASTER_KEYS must be 32 bytes/)
})

t.test('with an external database no secret is generated', async (t) => {
  for (const more of [
    {},
    { NODE_ENV: 'production' },
    { NODE_ENV: 'development' },
    { NODE_ENV: 'test' },
  ]) {
    t.match(faultsOf({ ...database, ...more }), [/^LATCHKEY_MASTER_KEY is required/])
    t.equal(readConfig({ ...servers, ...more }).operatorToken, null, 'no operator token either')
  }
})

t.test('dates for the end of the legacy interface are days or times, in order', async (t) => {
  const end = (deprecated: string, sunset: string, link = '') => ({
    LEGACY_DEPRECATED_AT: deprecated,
    LEGACY_SUNSET_AT: sunset,
    LEGACY_END_URL: link,
  })
  const { legacyEnd } = readConfig(
    end('2026-03-31', '2026-10-01T14:00:00+02:00', 'https://d.example/'),
  )
  t.same(legacyEnd, {
    deprecatedAt: new Date('2026-03-31T00:00:00Z'),
    sunsetAt: new Date('2026-10-01T12:00:00Z'),
    link: 'https://d.example/',
  })
  t.same(readConfig({}).legacyEnd, { deprecatedAt: null, sunsetAt: null, link: null })
  t.match(faultsOf(end('2026-10-01', '2026-03-31')), [/^LEGACY_SUNSET_AT must not be before/])
  t.same(faultsOf(end('2026-10-01', '2026-10-01')), [])
})

t.test('each fault names its setting', async (t) => {
  const cases: [string, string][] = [
    ['PORT', 'http'],
    ['PORT', '70000'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['ISSUER', 'auth.example'],
    ['ISSUER', 'https://auth.example/path//'],
    ['ISSUER', 'https://auth.example/?a=b'],
    ['ISSUER', 'https://auth.example/#a'],
    ['ISSUER', 'https://me@auth.example'],
    ['ISSUER', 'ftp://auth.example'],
    ['LEGACY_ORIGIN', 'https://legacy.example/oauth'],
    ['LEGACY_API_ORIGIN', 'legacy-api.example'],
    ['CURRENT_TOKEN_SECONDS', '59'],
    ['CURRENT_TOKEN_SECONDS', '86401'],
    ['LEGACY_TOKEN_SECONDS', '0'],
    ['LEGACY_TOKEN_SECONDS', '1h'],
    ['PLATFORM_ORIGINS', '*'],
    ['PLATFORM_ORIGINS', 'platform.example'],
    ['PLATFORM_ORIGINS', 'https://platform.example http://platform.example'],
    ['PLATFORM_ORIGINS', 'https://platform.example/app'],
    ['LEGACY_DEPRECATED_AT', 'soon'],
    ['LEGACY_SUNSET_AT', '2027-02-30'],
    ['LEGACY_SUNSET_AT', '1774915200'],
    ['LEGACY_END_URL', 'docs.example/moving'],
    ['LEGACY_END_URL', 'https://docs.example/>; rel="x"'],
    ['LEGACY_END_URL', 'https://docs.example/moving'],
    ['DATABASE_URL', 'mysql://db.example/latchkey'],
    ['DATABASE_POOL_SIZE', '0'],
    ['DATABASE_POOLER', 'session'],
    ['WORKERS', '0'],
    ['WORKERS', '65'],
    ['WORKERS', '1.5'],
    ['WORKERS', '-1'],
    ['WORKERS', 'many'],
    ['AUDIT_KEPT_DAYS', '-1'],
    ['USAGE_KEPT_DAYS', '0'],
    ['ENDED_KEPT_DAYS', '7'],
    ['REDIS_URL', 'redis.example:6379'],
    ['REDIS_URL', 'http://redis.example'],
    ['STORE_TIMEOUT_MS', '10'],
    ['STORE_TIMEOUT_MS', 'soon'],
    ['MIGRATION_TIMEOUT_MS', '10'],
    ['SIGNING_KEY_AHEAD_SECONDS', '-1'],
    ['LATCHKEY_OPERATOR_TOKEN', 'short'],
    ['LATCHKEY_OPERATOR_TOKEN', `${'o'.repeat(32)}\n`],
    ['LATCHKEY_OPERATOR_TOKEN', 'two words of an operator'],
    ['LATCHKEY_OPERATOR_TOKEN', 'ö'.repeat(32)],
    ['LATCHKEY_OPERATOR_TOKEN', 'o'.repeat(513)],
    ['LATCHKEY_OPERATOR_TOKEN', 'o'.repeat(32)],
    ['LATCHKEY_OPERATOR_TOKEN', 'changeme-in-production'],
    ['LATCHKEY_OPERATOR_TOKEN', 'operator-token-123456'],
    ['METRICS_TOKEN', 'of-prometheus\n'],
    ['METRICS_TOKEN', ' of-prometheus'],
    ['METRICS_TOKEN', 'für-prometheus'],
    ['TRUSTED_PROXIES', 'everybody'],
    ['TRUSTED_PROXIES', '0.0.0.0/0'],
    ['TRUSTED_PROXIES', '127.0.0.1 ::/0'],
    ['TRUSTED_PROXIES', '::ffff:0:0/96'],
    ['TRUSTED_PROXIES', '10.0.0.1:443'],
    ['TRUSTED_PROXIES', '10.0.0.0/00'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', '10.0.0/8'],
    ['TRUSTED_PROXIES', '10.0.0.0/8/8'],
    ['TRUSTED_PROXIES', 'fe80::/129'],
    ['TRUSTED_PROXIES', 'dead:beef'],
    ['METRICS_PORT', '65536'],
    ['LOG_LEVEL', 'loud'],
    ['BRAND_ACCENT', 'blue'],
    ['BRAND_ACCENT', '#fff;}body{'],
    ['SUPPORT_URI', 'javascript:alert(1)'],
    ['PRIVACY_URI', 'mailto:help@auth.example'],
    ['TERMS_URI', '/terms'],
    ['TERMS_URI', 'https://user@auth.example/terms'],
    ['WEBHOOK_ALLOW_PRIVATE', 'perhaps'],
    ['LIMIT_CLIENT_FAILURES', '0'],
    ['LIMIT_SIGN_IN_FAILURES', 'many'],
    ['LIMIT_OPERATOR_FAILURES', '5'],
    ['LIMIT_TOKEN_REQUESTS', '-1'],
    ['LIMIT_AUTHORIZATIONS', '0'],
  ]
  for (const [name, value] of cases) {
    const faults = faultsOf({ ...servers, [name]: value })
    t.equal(faults.length, 1, `${name}=${value}: ${faults}`)
    t.match(faults[0], new RegExp(`^${name} `))
    if (name.endsWith('_TOKEN'))
      t.notOk(faults[0]?.includes(value.trim()), 'the message does not repeat it')
  }
  const visible = Array.from({ length: 94 }, (_, at) => String.fromCharCode(0x21 + at)).join('')
  const longest = { LATCHKEY_OPERATOR_TOKEN: visible.repeat(6).slice(0, 512), METRICS_TOKEN: '!' }
  t.same(faultsOf({ ...servers, ...longest }), [])
  t.match(faultsOf({ LATCHKEY_PREVIOUS_MASTER_KEYS: key.toString('hex') }), [
    /^LATCHKEY_PREVIOUS_MASTER_KEYS /,
  ])
})

t.test('all faults are reported at once', async (t) => {
  const environment = {
    PORT: 'http',
    ISSUER: 'nowhere',
    LEGACY_ORIGIN: 'nowhere',
    PLATFORM_ORIGINS: 'nowhere',
    DATABASE_URL: 'mysql://db.example',
    REDIS_URL: 'http://redis.example',
    STORE_TIMEOUT_MS: '1',
    LATCHKEY_OPERATOR_TOKEN: 'short',
    TRUSTED_PROXIES: 'everybody, anybody',
    LOG_LEVEL: 'loud',
    BRAND_ACCENT: 'blue',
  }
  const faults = faultsOf(environment)
  for (const name of [...Object.keys(environment), 'LATCHKEY_MASTER_KEY'])
    t.equal(faults.filter((one) => one.startsWith(`${name} `)).length, 1, name)
  t.throws(() => readConfig(environment), {
    name: 'ConfigError',
    message: /the configuration has 12 fault/,
  })
})

t.test('a password without URL encoding is reported and never shown', async (t) => {
  const login = 'lk:pass/with#all'
  const cases: [string, string][] = [
    ['DATABASE_URL', `postgres://${login}@db.example:5432/latchkey`],
    ['REDIS_URL', `redis://${login}@redis.example:6379`],
    ['REDIS_URL', `rediss+sentinel://${login}@redis.example/main`],
    ['REDIS_URL', `redis+cluster://${login}@redis.example,other.example`],
  ]
  for (const [name, value] of cases) {
    const [first = '', ...more] = faultsOf({ ...servers, [name]: value })
    t.match(first, new RegExp(`^${name} .*a password with / @ % # must be URL-encoded$`))
    t.notMatch(first, 'pass/with')
    t.same(more, [])
  }
})

t.test('a database may use a socket or a URL-encoded password', async (t) => {
  for (const url of [
    'postgres://user@/db?host=/run/postgresql',
    'postgres:///db?host=/run/postgresql',
    'postgresql://user:p%2Fw%23@[::1]:5432/db',
  ])
    t.equal(readConfig({ ...servers, DATABASE_URL: url }).databaseUrl, url)
})

t.test('a fault lists the valid values', async (t) => {
  t.same(faultsOf({ ...servers, LOG_LEVEL: 'loud', DATABASE_POOLER: 'session' }), [
    'DATABASE_POOLER must be one of none, transaction, prepared',
    'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent',
  ])
})

t.test(
  'the legacy token endpoint has the address of the other legacy endpoints by default',
  (t) => {
    const legacyOrigin = 'https://legacy.example'
    t.match(readConfig({}), { legacyOrigin: null, legacyApiOrigin: null })
    t.match(readConfig({ LEGACY_ORIGIN: legacyOrigin }), { legacyApiOrigin: legacyOrigin })
    const api = readConfig({ LEGACY_API_ORIGIN: 'https://api.example' })
    t.match(api, { legacyOrigin: null, legacyApiOrigin: 'https://api.example' })
    t.end()
  },
)

t.test('tokens have the lifetimes of the specification by default', (t) => {
  t.same(readConfig({}).tokenLifetimes, { current: 3600, legacy: 7200 })
  t.end()
})
