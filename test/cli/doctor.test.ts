// Runs alone: it changes the folder of its process.
/** `latchkey doctor` against a server, its stores, a mail server and a proxy, each of them right and wrong. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { checkClocks } from '../../src/cli/doctor/examine.ts'
import { freePort } from '../support/free-port.ts'
import { masterKey, operatorToken, startLatchkey } from '../support/latchkey.ts'
import { testStores } from '../support/stores.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { type Environment, latchkey } from './latchkey-command.ts'

const folder = await temporaryDirectory('doctor')
t.teardown(() => rm(folder, { recursive: true, force: true }))

interface Checked {
  name: string
  ok: boolean
  problem?: string
  change?: string
}

const examine = async (env: Environment, ...args: string[]) => {
  const { code, stdout, stderr } = await latchkey(['doctor', '--json', ...args], env)
  const { checks } = JSON.parse(stdout) as { checks: Checked[] }
  const wrong = Object.fromEntries(checks.filter(({ ok }) => !ok).map((one) => [one.name, one]))
  return { code, stdout, stderr, checks, wrong, names: checks.map(({ name }) => name) }
}

/** Answers as a proxy does, which passes requests on to the server unless it hides them. */
const startProxy = async (target: string, hides: boolean): Promise<[string, Server]> => {
  const server = createServer((request, response) => {
    const isHidden = hides && /^\/(?:api\/admin|health|metrics)/.test(request.url ?? '')
    if (isHidden) return response.writeHead(404).end()
    return fetch(target + request.url, {
      headers: { authorization: request.headers.authorization ?? '' },
    })
      .then(async (answer) => {
        const names = ['content-type', 'www-authenticate']
        for (const name of names) response.setHeader(name, answer.headers.get(name) ?? '')
        response.writeHead(answer.status).end(await answer.text())
      })
      .catch(() => response.writeHead(502).end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  return [`http://127.0.0.1:${(server.address() as AddressInfo).port}`, server]
}

for (const stores of await testStores()) {
  t.test(`an installation (${stores.name})`, async (t) => {
    const running = await startLatchkey(stores)
    t.teardown(async () => {
      await running.stop()
      await stores.drop()
    })
    const env: Environment = {
      ISSUER: running.issuer,
      LATCHKEY_URL: running.urls[0] ?? '',
      DATABASE_URL: stores.databaseUrl,
      ...(stores.redisUrl && { REDIS_URL: stores.redisUrl }),
      LATCHKEY_MASTER_KEY: masterKey,
      LATCHKEY_OPERATOR_TOKEN: operatorToken,
      STORE_TIMEOUT_MS: '5000',
    }

    t.test(
      'nothing is wrong, but perhaps that the Redis of the tests is not durable',
      async (t) => {
        const { names, wrong, stdout } = await examine(env)
        const inOrder = ['settings', 'libraries', 'database', 'migrations', 'keys', 'redis', 'mail']
        t.same(names, [...inOrder, 'server', 'operator API', 'proxy', 'clocks'])
        const { redis, ...others } = wrong
        t.same(others, {})
        if (redis) t.match(redis.problem, /^redis (?:may evict|loses)/)
        t.equal((await examine({ ...env, REDIS_URL: '' })).code, 0)
        t.notMatch(stdout, operatorToken)
        t.match((await latchkey(['doctor'], { ...env, REDIS_URL: '' })).stdout, /^settings +ok$/m)
      },
    )

    t.test('what is wrong is named, with what to change, and no secret', async (t) => {
      const other = randomBytes(32).toString('base64')
      const database = new URL(stores.databaseUrl)
      database.password = 'canary%2F4711'
      database.searchParams.set('host', '127.0.0.1')
      database.port = String(await freePort())
      const away = `127.0.0.1:${await freePort()}`
      const cases: [name: string, settings: Environment, problem: RegExp, change: RegExp][] = [
        [
          'settings',
          { PORT: 'many', ISSUER: 'ftp://x' },
          /PORT must.*; ISSUER must/,
          /configuration/,
        ],
        ['database', { DATABASE_URL: database.href }, /ECONNREFUSED/, /DATABASE_URL/],
        [
          'redis',
          { REDIS_URL: `redis://:canary-4711@${away}`, STORE_TIMEOUT_MS: '500' },
          /./,
          /REDIS_URL/,
        ],
        ['keys', { LATCHKEY_MASTER_KEY: other }, /signing_keys/, /LATCHKEY_PREVIOUS_MASTER_KEYS/],
        [
          'mail',
          { SMTP_URL: `smtp://me:canary-4711@${away}`, MAIL_FROM: 'a@b.test' },
          /ESOCKET|ECONN/,
          /SMTP_URL/,
        ],
        ['server', { LATCHKEY_URL: `http://${away}` }, /no server answers/, /start it/],
        ['server', { ISSUER: 'http://localhost:1' }, /is http/, /ISSUER/],
        [
          'operator API',
          { LATCHKEY_OPERATOR_TOKEN: 'canary-canary-4711-x' },
          /token/,
          /LATCHKEY_OPERATOR_TOKEN/,
        ],
        ['proxy', { ISSUER: 'https://auth.invalid' }, /that of every client/, /TRUSTED_PROXIES/],
        [
          'proxy',
          { ISSUER: 'https://auth.invalid', TRUSTED_PROXIES: '127.0.0.1' },
          /does not lead to the server/,
          /ISSUER/,
        ],
      ]
      for (const [name, settings, problem, change] of cases) {
        const { code, stdout, stderr, wrong } = await examine({ ...env, ...settings })
        t.equal(code, 1, name)
        t.match(wrong[name]?.problem, problem, name)
        t.match(wrong[name]?.change, change, name)
        t.notMatch(stdout + stderr, /canary|4711/, name)
        t.notMatch(stdout + stderr, other, name)
      }
    })

    t.test('a command finds the server behind a proxy that hides the Operator API', async (t) => {
      const own = running.urls[0] ?? ''
      const [proxy] = await startProxy(own, true)
      const { LATCHKEY_URL: _, ...others } = env
      const settings = { ...others, PORT: new URL(own).port }
      const path = join(folder, 'latchkey.env')
      await writeFile(
        path,
        Object.entries(settings)
          .map((one) => `${one.join('=')}\n`)
          .join(''),
      )
      const listed = await latchkey(['app', 'list', '--env-file', path])
      t.equal(listed.code, 0, listed.stderr)
      t.match(listed.stderr, `Server: http://127.0.0.1:${settings.PORT}\n`)

      const hidden = await latchkey(['app', 'list'], { ...env, LATCHKEY_URL: proxy })
      t.equal(hidden.code, 5)
      t.match(
        hidden.stderr,
        `no Operator API at ${proxy}, which answered 404: perhaps a proxy hides it`,
      )
      t.match(hidden.stderr, 'LATCHKEY_URL')
      t.match((await examine({ ...env, LATCHKEY_URL: proxy })).wrong['operator API'], {
        problem: /perhaps a proxy hides it/,
        change: /--env-file/,
      })
    })

    t.test('no token goes to a server of another issuer on the port', async (t) => {
      const sent: string[] = []
      const [squatter, server] = await startProxy('http://127.0.0.1:9', false)
      server.on('request', ({ headers }) => sent.push(headers.authorization ?? ''))
      const { LATCHKEY_URL: _, ...others } = env
      const settings = { ...others, PORT: new URL(squatter).port }
      const { code, stderr } = await latchkey(['app', 'list'], settings)
      t.equal(code, 0, stderr)
      t.match(stderr, `Server: ${running.issuer}\n`)
      t.ok(sent.length > 0)
      t.same(sent.filter(Boolean), [])
    })
  })
}

t.test('a missing file exits with 2', async (t) => {
  const { code, stdout } = await latchkey(['doctor', '--env-file', join(folder, 'none')])
  t.equal(code, 2)
  t.equal(stdout, '')
})

t.test('a data directory without a database is named, and none is created', async (t) => {
  const data = join(folder, 'nothing')
  const away = `http://127.0.0.1:${await freePort()}`
  const { wrong } = await examine({ LATCHKEY_DATA: data, LATCHKEY_URL: away })
  t.match(wrong.database, { problem: `there is no database in ${data}`, change: /LATCHKEY_DATA/ })
})

t.test('the machine of a door has the settings of a door', async (t) => {
  const away = `http://127.0.0.1:${await freePort()}`
  const { names, wrong } = await examine({ RESOURCE_SERVER_ID: 'rs', LATCHKEY_URL: away })
  t.match(wrong.settings, { problem: /ISSUER is required; RESOURCE_SERVER_SECRET is required/ })
  t.same(names, ['settings', 'libraries', 'server', 'clocks'])
})

t.test('a library of another version is named', async (t) => {
  const before = process.cwd()
  const module = join(folder, 'node_modules/@latchkey-auth/verify')
  await mkdir(module, { recursive: true })
  await writeFile(join(module, 'package.json'), JSON.stringify({ version: '0.0.9' }))
  t.teardown(() => process.chdir(before))
  process.chdir(folder)
  const away = `http://127.0.0.1:${await freePort()}`
  const { wrong } = await examine({ RESOURCE_SERVER_ID: 'rs', LATCHKEY_URL: away })
  t.match(wrong.libraries, { problem: '@latchkey-auth/verify is 0.0.9' })
})

t.test('a clock that is wrong is named', async (t) => {
  const drifted = new Map([
    ['Redis', -61_000],
    ['Postgres', 300],
  ])
  t.throws(() => checkClocks(drifted), { message: 'Redis is -61 s ahead of here', hints: [/NTP/] })
  t.doesNotThrow(() => checkClocks(new Map([['Postgres', -300]])))
})

t.test('a mail server that answers is right', async (t) => {
  const server = createTcpServer((socket) => {
    socket.write('220 mail.test ESMTP\r\n')
    socket.on('data', (text) => {
      const isEnd = /^QUIT/i.test(String(text))
      socket.write(isEnd ? '221 bye\r\n' : '250 mail.test\r\n')
      if (isEnd) socket.end()
    })
    socket.on('error', () => undefined)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  const { checks } = await examine({
    LATCHKEY_DATA: join(folder, 'nothing'),
    LATCHKEY_URL: `http://127.0.0.1:${await freePort()}`,
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: 'a@b.test',
  })
  t.match(
    checks.find(({ name }) => name === 'mail'),
    { ok: true },
  )
})
