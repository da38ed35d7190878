import { onEveryBackend } from './operator-api.ts'

await onEveryBackend(async (t, api) => {
  t.test('a user is created, read, found by e-mail, changed and deleted', async (t) => {
    const created = await api.call('POST', '/users', {
      email: '  Kim@Acme.TEST'.trim(),
      name: 'Kim 🌻',
      password: 'correct horse battery staple',
    })
    t.equal(created.status, 201)
    const { id } = created.body
    t.equal(created.headers.get('location'), `/api/admin/v1/users/${id}`)
    t.match(created.body, { email: 'kim@acme.test', name: 'Kim 🌻', disabled: false })
    t.same(await api.expect(200, 'GET', `/users/${id}`), created.body)
    for (const email of ['kim@acme.test', 'KIM@acme.test']) {
      const found = await api.expect(200, 'GET', `/users?email=${email}`)
      t.same(found, { items: [created.body], next: null })
    }
    t.same((await api.expect(200, 'GET', '/users?email=nobody@acme.test')).items, [])

    const patch = { email: 'Kim.Lee@acme.test', name: 'Kim Lee' }
    const changed = await api.expect(200, 'PATCH', `/users/${id}`, patch)
    t.same(changed, { ...created.body, email: 'kim.lee@acme.test', name: 'Kim Lee' })
    await api.expect(204, 'DELETE', `/users/${id}`)
    for (const method of ['GET', 'DELETE']) await api.expect(404, method, `/users/${id}`)
    await api.expect(404, 'PATCH', `/users/${id}`, { name: 'Kim' })
  })

  t.test('an address is verified when the operator says so, until it changes', async (t) => {
    const person = { email: 'seen@acme.test', name: 'Seen' }
    const { id, ...made } = await api.expect(201, 'POST', '/users', person)
    t.equal(made.email_verified, false)
    const change = async (patch: object) =>
      (await api.expect(200, 'PATCH', `/users/${id}`, patch)).email_verified
    t.equal(await change({ email_verified: true }), true)
    t.equal(await change({ name: 'Seen Again' }), true)
    t.equal(await change({ email: 'SEEN@acme.test' }), true, 'the same address')
    t.equal(await change({ email: 'other@acme.test' }), false)
    t.equal(await change({ email: 'seen@acme.test' }), false, 'unverified after a change back')
    t.equal(await change({ email: 'third@acme.test', email_verified: true }), true)
    t.equal(await change({ email_verified: false }), false)
    const sure = { email: 'sure@acme.test', name: 'Sure', email_verified: true }
    t.equal((await api.expect(201, 'POST', '/users', sure)).email_verified, true)
    const { rows } = await api.database.query<{ changed: string[] }>(
      `select detail->'changed' as changed from audit_events
        where user_id = $1 and type = 'user.changed' order by id limit 1`,
      [id],
    )
    t.same(rows[0]?.changed, ['email_verified'])
  })

  t.test('a password is stored as a hash and never shown', async (t) => {
    const password = 'a very secret phrase'
    const created = await api.call('POST', '/users', { email: 'pw@acme.test', name: 'P', password })
    t.notMatch(JSON.stringify(created.body), /password|hash|secret/)
    const stored = () =>
      api.database.query<{ password_hash: string; credentials_epoch: number }>(
        'select password_hash, credentials_epoch from users where id = $1',
        [created.body.id],
      )
    const [before] = (await stored()).rows
    t.match(before?.password_hash, /^hash:/)
    await api.expect(200, 'PATCH', `/users/${created.body.id}`, { name: 'Q' })
    t.same((await stored()).rows, [before], 'a new name keeps the password')
    await api.expect(200, 'PATCH', `/users/${created.body.id}`, { password: 'another phrase' })
    const [after] = (await stored()).rows
    t.not(after?.password_hash, before?.password_hash)
    t.equal(after?.credentials_epoch, 1, 'sessions and grants of the old password are ended')
  })

  t.test('an e-mail address identifies one user, in any case', async (t) => {
    await api.expect(201, 'POST', '/users', { email: 'one@acme.test', name: 'One' })
    const two = await api.expect(201, 'POST', '/users', { email: 'two@acme.test', name: 'Two' })
    const again = await api.call('POST', '/users', { email: 'ONE@acme.test', name: 'Again' })
    t.match(again, { status: 409, body: { type: 'urn:latchkey:problem:email-taken' } })
    const moved = await api.call('PATCH', `/users/${two.id}`, { email: 'One@Acme.test' })
    t.match(moved, { status: 409, body: { status: 409, title: 'Conflict' } })
    t.equal((await api.expect(200, 'GET', `/users/${two.id}`)).email, 'two@acme.test')
  })

  t.test('of concurrent users with one e-mail address one is created', async (t) => {
    const attempts = Array.from({ length: 10 }, (_, n) =>
      api.call('POST', '/users', { email: 'race@acme.test', name: `Number ${n}` }),
    )
    const statuses = (await Promise.all(attempts)).map(({ status }) => status).sort()
    t.same(statuses, [201, ...Array(9).fill(409)])
  })

  t.test('a user is disabled and enabled, each once', async (t) => {
    const { id } = await api.expect(201, 'POST', '/users', { email: 'd@acme.test', name: 'D' })
    const set = async (disabled: boolean) =>
      (await api.expect(200, 'PATCH', `/users/${id}`, { disabled })).disabled
    for (const disabled of [true, true, false, false]) t.equal(await set(disabled), disabled)
    const { rows } = await api.database.query<{ type: string }>(
      'select type from audit_events where user_id = $1 order by id',
      [id],
    )
    t.same(
      rows.map(({ type }) => type),
      ['user.created', 'user.disabled', 'user.enabled'],
    )
  })

  t.test('a patch without fields changes nothing', async (t) => {
    const user = await api.expect(201, 'POST', '/users', { email: 'same@acme.test', name: 'S' })
    t.same(await api.expect(200, 'PATCH', `/users/${user.id}`, {}), user)
    t.same(await api.expect(200, 'PATCH', `/users/${user.id}`), user)
  })

  const faulty: [field: string, value: string][] = [
    ['email', 'nobody'],
    ['email', 'a@b@c.test'],
    ['email', 'a b@acme.test'],
    ['email', 'a@acme..test'],
    ['email', 'a\u0000@acme.test'],
    ['email', 'ä@acme.test'],
    ['email', `${'a'.repeat(250)}@acme.test`],
    ['name', ''],
    ['name', ' \t'],
    ['name', 'a\u0007'],
    ['name', 'a\u0085'],
    ['name', 'a\u202eb'],
    ['name', 'a\u2066b'],
    ['name', 'a\u200fb'],
    ['name', 'a\ud800'],
    ['name', 'x'.repeat(101)],
    ['password', 'short'],
    ['password', 'with\u0000zero'],
    ['password', 'x'.repeat(1001)],
  ]
  for (const [field, value] of faulty) {
    t.test(`a user with ${field} ${JSON.stringify(value.slice(0, 20))} is refused`, async (t) => {
      const user = { email: 'fine@acme.test', name: 'Fine', [field]: value }
      const { status, body } = await api.call('POST', '/users', user)
      t.equal(status, 400)
      t.same(
        [...new Set(body.errors.map((fault: { pointer: string }) => fault.pointer))],
        [`/${field}`],
      )
      t.same((await api.expect(200, 'GET', '/users?email=fine@acme.test')).items, [])
    })
  }

  t.test('a name may have a hundred characters of any script', async (t) => {
    for (const name of ['ا'.repeat(100), '🌻'.repeat(100), "O'Brien; drop table users--", '<b>'])
      t.equal(
        (await api.expect(201, 'POST', '/users', { email: `u${name.length}@acme.test`, name }))
          .name,
        name,
      )
  })
})
