import t from 'tap'
import { StoreUnavailable } from '../../../../src/core/language/errors.ts'
import { batch, batchedRead } from '../../../../src/stores/postgres/connection/batched-reads.ts'
import { openDatabase } from '../../../../src/stores/postgres/connection/database.ts'
import { testStores } from '../../../support/stores.ts'

interface Asked {
  batch: readonly (readonly unknown[])[]
  answer(rows: (string | null)[]): void
  fail(error: unknown): void
}

/** A store that answers when the test says so. */
const heldStore = () => {
  const asked: Asked[] = []
  const read = batch<string>(
    (batch) =>
      new Promise((answer, fail) => {
        asked.push({ batch, answer, fail })
      }),
  )
  const arrived = async (count: number) => {
    while (asked.length < count) await new Promise((resolve) => setTimeout(resolve, 1))
    return asked
  }
  return { asked, read, arrived }
}

const sizes = (asked: readonly Asked[]) => asked.map(({ batch }) => batch.length)
const echo = ({ batch, answer }: Asked) => answer(batch.map(([value]) => `${value}`))

t.test('concurrent reads are one query, and each caller gets its own result', async (t) => {
  const { asked, read, arrived } = heldStore()
  const answers = Promise.all(['a', 'b', 'c'].map((name) => read([name])))
  await arrived(1)
  t.same(sizes(asked), [3])
  asked[0]?.answer(['of a', null, 'of c'])
  t.same(await answers, ['of a', null, 'of c'])
})

t.test('a later read never gets an earlier result', async (t) => {
  const { asked, read, arrived } = heldStore()
  const first = read(['x'])
  await arrived(1)
  const second = read(['x'])
  await arrived(2)
  asked[1]?.answer(['new'])
  asked[0]?.answer(['old'])
  t.same([await first, await second], ['old', 'new'])
})

t.test('queries that do not return block no others', async (t) => {
  const { asked, read, arrived } = heldStore()
  const stuck: Promise<unknown>[] = []
  for (let count = 1; count <= 3; count++) {
    stuck.push(read([`stuck ${count}`]))
    await arrived(count)
  }
  const late = read(['late'])
  await arrived(4)
  echo(asked[3] as Asked)
  t.equal(await late, 'late')
  for (const one of asked) echo(one)
  await Promise.all(stuck)
})

t.test('a thousand concurrent reads use queries of a bounded size', async (t) => {
  const { asked, read, arrived } = heldStore()
  const names = Array.from({ length: 1000 }, (_, at) => `${at}`)
  const answers = Promise.all(names.map((name) => read([name])))
  let answered = 0
  while (answered < 1000) {
    const one = (await arrived(1)).shift() as Asked
    t.ok(one.batch.length <= 64)
    answered += one.batch.length
    echo(one)
  }
  t.same(await answers, names)
  t.same(asked, [])
})

t.test('if Postgres is unavailable every caller gets the error, without a retry', async (t) => {
  const { asked, read, arrived } = heldStore()
  const answers = Promise.allSettled([read(['a']), read(['b'])])
  await arrived(1)
  const away = new StoreUnavailable('postgres', new Error('gone'))
  asked[0]?.fail(away)
  const reasons = (await answers).map((one) => 'reason' in one && one.reason)
  t.same(reasons, [away, away])
  t.equal(asked.length, 1)
})

for (const stores of await testStores()) {
  t.test(`reads of a real table (${stores.name})`, async (t) => {
    t.teardown(() => stores.drop())
    const database = openDatabase({
      url: stores.databaseUrl,
      poolSize: 3,
      timeout: 5000,
      onError: () => undefined,
    })
    t.teardown(database.close)
    await database.query('create table fruit (id uuid primary key, name text, seen timestamptz)')
    const ids = Array.from(
      { length: 30 },
      (_, at) => `00000000-0000-0000-0000-0000000000${at + 10}`,
    )
    await database.query(
      `insert into fruit select id, 'fruit "' || id || '"', null from unnest($1::uuid[]) as id`,
      [ids],
    )
    const read = batchedRead<{ name: string; asked: string | null }>(
      database,
      'select name, $2 as asked from fruit where id = $1',
      ['uuid', 'text'],
      'read_fruit',
    )

    t.test('reads each row by its key, in any order, with null for missing ones', async (t) => {
      const absent = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
      const asked = [...ids, absent, ...ids].reverse()
      const words = ['{', '"', ',', '\\', 'NULL', '', null]
      const answers = await Promise.all(asked.map((id, at) => read([id, words[at % 7] ?? null])))
      t.same(
        answers,
        asked.map((id, at) =>
          id === absent ? null : { name: `fruit "${id}"`, asked: words[at % 7] ?? null },
        ),
      )
    })

    t.test('single reads are not planned each time', async (t) => {
      const single = openDatabase({
        url: stores.databaseUrl,
        poolSize: 1, // so that all reads use the connection whose statements are counted
        timeout: 5000,
        onError: () => undefined,
      })
      t.teardown(single.close)
      const readAlone = batchedRead(
        single,
        'select f.name from fruit f join fruit o on o.id = f.id where f.id = $1',
        ['uuid'],
        'read_alone',
      )
      for (const id of ids) await readAlone([id])
      const { rows } = await single.query<{ kept: number; planned: number }>(
        `select generic_plans::integer as kept, custom_plans::integer as planned
           from pg_prepared_statements where name = 'read_alone'`,
      )
      // Postgres plans the first five executions and compares.
      t.same(rows, [{ kept: ids.length - 5, planned: 5 }])
    })

    t.test('a value that Postgres cannot parse fails its own caller only', async (t) => {
      const answers = await Promise.allSettled([
        read([ids[0], 'fine']),
        read(['no uuid', 'damaged']),
        read([ids[1], 'with a \0']),
        read([ids[2], 'fine']),
      ])
      t.same(
        answers.map(({ status }) => status),
        ['fulfilled', 'rejected', 'rejected', 'fulfilled'],
      )
    })
  })
}
