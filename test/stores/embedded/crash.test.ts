import { spawn } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { chooseAccount } from '../../../src/stores/embedded/account.ts'
import { startEmbeddedPostgres } from '../../../src/stores/embedded/launcher.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { openElsewhere } from './another-process.ts'
import { ask, isServing, serverIdentity, serverPid } from './sql.ts'

const directory = await temporaryDirectory('crash')
const pidFile = join(directory, 'postgres/data/postmaster.pid')
t.teardown(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }))

t.test('a process killed in its first start leaves no partial data', async (t) => {
  for (const delay of [300, 500, 700, 900]) {
    const killed = openElsewhere(directory)
    await sleep(delay)
    await killed.kill()
  }
  const { connection, stop } = await startEmbeddedPostgres({ directory })
  t.equal(await ask(connection, 'select 1'), 1)
  await ask(connection, 'create table kept (word text)')
  await stop()
  t.notOk(await isServing(connection))
})

t.test('a killed process leaves its server to the next, without a lease', async (t) => {
  const killed = openElsewhere(directory)
  const connection = await killed.connection
  const server = await serverIdentity(connection)
  await ask(connection, `insert into kept values ('one')`)
  await killed.kill()
  const next = await startEmbeddedPostgres({ directory })
  t.equal(await serverIdentity(next.connection), server)
  t.equal(await ask(next.connection, 'select count(*)::int from kept'), 1)
  await next.stop()
  t.notOk(await isServing(next.connection))
})

t.test('committed data survives the death of process and server', async (t) => {
  const killed = openElsewhere(directory)
  const connection = await killed.connection
  await ask(connection, `insert into kept values ('two')`)
  const pid = await serverPid(connection)
  // The process first, because it would restart the server.
  await killed.kill()
  process.kill(pid, 'SIGKILL')
  const next = await startEmbeddedPostgres({ directory })
  t.equal(await ask(next.connection, 'select count(*)::int from kept'), 2)
  await next.stop()
})

t.test('a pid file is stale if its number now belongs to another process', async (t) => {
  const killed = openElsewhere(directory)
  const pid = await serverPid(await killed.connection)
  await killed.kill()
  const left = await readFile(pidFile, 'utf8')
  process.kill(pid, 'SIGKILL')
  await sleep(500)
  const account = await chooseAccount(join(directory, 'postgres'))
  const other = spawn('sleep', ['60'], { stdio: 'ignore', cwd: '/', ...account })
  await writeFile(pidFile, left.replace(String(pid), String(other.pid)))
  const { connection, stop } = await startEmbeddedPostgres({ directory })
  t.equal(await ask(connection, 'select count(*)::int from kept'), 2)
  t.equal(other.exitCode, null, 'that process is left alone')
  await stop()
  other.kill()
})

t.test('a server that dies is restarted at the same address', async (t) => {
  const lines: string[] = []
  const log = (line: string) => lines.push(line)
  const { connection, stop } = await startEmbeddedPostgres({ directory, log })
  process.kill(await serverPid(connection), 'SIGKILL')
  for (let answer: unknown; answer !== 2; await sleep(20)) {
    answer = await ask(connection, 'select count(*)::int from kept').catch(() => null)
  }
  t.match(lines, ['lost the embedded Postgres, starting it again'])
  await stop()
  t.notOk(await isServing(connection))
})
