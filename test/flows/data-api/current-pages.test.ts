/** Pages of the current interface: their bounds, cursors and order, and hostile input. */
import { startDataApi } from '../../support/data-api.ts'
import type { Json } from '../../support/latchkey.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { registerResourceServer } from '../../support/resource-server.ts'
import {
  condition,
  connection,
  currentClient,
  deleteRecord,
  input,
  text,
} from './current-client.ts'
import { currentPermissions, selfSigner } from './tokens.ts'

const count = 105

await onEachBackend('pages of the current interface', async (t, scene) => {
  const { running, world } = scene
  const api = await startDataApi(t, scene, await registerResourceServer(running))
  const token = await (await selfSigner(scene, world.acme)).make(currentPermissions)
  const client = currentClient(t, api, token)
  const people = await client.makeTable(world.sales, [text])
  const table = await client.makeTable(world.sales, [
    text,
    { name: 'Group', type: 'Number' },
    { name: 'Who', type: 'Reference', table: people.id },
    { name: 'Its name', type: 'Lookup', via: 'Who', field: 'Name' },
    { name: 'Label', type: 'Formula', expression: 'concat(Name, Group)' },
    { name: 'Created', type: 'Created At' },
    { name: 'Updated', type: 'Updated At' },
    { name: 'Logo', type: 'Attachment' },
  ])
  const { id: kim } = await client.makeRecord(people, { Name: { val: 'Kim' } })
  const valuesAt = (at: number) =>
    client.colsOf(table, {
      Name: { val: `n${count - at}` },
      Group: { val: at % 3 },
      ...(at % 2 === 0 && { Who: { val: kim } }),
    })
  /** Mutations of one document run one after the other. */
  const insertMany = (from: number, many: number) => {
    const each = Array.from({ length: many }, (_, at) => at)
    const declared = each.map((at) => `$f${at}: [FieldValueInput!]!`)
    const fields = each.map((at) => `r${at}: createRecord(tableId: $table, fields: $f${at}) { id }`)
    const query = `mutation ($table: ID!, ${declared.join(' ')}) { ${fields.join(' ')} }`
    const values = Object.fromEntries(each.map((at) => [`f${at}`, valuesAt(from + at)]))
    return client.send(query, { table: table.id, ...values })
  }
  /** In the order of insertion. */
  const ids: string[] = []
  for (let from = 0; from < count; from += 35) {
    const { data } = (await insertMany(from, 35)).body
    ids.push(...Object.values<Json>(data).map(({ id }) => id as string))
  }

  const page = (variables: Json): Promise<Json> =>
    client.done(connection, { table: table.id, ...variables })
  const idsIn = ({ edges }: Json): string[] => edges.map(({ node }: Json) => node.id)
  const placeOf = async (variables: Json) => {
    const { status, body } = await client.send(connection, { table: table.id, ...variables })
    t.equal(status, 200)
    return body.errors?.[0].extensions.place
  }
  const by = (name: string, direction?: string) => [
    { fieldId: table.ids[name], ...(direction && { direction }) },
  ]

  t.test('at most 100 records at once', async (t) => {
    for (const [first, size] of [
      [undefined, 100],
      [null, 100],
      [0, 0],
      [1, 1],
      [100, 100],
      [101, 100],
      [2_147_483_647, 100],
    ] as const) {
      const found = await page({ first })
      t.same(idsIn(found), ids.slice(0, size), `first ${first}`)
      t.equal(found.totalCount, count, 'of all pages')
      t.match(found.pageInfo, { hasNextPage: true, hasPreviousPage: false })
    }
    t.equal(await placeOf({ first: -1 }), 'first')
    for (const first of [2 ** 31, 1.5, '1', 'x', {}])
      t.equal((await client.send(connection, { table: table.id, first })).status, 400)
    const last = await page({
      filter: { conditions: [condition(table.ids.Group, 'is', input(0))] },
    })
    t.same(
      idsIn(last),
      ids.filter((_, at) => at % 3 === 0),
    )
    t.match(last.pageInfo, { hasNextPage: false })
    t.equal(last.totalCount, 35)
  })

  t.test('pages hold each record once, in every order', async (t) => {
    const orders = [
      undefined,
      ...Object.keys(table.ids).map((name) => by(name)),
      by('Group', 'DESC'),
    ]
    for (const sort of orders) {
      const found: string[] = []
      let after: string | null = null
      do {
        const next: Json = await page({ sort, first: 40, after })
        found.push(...idsIn(next))
        t.equal(next.pageInfo.hasPreviousPage, after !== null)
        t.equal(next.pageInfo.startCursor, next.edges[0].cursor)
        after = next.pageInfo.hasNextPage ? next.pageInfo.endCursor : null
      } while (after !== null)
      t.equal(found.length, count)
      t.same([...found].sort(), [...ids].sort(), JSON.stringify(sort))
    }
    const groups = (await page({ sort: by('Group') })).edges.map(({ node }: Json) =>
      ids.indexOf(node.id),
    )
    const expected = [0, 1, 2].flatMap((group) =>
      ids.flatMap((_, at) => (at % 3 === group ? [at] : [])),
    )
    t.same(groups, expected.slice(0, 100), 'equal ones in the order of their insertion')
    const two = [...by('Group', 'DESC'), ...by('Name')]
    const [top] = (await page({ sort: two, first: 1 })).edges
    t.match(client.valuesIn(table, top.node), { Group: { val: 2 }, Name: { val: 'n1' } })
  })

  t.test('a cursor stays valid when its record changes or is deleted', async (t) => {
    const { pageInfo } = await page({ first: 10 })
    await client.change(table, ids[9] as string, { Name: { val: 'changed' } })
    t.same(idsIn(await page({ first: 2, after: pageInfo.endCursor })), ids.slice(10, 12))
    await client.done(deleteRecord, { record: ids[9] })
    t.same(idsIn(await page({ first: 2, after: pageInfo.endCursor })), ids.slice(10, 12))
    t.equal(pageInfo.endCursor, ids[9]?.split('|')[1], 'it tells nothing about other records')
  })

  t.test('hostile cursors', async (t) => {
    const foreign = kim.split('|')[1]
    const wrong = ['', ' ', 'x', '0', '-1', '1e9', 'sorted:', 'sorted:-1', 'sorted:1.5', 'sorted:x']
    const odd = [
      'null',
      '\0',
      '\ud800',
      '__proto__',
      "' or true --",
      'x'.repeat(100_000),
      ids[0],
      foreign,
    ]
    for (const after of [...wrong, ...odd, 'sorted:1', `rec${'0'.repeat(36)}`])
      t.equal(await placeOf({ after }), 'after', after?.slice(0, 50))
    const own = ids[0]?.split('|')[1]
    for (const after of [...wrong, ...odd, own, 'sorted:99999999', 'sorted:9999999'])
      t.equal(await placeOf({ after, sort: by('Name') }), 'after', after?.slice(0, 50))
    for (const after of ['sorted:1000000', 'sorted:0000500'])
      t.same(idsIn(await page({ after, sort: by('Name') })), [])
    const unknown = `${own?.slice(0, -8)}00000000`
    t.same(idsIn(await page({ after: unknown })), [], 'a record that does not exist')
  })

  t.test('an order that cannot be', async (t) => {
    const cases: [sort: Json[], place: string][] = [
      [[{ fieldId: 'x' }], 'sort[0].fieldId'],
      [[...by('Name'), { fieldId: people.ids.Name }], 'sort[1].fieldId'],
      [[{ fieldId: table.ids.Name?.replace(world.sales, world.support) }], 'sort[0].fieldId'],
      [[{ fieldId: '' }], 'sort[0].fieldId'],
      [[{ fieldId: `${world.sales}|__proto__` }], 'sort[0].fieldId'],
      [Array(6).fill(by('Name')[0]), 'sort'],
    ]
    for (const [sort, place] of cases) t.equal(await placeOf({ sort }), place)
    for (const sort of [[{ fieldId: table.ids.Name, direction: 'asc' }], [{}], 'x', [null]])
      t.equal((await client.send(connection, { table: table.id, sort })).status, 400)
  })

  t.test('hostile filters are refused before they run', async (t) => {
    const { Name } = table.ids
    const good = condition(Name, 'is', input('x'))
    const group = (length: number) => ({
      conditionGroup: Array(length).fill(good),
      logicalOperator: 'or',
    })
    const nested = (depth: number): Json =>
      depth === 0 ? good : { conditionGroup: [nested(depth - 1)], logicalOperator: 'or' }
    const cases: [filter: unknown, place: string][] = [
      [[], 'filter'],
      [5, 'filter'],
      [true, 'filter'],
      [{ conditions: 'x' }, 'filter.conditions'],
      [{ conditions: null }, 'filter.conditions'],
      [{ conditions: [good], constructor: 1 }, 'filter.constructor'],
      [{ conditions: [good], ['x'.repeat(9000)]: 1 }, `filter.${'x'.repeat(50)}`],
      [{ conditions: Array(50_000).fill(good), logicalOperator: 'or' }, 'filter.conditions'],
      [
        { conditions: [group(50), group(50)], logicalOperator: 'or' },
        'filter.conditions[1].conditionGroup',
      ],
      [{ conditions: [nested(8)] }, 'filter.conditions[0].conditionGroup[0].conditionGroup'],
      [{ conditions: [nested(2000)] }, 'filter.conditions[0].conditionGroup[0].conditionGroup'],
      [
        { conditions: [condition(`${Name}.${Name}.${Name}`, 'is', input('x'))] },
        'filter.conditions[0].left.value',
      ],
      [
        { conditions: [condition('.'.repeat(1e6), 'is', input('x'))] },
        'filter.conditions[0].left.value',
      ],
      [{ conditions: [condition([Name], 'is', input('x'))] }, 'filter.conditions[0].left.value'],
      [
        { conditions: [condition(Name, 'is', input('x'.repeat(1e6)))] },
        'filter.conditions[0].right.value',
      ],
    ]
    for (const [filter, place] of cases) t.equal(await placeOf({ filter }), place)

    const [dots] = (
      await client.send(connection, {
        table: table.id,
        filter: { conditions: [condition(`${table.ids.Who}.x.y`, 'is', input('x'))] },
      })
    ).body.errors
    t.match(dots, { message: /one dot at most/, extensions: { code: 'bad-input' } })

    const polluted = `{"query": ${JSON.stringify(connection)}, "variables": {"table": "${table.id}",
      "filter": {"__proto__": {"conditions": []}, "conditions": []}}}`
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const sent = { method: 'POST', headers, body: polluted }
    t.equal((await fetch(`${api.url}/graphql`, sent)).status, 400)

    const inline = (filter: string) =>
      client.send(`{ recordsConnection(tableId: "${table.id}", filter: ${filter}) { totalCount } }`)
    const literal = `{conditions: [{left: {type: "field", value: "${Name}"},
      comparison: {operator: "is"}, right: {type: "input", value: "n105"}}]}`
    t.equal((await inline(literal)).value.totalCount, 1, 'a filter in the text of the query')
    t.equal((await inline('{__proto__: {}, conditions: []}')).code, 'bad-input')
    t.equal((await inline(`${'['.repeat(1500)}${']'.repeat(400)}`)).status, 400)
  })
})
