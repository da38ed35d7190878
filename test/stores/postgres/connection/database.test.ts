import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { StoreUnavailable } from '../../../../src/core/language/errors.ts'
import {
  type Database,
  openDatabase,
  type Queryable,
} from '../../../../src/stores/postgres/connection/database.ts'
import { freePort } from '../../../support/free-port.ts'
import { relayTo } from '../../../support/relay.ts'
import { testStores } from '../../../support/stores.ts'

const hasty = 1500 // ms

const open = (t: Test, url: string, timeout = 1500, poolSize = 3): Database => {
  const database = openDatabase({ url, poolSize, timeout, onError: () => undefined })
  t.teardown(database.close)
  return database
}
const isAway = (t: Test, work: Promise<unknown>, why: string) =>
  t.rejects(work, { name: 'StoreUnavailable', store: 'postgres' }, why)

t.test('an unreachable database is reported as unavailable', async (t) => {
  const database = open(t, `postgres://nobody@127.0.0.1:${await freePort()}/nothing`)
  await isAway(t, database.query('select 1'), 'a query')
  await isAway(
    t,
    database.transaction(async () => undefined),
    'a transaction',
  )
})

t.test('a silent database is reported as unavailable', async (t) => {
  const silent = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  t.teardown(() => silent.close())
  const { port } = silent.address() as AddressInfo
  await isAway(t, open(t, `postgres://x@127.0.0.1:${port}/x`, 200).query('select 1'), 'in time')
})

