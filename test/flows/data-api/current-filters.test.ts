/** Filters, order and pages of the current interface: each operator of each type, and each error. */
import { ask, startDataApi } from '../../support/data-api.ts'
import type { Json } from '../../support/latchkey.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { registerResourceServer } from '../../support/resource-server.ts'
import { currentPermissions, selfSigner } from './tokens.ts'

const companies = [
  { name: 'Company', type: 'Single-line Text' },
  { name: 'Staff', type: 'Number' },
]

const fieldsOf = (companies: string) => [
  { name: 'Name', type: 'Single-line Text' },
  { name: 'Size', type: 'Number' },
  { name: 'Fee', type: 'Currency' },
  { name: 'State', type: 'Dropdown', choices: ['Open', 'Won', 'Lost'] },
  { name: 'Tags', type: 'Dropdown Multiple', choices: ['a', 'b', 'c'] },
  { name: 'Day', type: 'Date' },
  { name: 'Done', type: 'Yes/No' },
  { name: 'Company', type: 'Reference', table: companies },
  { name: 'Others', type: 'Reference Multiple', table: companies },
  { name: 'Logo', type: 'Attachment' },
  { name: 'Double', type: 'Formula', expression: 'Size * 2' },
  { name: 'Label', type: 'Formula', expression: 'concat("no. ", Size)' },
  { name: 'Staff', type: 'Rollup', via: 'Others', field: 'Staff', fn: 'sum' },
  { name: 'Its name', type: 'Lookup', via: 'Company', field: 'Company' },
]

