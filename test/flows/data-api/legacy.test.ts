/**
 * The legacy interface of the data API: every operation, with both kinds of credential, and several
 * in one request.
 */
import { ask, codeOf, type Question, startDataApi } from '../../support/data-api.ts'
import type { Json } from '../../support/latchkey.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { registerResourceServer } from '../../support/resource-server.ts'
import {
  type Credential,
  legacyApp,
  legacyKeys,
  legacyPermissions,
  type MakeCredential,
  selfSigner,
} from './tokens.ts'

interface Ids {
  database: string
  field: string
  row: string
}

const byId = (query: string) => (ids: Ids) => ({ query, variables: { ...ids } })
const cols = 'cols: [{fieldId: $field, value: {val: "Written"}}]'

const operations: [name: string, needed: string[], question: (ids: Ids) => Question][] = [
  ['databases', ['readData'], () => ({ query: '{ databases { _id name fields { _id } } }' })],
  [
    'database',
    ['readData'],
    byId('query ($database: ID!) { database(databaseId: $database) { _id } }'),
  ],
  [
    'data',
    ['readData'],
    byId('query ($database: ID!) { data(databaseId: $database) { _id cols { fieldId value } } }'),
  ],
  ['count', ['readData'], byId('query ($database: ID!) { count(databaseId: $database) }')],
  ['members', ['readMembers'], () => ({ query: '{ members { _id name email role } }' })],
  [
    'insert',
    ['insertData'],
    byId(
      `mutation ($database: ID!, $field: ID!) { insert(databaseId: $database, ${cols}) { _id } }`,
    ),
  ],
  [
    'update',
    ['updateData'],
    byId(`mutation ($database: ID!, $field: ID!, $row: ID!) {
      update(databaseId: $database, rowId: $row, ${cols}) { _id }
    }`),
  ],
  [
    'insertOrUpdate',
    ['insertData', 'updateData'],
    ({ database, field }) => ({
      query: `mutation ($database: ID!, $field: ID!, $value: JSON) {
        insertOrUpdate(
          databaseId: $database, matchFields: [$field], cols: [{fieldId: $field, value: $value}]
        ) { _id }
      }`,
      variables: { database, field, value: { val: `once ${Math.random()}` } },
    }),
  ],
  [
    'delete',
    ['deleteData'],
    byId('mutation ($database: ID!, $row: ID!) { delete(databaseId: $database, rowId: $row) }'),
  ],
  [
    'addField',
    ['addFields'],
    byId(`mutation ($database: ID!) {
      addField(databaseId: $database, field: {name: "More", type: "number"}) { fields { name } }
    }`),
  ],
]

const withCredential = ({ query, variables }: Question, credential: Credential): Question => ({
  query,
  variables: { ...variables, ...credential },
})

