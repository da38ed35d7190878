/** References of the current interface and what is computed: lookups, rollups and times. */
import { startDataApi } from '../../support/data-api.ts'
import type { Json } from '../../support/latchkey.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { registerResourceServer } from '../../support/resource-server.ts'
import {
  condition,
  connection,
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

const personFields = [
  text,
  { name: 'Notes', type: 'Multi-line Text' },
  { name: 'Age', type: 'Number' },
  { name: 'Fee', type: 'Currency' },
  { name: 'Born', type: 'Date' },
  { name: 'Done', type: 'Yes/No' },
  { name: 'State', type: 'Dropdown', choices: ['Open', 'Won'] },
  { name: 'Tags', type: 'Dropdown Multiple', choices: ['a', 'b'] },
  { name: 'Logo', type: 'Attachment' },
  { name: 'Twice', type: 'Formula', expression: 'Age * 2' },
  { name: 'Made', type: 'Created At' },
]
const collected = personFields.map(({ name }) => name)

const dealFields = (people: string) => [
  text,
  { name: 'Who', type: 'Reference', table: people },
  { name: 'All', type: 'Reference Multiple', table: people },
  ...collected.map((field) => ({ name: `Its ${field}`, type: 'Lookup', via: 'Who', field })),
  ...collected.map((field) => ({ name: `Their ${field}`, type: 'Lookup', via: 'All', field })),
  { name: 'Count', type: 'Rollup', via: 'All', fn: 'count' },
  ...['sum', 'average', 'min', 'max'].flatMap((fn) => [
    { name: `${fn} of ages`, type: 'Rollup', via: 'All', field: 'Age', fn },
    { name: `${fn} of fees`, type: 'Rollup', via: 'All', field: 'Fee', fn },
  ]),
  { name: 'First', type: 'Rollup', via: 'All', field: 'Born', fn: 'min' },
  { name: 'Last', type: 'Rollup', via: 'All', field: 'Born', fn: 'max' },
  { name: 'Created', type: 'Created At' },
  { name: 'Updated', type: 'Updated At' },
]

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

await onEachBackend('what the current interface computes', async (t, scene) => {
  const { running, world } = scene
  const api = await startDataApi(t, scene, await registerResourceServer(running))
  const { make } = await selfSigner(scene, world.acme)
  const client = currentClient(t, api, await make(currentPermissions))
  const people = await client.makeTable(world.sales, personFields)
  const values = {
    ...{ Name: { val: 'Kim' }, Notes: { val: 'a\nb' }, Age: { val: 40 } },
    ...{ Fee: { val: 9.5, currency: 'EUR' }, Born: { val: '2000-02-29' }, Done: { val: false } },
    ...{ State: { val: 'Won' }, Tags: { val: ['b', 'a'] }, Logo: { val: image } },
  }
  const kimRecord = await client.makeRecord(people, values)
  const kim: string = kimRecord.id
  const person = async (Name: string, more: Json = {}): Promise<string> =>
    (await client.makeRecord(people, { Name: { val: Name }, ...more })).id
  const ana = await person('Ana', { Age: { val: 25 }, Born: { val: '1990-01-01' } })
  const nobody = await person('')
  const deals = await client.makeTable(world.sales, dealFields(people.id))
  const deal = (Who: unknown, All: unknown) =>
    client.makeRecord(deals, { Who: { val: Who }, All: { val: All } })
  const valuesOf = (record: Json) => client.valuesIn(deals, record)
  const textsOf = (record: Json) => client.valuesIn(deals, record, 'stringValue')
  const read = (record: string) => client.done(readRecord, { record })

  t.test('references keep their order and show labels', async (t) => {
    const made = await deal(ana, [kim, nobody, ana])
    t.match(valuesOf(made), { Who: { val: ana }, All: { val: [kim, nobody, ana] } })
    t.match(textsOf(made), { Who: 'Ana', All: ['Kim', '', 'Ana'] })
    const twice = await deal(ana, [kim, kim, ana])
    t.same(valuesOf(twice).All, { val: [kim, ana] }, 'each once')
    const empty = await deal(null, [])
    t.match(valuesOf(empty), { Who: { val: null }, All: { val: null } })
    t.match(textsOf(empty), { Who: null, All: null })
    t.match(valuesOf(await client.makeRecord(deals, {})), { Who: null, All: null })
  })

  t.test('a record id with a space or without a separator is accepted', async (t) => {
    const { id } = await deal(null, null)
    for (const separator of ['|', ' ', '']) {
      const [one, other] = [kim, ana].map((record) => record.replace('|', separator))
      const changed = await client.change(deals, id, {
        Who: { val: one },
        All: { val: [other, one] },
      })
      t.match(valuesOf(changed), { Who: { val: kim }, All: { val: [ana, kim] } }, separator)
      const conditions = [
        condition(deals.ids.Who, 'is', input(one)),
        condition(deals.ids.All, 'is', input([other, one])),
      ]
      const filter = { conditions, logicalOperator: 'and' }
      const { edges } = await client.done(connection, { table: deals.id, filter })
      t.same(
        edges.map(({ node }: Json) => node.id),
        [id],
      )
      t.equal((await read(id.replace('|', separator))).id, id, 'also to read a record')
    }
    await client.done(deleteRecord, { record: id.replace('|', ' ') })
  })

  t.test('ids that name no record of the table', async (t) => {
    const { id } = await deal(kim, [kim])
    const [workspace, own = ''] = kim.split('|')
    const wrong = [
      own,
      ` ${own}`,
      `|${own}`,
      `${workspace}||${own}`,
      `${workspace}  ${own}`,
      `${workspace}-${own}`,
      `${world.support}|${own}`,
      `${workspace}|${own.slice(0, -1)}`,
      `${workspace}|${own}0`,
      `${workspace}|${own.toUpperCase()}`,
      `${workspace}|rec${'0'.repeat(36)}`,
      id,
      people.id,
      'x',
      '__proto__',
      '\0',
    ]
    for (const record of wrong)
      for (const value of [{ Who: { val: record } }, { All: { val: [kim, record] } }]) {
        const fields = client.colsOf(deals, value)
        const { status, body } = await client.send(updateRecord, { record: id, fields })
        t.equal(status, 200)
        t.equal(body.errors?.[0].extensions.place, 'fields[0].value.val', record)
      }
    for (const value of [5, true, {}, [kim], { val: kim }, [[kim]], [null]]) {
      const fields = client.colsOf(deals, { Who: { val: value } })
      const { body } = await client.send(updateRecord, { record: id, fields })
      t.match(body.errors, [{ extensions: { place: 'fields[0].value.val' } }], String(value))
    }
    t.match(valuesOf(await read(id)), { Who: { val: kim }, All: { val: [kim] } })
  })

  t.test('lookups have the values of the records, and their string value', async (t) => {
    const source = client.valuesIn(people, kimRecord)
    const made = await deal(kim, [kim, ana])
    const [found, shown] = [valuesOf(made), textsOf(made)]
    for (const name of collected) {
      t.same(found[`Its ${name}`], source[name], name)
      const { val } = source[name]
      const same = Array.isArray(val) ? val : String(val)
      t.same(shown[`Its ${name}`], same, `${name}: the same as the value`)
    }
    t.match(found['Its Logo'], { type: 'image/png', size: 8 })
    t.match(found, {
      'Their Name': { val: ['Kim', 'Ana'] },
      'Their Age': { val: [40, 25] },
      'Their Twice': { val: [80, 50] },
      'Their Notes': { val: ['a\nb'] },
      'Their Born': { val: ['2000-02-29T00:00:00.000Z', '1990-01-01T00:00:00.000Z'] },
    })
    t.same(shown['Their Age'], ['40', '25'])
    await client.change(people, ana, { Age: { val: 26 } })
    t.same(valuesOf(await read(made.id))['Their Age'], { val: [40, 26] }, 'as they are now')
    await client.change(people, ana, { Age: { val: 25 } })
  })

  t.test('rollups', async (t) => {
    const made = await deal(null, [kim, ana, nobody])
    const ages = { sum: 65, average: 32.5, min: 25, max: 40 }
    const found = valuesOf(made)
    t.same(found.Count, { val: 3 })
    for (const [fn, val] of Object.entries(ages)) {
      t.same(found[`${fn} of ages`], { val }, fn)
      t.same(found[`${fn} of fees`], { val: 9.5 }, fn)
    }
    t.same(found.First, { val: '1990-01-01T00:00:00.000Z' })
    t.match(textsOf(made), { Last: '02/29/2000', 'average of ages': '32.5', Count: '3' })
    const empty = valuesOf(await deal(null, []))
    t.match(empty, { Count: { val: 0 }, 'sum of ages': { val: null }, First: { val: null } })
    const wrong: [field: Json, place: string][] = [
      [{ via: 'All', field: 'Name', fn: 'sum' }, 'field'],
      [{ via: 'All', field: 'Born', fn: 'sum' }, 'field'],
      [{ via: 'All', field: 'Missing', fn: 'sum' }, 'field'],
      [{ via: 'All', fn: 'sum' }, 'field'],
      [{ via: 'All', field: 'Age', fn: 'median' }, 'fn'],
      [{ via: 'All', field: 'Age', fn: '__proto__' }, 'fn'],
      [{ via: 'All', field: 'Age' }, 'fn'],
      [{ via: 'Name', field: 'Age', fn: 'sum' }, 'via'],
      [{ via: 'Later', field: 'Age', fn: 'sum' }, 'via'],
      [{ field: 'Age', fn: 'sum' }, 'via'],
    ]
    const all = { name: 'All', type: 'Reference Multiple', table: people.id }
    for (const [field, place] of wrong) {
      const fields = [text, all, { name: 'x', type: 'Rollup', ...field }, { ...all, name: 'Later' }]
      const { body } = await client.send(createTable, { workspace: world.sales, name: 'x', fields })
      t.equal(body.errors?.[0].extensions.place, `fields[2].${place}`, JSON.stringify(field))
    }
  })

  t.test('a deleted record leaves values empty, required ones too', async (t) => {
    const gone = await person('Gone', { Age: { val: 1 } })
    const must = { name: 'Must', type: 'Reference', table: people.id, required: true }
    const strict = await client.makeTable(world.sales, [text, must])
    const needed = await client.makeRecord(strict, { Must: { val: gone } })
    const made = await deal(gone, [gone, kim])
    await client.done(deleteRecord, { record: gone })
    const left = await read(made.id)
    t.match(valuesOf(left), { Who: { val: null }, All: { val: [kim] }, 'Their Age': { val: [40] } })
    t.match(valuesOf(left), { Count: { val: 1 }, 'Its Age': null })
    t.same(client.valuesIn(strict, await read(needed.id)).Must, { val: null })
  })

  t.test('the times of creation and of the last update', async (t) => {
    const made = await deal(null, null)
    const { Created, Updated } = valuesOf(made)
    for (const { val } of [Created, Updated]) t.match(val, isoTime)
    t.match(textsOf(made).Created, /^\d\d\/\d\d\/\d{4}, \d\d:\d\d [AP]M$/)
    const changed = valuesOf(await client.change(deals, made.id, { Name: { val: 'x' } }))
    t.same(changed.Created, Created)
    t.ok(changed.Updated.val > Updated.val)

    const find = async (name: string, operator: string, value: unknown) => {
      const one = condition(deals.ids[name], operator, input(value))
      const filter = { conditions: [one] }
      const { edges } = await client.done(connection, { table: deals.id, filter })
      return edges.some(({ node }: Json) => node.id === made.id) as boolean
    }
    const time = changed.Updated.val
    t.ok(await find('Created', 'on', Created.val))
    t.ok(await find('Updated', 'after', Updated.val), 'to the millisecond')
    t.notOk(await find('Created', 'after', changed.Updated.val))
    t.ok(await find('Updated', 'between', { val1: time, val2: new Date(Date.parse(time) + 1) }))
    t.notOk(await find('Updated', 'before', Created.val))
    const sort = [{ fieldId: deals.ids.Updated, direction: 'DESC' }]
    const { edges } = await client.done(connection, { table: deals.id, sort, first: 1 })
    t.equal(edges[0].node.id, made.id)
  })
})
