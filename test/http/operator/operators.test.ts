import { onEveryBackend } from './operator-api.ts'

let counter = 0

await onEveryBackend(async (t, api) => {
  const person = () =>
    api.expect(201, 'POST', '/users', { email: `op${++counter}@acme.test`, name: 'Olga' })
  const tokenWith = async (...permissions: string[]): Promise<string> =>
    (await api.expect(201, 'POST', '/operator-tokens', { name: 'T', permissions })).token
  const callWith = (token: string, method: string, path: string, body?: unknown) =>
    api.send(method, path, {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })

  t.test('a user becomes an operator, changes, and stops being one', async (t) => {
    const { id, email } = await person()
    const path = `/users/${id}/operator`
    t.match(await api.expect(200, 'GET', path), { permissions: [], created_at: null })
    const made = await api.expect(201, 'PUT', path, { permissions: ['apps:read', 'apps:read'] })
    t.match(made, { user_id: id, email, permissions: ['apps:read'], created_at: String })
    t.same((await api.expect(200, 'PUT', path, { permissions: ['*', 'apps:read'] })).permissions, [
      '*',
    ])
    const { items } = await api.expect(200, 'GET', '/operators?limit=200')
    t.ok(items.some(({ user_id }: { user_id: string }) => user_id === id))
    t.same((await api.expect(200, 'PUT', path, { permissions: [] })).permissions, [])
    await api.expect(201, 'PUT', path, { permissions: ['*'] })
    await api.expect(204, 'DELETE', path)
    t.same((await api.expect(200, 'GET', path)).permissions, [])
    const typed = async (type: string): Promise<unknown[]> =>
      (await api.expect(200, 'GET', `/audit?type=${type}&limit=200`)).items.filter(
        ({ user_id: about }: { user_id: string }) => about === id,
      )
    t.match(await typed('operator.granted'), [
      { detail: { permissions: ['*'] } },
      { detail: { permissions: ['*'] } },
      { detail: { permissions: ['apps:read'] } },
    ])
    t.equal((await typed('operator.revoked')).length, 2)
  })

  t.test('unknown users, unknown permissions and disabled users are refused', async (t) => {
    const { id } = await person()
    await api.expect(404, 'PUT', '/users/usr0/operator', { permissions: ['*'] })
    await api.expect(400, 'PUT', `/users/${id}/operator`, { permissions: ['everything'] })
    await api.expect(400, 'PUT', `/users/${id}/operator`, {})
    await api.expect(200, 'PATCH', `/users/${id}`, { disabled: true })
    await api.expect(400, 'PUT', `/users/${id}/operator`, { permissions: ['*'] })
    t.same((await api.expect(200, 'GET', `/users/${id}/operator`)).permissions, [])
  })

  t.test('only all permissions make an operator', async (t) => {
    const { id } = await person()
    const token = await tokenWith('users:write', 'users:read', 'apps:read')
    for (const [method, body] of [['PUT', { permissions: ['apps:read'] }], ['DELETE'], ['GET']]) {
      const answer = await callWith(token, String(method), `/users/${id}/operator`, body)
      t.equal(answer.status, 403)
    }
  })

  t.test('users:write does not change the account of an operator', async (t) => {
    const { id, email, name } = await person()
    const token = await tokenWith('users:write', 'organizations:write')
    const password = 'a passphrase of an attacker'
    await api.expect(201, 'PUT', `/users/${id}/operator`, { permissions: ['*'] })
    const attempts: [method: string, path: string, body?: unknown][] = [
      ['PATCH', `/users/${id}`, { password }],
      ['PATCH', `/users/${id}`, { email: 'attacker@acme.test' }],
      ['PUT', `/users/${id}`, { email, name, password }],
      ['PATCH', `/users/${id}`, { name: 'Olga O.' }],
      ['DELETE', `/users/${id}/passkeys`],
      ['POST', `/users/${id}/invitation`],
    ]
    for (const [method, path, body] of attempts)
      t.equal((await callWith(token, method, path, body)).status, 403, `${method} ${path}`)
    const imported = await api.send('POST', '/import', {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
      body: JSON.stringify({ type: 'user', id, email, name, password }),
    })
    t.match(String(imported.body), '"status":"refused"')
    await api.expect(200, 'PATCH', `/users/${id}`, { password })
    await api.expect(204, 'DELETE', `/users/${id}/operator`)
    t.equal((await callWith(token, 'PATCH', `/users/${id}`, { password })).status, 200)
  })
})
