/** Data rules that both interfaces share. */
import type { Test } from 'tap'
import { ask, startDataApi } from '../../support/data-api.ts'
import type { Json } from '../../support/latchkey.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { registerResourceServer } from '../../support/resource-server.ts'
import { currentPermissions, legacyKeys, legacyPermissions, selfSigner } from './tokens.ts'

/** A value as written or filtered: `val` alone, or with its currency. */
const value = (val: unknown, currency?: string) => ({ val, ...(currency && { currency }) })

await onEachBackend('rows of the legacy interface', async (t, scene) => {
  const { running, world } = scene
  const api = await startDataApi(t, scene, await registerResourceServer(running))
  const credential = await legacyKeys(scene, world.acme)(legacyPermissions)
  const run = (query: string, variables: Json = {}) =>
    ask(api, { query, variables: { ...variables, ...credential } })

  const [customers] = (await run('{ databases { _id } }')).value
  const db: string = customers._id
  const more = [
    { name: 'Founded', type: 'date' },
    { name: 'Revenue', type: 'currency' },
    { name: 'Partner', type: 'boolean' },
    { name: 'Tags', type: 'enumTags', restrict: ['a', 'b', 'c'] },
  ]
  const add = `mutation ($db: ID!, $field: FieldInput!) {
    addField(databaseId: $db, field: $field) { fields { _id name type primary required restrict } }
  }`
  for (const field of more) t.equal((await run(add, { db, field })).code, null, field.name)
  const { fields } = (await run(`{ database(databaseId: "${db}") { fields { _id name } } }`)).value
  const id = Object.fromEntries(fields.map((one: Json) => [one.name, one._id]))
  const colsOf = (row: Json) =>
    Object.entries(row).map(([name, given]) => ({ fieldId: id[name], value: given }))

  const insert = (row: Json) =>
    run(
      `mutation ($db: ID!, $cols: [ColInput!]!) {
        insert(databaseId: $db, cols: $cols) { _id cols { fieldId value } }
      }`,
      { db, cols: colsOf(row) },
    )
  const update = (rowId: string, row: Json) =>
    run(
      `mutation ($db: ID!, $rowId: ID!, $cols: [ColInput!]!) {
        update(databaseId: $db, rowId: $rowId, cols: $cols) { _id cols { fieldId value } }
      }`,
      { db, rowId, cols: colsOf(row) },
    )
  const valueIn = (row: Json, name: string) =>
    row.cols.find((one: Json) => one.fieldId === id[name]).value
  const names = async (variables: Json) => {
    const { value: rows, code } = await run(
      `query ($db: ID!, $filter: JSON, $sort: JSON, $limit: Int, $skip: Int, $in: [ID!]) {
        data(databaseId: $db, filter: $filter, sort: $sort, limit: $limit, skip: $skip, in: $in) {
          _id cols { fieldId value }
        }
      }`,
      { db, ...variables },
    )
    return code ?? rows.map((row: Json) => valueIn(row, 'Name')?.val)
  }

  t.test('values can be unset, empty or of the field’s type only', async (t) => {
    const { value: row } = await insert({ Name: value('Initech'), Employees: value('') })
    t.same(valueIn(row, 'Name'), { val: 'Initech' })
    t.same(valueIn(row, 'Employees'), { val: null }, 'an empty text is null')
    t.equal(valueIn(row, 'Status'), null, 'not set')
    const { value: changed } = await update(row._id, { Status: value('Won') })
    t.same(valueIn(changed, 'Status'), { val: 'Won' })
    t.same(valueIn(changed, 'Name'), { val: 'Initech' }, 'fields that are not given stay unchanged')
    const { value: emptied } = await update(row._id, { Tags: value([]), Status: value(null) })
    t.same(valueIn(emptied, 'Tags'), { val: null })
    t.same(valueIn(emptied, 'Status'), { val: null })
    for (const text of [
      '2026-02-03',
      '2/3/2026',
      '2.3.26',
      '2026/2/3',
      '2026-02-03T23:59:59+05:00',
    ]) {
      const { value: dated } = await update(row._id, { Founded: value(text) })
      t.same(valueIn(dated, 'Founded'), { val: '2026-02-03T00:00:00.000Z' }, text)
    }
    const wrong: Json[] = [
      { Name: value('') },
      { Name: value(5) },
      { Employees: value('many') },
      { Status: value('Maybe') },
      { Tags: value(['a', 'z']) },
      { Founded: value('2026-02-31') },
      { Revenue: value(5) },
      { Revenue: value(5, 'XXX') },
      { Partner: value('yes') },
      { Name: value('a\0b') },
    ]
    for (const one of wrong)
      t.equal((await update(row._id, one)).code, 'bad-input', JSON.stringify(one))
    t.equal((await update(row._id, { Nothing: value('x') })).status, 400)
    t.equal((await update('\0', { Name: value('x') })).code, 'not-found')
  })

  t.test('filters, sorts and pages rows', async (t) => {
    await insert({
      Name: value('Hooli'),
      Revenue: value(10.5, 'EUR'),
      Partner: value(true),
      Tags: value(['a', 'b']),
      Founded: value('2001-01-01'),
    })
    const cases: [filter: Record<string, unknown>, names: string[] | string][] = [
      [{ Name: { by: 'is', value: 'hooli' } }, []],
      [{ Name: { by: 'contains', value: 'OO' } }, ['Hooli']],
      [{ Name: { by: 'starts-with', value: 'n' } }, ['Northwind']],
      [{ Name: { by: 'ends-with', value: 'H' } }, ['Initech']],
      [{ Name: { by: 'contains', value: '%' } }, []],
      [{ Employees: { by: 'is-more-than', value: 100 } }, ['Northwind', 'Umbrella']],
      [
        { Employees: { by: 'is-between', value: { val1: 80, val2: 120 } } },
        ['Northwind', 'Soylent'],
      ],
      [{ Employees: { by: 'is-empty' } }, ['Initech']],
      [{ Employees: { by: 'is-not-set' } }, ['Hooli']],
      [{ Partner: { by: 'is-true' } }, ['Hooli']],
      [{ Founded: { by: 'before', value: '2002-01-01' } }, ['Hooli']],
      [{ Revenue: { by: 'is-more-than', value: 10, currency: 'EUR' } }, ['Hooli']],
      [{ Revenue: { by: 'is-more-than', value: 10, currency: 'USD' } }, []],
      [{ Status: { values: ['Won'] } }, ['Northwind']],
      [{ Status: { values: ['Won'], otherValues: ['is-empty'] } }, ['Northwind', 'Initech']],
      [{ Tags: { values: ['b', 'c'] } }, ['Hooli']],
      [{ Employees: { by: 'is', value: 87 }, Status: { values: ['Open'] } }, ['Soylent']],
      [{ Employees: { by: 'is', value: 87 }, Status: { values: ['Won'] } }, []],
      [{ Employees: { by: 'is', value: "0' or true --" } }, 'bad-input'],
      [{ Employees: { by: 'contains', value: '1' } }, 'bad-input'],
      [{ Name: { by: 'constructor', value: '1' } }, 'bad-input'],
    ]
    for (const [filter, expected] of cases) {
      const byId = Object.entries(filter).map(([name, one]) => [id[name], one])
      const found = await names({ filter: Object.fromEntries(byId) })
      t.same(found, expected, JSON.stringify(filter))
    }
    t.equal(await names({ filter: { "x' or true --": { by: 'is', value: 1 } } }), 'not-found')
    const sort = { [id.Employees]: -1 }
    t.same(await names({ sort, limit: 2 }), ['Umbrella', 'Northwind'])
    t.same(await names({ sort, limit: 1, skip: 2 }), ['Soylent'])
    t.same(await names({ in: ['nobody'] }), [], 'an unknown id has no row')
  })

  t.test('insertOrUpdate', async (t) => {
    const upsert = (matchFields: string[], row: Json) =>
      run(
        `mutation ($db: ID!, $match: [ID!]!, $cols: [ColInput!]!) {
          insertOrUpdate(databaseId: $db, matchFields: $match, cols: $cols) { _id }
        }`,
        { db, match: matchFields.map((name) => id[name]), cols: colsOf(row) },
      )
    const one = await upsert(['Name'], { Name: value('Pied Piper'), Employees: value(5) })
    const two = await upsert(['Name'], { Name: value('Pied Piper'), Employees: value(6) })
    t.equal(one.code, null)
    t.equal(two.value._id, one.value._id, 'the matching row is updated')
    await insert({ Name: value('Pied Piper'), Employees: value(7) })
    const several = await upsert(['Name'], { Name: value('Pied Piper'), Employees: value(8) })
    t.equal(several.code, 'several-match')
    t.same(
      await names({ filter: { [id.Employees]: { by: 'is', value: 8 } } }),
      [],
      'no row is changed',
    )
    for (const [match, row] of [
      [[], { Name: value('x') }],
      [['Name'], { Employees: value(5) }],
      [['Employees'], { Name: value('x'), Employees: value(null) }],
    ] as [string[], Json][])
      t.equal((await upsert(match, row)).code, 'bad-input')

    const row = { Name: value('Many at once'), Employees: value(1) }
    const all = await Promise.all(Array.from({ length: 12 }, () => upsert(['Name'], row)))
    t.equal(new Set(all.map((answer) => answer.value._id)).size, 1, 'a row is inserted')
  })

  t.test('returns at most 100 rows, and the count of all', async (t) => {
    await Promise.all(Array.from({ length: 100 }, () => insert({ Name: value('Filler') })))
    for (const limit of [undefined, 100, 1000])
      t.equal((await names({ ...(limit && { limit }) })).length, 100)
    t.equal(await names({ limit: -1 }), 'bad-input')
    const { value: count } = await run(`{ count(databaseId: "${db}") }`)
    t.ok(count > 100)
  })
})

