import { newApp } from './catalogue.ts'
import { onEveryBackend } from './operator-api.ts'

const atOnce = 30

await onEveryBackend(async (t, api) => {
  let counter = 0
  const fresh = () => ++counter
  const email = () => `own${fresh()}@acme.test`
  const events = async (column: 'organization_id' | 'user_id', id: string) => {
    const { rows } = await api.database.query<{ type: string }>(
      `select type from audit_events where ${column} = $1 order by id`,
      [id],
    )
    return rows.map(({ type }) => type)
  }

  t.test("an organization is created under the platform's id, replaced, and found", async (t) => {
    const path = '/organizations/acme_1'
    const created = await api.call('PUT', path, { name: 'Acme' })
    t.match(created, { status: 201, body: { id: 'acme_1', name: 'Acme' } })
    t.equal(created.headers.get('location'), `/api/admin/v1${path}`)
    t.same(await api.expect(200, 'PUT', path, { name: 'Acme' }), created.body)
    const renamed = { ...created.body, name: 'Acme Ltd' }
    t.same(await api.expect(200, 'PUT', path, { name: 'Acme Ltd' }), renamed)
    t.same(await api.expect(200, 'GET', path), renamed)
    t.same(await events('organization_id', 'acme_1'), [
      'organization.created',
      'organization.changed',
    ])
    await api.expect(404, 'GET', '/organizations/ACME_1')
    t.match(await api.expect(201, 'PUT', '/organizations/ACME_1', { name: 'Other' }), {
      id: 'ACME_1',
    })
  })

  t.test("a workspace is created under the platform's id, in one organization", async (t) => {
    for (const id of ['north', 'south'])
      await api.expect(201, 'PUT', `/organizations/${id}`, { name: id })
    const path = '/organizations/north/workspaces/wks-Sales_1'
    const created = await api.expect(201, 'PUT', path, { name: 'Sales' })
    t.match(created, { id: 'wks-Sales_1', organization_id: 'north', name: 'Sales' })
    t.same(await api.expect(200, 'PUT', path, { name: 'Sales' }), created)
    t.same(await api.expect(200, 'GET', '/workspaces/wks-Sales_1'), created)
    t.same(await api.expect(200, 'GET', path), created)
    const foreign = '/organizations/south/workspaces/wks-Sales_1'
    t.match(await api.call('PUT', foreign, { name: 'Mine' }), {
      status: 409,
      body: { type: 'urn:latchkey:problem:id-taken' },
    })
    await api.expect(404, 'GET', foreign)
    t.same(await api.expect(200, 'GET', path), created)
    await api.expect(404, 'PUT', '/organizations/none/workspaces/wks-x', { name: 'X' })
  })

  t.test(
    "a user is created under the platform's id, and a repetition changes nothing",
    async (t) => {
      const wanted = { email: email(), name: 'Kim', password: 'correct horse' }
      const created = await api.expect(201, 'PUT', '/users/kim-1', wanted)
      t.match(created, { id: 'kim-1', email: wanted.email, disabled: false, email_verified: false })
      await api.expect(200, 'PATCH', '/users/kim-1', { disabled: true, email_verified: true })
      const before = await events('user_id', 'kim-1')
      t.match(await api.expect(200, 'PUT', '/users/kim-1', wanted), {
        disabled: true,
        email_verified: true,
      })
      t.same(await events('user_id', 'kim-1'), before)
      t.match(await api.expect(200, 'PUT', '/users/kim-1', { ...wanted, disabled: false }), {
        disabled: false,
      })
      await api.expect(200, 'PUT', '/users/kim-1', { ...wanted, password: 'battery staple' })
      t.equal((await events('user_id', 'kim-1')).at(-1), 'user.password_changed')
      const other = { email: wanted.email.toUpperCase(), name: 'Other' }
      t.match(await api.call('PUT', '/users/kim-2', other), {
        status: 409,
        body: { type: 'urn:latchkey:problem:email-taken' },
      })
      await api.expect(404, 'GET', '/users/kim-2')
    },
  )

  t.test('the id of a client cannot become the subject of a user', async (t) => {
    const { client_id } = await api.expect(201, 'POST', '/apps', newApp())
    const server = await api.expect(201, 'POST', '/resource-servers', { name: 'Data' })
    for (const id of [client_id, server.client_id])
      t.match(await api.call('PUT', `/users/${id}`, { email: email(), name: 'K' }), {
        status: 409,
        body: { type: 'urn:latchkey:problem:id-taken' },
      })
  })

  t.test('an id of another form is refused', async (t) => {
    const wrong = ['-a', '_a', '__proto__', 'a.b', 'a%20b', '%C3%A4', 'x'.repeat(65)]
    for (const id of wrong) {
      t.equal((await api.call('PUT', `/organizations/${id}`, { name: 'A' })).status, 400, id)
      const user = { email: email(), name: 'A' }
      t.equal((await api.call('PUT', `/users/${id}`, user)).status, 400, id)
    }
    await api.expect(201, 'PUT', `/organizations/${'x'.repeat(64)}`, { name: 'Long' })
    const path = `/organizations/${'x'.repeat(64)}/workspaces`
    for (const id of ['sales', 'wks', 'WKS1', `wks${'x'.repeat(62)}`])
      t.equal((await api.call('PUT', `${path}/${id}`, { name: 'A' })).status, 400, id)
    await api.expect(201, 'PUT', `${path}/wks${'x'.repeat(61)}`, { name: 'A' })
    await api.expect(201, 'PUT', '/organizations/constructor', { name: 'A' })
    await api.expect(200, 'GET', '/organizations/constructor')
    await api.expect(404, 'GET', '/organizations/toString')
  })

  t.test('of many equal requests at once, one creates', async (t) => {
    await api.expect(201, 'PUT', '/organizations/crowd', { name: 'Crowd' })
    const same = email()
    const cases: [path: string, body: object][] = [
      ['/organizations/many', { name: 'Many' }],
      ['/organizations/crowd/workspaces/wks-many', { name: 'Many' }],
      ['/users/many', { email: same, name: 'Many' }],
    ]
    for (const [path, body] of cases) {
      const answers = await Promise.all(
        Array.from({ length: atOnce }, () => api.call('PUT', path, body)),
      )
      const statuses = answers.map(({ status }) => status).sort()
      t.same(statuses, [...Array(atOnce - 1).fill(200), 201], path)
      for (const answer of answers) t.same(answer.body, answers[0]?.body)
    }
    t.same(await events('user_id', 'many'), ['user.created'])
  })

  t.test('of many users at once with one address, one gets it', async (t) => {
    const same = email()
    const answers = await Promise.all(
      Array.from({ length: atOnce }, (_, at) =>
        api.call('PUT', `/users/rival-${at}`, { email: same, name: 'R' }),
      ),
    )
    const statuses = answers.map(({ status }) => status).sort()
    t.same(statuses, [201, ...Array(atOnce - 1).fill(409)])
  })

  t.test('an id that is used again revives nothing, and works at once', async (t) => {
    const { client_id } = await api.expect(201, 'POST', '/apps', newApp())
    const fill = async () => {
      await api.expect(201, 'PUT', '/organizations/again', { name: 'Again' })
      await api.expect(201, 'PUT', '/organizations/again/workspaces/wks-again', { name: 'W' })
      const install = { permissions: [], workspace_ids: null }
      return (await api.expect(201, 'PUT', `/organizations/again/installs/${client_id}`, install))
        .id
    }
    const states = async () => {
      const { rows } = await api.database.query<{ key: string; state: Record<string, unknown> }>(
        `select distinct on (type, subject_id) type || ' ' || subject_id as key, state from revocations
          order by type, subject_id, id desc`,
      )
      return new Map(rows.map(({ key, state }) => [key, state]))
    }
    const user = { email: email(), name: 'Again' }
    await api.expect(201, 'PUT', '/users/again', user)
    const first = await fill()
    await api.expect(204, 'DELETE', '/workspaces/wks-again')
    await api.expect(204, 'DELETE', '/organizations/again')
    await api.expect(204, 'DELETE', '/users/again')
    t.match((await states()).get('organization again'), { active: false })

    const again = await api.call('PUT', '/users/again', user)
    t.equal(again.status, 201)
    const read = await api.call('GET', '/users/again')
    t.equal(read.headers.get('etag'), again.headers.get('etag'))
    const second = await fill()
    const now = await states()
    t.same(now.get('organization again'), { active: true })
    t.match(now.get(`install ${first}`), { active: false })
    t.notOk(now.has(`install ${second}`))
    t.match(now.get('workspace wks-again'), { active: true, since: Number })
    t.same(now.get('user again'), { active: true, epoch: 1 })
    const { rows } = await api.database.query<{ epoch: number }>(
      `select credentials_epoch as epoch from users where id = 'again'`,
    )
    t.equal(rows[0]?.epoch, 1, 'tokens and sessions of before have epoch 0')
  })
})