for (const stores of await testStores()) {
  t.test(`a database (${stores.name})`, async (t) => {
    t.teardown(() => stores.drop())
    const database = open(t, stores.databaseUrl)
    await database.query('create table note (word text unique)')
    const words = async () =>
      (await database.query<{ word: string }>('select word from note order by word')).rows.map(
        (row) => row.word,
      )
    const write = (word: string) => database.query('insert into note values ($1)', [word])

    t.test('what a shared transaction causes joins it', async (t) => {
      const failure = new Error('on purpose')
      const later: Promise<unknown>[] = []
      await t.rejects(
        database.inOneTransaction(async () => {
          await write('joined')
          await database.transaction((tx) => tx.query(`insert into note values ('nested')`))
          t.same(await words(), ['joined', 'nested'])
          await database.outsideTransaction(() => write('outside'))
          later.push(sleep(200).then(() => write('later')))
          throw failure
        }),
        failure,
      )
      await Promise.all(later)
      t.same(await words(), ['later', 'outside'])
      const swallowed = database.inOneTransaction(async () => {
        await write('undone')
        await write('later').catch(() => undefined)
      })
      await t.rejects(swallowed, { code: '25P02' }, 'a failed statement is not committed over')
      t.same(await words(), ['later', 'outside'])
      await database.query('delete from note')
    })

    t.test('a transaction is atomic', async (t) => {
      await database.transaction(async (tx) => {
        await tx.query(`insert into note values ('kept')`)
        t.same(await words(), [], 'invisible before the commit')
      })
      const failure = new Error('on purpose')
      await t.rejects(
        database.transaction(async (tx) => {
          await tx.query(`insert into note values ('dropped')`)
          throw failure
        }),
        failure,
      )
      await t.rejects(
        database.transaction(async (tx) => {
          await tx.query(`insert into note values ('dropped too')`)
          await tx.query(`insert into note values ('kept')`)
        }),
        { code: '23505' },
      )
      t.same(await words(), ['kept'])
    })

    t.test('a slow statement is cancelled', async (t) => {
      const impatient = open(t, stores.databaseUrl, hasty, 1)
      await isAway(t, impatient.query('select pg_sleep(5)'), 'it is cancelled')
      t.equal((await impatient.query('select 1')).count, 1, 'the next one is served')
      await isAway(
        t,
        impatient.transaction((tx) => tx.query('select pg_sleep(5)')),
        'in a transaction too',
      )
      t.equal((await impatient.query('select 1')).count, 1)
    })

    t.test('a statement does not wait for a lock without a limit', async (t) => {
      const impatient = open(t, stores.databaseUrl, hasty)
      await database.transaction(async (tx) => {
        await tx.query('lock table note')
        await isAway(t, impatient.query('select * from note'), 'the wait is limited')
      })
      t.ok(await impatient.query('select * from note'))
    })

    t.test('without a free connection the caller gets an error in time', async (t) => {
      const narrow = open(t, stores.databaseUrl, hasty, 1)
      const busy = narrow.transaction(() => sleep(2 * hasty))
      await isAway(t, narrow.query('select 1'), 'is not waited for')
      await busy
      t.equal((await narrow.query('select 1')).count, 1)
    })

    t.test('the pool never exceeds its maximum', async (t) => {
      const narrow = open(t, stores.databaseUrl, 5000, 3)
      const requested = Array.from({ length: 60 }, () =>
        narrow.query('select pg_backend_pid() as pid'),
      )
      const pids = (await Promise.all(requested)).flatMap(({ rows }) =>
        rows.map((row) => (row as { pid: number }).pid),
      )
      t.equal(pids.length, 60, 'all are served')
      t.ok(new Set(pids).size <= 3)
      t.match(narrow.connections(), { waiting: 0, most: 3 })
    })

    t.test('closed connections are replaced', async (t) => {
      const pooled = open(t, stores.databaseUrl)
      await Promise.all([1, 2, 3].map(() => pooled.query('select pg_sleep(0.05)')))
      await database.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`,
      )
      await sleep(100)
      const answers = await Promise.all([1, 2, 3].map(() => pooled.query('select 1')))
      t.equal(answers.length, 3)
    })

    t.test('recovers from a cut during a statement', async (t) => {
      const relay = await relayTo(stores.databaseUrl)
      t.teardown(relay.close)
      const remote = open(t, relay.url)
      await remote.query('select 1')
      const running = remote.query('select pg_sleep(5)')
      const cut = isAway(t, running, 'the statement is lost')
      await sleep(50)
      relay.cut()
      await cut
      await isAway(t, remote.query('select 1'), 'while it is away')
      relay.mend()
      t.equal((await remote.query('select 1')).count, 1)
    })

    t.test('recovers from a cut during a transaction', async (t) => {
      const relay = await relayTo(stores.databaseUrl)
      t.teardown(relay.close)
      const remote = open(t, relay.url)
      const cutOff = (ask: (tx: Queryable) => Promise<unknown>) =>
        remote.transaction(async (tx) => {
          await tx.query(`insert into note values ('cut off')`)
          await ask(tx)
        })
      const between = cutOff(async (tx) => {
        relay.cut()
        await sleep(100) // The break is noticed by now.
        await tx.query('select 1')
      })
      await isAway(t, between, 'between two statements')
      relay.mend()
      const during = cutOff((tx) => {
        const answer = tx.query('select pg_sleep(5)')
        relay.cut()
        return answer
      })
      await isAway(t, during, 'during one')
      relay.mend()
      t.equal(await remote.transaction(async (tx) => (await tx.query('select 1')).count), 1)
      t.notOk((await words()).includes('cut off'), 'no change remains')
    })

    t.test('recovers from replies that never come', async (t) => {
      const relay = await relayTo(stores.databaseUrl)
      t.teardown(relay.close)
      const remote = open(t, relay.url, hasty, 1)
      const questions = [
        () => remote.query('select 1 as n'),
        () => remote.transaction((tx) => tx.query('select 1 as n')),
      ]
      for (const ask of questions) {
        await remote.query('select 0')
        relay.stallAnswers()
        await isAway(t, ask(), 'are given up')
        relay.resume()
        t.same((await remote.query('select 2 as n')).rows, [{ n: 2 }], 'no other caller gets them')
      }
    })

    t.test('an error has the stack of its caller', async (t) => {
      const failures = [
        database.query('select nonsense'),
        database.transaction((tx) => tx.query('select nonsense')),
      ]
      for (const failure of failures) {
        const error = await failure.catch((caught: unknown) => caught)
        t.match((error as Error).stack, 'database.test.ts')
      }
    })

    t.test('a faulty statement does not count as an unavailable database', async (t) => {
      await write('twice')
      const faults = [
        () => write('twice'),
        () => write('a\0b'),
        () => database.query('select nonsense'),
      ]
      for (const work of faults) {
        const error = await work().catch((caught: unknown) => caught)
        t.ok(error instanceof Error && !(error instanceof StoreUnavailable))
      }
    })

    t.test('a text with U+0000 is a fault of the request', async (t) => {
      const refused = { name: 'OAuthError', code: 'invalid_request', status: 400 }
      await t.rejects(write('a\0b'), refused)
      await t.rejects(database.query('select $1::jsonb', ['"a\\u0000b"']), refused)
    })
  })
}
