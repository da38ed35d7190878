/** Hostile documents, values and names at the legacy interface: refused by name, bounded before they run. */
import { parse } from 'graphql'
import type { Json } from '../../support/latchkey.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { legacyClient } from './legacy-interface.ts'

const text = (val: unknown) => ({ val })
const most = 50
const times = <One>(count: number, one: (at: number) => One): One[] =>
  Array.from({ length: count }, (_, at) => one(at))

await onEachBackend('hostile input at the legacy interface', async (t, scene) => {
  const client = await legacyClient(t, scene)
  const { send, insert, update, data, database } = client
  const customers = await database('Customers')
  const count = `count(databaseId: "${customers.id}")`

  /** The answer to a body that is sent as it is. */
  const post = async (body: string) => {
    const response = await fetch(`${client.api.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    const answer = (await response.json()) as Json
    return { status: response.status, answer, shown: JSON.stringify(answer) }
  }

  await t.test('fragments and aliases do not exceed the bound of operations', async (t) => {
    const aliased = (number: number, at = 0) => times(number, (one) => `a${at}_${one}: ${count}`)
    const refused: [name: string, query: string][] = [
      ['aliases', `{ ${aliased(most + 1).join(' ')} }`],
      ['a fragment', `{ ...f } fragment f on Query { ${aliased(most + 1).join(' ')} }`],
      [
        'inline fragments',
        `{ ${aliased(most + 1)
          .map((one) => `... { ${one} }`)
          .join(' ')} }`,
      ],
      ['a cycle', '{ ...a } fragment a on Query { ...b } fragment b on Query { ...a }'],
      ['a fragment in itself', '{ ...a } fragment a on Query { ...a }'],
    ]
    for (const [name, query] of refused)
      for (const round of ['first', 'again']) {
        const { status, body, code } = await send(query)
        t.equal(status, 400, `${name}, ${round}: ${code}`)
        t.equal(body.data, null)
      }
    const once: [name: string, query: string][] = [
      [
        'spread 40 times',
        `{ ${times(40, () => '...f').join(' ')} } fragment f on Query { a: ${count} }`,
      ],
      [
        'that double each other',
        `{ ...f0 } ${times(60, (at) => `fragment f${at} on Query { ...f${at + 1} ...f${at + 1} }`).join(' ')}
         fragment f60 on Query { a: ${count} }`,
      ],
    ]
    for (const [name, query] of once) {
      const { body } = await send(query)
      t.same(Object.keys(body.data), ['a'], `fragments ${name} run their field once`)
    }
  })

  await t.test('a parsed document is no query', async (t) => {
    const document = JSON.parse(JSON.stringify(parse(`{ ${count} }`)))
    const faked = { ...document, loc: { start: 0, end: 5 } }
    for (const one of [
      document,
      faked,
      {},
      { kind: 'Document' },
      { definitions: null },
      null,
      [],
      5,
    ]) {
      const { status, body } = await send(JSON.stringify(one))
      t.equal(status, 400, JSON.stringify(one).slice(0, 50))
      t.equal(body.data, null)
      t.notMatch(JSON.stringify(body), /internal|Cannot read/)
    }
  })

  await t.test('an array of operations has one bound', async (t) => {
    const query = `{ ${times(20, (at) => `a${at}: ${count}`).join(' ')} }`
    const credential = client.credential
    const body = JSON.stringify(times(20, () => ({ query, variables: credential })))
    for (const round of ['first', 'again']) {
      const { answer } = await post(body)
      const done = answer.filter((one: Json) => !one.errors).length
      t.equal(done, 2, `${round}: 40 operations are done, the rest refused`)
      t.match(answer.at(-1).errors[0].message, /at most 50 operations/)
    }
    t.equal((await post(JSON.stringify(times(100, () => ({ query: '{ a }' }))))).status, 400)
  })

  await t.test('50 pages of one document are answered', async (t) => {
    const page = (at: number) =>
      `a${at}: data(databaseId: "${customers.id}") { _id cols { value } }`
    const { body } = await send(`{ ${times(most, page).join(' ')} }`)
    t.equal(Object.keys(body.data).length, most)
    t.notOk(body.errors)
  })

  await t.test('values that no field can hold name their place', async (t) => {
    const row = await insert(customers, { Name: text('Kept') })
    const cases: [name: string, value: Json][] = [
      ['Name', { val: 5 }],
      ['Name', { val: {} }],
      ['Name', { val: ['x'] }],
      ['Name', 'x'],
      ['Name', []],
      ['Name', {}],
      ['Name', { val: 'a\u0000b' }],
      ['Name', { val: '\ud800' }],
      ['Name', { val: 'x'.repeat(2_000_000) }],
      ['Employees', { val: '5' }],
      ['Employees', { val: 'NaN' }],
      ['Employees', { val: true }],
      ['Employees', { val: [1] }],
      ['Status', { val: 'constructor' }],
      ['Status', { val: '__proto__' }],
    ]
    for (const [name, value] of cases) {
      const { status, body } = await update(customers, row, { [name]: value })
      const shown = JSON.stringify(value).slice(0, 40)
      t.ok(status < 500, `${name} ${shown}: ${status}`)
      t.match(body.errors?.[0].extensions?.place, /^cols\[0\]\.value/, `${name} ${shown}`)
    }
    const variables = `{"id": "${customers.id}", "row": "${row._id}", "cols": [{"fieldId": "${customers.field('Employees')}", "value": {"val": 1e400}}], "secretKey": "${(client.credential as Json).secretKey}"}`
    const query = JSON.stringify(
      'mutation ($id: ID!, $row: ID!, $cols: [ColInput!]!) { update(databaseId: $id, rowId: $row, cols: $cols) { _id } }',
    )
    const { status, answer } = await post(`{"query": ${query}, "variables": ${variables}}`)
    t.ok(status < 500)
    t.match(answer.errors[0].extensions.place, /^cols\[0\]\.value/, '1e400')
    const { value } = await data(customers, { in: [row._id] })
    t.same(value, [row], 'nothing was written')
  })

  await t.test('columns that are given twice or have no field are refused by place', async (t) => {
    const id = customers.field('Name')
    const insertion = (fieldIds: string[]) =>
      send(
        'mutation ($id: ID!, $cols: [ColInput!]!) { insert(databaseId: $id, cols: $cols) { _id } }',
        { id: customers.id, cols: fieldIds.map((fieldId) => ({ fieldId, value: text('x') })) },
      )
    const cases: [fieldIds: string[], place: string][] = [
      [[id, id], 'cols[1]'],
      [[id, '__proto__'], 'cols[1]'],
      [['constructor'], 'cols[0]'],
      [['toString'], 'cols[0]'],
      [['a\u0000b'], 'cols[0]'],
      [[''], 'cols[0]'],
      [times(5000, () => id), 'cols'],
    ]
    for (const [fieldIds, place] of cases) {
      const { status, body } = await insertion(fieldIds)
      t.ok(status < 500)
      t.match(body.errors?.[0].extensions?.place, place, JSON.stringify(fieldIds).slice(0, 60))
    }
  })

  await t.test('names of the prototype are unknown fields', async (t) => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      const keyed = (value: Json) =>
        JSON.parse(`{${JSON.stringify(name)}: ${JSON.stringify(value)}}`)
      const cases: [options: Json, place: string][] = [
        [{ filter: keyed({ by: 'is', value: 'x' }) }, `filter.${name}`],
        [
          { filter: { [customers.field('Name')]: { by: name, value: 'x' } } },
          `filter.${customers.field('Name')}.by`,
        ],
        [{ sort: keyed(1) }, `sort.${name}`],
        [{ fields: [name] }, 'fields[0]'],
      ]
      for (const [options, place] of cases) {
        const { status, body } = await data(customers, options)
        // As a key, this one makes the whole body invalid.
        const isKey = name === '__proto__' && place.endsWith(name)
        t.equal(status, isKey ? 400 : 200)
        if (!isKey) t.equal(body.errors?.[0].extensions.place, place, JSON.stringify(options))
      }
      const inText = `{ data(databaseId: "${customers.id}", filter: {${name}: {by: "is", value: "x"}}) { _id } }`
      t.equal((await send(inText)).body.errors?.[0].extensions.place, `filter.${name}`)
    }
  })

  await t.test('text that Postgres cannot store is only not found', async (t) => {
    for (const wrong of ['a\u0000b', '\ud800', "'; drop table", '%', 'x'.repeat(50_000)]) {
      const options: Json[] = [
        { in: [wrong] },
        { search: wrong },
        { filter: { [customers.field('Name')]: { by: 'contains', value: wrong } } },
        { filter: { [customers.field('Status')]: { values: [wrong] } } },
      ]
      for (const one of options) {
        const { status, body, value } = await data(customers, one)
        t.ok(status < 500, `${status}`)
        if (body.errors) t.match(body.errors[0].extensions.code, 'bad-input')
        else t.same(value, [])
      }
    }
  })

  await t.test('a body that is no operation is refused', async (t) => {
    const bodies = [
      '',
      '{',
      'null',
      '5',
      '"x"',
      '{}',
      '[null]',
      '[5]',
      '[[]]',
      '{"query": null}',
      '{"query": {}}',
      '{"query": "{ databases { _id } }", "variables": []}',
      '{"query": "{ databases { _id } }", "variables": "x"}',
      '{"query": "{ databases { _id } }", "__proto__": {}}',
      '{"query": "{ databases { _id } }", "variables": {"__proto__": {}}}',
      '{"query": "{ databases { _id } }", "variables": {"secretKey": {"a": 1}}}',
      '{"query": "{ databases { _id } }", "operationName": "__proto__"}',
      '{"query": "{ databases { _id } }", "extensions": {"persistedQuery": {"sha256Hash": "x"}}}',
    ]
    for (const body of bodies) {
      const { status, shown } = await post(body)
      t.ok(status < 500, `${body}: ${status}`)
      t.match(shown, /"errors"|"message"|"error"/, body)
      t.notMatch(shown, /internal|\.(ts|js):\d/, body)
    }
  })
})
