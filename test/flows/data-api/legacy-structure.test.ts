/** Documents, and changes of the structure, in the legacy interface (specification §2.1 and §4.2). */
import pg from 'pg'
import { ask } from '../../support/data-api.ts'
import type { Json } from '../../support/latchkey.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { legacyClient } from './legacy-interface.ts'
import { legacyKeys, legacyPermissions, selfSigner } from './tokens.ts'

await onEachBackend('documents and structure of the legacy interface', async (t, scene) => {
  const { api, send, database, insert, data } = await legacyClient(t, scene)

  await t.test('documents by template', async (t) => {
    const customers = await database('Customers')
    const content = (variables: Json) =>
      send(
        `query ($id: ID!, $paths: [String!], $filter: JSON, $limit: Int) {
          content(databaseId: $id, templatePaths: $paths, filter: $filter, limit: $limit) {
            _id templates { path name content }
          }
        }`,
        { id: customers.id, ...variables },
      )
    const all = (await content({})).value
    t.match(all[0].templates, [
      { path: 'Offers > First offer', name: 'First offer', content: 'Dear Northwind, …' },
      { path: 'Welcome', content: 'Welcome, Northwind!' },
    ])
    t.ok(all.length > 2, 'every row, with all of its templates')
    t.same((await content({ paths: [] })).value, all)
    const offers = (await content({ paths: ['Offers > First offer'] })).value
    t.same(
      offers.map(({ templates }: Json) => templates.map((one: Json) => one.path)),
      [['Offers > First offer'], ['Offers > First offer']],
    )
    t.same((await content({ paths: ['Offers'] })).value, [], 'exactly these paths')
    const filter = { [customers.field('Name')]: { by: 'is', value: 'Soylent' } }
    t.match((await content({ filter })).value, [{ templates: [{ content: 'Dear Soylent, …' }] }])
    t.equal((await content({ limit: 1 })).value.length, 1)
  })

  await t.test('the structure is changed by its permission', async (t) => {
    const { id, field } = await database('Customers')
    const change = (query: string, variables: Json) => send(query, { id, ...variables })
    const about = `mutation ($id: ID!, $name: String, $color: String, $description: String) {
      updateDatabase(databaseId: $id, name: $name, color: $color, description: $description) { name color description }
    }`
    t.same((await change(about, { color: '#112233' })).value, {
      name: 'Customers',
      color: '#112233',
      description: 'Who buys from us, or may.',
    })
    t.same((await change(about, { description: null })).value.description, null)
    t.equal((await change(about, { name: '' })).code, 'bad-input')
    t.equal((await change(about, {})).code, 'bad-input')
    const fields = `mutation ($id: ID!, $field: ID!, $restrict: [String!], $name: String) {
      updateField(databaseId: $id, fieldId: $field, restrict: $restrict, name: $name) { fields { _id restrict name } }
    }`
    const choices = ['Open', 'Won', 'Lost', 'Paused']
    const { value } = await change(fields, { field: field('Status'), restrict: choices })
    t.same(value.fields.find((one: Json) => one._id === field('Status')).restrict, choices)
    for (const [more, place] of [
      [{ restrict: ['a'] }, 'restrict'],
      [{ name: '' }, 'name'],
    ] as const) {
      const { body } = await change(fields, { field: field('Name'), ...more })
      t.equal(body.errors[0].extensions.place, place)
    }
    t.equal((await change(fields, { field: `fld${'0'.repeat(24)}`, name: 'x' })).code, 'not-found')
    const add =
      'mutation ($id: ID!, $field: FieldInput!) { addField(databaseId: $id, field: $field) { _id } }'
    for (const [given, place] of [
      [{ name: 'x', type: 'lookup' }, 'field.type'],
      [{ name: 'x', type: 'ref' }, 'field.database'],
      [{ name: 'x', type: 'ref', database: 'tbl' }, 'field.database'],
      [{ name: 'x', type: 'enum' }, 'field.restrict'],
      [{ name: '', type: 'string' }, 'field.name'],
      [{ name: 'x', type: 'string', database: id }, 'field.database'],
    ] as const) {
      const { body } = await change(add, { field: given })
      t.equal(body.errors[0].extensions.place, place)
    }
  })

  await t.test('a reference to a hidden table is like one to an unknown table', async (t) => {
    const foreign = await legacyKeys(scene, scene.world.other)(legacyPermissions)
    const { make } = await selfSigner(scene, scene.world.acme)
    const tables = { query: `{ tables(workspaceId: "${scene.world.sales}") { id } }` }
    const [{ id: table }] = (await ask(api, tables, await make([]))).value
    const list = { query: '{ databases { _id } }', variables: { ...foreign } }
    const [{ _id: theirs }] = (await ask(api, list)).value
    const { id } = await database('Customers')
    const answers = []
    for (const hidden of [theirs, table, table.split('|')[1], `tbl${'0'.repeat(24)}`]) {
      const field = { name: 'Hidden', type: 'ref', database: hidden }
      const { body } = await send(
        'mutation ($id: ID!, $field: FieldInput!) { addField(databaseId: $id, field: $field) { _id } }',
        { id, field },
      )
      t.equal(body.errors[0].extensions.place, 'field.database')
      answers.push(body)
    }
    for (const answer of answers) t.same(answer, answers[0])
  })

  await t.test('a reference whose table becomes hidden looks empty', async (t) => {
    const [contracts, customers] = [await database('Contracts'), await database('Customers')]
    const customer = contracts.field('Customer')
    const [{ _id }] = (await data(customers)).value
    const row = await insert(contracts, { Customer: { val: _id } })
    const count = async (criteria: Json) => {
      const options = { filter: { [customer]: criteria }, in: [row._id] }
      const { value, body } = await data(contracts, options)
      return body.errors?.[0].message ?? value.length
    }
    const name = { [customers.field('Name')]: { by: 'has-any-value' } }
    t.same([await count({ values: [_id] }), await count(name)], [1, 1])
    const sql = new pg.Client({ connectionString: scene.stores.databaseUrl })
    await sql.connect()
    const move = (to: string) =>
      sql.query('update data_api.tables set interface = $2 where id = $1', [customers.id, to])
    try {
      await move('current')
      t.equal(await count({ values: [_id] }), 0)
      t.equal(await count({ otherValues: ['is-empty'] }), 1)
      t.equal(await count({ otherValues: ['is-not-set'] }), 0)
      t.match(await count(name), /there is no such field$/)
      t.match(await count({ values: [_id], ...name }), /there is no such field$/)
      const seen = (await data(contracts, { in: [row._id] })).value[0]
      t.same(contracts.of(seen, 'Customer'), { val: null })
      const own = (await database('Contracts')).own.fields
      t.equal(own.find((one: Json) => one._id === customer).database, null)
    } finally {
      await move('legacy')
      await sql.end()
    }
  })

  await t.test('a write tells a caller without readData what it wrote', async (t) => {
    const contracts = await database('Contracts')
    const [{ _id: customer }] = (await data(await database('Customers'))).value
    const row = await insert(contracts, { Title: { val: 'Secret' } })
    const written = contracts.cols({ Title: { val: 'Secret' }, Customer: { val: customer } })
    const make = legacyKeys(scene, scene.world.acme)
    const declared = '$id: ID!, $cols: [ColInput!]!'
    const cases: [permissions: string[], more: string, operation: string][] = [
      [['updateData'], ', $row: ID!', 'update(databaseId: $id, rowId: $row, cols: $cols)'],
      [
        ['insertData', 'updateData'],
        ', $match: [ID!]!',
        'insertOrUpdate(databaseId: $id, matchFields: $match, cols: $cols)',
      ],
      [['insertData'], '', 'insert(databaseId: $id, cols: $cols)'],
    ]
    for (const [permissions, more, operation] of cases)
      for (const all of [permissions, [...permissions, 'readData']]) {
        const query = `mutation (${declared}${more}) { ${operation} { _id cols { fieldId value } } }`
        const credential = await make(all)
        const chosen = { id: contracts.id, row: row._id, match: [contracts.field('Title')] }
        const { value } = await ask(api, {
          query,
          variables: { ...chosen, cols: written, ...credential },
        })
        t.match(value._id, /^rec/, operation)
        if (all === permissions) t.same(value.cols, written, 'no labels, no other values')
        else t.equal(contracts.of(value, 'Customer')._label, 'Northwind')
      }
  })
})
