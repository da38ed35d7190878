/** What a request to the legacy interface costs is bounded before it runs. */
import type { Json } from '../../support/latchkey.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { legacyClient } from './legacy-interface.ts'

await onEachBackend('costs of a request to the legacy interface', async (t, scene) => {
  const client = await legacyClient(t, scene)
  const { send, run, database } = client
  const contracts = await database('Contracts')

  await t.test('what a request costs is bounded before it runs', async (t) => {
    const aliases = (count: number, one: string) =>
      `{ ${Array.from({ length: count }, (_, at) => `a${at}: ${one}`).join(' ')} }`
    const counting = `count(databaseId: "${contracts.id}")`
    t.equal((await send(aliases(50, counting))).code, null)
    const cases: [name: string, query: string, variables?: Json][] = [
      ['aliases', aliases(51, counting)],
      ['many aliases', aliases(1000, counting)],
      [
        'a cycle of fragments',
        '{ ...a } fragment a on Query { ...b } fragment b on Query { ...a }',
      ],
      [
        '50,000 values',
        'query ($filter: JSON) { data(databaseId: "x", filter: $filter) { _id } }',
        { filter: { x: { values: Array(50_000).fill('v') } } },
      ],
      [
        'a deep list',
        `{ data(databaseId: "x", filter: ${'['.repeat(400)}${']'.repeat(400)}) { _id } }`,
      ],
      ['a large number', `{ data(databaseId: "${contracts.id}", limit: 99999999999) { _id } }`],
      ['a long id', `{ database(databaseId: "${'x'.repeat(50_000)}") { _id } }`],
      ['NUL', 'query ($id: ID!) { database(databaseId: $id) { _id } }', { id: 'a\u0000b' }],
      [
        'half a character',
        'query ($id: ID!) { database(databaseId: $id) { _id } }',
        { id: '\ud800' },
      ],
      ['a huge skip', `{ data(databaseId: "${contracts.id}", skip: 2000000000) { _id } }`],
    ]
    for (const [name, query, variables] of cases) {
      const { status, body } = await send(query, variables)
      t.ok(body.errors?.length > 0, `${name} is refused`)
      t.ok(status < 500, `${name}: ${status}`)
      t.notMatch(JSON.stringify(body), /internal/, name)
    }
    const fragments = `{ ${Array.from({ length: 10 }, (_, at) => `...f${at}`).join(' ')} } ${Array.from({ length: 10 }, (_, at) => `fragment f${at} on Query { a${at}: ${counting} b${at}: ${counting} }`).join(' ')}`
    t.equal((await send(fragments)).code, null, 'what is within the bound works')
    for (const body of [
      '[]',
      '"x"',
      '{"query": 5}',
      '{"query": "{"}',
      '[{"query": "{"}]',
      `[${Array(21).fill('{"query": "{ databases { _id } }"}')}]`,
    ]) {
      const response = await fetch(`${client.api.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
      t.ok(response.status < 500, `${body.slice(0, 30)}: ${response.status}`)
    }
  })

  await t.test('the values of a row are bounded together', async (t) => {
    for (let at = 0; at < 10; at++)
      await run(
        'mutation ($id: ID!, $field: FieldInput!) { addField(databaseId: $id, field: $field) { _id } }',
        { id: contracts.id, field: { name: `Long ${at}`, type: 'textBlock' } },
      )
    const { cols } = await database('Contracts')
    const long = { val: 'x'.repeat(100_000) }
    const values = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`Long ${at}`, long]))
    const { body } = await send(
      'mutation ($id: ID!, $cols: [ColInput!]!) { insert(databaseId: $id, cols: $cols) { _id } }',
      { id: contracts.id, cols: cols(values) },
    )
    t.match(body.errors, [{ message: /at most 1000000/, extensions: { code: 'bad-input' } }])
  })
})
