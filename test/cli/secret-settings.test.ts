// Nightly, and when src/cli, src/config or src/app changes: it starts servers with faults.
/** Secret settings stay out of every log line, fault and response, also on failures. */
import { Redis } from 'ioredis'
import pg from 'pg'
import t from 'tap'
import { environment } from '../../src/config/environment.ts'
import { secretSettings } from '../../src/config/secret-files.ts'
import { eventually } from '../support/eventually.ts'
import { noPostgres, startOwnPostgres } from '../support/own-postgres.ts'
import { noRedis, startOwnRedis } from '../support/own-redis.ts'
import { startServerProcess } from '../support/server-process.ts'
import { latchkey } from './latchkey-command.ts'

const canary = (name: string) => `canary${name.toLowerCase().replaceAll('_', '')}4711`
const words = secretSettings.map(canary)
/** Also in the encodings that logs and URLs may use. */
const formsOf = (word: string) => [
  word,
  Buffer.from(word).toString('base64').replace(/=+$/, ''),
  Buffer.from(word).toString('hex'),
]
const found = (text: string) => words.flatMap(formsOf).filter((one) => text.includes(one))

t.test('no fault repeats a malformed secret', async (t) => {
  const malformed: Record<(typeof secretSettings)[number], (word: string) => string> = {
    DATABASE_URL: (word) => `mysql://user:${word}@db/${word}`,
    REDIS_URL: (word) => `http://:${word}@redis`,
    LATCHKEY_MASTER_KEY: (word) => word,
    LATCHKEY_PREVIOUS_MASTER_KEYS: (word) => `${word}, ${word}`,
    LATCHKEY_OPERATOR_TOKEN: (word) => `${word} and more`,
    METRICS_TOKEN: (word) => `${word} and more`,
    SMTP_URL: (word) => `smtp://user:${word}%zz@mail.example/${word}`,
    OIDC_CLIENT_SECRET: (word) => word,
    OTEL_EXPORTER_OTLP_HEADERS: (word) => word,
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: (word) => `na me=${word}`,
    RESOURCE_SERVER_SECRET: (word) => word,
  }
  const secrets = Object.fromEntries(
    secretSettings.map((name) => [name, malformed[name](canary(name))]),
  )
  const all = { ...secrets, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OIDC_SCOPES: 'none' }
  for (const level of ['info', 'debug']) {
    for (const command of [['serve'], ['migrate'], ['keys', 'status']]) {
      const { code, stdout, stderr } = await latchkey(command, { ...all, LOG_LEVEL: level })
      t.equal(code, 2, command.join(' '))
      t.match(stderr, 'DATABASE_URL must start with')
      t.same(found(stdout + stderr), [])
    }
  }
  // A secret in another setting is also refused without repeating it.
  const names = Object.keys(environment.properties).filter((name) => name !== 'LATCHKEY_DATA')
  const wrong = Object.fromEntries(names.map((name) => [name, `${words[0]} \n`]))
  const { code, stderr } = await latchkey(['serve'], wrong)
  t.equal(code, 2)
  t.same(found(stderr), [])
})

t.test('a store that refuses the password is reported without it', noPostgres || {}, async (t) => {
  const { url } = await startOwnPostgres(t)
  const wrong = new URL(url)
  wrong.password = canary('DATABASE_URL')
  const env = {
    DATABASE_URL: wrong.href,
    LATCHKEY_MASTER_KEY: 'q9Xh0m1yqgkFvJmC5fV4sYwYF0c1xQF7r0Tn3V2oKzE=',
  }
  for (const level of ['info', 'debug']) {
    const { code, stdout, stderr } = await latchkey(['migrate'], { ...env, LOG_LEVEL: level })
    t.equal(code, 1)
    t.match(stderr, /password authentication failed/)
    t.same(found(stdout + stderr), [])
  }
})

t.test(
  'a server whose neighbours all fail logs no secret',
  noPostgres || noRedis || {},
  async (t) => {
    const postgres = await startOwnPostgres(t)
    const redis = await startOwnRedis(t)
    const database = new URL(postgres.url)
    const admin = new pg.Client(postgres.url)
    await admin.connect()
    await admin.query(`create role served superuser login password '${canary('DATABASE_URL')}'`)
    await admin.end()
    Object.assign(database, { username: 'served', password: canary('DATABASE_URL') })
    const client = new Redis(redis.url)
    await client.config('SET', 'requirepass', canary('REDIS_URL'))
    client.disconnect()

    const server = await startServerProcess(t, {
      stores: {
        databaseUrl: database.href,
        redisUrl: redis.url.replace('//', `//:${canary('REDIS_URL')}@`),
      },
      environment: {
        LOG_LEVEL: 'trace',
        LATCHKEY_OPERATOR_TOKEN: canary('LATCHKEY_OPERATOR_TOKEN'),
        METRICS_TOKEN: canary('METRICS_TOKEN'),
        OIDC_ISSUER: 'http://127.0.0.1:1',
        OIDC_CLIENT_ID: 'latchkey',
        OIDC_CLIENT_SECRET: canary('OIDC_CLIENT_SECRET'),
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
        OTEL_EXPORTER_OTLP_HEADERS: `authorization=${canary('OTEL_EXPORTER_OTLP_HEADERS')}`,
        OTEL_EXPORTER_OTLP_TRACES_HEADERS: `x-key=${canary('OTEL_EXPORTER_OTLP_TRACES_HEADERS')}`,
        OTEL_BSP_SCHEDULE_DELAY: '100',
        STORE_TIMEOUT_MS: '500',
      },
    })
    const answers: string[] = []
    const ask = async (path: string, token?: string) => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
      const answer = await fetch(server.url + path, { headers, redirect: 'manual' })
      answers.push(JSON.stringify([...answer.headers]), await answer.text())
      return answer.status
    }
    const everything = async () => {
      await ask('/health/ready')
      await ask('/login/oidc')
      await ask('/metrics', `${canary('METRICS_TOKEN')}x`)
      await ask('/metrics', canary('METRICS_TOKEN'))
      await ask('/api/admin/v1/audit', `${canary('LATCHKEY_OPERATOR_TOKEN')}x`)
      await ask('/api/admin/v1/audit', canary('LATCHKEY_OPERATOR_TOKEN'))
      await ask('/api/admin/v1/openapi.json', canary('LATCHKEY_OPERATOR_TOKEN'))
      await ask('/api/oauth/token')
    }
    t.equal(await ask('/api/admin/v1/audit', canary('LATCHKEY_OPERATOR_TOKEN')), 200)
    await everything()
    await postgres.stop()
    await redis.kill()
    await eventually(async () => (await ask('/health/ready')) === 503)
    await everything()
    server.signal('SIGTERM')
    await server.ended
    t.match(server.log(), /"level":(40|50)/, 'something went wrong')
    t.same(found(server.log()), [], 'in the log')
    t.same(found(answers.join('\n')), [], 'in a response')
  },
)
