import { newApp } from './catalogue.ts'
import { onEveryBackend } from './operator-api.ts'

await onEveryBackend(async (t, api) => {
  let counter = 0
  const organization = async () =>
    (await api.expect(201, 'POST', '/organizations', { name: 'Acme' })).id as string
  const user = async () =>
    (await api.expect(201, 'POST', '/users', { email: `u${++counter}@acme.test`, name: 'U' }))
      .id as string
  const workspace = async (of: string) =>
    (await api.expect(201, 'POST', `/organizations/${of}/workspaces`, { name: 'Sales' }))
      .id as string

  t.test('an organization is created, read, renamed and deleted', async (t) => {
    const created = await api.call('POST', '/organizations', { name: 'Acme' })
    t.equal(created.status, 201)
    const path = `/organizations/${created.body.id}`
    t.equal(created.headers.get('location'), `/api/admin/v1${path}`)
    t.same(await api.expect(200, 'GET', path), created.body)
    const renamed = { ...created.body, name: 'Acme Ltd' }
    t.same(await api.expect(200, 'PATCH', path, { name: 'Acme Ltd' }), renamed)
    t.same(await api.expect(200, 'PATCH', path, {}), renamed)
    await api.expect(204, 'DELETE', path)
    for (const method of ['GET', 'DELETE']) await api.expect(404, method, path)
    await api.expect(404, 'PATCH', path, { name: 'Acme' })
    await api.expect(404, 'PATCH', path, {})
  })

  t.test('an organization has a logo and an accent of its own', async (t) => {
    const id = await organization()
    const path = `/organizations/${id}`
    t.match(await api.expect(200, 'GET', path), { logo_uri: null, accent: null })
    const brand = { logo_uri: 'https://acme.example/logo.png', accent: '#3355CC' }
    t.match(await api.expect(200, 'PATCH', path, brand), { name: 'Acme', ...brand })
    t.match(await api.expect(200, 'PATCH', path, { accent: null }), { ...brand, accent: null })
    t.match(await api.expect(200, 'PUT', path, { name: 'Put' }), { ...brand, accent: null })
    for (const [pointer, body] of [
      ['/logo_uri', { logo_uri: 'http://acme.example/logo.png' }],
      ['/logo_uri', { logo_uri: 'https://acme.example/logo.SVG' }],
      ['/accent', { accent: 'red' }],
      ['/accent', { accent: '#fff;}body{' }],
    ] as const) {
      const refused = await api.call('PATCH', path, body)
      t.match(refused, { status: 400, body: { errors: [{ pointer }] } })
    }
    const { rows } = await api.database.query<{ changed: string[] }>(
      `select detail->'changed' as changed from audit_events
        where organization_id = $1 and type = 'organization.changed' order by id`,
      [id],
    )
    t.same(
      rows.map(({ changed }) => changed),
      [['logo_uri', 'accent'], ['accent'], ['name']],
    )
  })

  t.test('deleting an organization deletes all its data', async () => {
    const id = await organization()
    const member = await user()
    const place = await workspace(id)
    await api.expect(201, 'PUT', `/organizations/${id}/members/${member}`, { role: 'admin' })
    await api.expect(204, 'DELETE', `/organizations/${id}`)
    for (const path of ['members', `members/${member}`, 'workspaces', 'installs', 'key-sets'])
      await api.expect(404, 'GET', `/organizations/${id}/${path}`)
    await api.expect(404, 'GET', `/workspaces/${place}`)
    await api.expect(200, 'GET', `/users/${member}`)
  })

  t.test('a member is added, changed, listed and removed', async (t) => {
    const id = await organization()
    const one = await user()
    const path = `/organizations/${id}/members/${one}`
    const added = await api.expect(201, 'PUT', path, { role: 'member' })
    t.match(added, { organization_id: id, user_id: one, role: 'member' })
    t.same(
      await api.expect(200, 'PUT', path, { role: 'member' }),
      added,
      'a repetition returns the same',
    )
    const admin = { ...added, role: 'admin' }
    t.same(await api.expect(200, 'PUT', path, { role: 'admin' }), admin)
    t.same(await api.expect(200, 'GET', path), admin)
    t.same(await api.expect(200, 'GET', `/organizations/${id}/members`), {
      items: [admin],
      next: null,
    })
    await api.expect(204, 'DELETE', path)
    await api.expect(404, 'GET', path)
    await api.expect(404, 'DELETE', path)
    const { rows } = await api.database.query<{ type: string; role: string }>(
      `select type, detail->>'role' as role from audit_events
       where organization_id = $1 and user_id = $2 order by id`,
      [id, one],
    )
    t.same(rows, [
      { type: 'member.added', role: 'member' },
      { type: 'member.changed', role: 'admin' },
      { type: 'member.removed', role: 'admin' },
    ])
  })

  t.test('a member needs an existing user and organization', async () => {
    const [id, one] = [await organization(), await user()]
    await api.expect(404, 'PUT', `/organizations/orgNone/members/${one}`, { role: 'member' })
    await api.expect(404, 'PUT', `/organizations/${id}/members/usrNone`, { role: 'member' })
    await api.expect(400, 'PUT', `/organizations/${id}/members/${one}`, { role: 'owner' })
  })

  t.test('a member who is added ten times at once is added once', async (t) => {
    const [id, one] = [await organization(), await user()]
    const path = `/organizations/${id}/members/${one}`
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => api.call('PUT', path, { role: 'member' })),
    )
    t.same(answers.map(({ status }) => status).sort(), [...Array(9).fill(200), 201])
    const { rows } = await api.database.query(
      `select id from audit_events where type = 'member.added' and user_id = $1`,
      [one],
    )
    t.equal(rows.length, 1)
  })

  t.test('a workspace is created, read, renamed and deleted', async (t) => {
    const id = await organization()
    const created = await api.call('POST', `/organizations/${id}/workspaces`, { name: 'Sales' })
    t.equal(created.status, 201)
    t.match(created.body.id, /^wks/)
    t.match(created.body, { organization_id: id, name: 'Sales' })
    const path = `/workspaces/${created.body.id}`
    t.equal(created.headers.get('location'), `/api/admin/v1${path}`)
    t.same(await api.expect(200, 'GET', path), created.body)
    const renamed = { ...created.body, name: 'Support' }
    t.same(await api.expect(200, 'PATCH', path, { name: 'Support' }), renamed)
    t.same(await api.expect(200, 'PATCH', path, { name: 'Support' }), renamed)
    t.same((await api.expect(200, 'GET', `/organizations/${id}/workspaces`)).items, [renamed])
    await api.expect(204, 'DELETE', path)
    for (const method of ['GET', 'DELETE']) await api.expect(404, method, path)
    await api.expect(404, 'POST', '/organizations/orgNone/workspaces', { name: 'Sales' })
  })

  t.test('only members of the organization can join its workspaces', async (t) => {
    const id = await organization()
    const [one, stranger] = [await user(), await user()]
    const place = await workspace(id)
    await api.expect(201, 'PUT', `/organizations/${id}/members/${one}`, { role: 'member' })
    const path = `/workspaces/${place}/members`
    const added = await api.expect(201, 'PUT', `${path}/${one}`)
    t.match(added, { workspace_id: place, user_id: one })
    t.same(
      await api.expect(200, 'PUT', `${path}/${one}`, {}),
      added,
      'a repetition returns the same',
    )
    t.same(await api.expect(200, 'GET', path), { items: [added], next: null })
    const refused = await api.call('PUT', `${path}/${stranger}`)
    t.match(refused, { status: 409, body: { type: 'urn:latchkey:problem:not-a-member' } })
    await api.expect(404, 'PUT', `${path}/usrNone`)
    await api.expect(404, 'PUT', `/workspaces/wksNone/members/${one}`)
    await api.expect(404, 'GET', '/workspaces/wksNone/members')
    await api.expect(204, 'DELETE', `${path}/${one}`)
    await api.expect(404, 'DELETE', `${path}/${one}`)
    t.same((await api.expect(200, 'GET', path)).items, [])
  })

  t.test('a member who leaves an organization leaves its workspaces only', async (t) => {
    const [id, other, one] = [await organization(), await organization(), await user()]
    const [here, there] = [await workspace(id), await workspace(other)]
    for (const [where, place] of [
      [id, here],
      [other, there],
    ]) {
      await api.expect(201, 'PUT', `/organizations/${where}/members/${one}`, { role: 'member' })
      await api.expect(201, 'PUT', `/workspaces/${place}/members/${one}`)
    }
    await api.expect(204, 'DELETE', `/organizations/${id}/members/${one}`)
    t.same((await api.expect(200, 'GET', `/workspaces/${here}/members`)).items, [])
    t.equal((await api.expect(200, 'GET', `/workspaces/${there}/members`)).items.length, 1)
    await api.expect(201, 'PUT', `/organizations/${id}/members/${one}`, { role: 'member' })
    t.same((await api.expect(200, 'GET', `/workspaces/${here}/members`)).items, [], 'nor later')
  })

  t.test('concurrent leaving and joining a workspace leaves no membership', async (t) => {
    const [id, one] = [await organization(), await user()]
    const place = await workspace(id)
    for (let round = 0; round < 10; round++) {
      await api.expect(201, 'PUT', `/organizations/${id}/members/${one}`, { role: 'member' })
      const answers = await Promise.all([
        api.call('PUT', `/workspaces/${place}/members/${one}`),
        api.call('DELETE', `/organizations/${id}/members/${one}`),
      ])
      t.match(answers[0]?.status, /201|409/)
      t.equal(answers[1]?.status, 204)
      t.same((await api.expect(200, 'GET', `/workspaces/${place}/members`)).items, [])
    }
  })

  t.test('a deleted workspace is removed from every install', async (t) => {
    const id = await organization()
    const [kept, gone] = [await workspace(id), await workspace(id)]
    const { client_id } = await api.expect(201, 'POST', '/apps', newApp())
    const path = `/organizations/${id}/installs/${client_id}`
    await api.expect(201, 'PUT', path, { permissions: [], workspace_ids: [kept, gone] })
    await api.expect(204, 'DELETE', `/workspaces/${gone}`)
    t.same((await api.expect(200, 'GET', path)).workspace_ids, [kept])
    await api.expect(204, 'DELETE', `/workspaces/${kept}`)
    t.same(
      (await api.expect(200, 'GET', path)).workspace_ids,
      [],
      'an empty list does not mean all',
    )
  })
})
