/** Databases, fields, values and references of the legacy interface (specification §2.1 and §4.2). */
import type { Json } from '../../support/latchkey.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { type Database, legacyClient } from './legacy-interface.ts'

const unknownRow = `rec${'0'.repeat(36)}`
const text = (val: unknown) => ({ val })

await onEachBackend('databases and values of the legacy interface', async (t, scene) => {
  const client = await legacyClient(t, scene)
  const { run, send, insert, update, data, databases, database } = client
  const remove = ({ id }: Database, row: Json) =>
    run('mutation ($id: ID!, $row: ID!) { delete(databaseId: $id, rowId: $row) }', {
      id,
      row: row._id,
    })
  const one = async (from: Database, row: Json, options: Json = {}) =>
    (await data(from, { in: [row._id], ...options })).value[0]

  await t.test('databases have filters, templates and fields', async (t) => {
    const all = await databases()
    const named = (name: string) => all.find((one: Json) => one.name === name)
    t.match(named('Customers'), {
      description: 'Who buys from us, or may.',
      color: '#2f6fde',
      templates: [
        { path: 'Offers > First offer', name: 'First offer' },
        { path: 'Welcome', name: 'Welcome' },
      ],
    })
    const [{ name, filter }] = named('Customers').filters
    t.equal(name, 'Won')
    const customers = await database('Customers')
    const won = (await data(customers, { filter })).value
    t.same(
      won.map((row: Json) => customers.of(row, 'Name').val),
      ['Northwind'],
      'used as it is',
    )
    const fields = Object.fromEntries(named('Contracts').fields.map((one: Json) => [one.type, one]))
    t.same(Object.keys(fields).sort(), [
      'attachment',
      'boolean',
      'currency',
      'date',
      'enum',
      'enumTags',
      'number',
      'ref',
      'refMultiple',
      'string',
      'textBlock',
    ])
    t.match(fields.string, { name: 'Title', primary: true, restrict: null, database: null })
    t.match(fields.enum, { primary: null, restrict: ['Draft', 'Sent', 'Active'] })
    t.equal(fields.ref.database, customers.id)
    t.equal(fields.refMultiple.database, named('Visits')._id)
    t.ok(named('Visits').fields.every(({ primary }: Json) => primary === null))
    const withDocuments = await run('{ databases(docDbOnly: true) { name } }')
    t.same(
      withDocuments.map((one: Json) => one.name),
      ['Customers', 'Contracts'],
    )
    const foreign = await send(`{ databases(organizationId: "${scene.world.other}") { name } }`)
    t.equal(foreign.code, 'not-found')
  })

  await t.test('references have the label of their row, in the order written', async (t) => {
    const [contracts, customers, visits] = [
      await database('Contracts'),
      await database('Customers'),
      await database('Visits'),
    ]
    const [first, second] = [
      await insert(customers, { Name: text('Hooli') }),
      await insert(customers, {}),
    ]
    const [day, other] = [await insert(visits, { Notes: text('A') }), await insert(visits, {})]
    const made = await insert(contracts, {
      Title: text('Both'),
      Customer: text(first._id),
      Visits: text([other._id, day._id]),
    })
    t.same(contracts.of(made, 'Customer'), { val: first._id, _label: 'Hooli' })
    t.same(
      contracts.of(made, 'Visits'),
      { val: [other._id, day._id], _label: [other._id, day._id] },
      'the row id where there is no primary field',
    )
    await update(customers, first, { Name: text('Hooli Inc.') })
    t.equal(contracts.of(await one(contracts, made), 'Customer')._label, 'Hooli Inc.', 'of today')
    await update(contracts, made, { Customer: text(second._id) })
    t.same(contracts.of(await one(contracts, made), 'Customer'), { val: second._id, _label: '' })

    for (const [name, val] of [
      ['Customer', unknownRow],
      ['Customer', day._id],
      ['Customer', 'Hooli'],
      ['Customer', [first._id]],
      ['Visits', [day._id, unknownRow]],
      ['Visits', day._id],
    ] as const) {
      const { body } = await update(contracts, made, { Title: text('x'), [name]: text(val) })
      const { message, extensions } = body.errors[0]
      t.match(extensions.place, /^cols\[1\]\.value/, JSON.stringify(val))
      t.match(message, extensions.place)
    }
    t.equal(
      contracts.of(await one(contracts, made), 'Title').val,
      'Both',
      'nothing was half written',
    )

    await remove(visits, other)
    await remove(customers, second)
    const after = await one(contracts, made)
    t.same(contracts.of(after, 'Customer'), { val: null }, 'a deleted row leaves the value empty')
    t.same(contracts.of(after, 'Visits'), { val: [day._id], _label: [day._id] })
    await remove(visits, day)
    t.same(contracts.of(await one(contracts, made), 'Visits'), { val: null })
    t.equal((await update(contracts, made, { Customer: text(second._id) })).code, 'not-found')
  })

  await t.test('a required reference is emptied with its row', async (t) => {
    const customers = await database('Customers')
    const { id } = await database('Visits')
    await run(
      `mutation ($id: ID!, $field: FieldInput!) { addField(databaseId: $id, field: $field) { _id } }`,
      { id, field: { name: 'Host', type: 'ref', required: true, database: customers.id } },
    )
    const visits = await database('Visits')
    t.match(visits.own.fields.at(-1), {
      name: 'Host',
      type: 'ref',
      required: true,
      database: customers.id,
    })
    const host = await insert(customers, { Name: text('Host') })
    const visit = await insert(visits, { Host: text(host._id) })
    t.equal((await update(visits, visit, { Host: text(null) })).code, 'bad-input')
    await remove(customers, host)
    t.same(visits.of(await one(visits, visit), 'Host'), { val: null })
  })

  await t.test('what is read can be written back', async (t) => {
    const contracts = await database('Contracts')
    const rows = (await data(contracts)).value
    for (const row of rows) {
      const cols = row.cols.map(({ fieldId, value }: Json) => ({ fieldId, value }))
      const written = await send(
        `mutation ($id: ID!, $row: ID!, $cols: [ColInput!]!) {
          update(databaseId: $id, rowId: $row, cols: $cols) { _id cols { fieldId value } }
        }`,
        { id: contracts.id, row: row._id, cols },
      )
      t.same(written.value, row, JSON.stringify(written.body.errors))
    }
    t.ok(rows.some((row: Json) => row.cols.some(({ value }: Json) => value === null)))
  })

  await t.test('the trash is neither counted nor matched', async (t) => {
    const customers = await database('Customers')
    const row = await insert(customers, { Name: text('Gone soon') })
    const filter = { [customers.field('Name')]: { by: 'is', value: 'Gone soon' } }
    const count = () =>
      run('query ($id: ID!, $filter: JSON) { count(databaseId: $id, filter: $filter) }', {
        id: customers.id,
        filter,
      })
    t.equal(await count(), 1)
    t.same((await data(customers, { removedAt: true, filter })).value, [])
    t.equal(await remove(customers, row), true)
    t.equal(await count(), 0)
    t.same((await data(customers, { filter })).value, [])
    t.same((await data(customers, { in: [row._id] })).value, [])
    const trash = (await data(customers, { removedAt: true, filter })).value
    t.same(
      trash.map(({ _id }: Json) => _id),
      [row._id],
    )
    t.equal((await update(customers, row, { Name: text('Back') })).code, 'not-found')
    const again = await send(
      'mutation ($id: ID!, $row: ID!) { delete(databaseId: $id, rowId: $row) }',
      {
        id: customers.id,
        row: row._id,
      },
    )
    t.equal(again.code, 'not-found')
  })

  await t.test('ids may be strings', async (t) => {
    const { id } = await database('Customers')
    const row = (await data(await database('Customers'))).value[0]._id
    const query = `query ($id: String!, $rows: [String!]) {
      database(databaseId: $id) { _id } data(databaseId: $id, in: $rows) { _id } }`
    const { body } = await send(query, { id, rows: [row] })
    t.same(body.data, { database: { _id: id }, data: [{ _id: row }] })
    const wrong = await send(
      'query ($search: Int) { data(databaseId: "x", search: $search) { _id } }',
    )
    t.match(wrong.code, /search/, 'other types are checked')
  })

  await t.test('an error of a value says what is allowed', async (t) => {
    const contracts = await database('Contracts')
    const row = await insert(contracts, {})
    for (const [name, value, place, message] of [
      ['Price', { val: 5 }, 'currency', /allowed: USD, GBP/],
      ['Price', { val: 5, currency: 'XXX' }, 'currency', /allowed: USD, GBP/],
      ['Price', { val: '5', currency: 'EUR' }, 'val', /a number and a currency/],
      ['Ends', { val: '2026-02-30' }, 'val', /YYYY-M-D/],
      ['Ends', { val: '2026-03-04T25:00:00Z' }, 'val', /ISO 8601/],
      ['State', { val: 'Nope' }, 'val', /allowed: Draft, Sent/],
    ] as const) {
      const { body } = await update(contracts, row, { [name]: value })
      t.equal(body.errors?.[0].extensions.place, `cols[0].value.${place}`, name)
      t.match(body.errors?.[0].message, message)
    }
    for (const [options, message] of [
      [{ modifiedSince: 'yesterday' }, /^modifiedSince: .*ISO 8601/],
      [{ search: 'a\u0000' }, /^search: .*text/],
    ] as const)
      t.match((await data(contracts, options)).body.errors?.[0].message, message)
  })

  await t.test(
    'parts of a text match without case, whatever the locale of the database',
    async (t) => {
      const contracts = await database('Contracts')
      const row = await insert(contracts, { Title: text('Ärger über Öl') })
      for (const [by, value] of [
        ['contains', 'ÜBER'],
        ['starts-with', 'Ärger'],
        ['ends-with', 'öL'],
      ]) {
        const filter = { [contracts.field('Title')]: { by, value } }
        t.match((await data(contracts, { filter })).value, [{ _id: row._id }], String(by))
      }
    },
  )
})
