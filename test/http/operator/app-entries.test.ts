import { generateKeyPairSync } from 'node:crypto'
import { newApp } from './catalogue.ts'
import { onEveryBackend } from './operator-api.ts'

const newKey = () =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' })

await onEveryBackend(async (t, api) => {
  const app = async (part: Record<string, unknown> = {}) =>
    (await api.expect(201, 'POST', '/apps', newApp(part))).client_id as string
  const read = (client: string) => api.expect(200, 'GET', `/apps/${client}`)

  t.test('one redirect URI is added and removed, and the others stay', async (t) => {
    const client = await app()
    const path = `/apps/${client}/redirect-uris`
    const body = { redirect_uri: 'https://app.example/two' }
    const added = await api.expect(201, 'POST', path, body)
    t.match(added, { ...body, id: /^[\w-]{22}$/ })
    t.same(await api.expect(200, 'POST', path, body), added, 'a repetition')
    const { items } = await api.expect(200, 'GET', path)
    t.same(
      items.map((one: { redirect_uri: string }) => one.redirect_uri),
      ['https://app.example/cb', 'https://app.example/two'],
    )
    await api.expect(204, 'DELETE', `${path}/${items[0].id}`)
    await api.expect(404, 'DELETE', `${path}/${items[0].id}`)
    t.same((await read(client)).redirect_uris, ['https://app.example/two'])
    t.match(await api.call('DELETE', `${path}/${added.id}`), {
      status: 409,
      body: { type: 'urn:latchkey:problem:last-redirect-uri' },
    })
    const refused = await api.call('POST', path, { redirect_uri: 'http://app.example/' })
    t.match(refused, { status: 400, body: { errors: [{ pointer: '/redirect_uri' }] } })
    await api.expect(404, 'POST', '/apps/appNone/redirect-uris', body)
  })

  t.test('one permission is added and removed', async (t) => {
    const client = await app()
    const path = `/apps/${client}/permissions`
    const added = await api.expect(201, 'POST', path, { permission: 'records:delete' })
    t.same(added, { id: 'records:delete', permission: 'records:delete' })
    await api.expect(200, 'POST', path, { permission: 'records:delete' })
    await api.expect(204, 'DELETE', `${path}/records:update`)
    await api.expect(404, 'DELETE', `${path}/records%3Aupdate`)
    t.same((await read(client)).permissions, ['records:create', 'records:delete'])
    t.equal((await api.call('POST', path, { permission: 'readData' })).status, 400)
  })

  t.test('one key is added and removed', async (t) => {
    const client = await app()
    const path = `/apps/${client}/keys`
    const [one, two] = [newKey(), newKey()]
    const added = await api.expect(201, 'POST', path, { key: one })
    t.match(added, { id: /^[\w-]{43}$/, key: one })
    await api.expect(201, 'POST', path, { key: two })
    await api.expect(200, 'POST', path, { key: { ...one, kid: 'same' } })
    await api.expect(204, 'DELETE', `${path}/${added.id}`)
    t.same((await read(client)).jwks, { keys: [two] })
    const { items } = await api.expect(200, 'GET', path)
    await api.expect(204, 'DELETE', `${path}/${items[0].id}`)
    t.equal((await read(client)).jwks, null)
    const privately = { ...one, d: two.x }
    t.match(await api.call('POST', path, { key: privately }), { status: 400 })
    const open = await app({ client_type: 'public' })
    t.match(await api.call('POST', `/apps/${open}/keys`, { key: one }), {
      status: 400,
      body: { errors: [{ pointer: '/key' }] },
    })
  })

  t.test('a hundred additions and removals at once all take effect', async (t) => {
    const uri = (at: number) => `https://app.example/${at}`
    const before = Array.from({ length: 50 }, (_, at) => uri(at))
    const client = await app({ redirect_uris: ['https://app.example/cb', ...before] })
    const path = `/apps/${client}/redirect-uris`
    const { items } = await api.expect(200, 'GET', path)
    const removals = items.slice(1).map((one: { id: string }) => `${path}/${one.id}`)
    const answers = await Promise.all([
      ...Array.from({ length: 100 }, (_, at) =>
        api.call('POST', path, { redirect_uri: uri(1000 + at) }),
      ),
      ...removals.map((one: string) => api.call('DELETE', one)),
    ])
    t.same(answers.map(({ status }) => status).sort(), [
      ...Array(100).fill(201),
      ...Array(50).fill(204),
    ])
    const { redirect_uris } = await read(client)
    t.same(
      [...redirect_uris].sort(),
      ['https://app.example/cb', ...Array.from({ length: 100 }, (_, at) => uri(1000 + at))].sort(),
    )
  })

  t.test('permissions and keys that are added at once all stay', async (t) => {
    const client = await app({ permissions: [] })
    const names = ['records:create', 'records:update', 'records:delete', 'teams:read']
    const keys = Array.from({ length: 8 }, newKey)
    const answers = await Promise.all([
      ...names.map((permission) => api.call('POST', `/apps/${client}/permissions`, { permission })),
      ...keys.map((key) => api.call('POST', `/apps/${client}/keys`, { key })),
    ])
    t.ok(answers.every(({ status }) => status === 201))
    const stored = await read(client)
    t.equal(stored.permissions.length, names.length)
    t.equal(stored.jwks.keys.length, keys.length)
  })

  t.test('an added redirect URI ends the review, a removed one does not', async (t) => {
    const client = await app({ reviewed: true })
    const path = `/apps/${client}/redirect-uris`
    const added = await api.expect(201, 'POST', path, { redirect_uri: 'https://app.example/two' })
    t.equal((await read(client)).reviewed, false)
    await api.expect(200, 'PATCH', `/apps/${client}`, { reviewed: true })
    await api.expect(204, 'DELETE', `${path}/${added.id}`)
    t.equal((await read(client)).reviewed, true)
  })
})
