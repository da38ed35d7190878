/** A token that is narrowed to one workspace learns nothing about the others by references. */
import { ask, startDataApi } from '../../support/data-api.ts'
import type { Json } from '../../support/latchkey.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { registerResourceServer } from '../../support/resource-server.ts'
import {
  condition,
  connection,
  createRecord,
  createTable,
  currentClient,
  deleteRecord,
  input,
  readRecord,
  text,
  updateRecord,
} from './current-client.ts'
import { currentPermissions, selfSigner } from './tokens.ts'

const image = 'iVBORw0KGgo='

const secretFields = [
  text,
  { name: 'Age', type: 'Number' },
  { name: 'Fee', type: 'Currency' },
  { name: 'Day', type: 'Date' },
  { name: 'Done', type: 'Yes/No' },
  { name: 'State', type: 'Dropdown', choices: ['Open', 'Won'] },
  { name: 'Logo', type: 'Attachment' },
  { name: 'Twice', type: 'Formula', expression: 'Age * 2' },
]

const looked = ['Name', 'Age', 'Fee', 'Day', 'Done', 'State', 'Logo', 'Twice']

const fieldsTo = (secret: string, root: string) => [
  text,
  { name: 'Who', type: 'Reference', table: secret },
  { name: 'All', type: 'Reference Multiple', table: secret },
  { name: 'Root', type: 'Reference', table: root },
  ...looked.map((field) => ({ name: `Its ${field}`, type: 'Lookup', via: 'Who', field })),
  ...looked.map((field) => ({ name: `Their ${field}`, type: 'Lookup', via: 'All', field })),
  { name: 'Root name', type: 'Lookup', via: 'Root', field: 'Name' },
  { name: 'Count', type: 'Rollup', via: 'All', fn: 'count' },
  ...['sum', 'average', 'min', 'max'].map((fn) => ({
    ...{ name: fn, type: 'Rollup', via: 'All', field: 'Age', fn },
  })),
  { name: 'Last', type: 'Rollup', via: 'All', field: 'Day', fn: 'max' },
  { name: 'Updated', type: 'Updated At' },
]

const found = `query ($table: ID!, $filter: JSON) {
  recordsConnection(tableId: $table, filter: $filter) { nodes { id } totalCount }
}`

const operands: Record<string, unknown[]> = {
  is: ['Zed', 50, ['Zed'], [50], true],
  'is-not': ['Zed', 50, true],
  'is-more-than': [10, 'A'],
  'is-less-than': [100, 'z'],
  contains: ['e'],
  'does-not-contain': ['e'],
  'starts-with': ['z'],
  'ends-with': ['d'],
  'has-any-of': [['Zed', 'Yan', 'Open', '50']],
  'has-all-of': [['Zed', 'Yan']],
  'has-none-of': [['Zed', 'Open']],
  on: ['2026-01-01'],
  after: ['2020-01-01'],
  before: ['2030-01-01'],
  between: [{ val1: '2020-01-01', val2: '2030-01-01' }],
  'is-empty': [],
  'has-any-value': [],
  'is-true': [],
  'is-false': [],
}

