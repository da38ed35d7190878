// Nightly, and when src/stores or src/config changes: it starts stores with TLS.
/**
 * Postgres and Redis as managed services offer them: TLS with verified names, passwords and few
 * rights.
 */
import { randomUUID } from 'node:crypto'
import { appendFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import pg from 'pg'
import t, { type Test } from 'tap'
import { connectRedis } from '../../src/stores/redis/connection.ts'
import { createFamilyStore } from '../../src/stores/redis/families.ts'
import { latchkeyProcess } from '../cli/latchkey-command.ts'
import { text } from '../deploy/manifests.ts'
import { type Certificates, makeCertificates } from '../support/certificates.ts'
import { eventually } from '../support/eventually.ts'
import { everyFlow } from '../support/every-flow.ts'
import { masterKey } from '../support/latchkey.ts'
import { noPostgres } from '../support/own-postgres.ts'
import { noRedis } from '../support/own-redis.ts'
import { startIncompleteCluster, startSecureRedis } from '../support/redis-programs.ts'
import { startServerProcess } from '../support/server-process.ts'
import {
  findSystemPostgres,
  startSystemPostgres,
  stopSystemPostgres,
} from '../support/system-postgres.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'

const redisPassword = 'a password with a / and a %'

/** A Postgres that requires TLS; `latchkey` is no superuser. */
const startSecurePostgres = async (t: Test, { certificate, key }: Certificates) => {
  const bin = await findSystemPostgres()
  if (bin === null) throw new Error('no Postgres server is installed')
  const directory = await temporaryDirectory('secure-postgres')
  const server = await startSystemPostgres(bin, directory)
  t.teardown(async () => {
    await stopSystemPostgres(server).catch(() => undefined)
    await rm(directory, { recursive: true, force: true, maxRetries: 5 })
  })
  const client = new pg.Client(server.url)
  await client.connect()
  await client.query(`create role owner login password 'secret'`)
  await client.query('create database latchkey owner owner')
  await client.query('alter system set ssl = on')
  await client.query(`alter system set ssl_cert_file = '${certificate}'`)
  await client.query(`alter system set ssl_key_file = '${key}'`)
  await writeFile(join(server.data, 'pg_hba.conf'), 'hostssl all all 127.0.0.1/32 scram-sha-256\n')
  await client.query('select pg_reload_conf()')
  await client.end()
  const { port } = new URL(server.url)
  return (host: string, query: string) =>
    `postgres://owner:secret@${host}:${port}/latchkey?${query}`
}

/** The rights that docs/deploying.md lists as sufficient. */
const documentedRights = () => {
  const [, rights = ''] = /^user latchkey on >… (.*)$/m.exec(text('docs/deploying.md')) ?? []
  if (rights === '') throw new Error('docs/deploying.md names no rights')
  return rights.split(' ')
}

/** The rights for a cluster. */
const documentedClusterRights = () => {
  const [, rights = ''] = /With a cluster also `([^`]*)`/.exec(text('docs/deploying.md')) ?? []
  if (rights === '') throw new Error('docs/deploying.md names no rights for a cluster')
  return rights.split(' ')
}

const startLimitedRedis = async (t: Test, certificates: Certificates) => {
  const password = 'operator'
  const home = await temporaryDirectory('acl')
  t.teardown(() => rm(home, { recursive: true, force: true }))
  const file = join(home, 'users.acl')
  const rights = documentedRights().join(' ')
  await writeFile(file, `user default on >${password} ~* &* +@all\n`)
  const hash = Buffer.from(
    await crypto.subtle.digest('SHA-256', Buffer.from(redisPassword)),
  ).toString('hex')
  await appendFile(file, `user latchkey on #${hash} ${rights}\n`)
  const { port } = await startSecureRedis(t, certificates, ['--aclfile', file], { password })
  return `rediss://latchkey:${encodeURIComponent(redisPassword)}@localhost:${port}`
}

t.test('the documented rights are sufficient in a cluster', noRedis || {}, async (t) => {
  const cluster = await startIncompleteCluster(t)
  await cluster.complete()
  const admin = new Redis(cluster.port)
  t.teardown(() => admin.disconnect())
  const rights = [...documentedRights(), ...documentedClusterRights()]
  await admin.acl('SETUSER', 'latchkey', 'on', '>secret', ...rights)
  await eventually(async () => (await admin.cluster('INFO')).includes('cluster_state:ok'))
  const url = cluster.url.replace('//', '//latchkey:secret@')
  const redis = await connectRedis({ url, timeout: 5000, onError: () => undefined })
  t.teardown(redis.close)
  await redis.ping()
  t.equal(await createFamilyStore(redis).create(randomUUID(), 0, 60), true)
})

const skipped = noPostgres || noRedis || {}

t.test('TLS with verified names, passwords, an owner that is no superuser', skipped, async (t) => {
  const certificates = await makeCertificates(t, 'DNS:localhost')
  const foreign = await makeCertificates(t, 'DNS:localhost')
  const [databaseUrl, redisUrl] = await Promise.all([
    startSecurePostgres(t, certificates),
    startLimitedRedis(t, certificates),
  ])
  const verified = (authority: string) => `sslmode=verify-full&sslrootcert=${authority}`
  const good = databaseUrl('localhost', verified(certificates.authority))

  await t.test('every flow works', async (t) => {
    const server = await startServerProcess(t, {
      stores: { databaseUrl: good, redisUrl },
      environment: { NODE_EXTRA_CA_CERTS: certificates.authority },
    })
    const ready = await fetch(`${server.url}/health/ready`)
    t.same(await ready.json(), { status: 'ok', down: [] })
    await everyFlow(t, { ...server, urls: [server.url] })
    t.notMatch(server.log(), /"level":(50|60)/)
    t.notMatch(server.log(), 'NOPERM')
  })

  await t.test(
    'a Redis with a certificate of another authority counts as unavailable',
    async (t) => {
      const server = await startServerProcess(t, {
        stores: { databaseUrl: good, redisUrl },
        environment: { NODE_EXTRA_CA_CERTS: foreign.authority },
      })
      const ready = await fetch(`${server.url}/health/ready`)
      t.same(await ready.json(), { status: 'unavailable', down: ['redis'] })
    },
  )

  await t.test('a Postgres with an untrusted certificate stops the startup', async (t) => {
    const wrong: [string, string, RegExp][] = [
      [
        'of another authority',
        databaseUrl('localhost', verified(foreign.authority)),
        /verif|issuer/,
      ],
      [
        'by another name',
        databaseUrl('127.0.0.1', verified(certificates.authority)),
        /does not match/,
      ],
      [
        'without TLS',
        databaseUrl('localhost', 'sslmode=disable'),
        /no pg_hba.conf entry|no encryption/,
      ],
    ]
    for (const [what, url, why] of wrong) {
      const { code, stderr } = await latchkeyProcess(['serve'], {
        DATABASE_URL: url,
        LATCHKEY_MASTER_KEY: masterKey,
        LOG_LEVEL: 'silent',
      }).ended
      t.equal(code, 1, what)
      t.match(stderr, /Postgres cannot be reached/, what)
      t.match(stderr, why, what)
      t.notMatch(stderr, 'secret')
    }
  })
})