await onEachBackend('each operation of the legacy interface', async (t, scene) => {
  const { running, world } = scene
  const api = await startDataApi(t, scene, await registerResourceServer(running))
  const acmeKeys = legacyKeys(scene, world.acme)
  const [acme, other] = [
    await acmeKeys(legacyPermissions),
    await legacyKeys(scene, world.other)(legacyPermissions),
  ]
  const { user } = await legacyApp(scene)
  const with_ = (question: Question, credential: Credential) =>
    ask(api, withCredential(question, credential))

  const idsOf = async (owner: Credential): Promise<Ids> => {
    const [one] = (await with_({ query: '{ databases { _id fields { _id } } }' }, owner)).value
    const query = `mutation { insert(databaseId: "${one._id}", cols: []) { _id } }`
    const { _id: row } = (await with_({ query }, owner)).value
    return { database: one._id, field: one.fields[0]._id, row }
  }

  const kinds: [string, MakeCredential][] = [
    ['a secret key', acmeKeys],
    ['an access token', user],
  ]
  for (const [kind, make] of kinds) {
    t.test(`every operation works with ${kind}`, async (t) => {
      const everything = await make(legacyPermissions)
      for (const [name, needed, question] of operations) {
        const here = await idsOf(acme)
        for (const permission of needed) {
          const rest = legacyPermissions.filter((one) => one !== permission)
          const refused = await with_(question(here), await make(rest))
          t.equal(refused.code, 'insufficient_scope', `${name} without ${permission}`)
          t.equal(refused.status, 200)
        }
        const done = await with_(question(here), everything)
        t.equal(done.code, null, `${name}: with everything it takes`)
        t.ok(done.value !== null, name)
      }
    })
  }

  t.test('another organization can neither see nor change the data', async (t) => {
    const mine = await idsOf(acme)
    const theirs = { query: `query ($database: ID!) { count(databaseId: $database) }` }
    const before = await with_({ ...theirs, variables: { ...mine } }, acme)
    for (const [name, , question] of operations) {
      if (Object.keys(question(mine).variables ?? {}).length === 0) continue
      const foreign = await with_(question(mine), other)
      const unknown = await with_(question({ database: 'x', field: 'y', row: 'z' }), other)
      t.equal(foreign.code, 'not-found', name)
      t.same(foreign.body, unknown.body, `${name}: foreign is like unknown`)
    }
    t.equal((await with_({ ...theirs, variables: { ...mine } }, acme)).value, before.value)
    const { value } = await with_({ query: '{ members { _id } }' }, other)
    t.same(value, [{ _id: world.zoe.id }])
    const named = `{ databases(organizationId: "${world.acme}") { _id } }`
    t.equal((await with_({ query: named }, other)).code, 'not-found')
    t.equal((await with_({ query: named }, acme)).code, null)
  })

  t.test('a row belongs to one database', async (t) => {
    const { row, field } = await idsOf(acme)
    const { make } = await selfSigner(scene, world.acme)
    const tables = `{ tables(workspaceId: "${world.sales}") { id } }`
    const [table] = (await ask(api, { query: tables }, await make([]))).value
    for (const database of [table.id, table.id.split('|')[1]]) {
      const others = operations.filter(([name]) => ['update', 'delete'].includes(name))
      for (const [, , question] of others)
        t.equal((await with_(question({ database, row, field }), acme)).code, 'not-found')
    }
  })

  t.test('every invalid credential gets token-invalid', async (t) => {
    const { make } = await selfSigner(scene, world.acme)
    const query = '{ databases { _id } }'
    const { accessToken } = (await user(['readData'])) as { accessToken: string }
    const wrong: [string, Record<string, unknown> | undefined][] = [
      ['none', undefined],
      ['nothing in it', { secretKey: null }],
      ['not text', { secretKey: 5 }],
      ['nonsense', { secretKey: 'nonsense' }],
      ['damaged', { accessToken: `${accessToken}x` }],
      ['both', { ...acme, accessToken }],
      ['of the other interface', { accessToken: await make([]) }],
    ]
    for (const [name, variables] of wrong) {
      const refused = await ask(api, { query, ...(variables && { variables }) })
      t.equal(refused.code, 'token-invalid', name)
      t.equal(refused.body.errors[0].message, 'token-invalid', name)
      t.equal(refused.status, 200, name)
    }
    const header = await ask(api, { query }, accessToken)
    t.equal(header.code, 'token-invalid', 'the token is read from a variable only')
    const inline = `{ databases(accessToken: "${accessToken}") { _id } }`
    t.equal((await ask(api, { query: inline })).code, 'token-invalid', 'not from the query text')
    const declared =
      'query ($accessToken: String!) { databases(accessToken: $accessToken) { _id } }'
    t.equal((await ask(api, { query: declared, variables: { accessToken } })).code, null)
  })

  t.test('several operations in one request use their own credentials', async (t) => {
    const query = '{ databases { _id } }'
    const reader = await user(['readData'])
    const { make } = await selfSigner(scene, world.acme)
    const questions: Question[] = [
      withCredential({ query }, acme),
      withCredential({ query }, other),
      { query, variables: { secretKey: 'nonsense' } },
      { query },
      withCredential({ query }, reader),
      withCredential({ query: '{ members { _id } }' }, reader),
      { query: '{ workspaces { id } }', variables: { ...acme } },
      { query: '{ nothing }' },
    ]
    const { status, body } = await ask(api, questions, await make([]))
    t.equal(status, 200)
    const [mine, theirs] = [await idsOf(acme), await idsOf(other)]
    t.same(
      body.map((one: Json) => codeOf(one) ?? Object.keys(one.data)[0]),
      [
        'databases',
        'databases',
        'token-invalid',
        'token-invalid',
        'databases',
        'insufficient_scope',
        'workspaces',
        'Cannot query field "nothing" on type "Query".',
      ],
    )
    for (const [at, { database }] of [
      [0, mine],
      [1, theirs],
      [4, mine],
    ] as const)
      t.equal(body[at].data.databases[0]._id, database)
    t.same((await ask(api, [questions[0]!])).body[0].data.databases[0]._id, mine.database)
    t.same((await ask(api, [])).body, [])
    t.equal((await ask(api, Array(21).fill(questions[0]))).status, 400, 'within the limit')
  })

  t.test('a secret is refused in the URL', async (t) => {
    const variables = JSON.stringify(acme)
    const parameters = new URLSearchParams({ query: '{ databases { _id } }', variables })
    t.equal((await fetch(`${api.url}/graphql?${parameters}`)).status, 405)
  })
})
