/** Root tables, views and documents of the current interface, and the places of wrong input. */
import { startDataApi } from '../../support/data-api.ts'
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
import { currentPermissions, installedApp, type MakeToken, selfSigner } from './tokens.ts'

const readViews = 'query ($table: ID!) { views(tableId: $table) { id name private filter sort } }'
const readTemplates = 'query ($table: ID!) { templates(tableId: $table) { id path name } }'
const readDocuments = 'query ($record: ID!) { documents(recordId: $record) { path name content } }'
const readTable = 'query ($table: ID!) { table(tableId: $table) { id } }'
const createRootTable = `mutation ($fields: [TableFieldInput!]!) {
  createRootTable(name: "Root", fields: $fields) {
    id workspaceId fields { id name type choices }
  }
}`
const changeChoices = `mutation ($table: ID!, $field: ID!, $choices: [String!]!) {
  updateFieldChoices(tableId: $table, fieldId: $field, choices: $choices) { fields { id choices } }
}`

await onEachBackend('places of the current interface', async (t, scene) => {
  const { running, world } = scene
  const api = await startDataApi(t, scene, await registerResourceServer(running))
  const { make } = await selfSigner(scene, world.acme)
  const { user: ana, machine } = await installedApp(scene)
  const { user: kim } = await installedApp(scene, 'kim')
  const clientOf = async (by: MakeToken, permissions: string[], workspaces?: string[]) =>
    currentClient(t, api, await by(permissions, workspaces))
  const whole = await clientOf(make, currentPermissions)
  const state = { name: 'State', type: 'Dropdown', choices: ['Open', 'Won'] }
  const must = { name: 'Must', type: 'Number', required: true }

  t.test('a table of the organization is for tokens that reach all workspaces', async (t) => {
    const made = await whole.done(createRootTable, { fields: [text, state] })
    t.match(made, { id: new RegExp(`^${world.acme}\\|tbl`), workspaceId: null })
    const root = whole.madeOf(made)
    const record = (await whole.makeRecord(root, { Name: { val: 'x' } })).id
    t.match(record, new RegExp(`^${world.acme}\\|rec`))

    const { Name = '', State = '' } = root.ids
    const random = (id: string) => id.replace(/.{8}$/, '00000000')
    const fields = [{ fieldId: Name, value: { val: 'y' } }]
    const questions = (table: string, record: string): [query: string, variables: Json][] => [
      [readTable, { table }],
      [connection, { table }],
      [readViews, { table }],
      [readTemplates, { table }],
      [readRecord, { record }],
      [readDocuments, { record }],
      [createRecord, { table, fields }],
      [updateRecord, { record, fields }],
      [deleteRecord, { record }],
      [changeChoices, { table, field: State, choices: ['Open'] }],
    ]
    const all = [world.sales, world.support, world.finance]
    const narrowed = await Promise.all([
      clientOf(make, currentPermissions, all.slice(1)),
      clientOf(make, currentPermissions, []),
      clientOf(machine, currentPermissions, all.slice(0, 1)),
      clientOf(ana, currentPermissions),
    ])
    for (const client of narrowed)
      for (const [at, [query, variables]] of questions(root.id, record).entries()) {
        const { code, body } = await client.send(query, variables)
        t.equal(code, 'not-found', query)
        const [, unknown] = questions(random(root.id), random(record))[at] ?? []
        t.same(body, (await client.send(query, unknown)).body, query)
        t.same(await client.done('{ tables { id } }'), [])
      }
    const named = [
      await clientOf(make, currentPermissions, all),
      await clientOf(machine, [...currentPermissions], all),
    ]
    for (const client of [whole, ...named])
      for (const [query, variables] of questions(root.id, record).slice(0, -2))
        t.ok(await client.done(query, variables), query)
  })

  t.test('a private view is shown to its user, never to an install token', async (t) => {
    const tables = await whole.done('query ($id: ID!) { tables(workspaceId: $id) { id } }', {
      id: world.sales,
    })
    const table = tables[0].id
    const names = async (by: MakeToken, permissions: string[] = []) =>
      (await (await clientOf(by, permissions, [world.sales])).done(readViews, { table })).map(
        ({ name, private: own }: Json) => (own ? `${name}, private` : name),
      )
    t.same(await names(kim), ['Mine, private', 'Open'])
    for (const by of [machine, make, ana]) t.same(await names(by, currentPermissions), ['Open'])
  })

  t.test('documents and teams are behind their permissions', async (t) => {
    const tables = await whole.done('query ($id: ID!) { tables(workspaceId: $id) { id } }', {
      id: world.sales,
    })
    const found = await Promise.all(
      tables.map(({ id }: Json) => whole.done(readTemplates, { table: id })),
    )
    const [table] = tables.filter((_: Json, at: number) => found[at].length > 0)
    t.ok(table, 'a sample has templates')
    const { edges } = await whole.done(connection, { table: table.id })
    const documents = (
      await Promise.all(
        edges.map(({ node }: Json) => whole.done(readDocuments, { record: node.id })),
      )
    ).flat()
    t.ok(documents.length > 0)
    for (const { path, name, content } of documents) {
      t.equal(path.split(' > ').at(-1), name)
      t.type(content, 'string')
    }
    const teams = await whole.done('{ teams { id name members { id name email } } }')
    t.same(teams[0].members.map(({ id }: Json) => id).sort(), [world.ana.id, world.kim.id].sort())
    const none = await clientOf(make, ['records:create'])
    for (const [query, variables, permission] of [
      ['{ teams { id } }', {}, 'teams:read'],
      [readTemplates, { table: table.id }, 'documents:read'],
      [readDocuments, { record: edges[0].node.id }, 'documents:read'],
    ] as const) {
      const refused = await none.send(query, variables)
      t.match([refused.status, refused.code], [403, 'insufficient_scope'])
      t.match(refused.headers.get('www-authenticate'), `scope="${permission}"`)
    }
  })

  t.test('a wrong write names its place', async (t) => {
    const table = await whole.makeTable(world.sales, [text, state, must])
    const { id: record } = await whole.makeRecord(table, {})
    const other = await whole.makeTable(world.support, [text])
    const { Name = '', State = '', Must = '' } = table.ids
    const good = { fieldId: Name, value: { val: 'x' } }
    const cases: [bad: Json, place: string, code?: string][] = [
      [{ fieldId: 'x', value: { val: 1 } }, 'fields[1].fieldId', 'not-found'],
      [{ fieldId: other.ids.Name, value: { val: 1 } }, 'fields[1].fieldId', 'not-found'],
      [{ fieldId: '__proto__', value: { val: 1 } }, 'fields[1].fieldId', 'not-found'],
      [good, 'fields[1].fieldId'],
      [{ fieldId: Must, value: 5 }, 'fields[1].value'],
      [{ fieldId: Must, value: {} }, 'fields[1].value'],
      [{ fieldId: Must, value: [] }, 'fields[1].value'],
      [{ fieldId: Must, value: { val: null } }, 'fields[1].value'],
      [{ fieldId: Must, value: { val: '' } }, 'fields[1].value'],
      [{ fieldId: Must, value: { val: 'x' } }, 'fields[1].value.val'],
      [{ fieldId: State, value: { val: 'Lost' } }, 'fields[1].value.val'],
      [{ fieldId: State, value: { val: ['Open'] } }, 'fields[1].value.val'],
    ]
    for (const [bad, place, code = 'bad-input'] of cases)
      for (const [query, more] of [
        [createRecord, { table: table.id }],
        [updateRecord, { record }],
      ] as const) {
        const { status, body } = await whole.send(query, { ...more, fields: [good, bad] })
        t.equal(status, 200)
        t.match(body.errors, [{ message: `${place}: `, extensions: { code, place } }])
        if (bad.fieldId === State) t.same(body.errors[0].extensions.allowed, ['Open', 'Won'])
      }
    const many = Array(5000).fill(good)
    const crowded = await whole.send(updateRecord, { record, fields: many })
    t.equal(crowded.body.errors[0].extensions.place, 'fields')
    const { edges, totalCount } = await whole.done(connection, { table: table.id })
    t.equal(totalCount, 1, 'nothing was written')
    t.same(whole.valuesIn(table, edges[0].node), { Name: null, State: null, Must: null })
  })

  t.test('a table that cannot be made names its place', async (t) => {
    const { body } = await whole.send(createTable, {
      ...{ workspace: world.sales, name: 'x', fields: [{ name: 'x', type: 'Reference' }] },
    })
    t.equal(body.errors[0].extensions.place, 'fields[0].table')
    const cases: [variables: Json, place: string | undefined][] = [
      [{ name: '' }, 'name'],
      [{ name: 'x'.repeat(201) }, 'name'],
      [{ name: 'a\0b' }, 'name'],
      [{ fields: Array(101).fill(text) }, 'fields'],
      [{ fields: Array(50_000).fill(text) }, 'fields'],
      [{ fields: [text, { name: 'x', type: 'Nothing' }] }, 'fields[1].type'],
      [{ fields: [text, { name: 'x', type: '__proto__' }] }, 'fields[1].type'],
      [{ fields: [text, { ...state, choices: [] }] }, 'fields[1].choices'],
      [
        {
          fields: [
            text,
            {
              ...state,
              choices: Array(1001)
                .fill('x')
                .map((x, at) => x + at),
            },
          ],
        },
        'fields[1].choices',
      ],
      [{ fields: [text, { ...text, choices: ['x'] }] }, 'fields[1].choices'],
      [
        { fields: [text, { name: 'x', type: 'Lookup', via: 'Name', field: 'Name' }] },
        'fields[1].via',
      ],
    ]
    for (const [variables, place] of cases)
      for (const [query, more] of [
        [createTable, { workspace: world.sales, name: 'x', fields: [text] }],
        [createRootTable, {}],
      ] as const) {
        if (query === createRootTable && variables.name !== undefined) continue
        const { status, body } = await whole.send(query, { ...more, ...variables })
        t.equal(status, 200)
        t.equal(body.errors?.[0].extensions.place, place)
        t.ok(body.errors?.[0].message.startsWith(`${place}: `))
      }
    const types = (
      await whole.send(createTable, {
        ...{ workspace: world.sales, name: 'x', fields: [{ name: 'x', type: 'Nothing' }] },
      })
    ).body.errors[0].extensions.allowed
    t.equal(types.length, 16, 'all types are listed')
  })

  t.test('the choices of a dropdown are replaced', async (t) => {
    const table = await whole.makeTable(world.sales, [text, state])
    await whole.makeRecord(table, { Name: { val: 'x' }, State: { val: 'Won' } })
    const choices = ['Won', 'Lost']
    const changed = await whole.done(changeChoices, {
      ...{ table: table.id, field: table.ids.State, choices },
    })
    t.same(changed.fields[1].choices, choices)
    const filter = { conditions: [condition(table.ids.State, 'has-any-of', input(['Won']))] }
    t.equal((await whole.done(connection, { table: table.id, filter })).totalCount, 1)
    const many = Array.from({ length: 1001 }, (_, at) => String(at))
    for (const choices of [[], [''], ['x'.repeat(101)], ['a\0b'], many]) {
      const variables = { table: table.id, field: table.ids.State, choices }
      const { status, body } = await whole.send(changeChoices, variables)
      t.equal(status, 200)
      t.equal(body.errors?.[0].extensions.place, 'choices')
    }
  })
})
