// Nightly, and when src/stores/embedded changes: it starts Postgres many times.
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { startEmbeddedPostgres } from '../../../src/stores/embedded/launcher.ts'
import { standingOf } from '../../../src/stores/embedded/standing.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { openElsewhere } from './another-process.ts'
import { ask, isServing, serverIdentity } from './sql.ts'

const directory = await temporaryDirectory('launcher')
t.teardown(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }))

t.test('five concurrent first starts share one server', async (t) => {
  const here = [1, 2, 3].map(() => startEmbeddedPostgres({ directory }))
  const there = [1, 2].map(() => openElsewhere(directory))
  const opened = await Promise.all(here)
  const connections = [
    ...opened.map(({ connection }) => connection),
    ...(await Promise.all(there.map(({ connection }) => connection))),
  ]
  const servers = await Promise.all(connections.map(serverIdentity))
  t.equal(new Set(servers).size, 1)
  await Promise.all([...opened, ...there].map((opener) => opener.stop()))
  t.notOk(await isServing(connections[0]!), 'the server stops with the last of them')
})

t.test('the server listens on its private Unix socket only, and writes to disk', async (t) => {
  const { connection, stop } = await startEmbeddedPostgres({ directory })
  const settings = {
    listen_addresses: '',
    unix_socket_permissions: '0700',
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    data_checksums: 'on',
    server_encoding: 'UTF8',
  }
  for (const [name, value] of Object.entries(settings)) {
    t.equal(await ask(connection, `show ${name}`), value, name)
  }
  t.equal((await stat(join(directory, 'postgres'))).mode & 0o777, 0o700)
  await stop()
})

t.test('data survives a stop and a start', async (t) => {
  const first = await startEmbeddedPostgres({ directory })
  await ask(first.connection, `create table kept as select 'é' as word`)
  await first.stop()
  const second = await startEmbeddedPostgres({ directory })
  t.equal(await ask(second.connection, 'select word from kept'), 'é')
  await second.stop()
})

t.test('processes see the names of the others, and look without a start', async (t) => {
  t.equal(await standingOf(join(directory, 'nothing')), 'absent')
  t.equal(await standingOf(directory), 'stopped')
  const first = await startEmbeddedPostgres({ directory, name: 'server 127.0.0.1:3000' })
  t.equal(await standingOf(directory), 'running')
  t.same(await first.others(), [])
  const second = await startEmbeddedPostgres({ directory, name: 'command' })
  t.same(await second.others(), ['server 127.0.0.1:3000'])
  t.same(await first.others(), ['command'])
  await first.stop()
  t.same(await second.others(), [])
  await second.stop()
  t.equal(await standingOf(directory), 'stopped')
})

t.test('the server stays until its last user stops', async (t) => {
  const first = await startEmbeddedPostgres({ directory })
  const second = openElsewhere(directory)
  const server = await serverIdentity(await second.connection)
  await first.stop()
  t.equal(await serverIdentity(await second.connection), server)
  await second.stop()
  t.notOk(await isServing(first.connection))
})

t.test('a second stop has no effect', async (t) => {
  const first = await startEmbeddedPostgres({ directory })
  const second = await startEmbeddedPostgres({ directory })
  await Promise.all([first.stop(), first.stop()])
  await first.stop()
  t.equal(await ask(second.connection, 'select 1'), 1)
  await second.stop()
})

t.test('an open during another’s stop always gets a server', async (t) => {
  let opened = await startEmbeddedPostgres({ directory })
  for (let round = 0; round < 10; round++) {
    const [next] = await Promise.all([startEmbeddedPostgres({ directory }), opened.stop()])
    t.equal(await ask(next.connection, 'select 1'), 1)
    opened = next
  }
  await opened.stop()
  t.notOk(await isServing(opened.connection))
})

t.test('a path too long for a socket puts the socket elsewhere', async (t) => {
  const deep = join(directory, 'deep'.repeat(30))
  const { connection, stop } = await startEmbeddedPostgres({ directory: deep })
  t.equal(await ask(connection, 'select 1'), 1)
  t.ok(Buffer.byteLength(`${connection.host}/.s.PGSQL.5432`) < 100)
  t.equal((await stat(connection.host)).mode & 0o777, 0o700)
  await stop()
  await rm(connection.host, { recursive: true })
})
