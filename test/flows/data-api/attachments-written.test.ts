/** Attachments through the API: bodies of their size, writes that fail, other organizations. */
import { readdir } from 'node:fs/promises'
import { ask, startDataApi } from '../../support/data-api.ts'
import { png } from '../../support/images.ts'
import type { Json } from '../../support/latchkey.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { registerResourceServer } from '../../support/resource-server.ts'
import { other, temporary } from './files.ts'
import { currentPermissions, legacyKeys, legacyPermissions, selfSigner } from './tokens.ts'

const mostBytes = 10_000_000
const image = png.toString('base64')
const large = (bytes: number) => Buffer.concat([png, Buffer.alloc(bytes)]).subarray(0, bytes)

await onEachBackend('attachments through the API', async (t, scene) => {
  const { running, world } = scene
  const server = await registerResourceServer(running)
  const storage = await temporary(t)
  const attachments = { allowPrivate: true, storage }
  const api = await startDataApi(t, scene, server, {}, { attachments })
  const second = await startDataApi(t, scene, server, {}, { attachments })
  const token = await (await selfSigner(scene, world.acme)).make(currentPermissions)
  const foreign = await (await selfSigner(scene, world.other)).make(currentPermissions)
  const send = (query: string, variables: Json, by = token, at = api) =>
    ask(at, { query, variables }, by)
  const filesOf = async (run: () => Promise<unknown>) => {
    const before = await readdir(storage)
    await run()
    return (await readdir(storage)).length - before.length
  }

  const text = { name: 'Name', type: 'Single-line Text' }
  const makeTable = async (workspace: string, fields: Json[], by = token) => {
    const query = `mutation ($workspace: ID!, $fields: [TableFieldInput!]!) {
      createTable(workspaceId: $workspace, name: "Files", fields: $fields) { id fields { id } }
    }`
    const { body, value } = await send(query, { workspace, fields }, by)
    t.same(body.errors, undefined)
    return { id: value.id as string, ids: value.fields.map(({ id }: Json) => id) as string[] }
  }
  const people = await makeTable(world.sales, [text])
  const logos = [
    { name: 'Logo', type: 'Attachment' },
    { name: 'Scan', type: 'Attachment' },
  ]
  const table = await makeTable(world.sales, [
    text,
    ...logos,
    { name: 'Owner', type: 'Reference', table: people.id },
    { name: 'Must', type: 'Attachment', required: true },
  ])
  const theirs = await makeTable(world.foreignWorkspace, [text, ...logos], foreign)

  const create = `mutation ($table: ID!, $fields: [FieldValueInput!]!) {
    createRecord(tableId: $table, fields: $fields) { id fields { fieldId value stringValue } }
  }`
  const update = `mutation ($record: ID!, $fields: [FieldValueInput!]!) {
    updateRecord(recordId: $record, fields: $fields) { id fields { fieldId value stringValue } }
  }`
  const written = (val: unknown) => ({ val })
  const insert = (vals: Record<number, unknown>, at = api) => {
    const given = Object.entries(vals)
    const fields = given.map(([field, val]) => ({
      fieldId: table.ids[Number(field)],
      value: written(val),
    }))
    return send(create, { table: table.id, fields }, token, at)
  }
  const fileIn = ({ value }: { value: Json }, at = 1) => value.fields[at].value as Json
  const refused = (
    { status, body }: Awaited<ReturnType<typeof insert>>,
    code: string,
    place: string,
  ) => {
    t.equal(status, 200)
    t.match(body.errors, [{ message: `${place}: `, extensions: { code, place } }])
  }

  t.test('an image, a data URL and a file of another server are hosted', async (t) => {
    const base = await other(t, {
      report: (response) => response.setHeader('content-type', 'text/csv').end('a,b'),
    })
    const made = await insert({ 1: image, 2: `${base}/report` })
    const [logo, report] = [fileIn(made), fileIn(made, 2)]
    t.match(logo, { type: 'image/png', size: png.length })
    t.match(report, { type: 'text/csv', size: 3 })
    t.equal(made.value.fields[2].stringValue, report.val)
    t.equal(await (await fetch(report.val)).text(), 'a,b')
    t.match(fileIn(await insert({ 1: `data:image/png;base64,${image}` })), { type: 'image/png' })

    const { pathname } = new URL(logo.val)
    const there = await fetch(`${second.url}${pathname}`)
    t.same(Buffer.from(await there.arrayBuffer()), png, 'the path is the same on each instance')
    const again = await insert({ 1: logo.val }, second)
    t.match(fileIn(again), { type: 'image/png', size: png.length })
    t.equal(new URL(fileIn(again).val).pathname, pathname)
    const record = made.value.id
    const fields = [{ fieldId: table.ids[1], value: logo }]
    t.same(fileIn(await send(update, { record, fields })), logo, 'as it was read')
  })

  t.test('an image of 10 MB fits, and nothing larger', async (t) => {
    const made = await insert({ 1: large(mostBytes).toString('base64') })
    t.match(fileIn(made), { size: mostBytes, type: 'image/png' })
    const head = await fetch(fileIn(made).val, { method: 'HEAD' })
    t.equal(head.headers.get('content-length'), String(mostBytes))
    const more = await insert({ 1: large(mostBytes + 3).toString('base64') })
    refused(more, 'bad-input', 'fields[0].value.val')
    const most = await send(create, { table: table.id, fields: [], padding: 'x'.repeat(15e6) })
    t.equal(most.status, 413)
  })

  t.test('the file of a write that fails is deleted', async (t) => {
    const missing = `${world.sales}|rec${'0'.repeat(36)}`
    const failures: [vals: Record<number, unknown>, code: string, place: string][] = [
      [{ 1: image, 3: missing }, 'not-found', 'fields[1].value.val'],
      [{ 1: image, 2: 'no file' }, 'bad-input', 'fields[1].value.val'],
      [{ 1: image, 2: 'http://169.254.169.254/' }, 'bad-input', 'fields[1].value.val'],
      [{ 1: image, 4: null }, 'bad-input', 'fields[1].value'],
      [{ 1: image, 4: '' }, 'bad-input', 'fields[1].value'],
    ]
    for (const [vals, code, place] of failures) {
      const count = await filesOf(async () => refused(await insert(vals), code, place))
      t.equal(count, 0, JSON.stringify(vals))
    }
    const gone = (await insert({ 1: image })).value.id
    await send('mutation ($id: ID!) { deleteRecord(recordId: $id) }', { id: gone })
    const fields = [{ fieldId: table.ids[1], value: written(image) }]
    const count = await filesOf(async () => {
      t.equal((await send(update, { record: gone, fields })).code, 'not-found')
    })
    t.equal(count, 0)

    const kept = await insert({ 1: image })
    const { val } = fileIn(kept)
    refused(await insert({ 1: val, 3: missing }), 'not-found', 'fields[1].value.val')
    t.equal((await fetch(val)).status, 200, 'the file of another record stays')
  })

  t.test('ten files at most are stored at once', async (t) => {
    const many = Array.from({ length: 12 }, (_, at) => ({ name: `L${at}`, type: 'Attachment' }))
    const { id, ids } = await makeTable(world.sales, many)
    const insertAll = (vals: unknown[]) => {
      const fields = vals.map((val, at) => ({ fieldId: ids[at], value: { val } }))
      return send(create, { table: id, fields })
    }
    const count = await filesOf(async () => {
      refused(await insertAll(Array(11).fill(image)), 'bad-input', 'fields[10].value.val')
    })
    t.equal(count, 0)
    const { value, code } = await insertAll(Array(10).fill(image))
    t.equal(code, null)
    const files = value.fields.slice(0, 10).map((one: Json) => one.value.val)
    const again = await insertAll([...files, image, image])
    t.equal(again.code, null, 'files that are stored already do not count')
  })

  t.test('values that are no attachment', async (t) => {
    for (const val of [5, true, {}, [image], [''], '\0', '\ud800', { val: image }])
      refused(await insert({ 0: 'x', 1: val }), 'bad-input', 'fields[1].value.val')
    const empty = await insert({ 1: '', 2: null })
    t.same([fileIn(empty), fileIn(empty, 2)], [written(null), written(null)])
    t.equal(empty.value.fields[1].stringValue, null)
    const given = { val: image, size: 1, type: 'text/html', more: 'x' }
    const fields = [{ fieldId: table.ids[1], value: given }]
    const made = await send(create, { table: table.id, fields })
    t.same(Object.keys(fileIn(made)).sort(), ['size', 'type', 'val'])
    t.match(fileIn(made), { size: png.length, type: 'image/png' }, 'size and type are computed')
  })

  t.test('a hosted path of another organization looks like one that does not exist', async (t) => {
    const { val } = fileIn(await insert({ 1: image }))
    const write = async (given: string) => {
      const fields = [{ fieldId: theirs.ids[1], value: written(given) }]
      return (await send(create, { table: theirs.id, fields }, foreign)).body
    }
    const stolen = await write(val)
    t.equal(stolen.errors[0].extensions.place, 'fields[0].value.val')
    t.same(stolen, await write(`${val.slice(0, -4)}0000`))
  })

  t.test('private addresses are refused unless they are allowed', async (t) => {
    const closed = await startDataApi(t, scene, server)
    const base = await other(t, { file: (response) => response.end('x') })
    const urls = [`${base}/file`, base.replace('http', 'https'), 'https://localhost/']
    for (const url of urls) {
      const answer = await insert({ 1: url }, closed)
      refused(answer, 'bad-input', 'fields[0].value.val')
      t.ok(answer.body.errors[0].extensions.allowed.length > 0)
    }
    t.equal((await insert({ 1: `${base}/file` })).code, null)
  })

  t.test('the legacy interface has the same attachments', async (t) => {
    const credential = await legacyKeys(scene, world.acme)(legacyPermissions)
    const run = (query: string, variables: Json = {}) =>
      ask(api, { query, variables: { ...variables, ...credential } })
    const [{ _id: db }] = (await run('{ databases { _id } }')).value
    const add = `mutation ($db: ID!) {
      addField(databaseId: $db, field: { name: "Contract", type: "attachment" }) {
        fields { _id name type }
      }
    }`
    const { fields } = (await run(add, { db })).value
    const { _id: fieldId } = fields.find(({ name }: Json) => name === 'Contract')
    const insertRow = (val: unknown) =>
      run(
        `mutation ($db: ID!, $cols: [ColInput!]!) {
          insert(databaseId: $db, cols: $cols) { _id cols { fieldId value } }
        }`,
        { db, cols: [{ fieldId, value: { val } }] },
      )
    const { value } = (await insertRow(image)).value.cols.find(
      (one: Json) => one.fieldId === fieldId,
    )
    t.match(value, { val: /\/files\//, size: png.length, type: 'image/png' })
    t.same(Buffer.from(await (await fetch(value.val)).arrayBuffer()), png)
    t.equal((await insertRow('no file')).body.errors[0].extensions.place, 'cols[0].value.val')
    const again = (await insertRow(value.val)).value.cols
    t.same(again.find((one: Json) => one.fieldId === fieldId).value, value)
  })
})
