/** Subscriptions of the legacy interface (specification §6). */
import { eventually } from '../../support/eventually.ts'
import type { Json } from '../../support/latchkey.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { legacyClient } from './legacy-interface.ts'
import { begun, connect, rowsChanged } from './legacy-socket.ts'
import { legacyApp } from './tokens.ts'

const databaseUpdated = `subscription ($id: ID!) {
  databaseUpdated(databaseId: $id) { _id name description color fields { name restrict } }
}`
const soon = 2000

await onEachBackend('subscriptions of the legacy interface', async (t, scene) => {
  const { running, world } = scene
  const client = await legacyClient(t, scene)
  const { run, insert, update, database, credential } = client
  const customers = await database('Customers')

  await t.test('rows that are changed and deleted, with an undeclared credential', async (t) => {
    const { subscribe, data } = await connect(t, client)
    subscribe('1', rowsChanged, { id: customers.id, ...credential })
    await begun(client, () => data('1').length, customers)
    const rowIn = (row: Json) =>
      data('1')
        .flatMap(({ rowsChanged }) => rowsChanged)
        .filter(({ _id }: Json) => _id === row._id)
    const row = await insert(customers, { Name: { val: 'New' } })
    const begin = performance.now()
    await eventually(() => rowIn(row).length === 1)
    await update(customers, row, { Name: { val: 'Changed' } })
    await eventually(() => rowIn(row).length === 2)
    t.equal(customers.of(rowIn(row)[1], 'Name').val, 'Changed')
    await run('mutation ($id: ID!, $row: ID!) { delete(databaseId: $id, rowId: $row) }', {
      id: customers.id,
      row: row._id,
    })
    await eventually(() => rowIn(row).length === 3)
    t.same(rowIn(row)[2], { _id: row._id, cols: [] }, 'a deletion')
    t.ok(performance.now() - begin < 3 * soon)
  })

  await t.test('name, description, color and fields of a database', async (t) => {
    const { subscribe, data } = await connect(t, client)
    const visits = await database('Visits')
    subscribe('1', databaseUpdated, { id: visits.id, ...credential })
    const last = () => data('1').at(-1)?.databaseUpdated
    const change = `mutation ($id: ID!, $name: String, $description: String, $color: String) {
      updateDatabase(databaseId: $id, name: $name, description: $description, color: $color) { _id }
    }`
    while (!last()) {
      await run(change, { id: visits.id, color: '#000000' })
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    for (const [name, value] of [
      ['name', 'Calls'],
      ['description', 'By phone.'],
      ['color', '#abcdef'],
    ] as const) {
      await run(change, { id: visits.id, [name]: value })
      await eventually(() => last()[name] === value)
    }
    await run(
      'mutation ($id: ID!, $field: ID!) { updateField(databaseId: $id, fieldId: $field, name: "When") { _id } }',
      { id: visits.id, field: visits.field('Day') },
    )
    await eventually(() => last().fields[0].name === 'When')
    const before = data('1').length
    await insert(visits, {})
    await insert(customers, {})
    await run(change, { id: visits.id, color: '#000001' })
    await eventually(() => last().color === '#000001')
    t.equal(data('1').length, before + 1, 'rows are no change of the database')
  })

  await t.test('a ping renews the credential without a reconnect', async (t) => {
    const { app, user } = await legacyApp(scene)
    const old = await user(['readData'])
    const { subscribe, send, of, data } = await connect(t, client)
    subscribe('1', rowsChanged, { id: customers.id, ...old })
    await begun(client, () => data('1').length, customers)
    send({ type: 'ping', payload: credential })
    await running.operator('DELETE', `/organizations/${world.acme}/installs/${app.client_id}`)
    const told = data('1').length
    await new Promise((resolve) => setTimeout(resolve, soon))
    await insert(customers, {})
    await eventually(() => data('1').length > told)
    t.notOk(
      of('1').some(({ type }) => type === 'error'),
      'the old token has ended',
    )
    send({ type: 'ping', payload: { secretKey: 'nonsense' } })
    await eventually(() => JSON.stringify(of('1')).includes('token-invalid'))
  })

  await t.test('a subscription ends when its permission is taken from the app', async (t) => {
    const { app, user } = await legacyApp(scene)
    const { subscribe, of, data } = await connect(t, client)
    subscribe('1', rowsChanged, { id: customers.id, ...(await user(['readData', 'insertData'])) })
    await begun(client, () => data('1').length, customers)
    const path = `/organizations/${world.acme}/installs/${app.client_id}`
    await running.operator('PATCH', path, { permissions: ['insertData'] })
    await eventually(() => of('1').some(({ type }) => type === 'error'))
    t.match(of('1').at(-1), { payload: [{ extensions: { code: 'insufficient_scope' } }] })
    const told = data('1').length
    await insert(customers, {})
    await new Promise((resolve) => setTimeout(resolve, 200))
    t.equal(data('1').length, told)
  })
})
