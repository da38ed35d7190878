/**
 * The current interface of the data API: every operation, with every kind of token, in every place.
 */
import { randomBytes } from 'node:crypto'
import { ask, type Question, startDataApi } from '../../support/data-api.ts'
import type { Json } from '../../support/latchkey.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { registerResourceServer } from '../../support/resource-server.ts'
import { currentPermissions, installedApp, type MakeToken, selfSigner } from './tokens.ts'

/** The tables and rows that operations use, all in one workspace. */
interface Ids {
  workspace: string
  table: string
  field: string
  dropdown: string
  record: string
}

const byId = (query: string) => (ids: Ids) => ({ query, variables: { ...ids } })

const operations: [name: string, needed: string | null, question: (ids: Ids) => Question][] = [
  [
    'tables',
    null,
    ({ workspace }) => ({
      query: 'query ($workspace: ID!) { tables(workspaceId: $workspace) { id name } }',
      variables: { workspace },
    }),
  ],
  ['table', null, byId('query ($table: ID!) { table(tableId: $table) { id fields { id } } }')],
  ['record', null, byId('query ($record: ID!) { record(recordId: $record) { id } }')],
  ['views', null, byId('query ($table: ID!) { views(tableId: $table) { id name } }')],
  [
    'templates',
    'documents:read',
    byId('query ($table: ID!) { templates(tableId: $table) { path } }'),
  ],
  [
    'documents',
    'documents:read',
    byId('query ($record: ID!) { documents(recordId: $record) { content } }'),
  ],
  [
    'updateFieldChoices',
    'table:modify',
    byId(`mutation ($table: ID!, $dropdown: ID!) {
      updateFieldChoices(tableId: $table, fieldId: $dropdown, choices: ["To do", "Done"]) { id }
    }`),
  ],
  [
    'recordsConnection',
    null,
    ({ table }) => ({
      query: 'query ($table: ID!) { recordsConnection(tableId: $table) { edges { node { id } } } }',
      variables: { table },
    }),
  ],
  [
    'workspaceMembers',
    'workspace_members:read',
    ({ workspace }) => ({
      query: 'query ($id: ID!) { workspaceMembers(workspaceId: $id) { id name email } }',
      variables: { id: workspace },
    }),
  ],
  [
    'createRecord',
    'records:create',
    ({ table, field }) => ({
      query: `mutation ($table: ID!, $fields: [FieldValueInput!]!) {
        createRecord(tableId: $table, fields: $fields) { id }
      }`,
      variables: { table, fields: [{ fieldId: field, value: { val: 'New' } }] },
    }),
  ],
  [
    'updateRecord',
    'records:update',
    ({ record, field }) => ({
      query: `mutation ($record: ID!, $fields: [FieldValueInput!]!) {
        updateRecord(recordId: $record, fields: $fields) { id fields { value } }
      }`,
      variables: { record, fields: [{ fieldId: field, value: { val: 'Changed' } }] },
    }),
  ],
  [
    'deleteRecord',
    'records:delete',
    ({ record }) => ({
      query: 'mutation ($record: ID!) { deleteRecord(recordId: $record) }',
      variables: { record },
    }),
  ],
  [
    'createTable',
    'table:create',
    ({ workspace }) => ({
      query: `mutation ($id: ID!) {
        createTable(workspaceId: $id, name: "Made", fields: [{name: "Name", type: "Single-line Text"}]) {
          id
        }
      }`,
      variables: { id: workspace },
    }),
  ],
]