await onEachBackend('records of the current interface', async (t, scene) => {
  const { running, world } = scene
  const api = await startDataApi(t, scene, await registerResourceServer(running))
  const { make } = await selfSigner(scene, world.acme)
  const token = await make(currentPermissions)
  const run = async (t: Test, query: string, variables: Json = {}) => {
    const { value: answer, code } = await ask(api, { query, variables }, token)
    t.equal(code, null, query.slice(0, 40))
    return answer
  }
  const table = await run(
    t,
    `mutation ($id: ID!, $fields: [TableFieldInput!]!) {
      createTable(workspaceId: $id, name: "Orders", fields: $fields) { id fields { id name type } }
    }`,
    {
      id: world.sales,
      fields: [
        { name: 'Title', type: 'Single-line Text' },
        { name: 'Pieces', type: 'Number' },
        { name: 'Price', type: 'Currency' },
        { name: 'Paid', type: 'Yes/No' },
        { name: 'Due', type: 'Date' },
        { name: 'Tags', type: 'Dropdown Multiple', choices: ['a', 'b', 'c'] },
      ],
    },
  )
  t.match(table.id, new RegExp(`^${world.sales}\\|tbl`))
  const id = Object.fromEntries(table.fields.map((one: Json) => [one.name, one.id]))
  const create = (row: Json) =>
    run(
      t,
      `mutation ($table: ID!, $fields: [FieldValueInput!]!) {
        createRecord(tableId: $table, fields: $fields) { id fields { fieldId value stringValue } }
      }`,
      {
        table: table.id,
        fields: Object.entries(row).map(([name, given]) => ({ fieldId: id[name], value: given })),
      },
    )

  t.test('returns values and their display text', async (t) => {
    const record = await create({
      Title: value('Chairs'),
      Pieces: value(12345.5),
      Price: value(1200, 'EUR'),
      Paid: value(false),
      Due: value('2026-12-24'),
      Tags: value(['b', 'a']),
    })
    t.match(record.id, new RegExp(`^${world.sales}\\|rec`))
    const shown = record.fields.map((one: Json) => one.stringValue)
    t.same(shown, ['Chairs', '12,345.5', '€1,200.00', 'No', '12/24/2026', ['b', 'a']])
    await create({ Title: value('Tables'), Pieces: value(3), Tags: value(['a']) })
    await create({ Title: value('Lamps'), Pieces: value(40) })
    await create({})
  })

  const condition = (name: string, operator: string, to?: unknown, currency?: string) => ({
    left: { type: 'field', value: id[name] },
    comparison: { operator },
    right: to === undefined ? {} : { type: 'input', value: to, ...(currency && { currency }) },
  })
  const find = async (variables: Json) => {
    const query = `query ($table: ID!, $filter: JSON, $first: Int, $after: String) {
      recordsConnection(tableId: $table, filter: $filter, first: $first, after: $after) {
        edges { node { fields { stringValue } } }
        pageInfo { hasNextPage endCursor }
      }
    }`
    const { value: found, code } = await ask(
      api,
      { query, variables: { table: table.id, ...variables } },
      token,
    )
    const titles = found?.edges.map(({ node }: Json) => node.fields[0].stringValue)
    return { code, titles, page: found?.pageInfo }
  }

  t.test('filters', async (t) => {
    const cases: [Json[], string | undefined, (string | null)[]][] = [
      [[condition('Title', 'contains', 'A')], undefined, ['Chairs', 'Tables', 'Lamps']],
      [[condition('Title', 'is-empty')], undefined, [null]],
      [[condition('Pieces', 'is-more-than', 10)], undefined, ['Chairs', 'Lamps']],
      [[condition('Price', 'is', 1200, 'EUR')], undefined, ['Chairs']],
      [[condition('Price', 'is', 1200, 'USD')], undefined, []],
      [[condition('Tags', 'has-all-of', ['a', 'b'])], undefined, ['Chairs']],
      [[condition('Tags', 'is', ['a'])], undefined, ['Tables']],
      [[condition('Tags', 'has-none-of', ['b'])], undefined, ['Tables', 'Lamps', null]],
      [[condition('Title', 'is', 'Lamps'), condition('Pieces', 'is', 3)], 'and', []],
      [
        [condition('Title', 'is', 'Lamps'), condition('Pieces', 'is', 3)],
        'or',
        ['Tables', 'Lamps'],
      ],
      [
        [
          condition('Pieces', 'is-less-than', 100),
          {
            conditionGroup: [condition('Tags', 'is-empty'), condition('Title', 'is', 'Tables')],
            logicalOperator: 'or',
          },
        ],
        'and',
        ['Tables', 'Lamps'],
      ],
    ]
    for (const [conditions, logicalOperator, expected] of cases) {
      const { titles } = await find({ filter: { conditions, logicalOperator } })
      t.same(titles, expected, JSON.stringify(conditions).slice(0, 80))
    }
    const wrong: unknown[] = [
      'x',
      {},
      { conditions: [{}] },
      { conditions: [condition('Title', 'like', 'x')] },
      { conditions: [condition('Pieces', 'is', 'x')] },
      { conditions: [condition('Title', 'is', 'x'), condition('Title', 'is', 'y')] },
      { conditions: [{ conditionGroup: [{ conditionGroup: [], logicalOperator: 'or' }] }] },
      { conditions: Array(101).fill(condition('Title', 'is', 'x')), logicalOperator: 'or' },
    ]
    for (const filter of wrong) t.equal((await find({ filter })).code, 'bad-input')
  })

  t.test('pages', async (t) => {
    const first = await find({ first: 3 })
    t.same(first.titles, ['Chairs', 'Tables', 'Lamps'])
    t.equal(first.page.hasNextPage, true)
    const next = await find({ first: 3, after: first.page.endCursor })
    t.same(next.titles, [null])
    t.equal(next.page.hasNextPage, false)
    t.equal((await find({ after: '1 or true' })).code, 'bad-input')
  })
})
