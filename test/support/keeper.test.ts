// Nightly, and when test/support changes: it starts the servers of the tests many times.
/** The keeper starts the test servers once for all processes of a run and leaves nothing behind. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import t, { type Test } from 'tap'
import { eventually } from './eventually.ts'
import { isAlive } from './keeper/is-alive.ts'
import { lockOf, type RunRecord, readRecord } from './keeper/run-record.ts'
import { canConnect } from './keeper/socket.ts'
import { loader } from './typescript/loader.ts'

const program = join(import.meta.dirname, 'keeper-user.ts')

/** A process that has a process id and does nothing. */
const idle = (t: Test): ChildProcess => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e9)'], { stdio: 'ignore' })
  t.teardown(() => child.kill('SIGKILL'))
  return child
}

const kill = async (child: ChildProcess) => {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** A test process of another run, which keeps one database of each backend. */
const startUser = async (t: Test, runner: ChildProcess) => {
  const child = spawn(process.execPath, [...loader, program], {
    env: { PATH: process.env.PATH, LATCHKEY_TEST_RUN: String(runner.pid) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  const [line] = await once(createInterface(child.stdout), 'line')
  return { child, databases: JSON.parse(line) as { name: string; exists: string[] }[] }
}

/** The processes of the run's Postgres servers. */
const postgresProcesses = ({ directory }: RunRecord) =>
  ['postgres/data', 'system/data']
    .map((data) => join(directory, data, 'postmaster.pid'))
    .filter((path) => existsSync(path))
    .map((path) => Number.parseInt(readFileSync(path, 'utf8'), 10))

/** Files and processes of a run on this machine. */
const leftOf = async (runner: ChildProcess) => {
  const record = readRecord(runner.pid as number)
  return record ? { record, answers: await canConnect(record.socket) } : null
}

t.test(
  'processes of one run share the servers, and a database is dropped with its process',
  async (t) => {
    const runner = idle(t)
    const users = await Promise.all([startUser(t, runner), startUser(t, runner)])
    const first = users[0].databases
    t.ok(first.length > 0)
    await Promise.all(users.map(({ child }) => kill(child)))
    await eventually(async () => {
      const later = await startUser(t, runner)
      await kill(later.child)
      return later.databases.every(({ exists }) => exists.length === 1)
    })
    const record = (await leftOf(runner))?.record
    const processes = record ? postgresProcesses(record) : []
    t.ok(processes.length > 0 && processes.every(isAlive), 'the servers run')

    await kill(runner)
    await eventually(async () => (await leftOf(runner)) === null)
    t.same(processes.filter(isAlive), [], 'the servers are stopped')
    t.notOk(existsSync(record?.directory ?? ''), 'the files are removed')
    await eventually(() => !existsSync(lockOf(runner.pid as number)))
  },
)

t.test('the next run stops the servers of a killed keeper', async (t) => {
  const [runner, next] = [idle(t), idle(t)]
  const { child } = await startUser(t, runner)
  const before = await leftOf(runner)
  const keeper = Number(readFileSync(lockOf(runner.pid as number), 'utf8'))
  process.kill(keeper, 'SIGKILL')
  await eventually(() => !isAlive(keeper))
  await kill(child)
  await kill(runner)
  const processes = before ? postgresProcesses(before.record) : []
  t.ok(processes.length > 0 && processes.every(isAlive), 'they are left running')
  await kill((await startUser(t, next)).child)
  t.equal(await leftOf(runner), null)
  await eventually(() => !processes.some(isAlive))
  t.notOk(existsSync(before?.record.directory ?? ''))
  await kill(next)
  await eventually(async () => (await leftOf(next)) === null)
})