await onEachBackend('filters of the current interface', async (t, scene) => {
  const { running, world } = scene
  const api = await startDataApi(t, scene, await registerResourceServer(running))
  const { make } = await selfSigner(scene, world.acme)
  const token = await make(currentPermissions)
  const send = (query: string, variables: Json) => ask(api, { query, variables }, token)

  const createTable = async (name: string, fields: unknown[]) => {
    const query = `mutation ($workspace: ID!, $name: String!, $fields: [TableFieldInput!]!) {
      createTable(workspaceId: $workspace, name: $name, fields: $fields) { id fields { id name } }
    }`
    const made = await send(query, { workspace: world.sales, name, fields })
    t.same(made.body.errors, undefined)
    const ids = Object.fromEntries(made.value.fields.map(({ id, name: of }: Json) => [of, id]))
    return { id: made.value.id as string, ids: ids as Record<string, string> }
  }
  type Made = Awaited<ReturnType<typeof createTable>>

  const create = async ({ id, ids }: Made, values: Json): Promise<string> => {
    const query = `mutation ($table: ID!, $fields: [FieldValueInput!]!) {
      createRecord(tableId: $table, fields: $fields) { id }
    }`
    const fields = Object.entries(values).map(([name, val]) => ({
      fieldId: ids[name],
      value: name === 'Fee' ? { val, currency: 'EUR' } : { val },
    }))
    const made = await send(query, { table: id, fields })
    t.same(made.body.errors, undefined)
    return made.value.id
  }

  const there = await createTable('Companies', companies)
  const acme = await create(there, { Company: 'Acme', Staff: 10 })
  const globex = await create(there, { Company: 'Globex', Staff: 200 })
  const deals = await createTable('Deals', fieldsOf(there.id))
  const common = { Fee: 100, Day: '2026-03-01', Done: true }
  await create(deals, {
    ...common,
    ...{ Name: 'Alpha', Size: 1, State: 'Open', Tags: ['a', 'b'] },
    ...{ Company: acme, Others: [acme, globex] },
  })
  await create(deals, {
    ...{ Name: 'beta', Size: 20, Fee: 7.5, State: 'Won', Tags: ['b'], Day: '2026-04-01' },
    ...{ Done: false, Company: globex, Others: [globex] },
  })
  await create(deals, { Name: 'Gamma' })

  const connection = `query ($table: ID!, $filter: JSON) {
    recordsConnection(tableId: $table, filter: $filter) {
      nodes { fields { stringValue } } totalCount
    }
  }`
  const find = (filter: unknown) => send(connection, { table: deals.id, filter })
  const left = (name: string) => ({ type: 'field', value: deals.ids[name] ?? name })
  const condition = (name: string, operator: string, right: Json) => ({
    left: left(name),
    comparison: { operator },
    right,
  })
  const input = (value: unknown) => ({ type: 'input', value })
  const euro = (value: unknown) => ({ ...input(value), currency: 'EUR' })
  const sub = (name: string, field: string) => `${deals.ids[name]}.${there.ids[field]}`

  /** First letters of the records that match. */
  const letters = async (filter: unknown): Promise<string> => {
    const { body, value } = await find(filter)
    if (body.errors) return body.errors[0].message
    t.equal(value.totalCount, value.nodes.length)
    return value.nodes.map(({ fields }: Json) => fields[0].stringValue[0]).join('')
  }

  const rows: [field: string, operator: string, right: Json, expected: string][] = [
    ['Name', 'contains', input('A'), 'AbG'],
    ['Name', 'does-not-contain', input('alp'), 'bG'],
    ['Name', 'is', input('alpha'), ''],
    ['Name', 'is-not', input('Alpha'), 'bG'],
    ['Name', 'starts-with', input('BE'), 'b'],
    ['Name', 'ends-with', input('MA'), 'G'],
    ['Name', 'is-empty', {}, ''],
    ['Name', 'has-any-value', {}, 'AbG'],
    ['Size', 'is', input(20), 'b'],
    ['Size', 'is-not', input(20), 'AG'],
    ['Size', 'is-more-than', input(1), 'b'],
    ['Size', 'is-less-than', input(2), 'A'],
    ['Size', 'is-empty', {}, 'G'],
    ['Fee', 'is', euro(100), 'A'],
    ['Fee', 'is-less-than', { ...input(100), currency: 'USD' }, ''],
    ['Fee', 'is-less-than', euro(100), 'b'],
    ['State', 'has-any-of', input(['Open', 'Won']), 'Ab'],
    ['State', 'has-none-of', input(['Open']), 'bG'],
    ['State', 'is', input(['Won']), 'b'],
    ['Tags', 'has-any-of', input(['a', 'b']), 'Ab'],
    ['Tags', 'has-all-of', input(['a', 'b']), 'A'],
    ['Tags', 'is', input(['b']), 'b'],
    ['Tags', 'has-none-of', input(['a']), 'bG'],
    ['Day', 'on', input('3/1/2026'), 'A'],
    ['Day', 'after', input('2026-03-01'), 'b'],
    ['Day', 'between', input({ val1: '2026-01-01', val2: '2026-03-31' }), 'A'],
    ['Done', 'is-true', {}, 'A'],
    ['Done', 'is-false', {}, 'b'],
    ['Done', 'has-any-value', {}, 'Ab'],
    ['Company', 'is', input(acme), 'A'],
    ['Company', 'is', input(acme.replace('|', ' ')), 'A'],
    ['Company', 'is', input(acme.replace('|', '')), 'A'],
    ['Company', 'is-not', input(acme), 'bG'],
    ['Company', 'is-empty', {}, 'G'],
    ['Others', 'has-any-of', input([acme]), 'A'],
    ['Others', 'has-all-of', input([acme, globex]), 'A'],
    ['Others', 'is', input([globex]), 'b'],
    ['Others', 'has-none-of', input([acme]), 'bG'],
    ['Logo', 'is-empty', {}, 'AbG'],
    ['Logo', 'has-any-value', {}, ''],
    ['Double', 'is', input(40), 'b'],
    ['Double', 'is-more-than', input(2), 'b'],
    ['Label', 'ends-with', input('20'), 'b'],
    ['Staff', 'is-more-than', input(200), 'A'],
    ['Its name', 'is', input('Globex'), 'b'],
    [sub('Company', 'Company'), 'starts-with', input('glo'), 'b'],
    [sub('Others', 'Staff'), 'is-less-than', input(100), 'A'],
  ]

  t.test('each operator', async (t) => {
    for (const [name, operator, right, expected] of rows)
      t.equal(
        await letters({ conditions: [condition(name, operator, right)] }),
        expected,
        `${name} ${operator} ${JSON.stringify(right)}`,
      )
  })

  const one = condition('Name', 'is', input('Alpha'))
  const other = condition('Size', 'is', input(20))
  const none = condition('Size', 'is', input(5))
  t.test('conditions and groups', async (t) => {
    const group = (logicalOperator: string) => ({ conditionGroup: [one, other], logicalOperator })
    const cases: [filter: unknown, expected: string][] = [
      [undefined, 'AbG'],
      [null, 'AbG'],
      [{ conditions: [], logicalOperator: 'or' }, 'AbG'],
      [{ conditions: [one] }, 'A'],
      [{ conditions: [one, other], logicalOperator: 'or' }, 'Ab'],
      [{ conditions: [one, other], logicalOperator: 'and' }, ''],
      [{ conditions: [none, group('or')], logicalOperator: 'or' }, 'Ab'],
      [{ conditions: [one, group('or')], logicalOperator: 'and' }, 'A'],
      [{ conditions: [one, group('and')], logicalOperator: 'or' }, 'A'],
    ]
    for (const [filter, expected] of cases)
      t.equal(await letters(filter), expected, JSON.stringify(filter))
  })

  t.test('an error names the place and what is allowed', async (t) => {
    const numbers = 'is is-not is-more-than is-less-than is-empty has-any-value'.split(' ')
    const inGroup = (bad: Json) => ({
      conditions: [{ conditionGroup: [one, bad], logicalOperator: 'and' }],
    })
    const second = (bad: Json) => ({ conditions: [one, bad], logicalOperator: 'and' })
    const at = 'filter.conditions[1]'
    const cases: [filter: unknown, place: string, allowed?: string[]][] = [
      ['x', 'filter', ['conditions', 'logicalOperator']],
      [{ condition: [] }, 'filter.condition', ['conditions', 'logicalOperator']],
      [{}, 'filter.conditions'],
      [{ conditions: [one, one] }, 'filter.logicalOperator', ['and', 'or']],
      [{ conditions: [one], logicalOperator: 'xor' }, 'filter.logicalOperator', ['and', 'or']],
      [second({}), `${at}.left`],
      [second({ ...one, left: { type: 'input', value: 'x' } }), `${at}.left.type`, ['field']],
      [second(condition('x', 'is', input('x'))), `${at}.left.value`],
      [second(condition(`${deals.ids.Name}.x`, 'is', input('x'))), `${at}.left.value`],
      [second(condition('Size', 'is-between', input(1))), `${at}.comparison.operator`, numbers],
      [
        inGroup(condition('Size', 'is', input('1'))),
        'filter.conditions[0].conditionGroup[1].right.value',
      ],
      [
        inGroup({ conditionGroup: [one] }),
        'filter.conditions[0].conditionGroup[1].conditionGroup',
        ['left', 'comparison', 'right'],
      ],
      [
        second(condition('Tags', 'has-any-of', input(Array(50_000).fill('a')))),
        `${at}.right.value`,
      ],
      [
        second(condition('Others', 'has-any-of', input(Array(5000).fill(acme)))),
        `${at}.right.value`,
      ],
    ]
    for (const [filter, place, allowed] of cases) {
      const { status, body } = await find(filter)
      const [{ message, extensions } = {} as Json] = body.errors ?? []
      t.equal(status, 200)
      t.equal(extensions?.place, place)
      t.ok(message?.startsWith(`${place}: `), message)
      if (allowed) t.same(extensions.allowed, allowed, place)
    }
    const twoDots = condition(`${sub('Company', 'Company')}.x`, 'is', input('x'))
    const dots = await find({ conditions: [twoDots] })
    t.equal(dots.code, 'bad-input', 'two dots')
    t.match(dots.body.errors[0].message, 'one dot')
  })

  t.test('order', async (t) => {
    const query = `query ($table: ID!, $sort: [RecordSort!]) {
      recordsConnection(tableId: $table, sort: $sort) { nodes { fields { stringValue } } }
    }`
    const cases: [sort: [name: string, direction: string][], expected: string][] = [
      [[], 'AbG'],
      [[['Name', 'ASC']], 'AbG'],
      [[['Name', 'DESC']], 'GbA'],
      [[['Size', 'ASC']], 'GAb'],
      [[['Size', 'DESC']], 'bAG'],
      [[['Company', 'DESC']], 'bAG'],
      [[['Staff', 'ASC']], 'GbA'],
    ]
    for (const [fields, expected] of cases) {
      const sort = fields.map(([name, direction]) => ({ fieldId: deals.ids[name], direction }))
      const { value } = await send(query, { table: deals.id, sort })
      const found = value.nodes.map((node: Json) => node.fields[0].stringValue[0]).join('')
      t.equal(found, expected, JSON.stringify(fields))
    }
  })
})