await onEachBackend('each operation of the current interface', async (t, scene) => {
  const { running, world } = scene
  const api = await startDataApi(t, scene, await registerResourceServer(running))
  const { make: acme } = await selfSigner(scene, world.acme)
  const { make: other } = await selfSigner(scene, world.other)
  const { user, machine } = await installedApp(scene)
  const makers: [string, MakeToken][] = [
    ['a user token', user],
    ['an install token', machine],
    ['a self-signed token', acme],
  ]

  /** The contents of a workspace, with one new record, as its organization sees them. */
  const idsIn = async (workspace: string, owner: MakeToken): Promise<Ids> => {
    const token = await owner(currentPermissions)
    const query = `{ tables(workspaceId: "${workspace}") { id fields { id type } } }`
    const { value } = await ask(api, { query }, token)
    const [{ id: table, fields }] = value
    const { id: dropdown } = fields.find(({ type }: Json) => type === 'Dropdown')
    const create = `mutation { createRecord(tableId: "${table}", fields: []) { id } }`
    const { id: record } = (await ask(api, { query: create }, token)).value
    return { workspace, table, field: fields[0].id, dropdown, record }
  }
  const unknown = (): Ids => {
    const random = () => randomBytes(12).toString('hex')
    const workspace = `wks${random()}`
    const id = (prefix: string) => `${workspace}|${prefix}${random()}`
    return {
      workspace,
      table: id('tbl'),
      field: id('fld'),
      dropdown: id('fld'),
      record: id('rec'),
    }
  }

  for (const [kind, make] of makers) {
    t.test(`every operation works with ${kind}`, async (t) => {
      const token = await make(currentPermissions, [world.sales])
      for (const [name, needed, question] of operations) {
        const here = await idsIn(world.sales, acme)
        if (needed) {
          const rest = currentPermissions.filter((one) => one !== needed)
          const refused = await ask(api, question(here), await make(rest, [world.sales]))
          t.equal(refused.status, 403, `${name}: status`)
          t.equal(refused.code, 'insufficient_scope', `${name} without ${needed}`)
          t.match(refused.headers.get('www-authenticate'), `scope="${needed}"`, name)
        }

        const answers = []
        for (const there of [
          unknown(),
          await idsIn(world.support, acme),
          await idsIn(world.foreignWorkspace, other),
          { ...here, table: 'nonsense', record: 'nonsense', workspace: 'nonsense' },
        ])
          answers.push(await ask(api, question(there), token))
        const [first] = answers
        t.equal(first?.code, 'not-found', `${name}: unknown`)
        t.equal(first?.status, 200, name)
        for (const answer of answers)
          t.same(answer.body, first?.body, `${name}: out of reach is like unknown`)

        const done = await ask(api, question(here), token)
        t.equal(done.code, null, `${name}: with everything it takes`)
        t.ok(done.value, name)
      }

      const { value: reached } = await ask(api, { query: '{ workspaces { id } }' }, token)
      t.same(reached, [{ id: world.sales }], 'workspaces that the token reaches')
      const { value: all } = await ask(
        api,
        { query: '{ workspaces { id } }' },
        await make(currentPermissions),
      )
      t.equal(
        all.length,
        kind === 'a user token' ? 2 : 3,
        'a user token reaches the user’s workspaces',
      )
    })
  }

  t.test('an empty workspace list reaches none, a missing list reaches all', async (t) => {
    const query = '{ workspaces { id } }'
    t.same((await ask(api, { query }, await acme([], []))).value, [])
    t.equal((await ask(api, { query }, await acme([]))).value.length, 3)
  })

  t.test('permissions for the whole organization', async (t) => {
    const operations = {
      'teams:read': '{ teams { name members { name } } }',
      'rootTable:create':
        'mutation { createRootTable(name: "Prices", fields: [{name: "Name", type: "Number"}]) { id } }',
    }
    for (const [kind, make] of makers)
      for (const [permission, query] of Object.entries(operations)) {
        const rest = currentPermissions.filter((one) => one !== permission)
        t.equal((await ask(api, { query }, await make(rest))).code, 'insufficient_scope', kind)
        const done = await ask(api, { query }, await make([permission]))
        t.equal(done.code, null, `${permission}: ${kind}`)
        t.ok(done.value)
      }
    const { value } = await ask(api, { query: '{ organization { id name } }' }, await acme([]))
    t.same(value, { id: world.acme, name: 'Acme' })
  })

  t.test('a private view is shown to its user only', async (t) => {
    const { table } = await idsIn(world.sales, acme)
    const query = 'query ($table: ID!) { views(tableId: $table) { name private filter } }'
    const viewsOf = async (make: MakeToken) =>
      (await ask(api, { query, variables: { table } }, await make([]))).value
    const names = async (make: MakeToken) => (await viewsOf(make)).map(({ name }: Json) => name)
    for (const [kind, make] of makers) t.same(await names(make), ['Open'], kind)
    const { user: kim } = await installedApp(scene, 'kim')
    t.same(await names(kim), ['Mine', 'Open'])

    const [{ filter }] = await viewsOf(acme)
    const connection = `query ($table: ID!, $filter: JSON) {
      recordsConnection(tableId: $table, filter: $filter) { totalCount }
    }`
    const found = await ask(
      api,
      { query: connection, variables: { table, filter } },
      await acme([]),
    )
    t.ok(found.value.totalCount > 0, 'its filter can be used as it is')
  })

  t.test('a field of another table or workspace is unknown', async (t) => {
    const [here, there] = [await idsIn(world.sales, acme), await idsIn(world.support, acme)]
    const token = await acme(currentPermissions)
    const [, , createRecord] = operations.find(([name]) => name === 'createRecord') ?? []
    const posing = `${here.workspace}|${there.field.split('|')[1]}`
    for (const field of [there.field, posing]) {
      const { code } = await ask(api, createRecord!({ ...here, field }), token)
      t.equal(code, 'not-found')
    }
  })
})
