/** Many requests at once, at two instances of the data API. */
import pg from 'pg'
import type { Test } from 'tap'
import { transaction } from '../../../examples/data-api/data/database.ts'
import { ask, startDataApi } from '../../support/data-api.ts'
import type { Json } from '../../support/latchkey.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { registerResourceServer } from '../../support/resource-server.ts'
import { createSubscriber, type Subscription } from '../../support/subscriber.ts'
import { legacyKeys, legacyPermissions } from './tokens.ts'

const rounds = 6

await onEachBackend('many at once', async (t, scene) => {
  const { running, world } = scene
  const resourceServer = await registerResourceServer(running)
  const apis = [
    await startDataApi(t, scene, resourceServer),
    await startDataApi(t, scene, resourceServer),
  ] as const
  const credential = await legacyKeys(scene, world.acme)(legacyPermissions)
  const [declared, key] = ['$secretKey: String!', 'secretKey: $secretKey']
  let turn = 0
  /** At one instance after the other. */
  const run = (query: string, variables: Json = {}) =>
    ask(apis[turn++ % 2]!, { query, variables: { ...variables, ...credential } })

  const [first, second] = (await run('{ databases { _id } }')).value
  const [people, tasks]: [string, string] = [first._id, second._id]
  const add = (db: string, field: Json) =>
    run(
      `mutation ($db: ID!, $field: FieldInput!) {
        addField(databaseId: $db, field: $field) { fields { _id name } }
      }`,
      { db, field },
    )
  /** Adds a field. @returns its id */
  const added = async (db: string, field: Json): Promise<string> => {
    const { value, code } = await add(db, field)
    if (code) throw new Error(code)
    return value.fields.at(-1)._id
  }
  const write = (operation: string, variables: Json, declared = '') =>
    run(
      `mutation ($db: ID!, $cols: [ColInput!]! ${declared}) {
        ${operation} { _id cols { fieldId value } }
      }`,
      variables,
    )
  const insert = (db: string, cols: Json[]) =>
    write('insert(databaseId: $db, cols: $cols)', { db, cols })
  const update = (db: string, rowId: string, cols: Json[]) =>
    write('update(databaseId: $db, rowId: $rowId, cols: $cols)', { db, rowId, cols }, '$rowId: ID!')
  const upsert = (db: string, fieldId: string, val: string) =>
    write(
      'insertOrUpdate(databaseId: $db, matchFields: $match, cols: $cols)',
      { db, match: [fieldId], cols: [{ fieldId, value: { val } }] },
      '$match: [ID!]!',
    )
  const remove = (db: string, rowId: string) =>
    run('mutation ($db: ID!, $rowId: ID!) { delete(databaseId: $db, rowId: $rowId) }', {
      db,
      rowId,
    })
  const find = async (db: string, filter: Json): Promise<Json[]> =>
    (
      await run(
        'query ($db: ID!, $filter: JSON) { data(databaseId: $db, filter: $filter) { _id cols { fieldId value } } }',
        { db, filter },
      )
    ).value
  const valueIn = (row: Json, id: string) =>
    row.cols.find(({ fieldId }: Json) => fieldId === id)?.value

  t.test(
    'insertOrUpdate makes one row for each value, and deletions do not disturb it',
    async (t) => {
      const name = await added(people, { name: 'Match', type: 'string' })
      const values = ['a', 'b', 'c']
      const all = await Promise.all(
        Array.from({ length: 4 * values.length }, (_, at) => upsert(people, name, values[at % 3]!)),
      )
      t.same(new Set(all.map(({ code }) => code)), new Set([null]))
      t.equal(new Set(all.map(({ value }) => value._id)).size, values.length)
      for (let round = 0; round < rounds; round++) {
        const [row] = await find(people, { [name]: { by: 'is', value: 'a' } })
        const [removed, ...written] = await Promise.all([
          remove(people, row?._id),
          ...Array.from({ length: 4 }, () => upsert(people, name, 'a')),
        ])
        t.equal(removed.code, null)
        // A row can be deleted before its writer reads it again.
        for (const { code } of written) t.ok(code === null || code === 'not-found')
        await upsert(people, name, 'a')
        const left = await find(people, { [name]: { by: 'is', value: 'a' } })
        t.equal(left.length, 1)
      }
    },
  )

  t.test('rows are inserted while fields are added; no field is lost', async (t) => {
    const names = Array.from({ length: 6 }, (_, at) => `Extra ${at}`)
    const [fields, rows] = await Promise.all([
      Promise.all(names.map((name) => add(people, { name, type: 'number' }))),
      Promise.all(Array.from({ length: 12 }, () => insert(people, []))),
    ])
    for (const { code } of [...fields, ...rows]) t.equal(code, null)
    const { value } = await run(
      'query ($db: ID!) { database(databaseId: $db) { fields { name } } }',
      {
        db: people,
      },
    )
    const found = value.fields.map((field: Json) => field.name)
    t.same(
      names.filter((name) => !found.includes(name)),
      [],
    )
  })

  t.test('choices are changed while rows are written', async (t) => {
    const choices = ['old', 'new']
    const state = await added(people, { name: 'State', type: 'enum', restrict: ['old'] })
    const change = () =>
      run(
        `mutation ($db: ID!, $id: ID!, $restrict: [String!]) {
          updateField(databaseId: $db, fieldId: $id, restrict: $restrict) { _id }
        }`,
        { db: people, id: state, restrict: choices },
      )
    const writing = (val: string) => insert(people, [{ fieldId: state, value: { val } }])
    const answers = await Promise.all([writing('old'), writing('new'), change(), writing('new')])
    for (const { code } of answers) t.ok(code === null || code === 'bad-input', String(code))
    t.equal((await writing('new')).code, null, 'after the change')
    t.equal((await writing('other')).code, 'bad-input')
    const rows = await find(people, { [state]: { values: choices } })
    const accepted = answers.filter(({ value }) => value?.cols).length + 1
    t.equal(rows.length, accepted, 'every accepted row is found')
  })

  t.test('a reference is never to a deleted row', async (t) => {
    const owner = await added(tasks, { name: 'Race owner', type: 'ref', database: people })
    for (let round = 0; round < rounds; round++) {
      const target = (await insert(people, [])).value._id
      const task = (await insert(tasks, [])).value._id
      const cols = [{ fieldId: owner, value: { val: target } }]
      const [removed, inserted, updated] = await Promise.all([
        remove(people, target),
        insert(tasks, cols),
        update(tasks, task, cols),
      ])
      t.equal(removed.code, null)
      for (const { code } of [inserted, updated]) t.ok(code === null || code === 'not-found')
      t.same(await find(tasks, { [owner]: { values: [target] } }), [])
      for (const row of await find(tasks, {})) t.equal(valueIn(row, owner)?.val ?? null, null)
    }
  })

  t.test('rows that refer to each other are written at once', async (t) => {
    const next = await added(tasks, { name: 'Next', type: 'ref', database: tasks })
    const ids = [(await insert(tasks, [])).value._id, (await insert(tasks, [])).value._id]
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        update(tasks, ids[at % 2], [{ fieldId: next, value: { val: ids[(at + 1) % 2] } }]),
      ),
    )
    for (const { code } of answers) t.equal(code, null)
  })

  const listen = async (t: Test, api: (typeof apis)[number]) => {
    const query = `subscription (${declared}, $db: ID!) { rowsChanged(databaseId: $db, ${key}) { _id } }`
    const subscriber = await createSubscriber(t, api)
    return subscriber.subscribe({ query, variables: { db: people, ...credential } })
  }
  /** Reads events until all of these rows were reported. */
  const reported = async (subscription: Subscription, ids: ReadonlySet<string>) => {
    const missing = new Set(ids)
    while (missing.size > 0) {
      const { payload } = await subscription.next()
      for (const { _id } of payload.data.rowsChanged) missing.delete(_id)
    }
  }

  t.test('a write that others keep from ending is refused after some attempts', async (t) => {
    const pool = new pg.Pool({ connectionString: scene.stores.databaseUrl })
    t.teardown(() => pool.end())
    let attempts = 0
    const locked = () => {
      attempts += 1
      return Promise.reject(Object.assign(new Error('deadlock detected'), { code: '40P01' }))
    }
    await t.rejects(transaction(pool, locked), { message: /others change these rows/ })
    t.equal(attempts, 3)
  })

  t.test('subscribers of both instances get the rows that both write', async (t) => {
    const streams = [await listen(t, apis[0]), await listen(t, apis[1])]
    // Starting a subscription returns no data, so rows are written until each has reported one.
    for (const stream of streams) {
      const begun = stream.next()
      for (;;) {
        await insert(people, [])
        const pause = new Promise((resolve) => setTimeout(resolve, 50, null))
        if (await Promise.race([begun, pause])) break
      }
    }
    const rows = await Promise.all(Array.from({ length: 20 }, () => insert(people, [])))
    const ids = new Set<string>(rows.map(({ value }) => value._id))
    t.equal(ids.size, 20)
    await Promise.all(streams.map((stream) => reported(stream, ids)))
  })
})