await onEachBackend('what a narrowed token does not learn', async (t, scene) => {
  const { running, world } = scene
  const api = await startDataApi(t, scene, await registerResourceServer(running))
  const { make } = await selfSigner(scene, world.acme)
  const whole = currentClient(t, api, await make(currentPermissions))
  const token = await make(currentPermissions, [world.sales])
  const narrow = currentClient(t, api, token)

  const secret = await whole.makeTable(world.support, secretFields, 'Secrets')
  const root = whole.madeOf(
    await whole.done(
      `mutation { createRootTable(name: "Root", fields: [{name: "Name", type: "Single-line Text"}]) {
        id fields { id name }
      } }`,
    ),
  )
  const person = (Name: string, Age: number) => ({
    ...{ Name: { val: Name }, Age: { val: Age }, Fee: { val: Age, currency: 'EUR' } },
    ...{ Day: { val: `2026-01-${Age}` }, Done: { val: true }, State: { val: 'Open' } },
    Logo: { val: image },
  })
  const zed: string = (await whole.makeRecord(secret, person('Zed', 20))).id
  const yan: string = (await whole.makeRecord(secret, person('Yan', 10))).id
  const top: string = (await whole.makeRecord(root, { Name: { val: 'Top' } })).id
  const here = await whole.makeTable(world.sales, fieldsTo(secret.id, root.id), 'Here')
  const records: string[] = []
  for (const [Name, Who, All] of [
    ['A', zed, [zed, yan]],
    ['B', yan, [yan]],
    ['C', zed, [zed]],
  ] as const) {
    const values = { Name: { val: Name }, Who: { val: Who }, All: { val: All }, Root: { val: top } }
    records.push((await whole.makeRecord(here, values)).id)
  }
  const [first = ''] = records
  const own = (id: string) => id.split('|')[1] as string
  const unknown = (id: string) => `${id.slice(0, -8)}00000000`

  /** Everything that such a token can ask about the table. */
  const questions = (): [name: string, query: string, variables: Json][] => {
    const all: [string, string, Json][] = [
      [
        'table',
        'query ($id: ID!) { table(tableId: $id) { fields { name type table via field fn } } }',
        { id: here.id },
      ],
      ...records.map((record): [string, string, Json] => [record, readRecord, { record }]),
      ['records', connection, { table: here.id }],
    ]
    for (const [name, id] of Object.entries(here.ids)) {
      for (const direction of ['ASC', 'DESC'])
        all.push([
          `sort ${name} ${direction}`,
          connection,
          { table: here.id, sort: [{ fieldId: id, direction }] },
        ])
      for (const [operator, values] of Object.entries(operands)) {
        const ids = [zed, [zed], [zed, yan], top]
        const given = operator.startsWith('is') && values.length > 0 ? ids : []
        const rights = [{}, ...[...values, ...given].map(input)]
        for (const right of rights)
          all.push([
            `${name} ${operator} ${JSON.stringify(right)}`,
            found,
            { table: here.id, filter: { conditions: [condition(id, operator, right)] } },
          ])
      }
    }
    return all
  }

  /** By the question. */
  const answers = async () => {
    const asked = questions()
    const answered = new Map<string, string>()
    for (let from = 0; from < asked.length; from += 20) {
      const several = asked.slice(from, from + 20)
      const { status, body } = await ask(
        api,
        several.map(([, query, variables]) => ({ query, variables })),
        token,
      )
      t.equal(status, 200)
      for (const [at, [name, , variables]] of several.entries())
        answered.set(`${name} ${JSON.stringify(variables.filter)}`, JSON.stringify(body[at]))
    }
    return answered
  }

  t.test('its answers do not depend on the records of another workspace', async (t) => {
    const before = await answers()
    t.equal(before.size, questions().length)
    const hidden = [zed, yan, top, secret.id, root.id, ...Object.values(secret.ids)].map(own)
    const words = new RegExp(['Zed', 'Yan', 'Top', ...hidden].join('|'))
    const leaking = [...before].filter(([, answer]) => words.test(answer))
    t.same(leaking, [], 'no name and no id of another workspace')
    const seen = await narrow.done(connection, { table: here.id })
    for (const { node } of seen.edges) {
      const { Name, Updated, ...others } = narrow.valuesIn(here, node)
      for (const [name, value] of Object.entries(others))
        t.same(value, ['Who', 'All', 'Root'].includes(name) ? { val: null } : null, name)
      const { Name: _, Updated: __, ...shown } = narrow.valuesIn(here, node, 'stringValue')
      for (const [name, value] of Object.entries(shown)) t.equal(value, null, name)
    }

    await whole.change(secret, zed, {
      ...{ Name: { val: 'Adam' }, Age: { val: 99 }, Fee: { val: 1, currency: 'USD' } },
      ...{ Day: { val: null }, Done: { val: false }, State: { val: 'Won' }, Logo: { val: null } },
    })
    await whole.done(deleteRecord, { record: yan })
    await whole.done(deleteRecord, { record: top })
    await whole.makeRecord(secret, person('Xia', 30))
    const values = whole.valuesIn(here, await whole.done(readRecord, { record: first }))
    t.match(values, { 'Its Age': { val: 99 }, Count: { val: 1 }, Root: { val: null } })

    const after = await answers()
    t.equal(after.size, before.size)
    const changed = [...before].filter(([name, answer]) => after.get(name) !== answer)
    t.same(changed, [])
  })

  t.test('a value that names a hidden record fails like one that does not exist', async (t) => {
    const write = async (query: string, more: Json, value: Json) =>
      (await narrow.send(query, { ...more, fields: [value] })).body
    for (const [name, hidden, of] of [
      ['Who', zed, (id: string) => id],
      ['All', zed, (id: string) => [id]],
      ['Who', zed, (id: string) => id.replace('|', ' ')],
      ['Who', zed, (id: string) => `${world.sales}|${own(id)}`],
    ] as const)
      for (const [query, more] of [
        [createRecord, { table: here.id }],
        [updateRecord, { record: first }],
      ] as const) {
        const value = (id: string) => ({ fieldId: here.ids[name], value: { val: of(id) } })
        const body = await write(query, more, value(hidden))
        t.match(body.errors, [{ extensions: { code: 'not-found', place: 'fields[0].value.val' } }])
        t.same(body, await write(query, more, value(unknown(hidden))))
      }
  })

  t.test('a new field that names a hidden table fails like one that does not exist', async (t) => {
    const make = async (fields: Json[]) =>
      (await narrow.send(createTable, { workspace: world.sales, name: 'x', fields })).body
    for (const type of ['Reference', 'Reference Multiple'])
      for (const hidden of [secret.id, root.id, `${world.sales}|${own(secret.id)}`]) {
        const body = await make([text, { name: 'x', type, table: hidden }])
        t.match(body.errors, [{ extensions: { code: 'not-found', place: 'fields[1].table' } }])
        t.same(body, await make([text, { name: 'x', type, table: unknown(hidden) }]))
      }
  })

  t.test('a hidden field in a filter fails like one that does not exist', async (t) => {
    const find = async (left: string, operator = 'is', right: Json = input('Zed')) => {
      const filter = { conditions: [condition(left, operator, right)] }
      return (await narrow.send(connection, { table: here.id, filter })).body
    }
    const missing = await find(`${here.ids.Who}.${world.support}|fld${'0'.repeat(24)}`)
    t.match(missing.errors, [
      { extensions: { code: 'not-found', place: 'filter.conditions[0].left.value' } },
    ])
    for (const [name, id] of Object.entries(secret.ids)) {
      t.same(await find(`${here.ids.Who}.${id}`), missing, name)
      t.same(await find(`${here.ids.All}.${id}`), missing, name)
      t.same(await find(`${here.ids.Who}.${id}`, 'no-such', { wrong: 1 }), missing, name)
      t.same(await find(id), missing, `${name} without a reference`)
    }
    for (const odd of ['', 'x', '|', '__proto__', 'constructor', `${world.support}|`])
      t.same(await find(`${here.ids.Who}.${odd}`), missing, odd)
  })
})
