/** Fields of the current interface: each type, what can be written, and what stays hidden. */
import { ask, startDataApi } from '../../support/data-api.ts'
import type { Json } from '../../support/latchkey.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { registerResourceServer } from '../../support/resource-server.ts'
import { condition, connection, input } from './current-client.ts'
import { currentPermissions, selfSigner } from './tokens.ts'

const image =
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR4nGPQz7+HFTEMLQkA8yRfAbxQd+cAAAAASUVORK5CYII='

const createTable = `mutation ($workspace: ID!, $fields: [TableFieldInput!]!) {
  createTable(workspaceId: $workspace, name: "Made", fields: $fields) {
    id fields { id name type choices table via field fn expression readOnly }
  }
}`
const createRecord = `mutation ($table: ID!, $fields: [FieldValueInput!]!) {
  createRecord(tableId: $table, fields: $fields) { id fields { fieldId value stringValue } }
}`
const updateRecord = `mutation ($record: ID!, $fields: [FieldValueInput!]!) {
  updateRecord(recordId: $record, fields: $fields) { id fields { fieldId value stringValue } }
}`
const readRecord = `query ($record: ID!) {
  record(recordId: $record) { fields { fieldId value stringValue } }
}`

await onEachBackend('fields of the current interface', async (t, scene) => {
  const { running, world } = scene
  const api = await startDataApi(t, scene, await registerResourceServer(running))
  const { make } = await selfSigner(scene, world.acme)
  const token = await make(currentPermissions)
  const send = (query: string, variables: Json, by = token) => ask(api, { query, variables }, by)

  const makeTable = async (workspace: string, fields: unknown[]) => {
    const { body, value } = await send(createTable, { workspace, fields })
    t.same(body.errors, undefined)
    const ids = Object.fromEntries(value.fields.map(({ id, name }: Json) => [name, id]))
    return { id: value.id as string, fields: value.fields as Json[], ids: ids as Json }
  }
  const makeRecord = async ({ id, ids }: { id: string; ids: Json }, values: Json) => {
    const fields = Object.entries(values).map(([name, value]) => ({ fieldId: ids[name], value }))
    const { body, value } = await send(createRecord, { table: id, fields })
    t.same(body.errors, undefined)
    return value as Json
  }
  const valuesIn = ({ fields }: Json, ids: Json, key = 'value'): Json =>
    Object.fromEntries(
      Object.entries(ids).map(([name, id]) => [
        name,
        fields.find(({ fieldId }: Json) => fieldId === id)[key],
      ]),
    )

  const text = { name: 'Name', type: 'Single-line Text' }
  const people = await makeTable(world.sales, [text, { name: 'Age', type: 'Number' }])
  const kim = (await makeRecord(people, { Name: { val: 'Kim' }, Age: { val: 40 } })).id
  const ana = (await makeRecord(people, { Name: { val: 'Ana' }, Age: { val: 30 } })).id
  const all = [
    text,
    { name: 'Notes', type: 'Multi-line Text' },
    { name: 'Amount', type: 'Number' },
    { name: 'Done', type: 'Yes/No' },
    { name: 'State', type: 'Dropdown', choices: ['Open', 'Won'] },
    { name: 'Tags', type: 'Dropdown Multiple', choices: ['a', 'b'] },
    { name: 'Day', type: 'Date' },
    { name: 'Fee', type: 'Currency' },
    { name: 'Logo', type: 'Attachment' },
    { name: 'Owner', type: 'Reference', table: people.id },
    { name: 'Team', type: 'Reference Multiple', table: people.id },
    { name: 'Owner age', type: 'Lookup', via: 'Owner', field: people.ids.Age },
    { name: 'Created', type: 'Created At' },
    { name: 'Updated', type: 'Updated At' },
    { name: 'Twice', type: 'Formula', expression: 'Amount * 2' },
    { name: 'Ages', type: 'Rollup', via: 'Team', field: 'Age', fn: 'sum' },
  ]
  const table = await makeTable(world.sales, all)
  const written = {
    Name: { val: 'One' },
    Notes: { val: 'Two\nlines' },
    Amount: { val: 1234.5 },
    Done: { val: true },
    State: { val: 'Open' },
    Tags: { val: ['b', 'a'] },
    Day: { val: '2026-03-01T00:00:00.000Z' },
    Fee: { val: 9.5, currency: 'EUR' },
    Owner: { val: kim },
    Team: { val: [ana, kim] },
  }

  t.test('each type is made, written and read', async (t) => {
    t.same(
      table.fields.map(({ name, type }) => ({ name, type })),
      all.map(({ name, type }) => ({ name, type })),
    )
    t.match(table.fields[9], { table: people.id, readOnly: false })
    t.match(table.fields[11], { via: table.ids.Owner, field: people.ids.Age, readOnly: true })
    t.match(table.fields[14], { expression: 'Amount * 2', readOnly: true })
    t.match(table.fields[15], { via: table.ids.Team, field: people.ids.Age, fn: 'sum' })

    const made = await makeRecord(table, { ...written, Logo: { val: image } })
    const values = valuesIn(made, table.ids)
    t.match(values, {
      ...written,
      'Owner age': { val: 40 },
      Twice: { val: 2469 },
      Ages: { val: 70 },
      Logo: { type: 'image/png', size: Number },
    })
    t.same(values.Owner, { val: kim }, 'without a label')
    for (const name of ['Created', 'Updated']) t.match(values[name].val, /^\d{4}-.*T.*Z$/)
    t.match(valuesIn(made, table.ids, 'stringValue'), {
      Amount: '1,234.5',
      Done: 'Yes',
      Tags: ['b', 'a'],
      Day: '03/01/2026',
      Fee: '€9.50',
      Owner: 'Kim',
      Team: ['Ana', 'Kim'],
      'Owner age': '40',
      Twice: '2,469',
      Ages: '70',
      Logo: values.Logo.val,
    })

    const writable = made.fields.filter(({ fieldId }: Json) =>
      table.fields.some(({ id, readOnly }) => id === fieldId && !readOnly),
    )
    const fields = writable.map(({ fieldId, value }: Json) => ({ fieldId, value }))
    const again = await send(updateRecord, { record: made.id, fields })
    t.equal(again.code, null, 'what was read can be written back')
    t.same(valuesIn(again.value, table.ids).Owner, { val: kim })
  })

  t.test('values that cannot be written', async (t) => {
    const { id: record } = await makeRecord(table, {})
    const wrong: [name: string, value: unknown, code: string][] = [
      ['Owner age', { val: 1 }, 'bad-input'],
      ['Created', { val: '2026-01-01' }, 'bad-input'],
      ['Twice', { val: 1 }, 'bad-input'],
      ['Ages', { val: 1 }, 'bad-input'],
      ['Amount', { val: '1' }, 'bad-input'],
      ['State', { val: 'Lost' }, 'bad-input'],
      ['Owner', { val: [kim] }, 'bad-input'],
      ['Team', { val: Array(5000).fill(kim) }, 'bad-input'],
    ]
    const name = { fieldId: table.ids.Name, value: { val: 'Changed' } }
    for (const [field, value, code] of wrong) {
      const fields = [name, { fieldId: table.ids[field], value }]
      const { status, body } = await send(updateRecord, { record, fields })
      t.equal(status, 200)
      t.equal(body.errors?.[0]?.extensions.code, code, field)
      t.match(body.errors?.[0]?.extensions.place, /^fields\[1\]/, field)
    }
    const { value } = await send(readRecord, { record })
    t.equal(valuesIn(value, table.ids).Name, null, 'nothing is half written')
    for (const separator of [' ', '']) {
      const fields = [{ fieldId: table.ids.Owner, value: { val: kim.replace('|', separator) } }]
      const done = await send(updateRecord, { record, fields })
      t.same(valuesIn(done.value, table.ids).Owner, { val: kim })
    }
  })

  t.test('fields that cannot be made', async (t) => {
    const wrong: [field: Json, place: string][] = [
      [{ name: 'x', type: 'string' }, 'fields[1].type'],
      [{ name: '', type: 'Number' }, 'fields[1].name'],
      [{ name: 'x', type: 'Dropdown' }, 'fields[1].choices'],
      [{ name: 'x', type: 'Reference' }, 'fields[1].table'],
      [{ name: 'x', type: 'Reference', table: `${world.sales}|tblx` }, 'fields[1].table'],
      [{ name: 'x', type: 'Lookup', via: 'Nothing', field: 'Name' }, 'fields[1].via'],
      [{ name: 'x', type: 'Formula', expression: 'Name *' }, 'fields[1].expression'],
      [{ name: 'x', type: 'Number', table: people.id }, 'fields[1].table'],
      [{ name: 'x', type: 'Number', via: 'Name' }, 'fields[1].via'],
      [{ name: 'x', type: 'Dropdown', choices: ['a'], fn: 'sum' }, 'fields[1].fn'],
      [{ name: 'x', type: 'Created At', expression: '1' }, 'fields[1].expression'],
      [{ name: 'x', type: 'Formula', expression: '('.repeat(9000) }, 'fields[1].expression'],
    ]
    for (const [field, place] of wrong) {
      const { status, body } = await send(createTable, {
        workspace: world.sales,
        fields: [text, field],
      })
      t.equal(status, 200)
      t.equal(body.errors?.[0]?.extensions.place, place)
      t.ok(body.errors?.[0]?.message.startsWith(`${place}: `))
    }
  })

  t.test('values that are looked up are filtered by the type of their field', async (t) => {
    const groups = await makeTable(world.sales, [
      text,
      { name: 'All', type: 'Reference Multiple', table: people.id },
      { name: 'Ages', type: 'Lookup', via: 'All', field: 'Age' },
    ])
    for (const ids of [[kim], [kim, ana], null]) await makeRecord(groups, { All: { val: ids } })
    const find = (operator: string, value: unknown) => {
      const conditions = [condition(groups.ids.Ages, operator, input(value))]
      return send(connection, { table: groups.id, filter: { conditions } })
    }
    for (const [operator, value, found] of [
      ['has-any-of', [40, 7], 2],
      ['has-any-of', ['40'], 0],
      ['has-any-of', [], 0],
      ['has-all-of', [30, 40], 1],
      ['has-none-of', [30], 2],
      ['is', [40], 1],
      ['is', [30, 40], 1],
    ] as const)
      t.equal((await find(operator, value)).value?.totalCount, found, `${operator} ${value}`)
    const { body } = await find('is', [{}])
    t.equal(body.errors[0].extensions.place, 'filter.conditions[0].right.value')
  })

  t.test('choices of a dropdown are replaced', async (t) => {
    const change = `mutation ($table: ID!, $field: ID!, $choices: [String!]!) {
      updateFieldChoices(tableId: $table, fieldId: $field, choices: $choices) {
        fields { id choices }
      }
    }`
    const variables = { table: table.id, field: table.ids.State, choices: ['Open', 'Won', 'Lost'] }
    const { value } = await send(change, variables)
    const { choices } = value.fields.find(({ id }: Json) => id === table.ids.State)
    t.same(choices, variables.choices)
    await makeRecord(table, { State: { val: 'Lost' } })
    for (const bad of [{ field: table.ids.Name }, { choices: [] }]) {
      const { body } = await send(change, { ...variables, ...bad })
      t.equal(body.errors[0].extensions.place, 'choices')
    }
  })
})
