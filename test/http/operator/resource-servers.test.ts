import { onEveryBackend } from './operator-api.ts'

const origin = { actor: { kind: 'system', id: null }, address: null, requestId: null } as const

await onEveryBackend(async (t, api) => {
  t.test('a resource server is created, read, listed and deleted', async (t) => {
    const created = await api.call('POST', '/resource-servers', { name: 'Data API' })
    t.equal(created.status, 201)
    const { client_secret, ...server } = created.body
    t.match(client_secret, /^lkrs_/)
    const path = `/resource-servers/${server.client_id}`
    t.equal(created.headers.get('location'), `/api/admin/v1${path}`)
    t.match(server, { name: 'Data API', hint: `…${client_secret.slice(-4)}` })
    t.same(await api.expect(200, 'GET', path), server)
    t.same(await api.expect(200, 'GET', '/resource-servers'), { items: [server], next: null })
    const { rows } = await api.database.query<{ digest: Buffer }>(
      'select digest from resource_servers where client_id = $1',
      [server.client_id],
    )
    t.ok(api.keyring.digestMatches(client_secret, rows[0]!.digest))
    await api.expect(204, 'DELETE', path)
    for (const method of ['GET', 'DELETE']) await api.expect(404, method, path)
  })

  t.test('signing keys are listed and rotated', async (t) => {
    const before = (await api.expect(200, 'GET', '/signing-keys')).items
    const statusOf = (keys: { kid: string; status: string }[], kid: string) =>
      keys.find((key) => key.kid === kid)?.status
    const next = before.find((key: { status: string }) => key.status === 'next').kid
    const active = before.find((key: { status: string }) => key.status === 'active').kid
    t.match(await api.expect(200, 'POST', '/signing-keys/rotate'), {
      kid: next,
      activated_at: /^\d{4}-/,
    })
    const after = (await api.expect(200, 'GET', '/signing-keys')).items
    t.equal(statusOf(after, next), 'active')
    t.equal(statusOf(after, active), 'retired')
    t.notMatch(JSON.stringify(after), /sealed|private|"d"/)
    const first = await api.expect(200, 'GET', '/signing-keys?limit=2')
    const rest = await api.expect(200, 'GET', `/signing-keys?limit=2&cursor=${first.next}`)
    t.same([...first.items, ...rest.items], after)
    t.equal(rest.next, null)
    const { kid } = await api.expect(200, 'POST', '/signing-keys/rotate', { withdraw: true })
    const anew = (await api.expect(200, 'GET', '/signing-keys')).items
    t.equal(statusOf(anew, kid), 'active')
    t.equal(anew.length, 2)
    for (const key of after) t.equal(statusOf(anew, key.kid), undefined, 'dropped')
  })

  t.test('an operator token is valid until it is deleted or expires', async (t) => {
    const statusWith = async (token: string) =>
      (await api.send('GET', '/users', { headers: { authorization: `Bearer ${token}` } })).status
    const { id, token } = await api.operatorTokens.create('CI', null, origin)
    t.equal(await statusWith(token), 200)
    const page = await api.operatorTokens.list({ limit: 10, after: null })
    const listed = page.items.find((one) => one.id === id)
    t.match(listed, { name: 'CI', hint: `…${token.slice(-4)}` })
    t.ok(listed?.lastUsedAt, 'its last use is recorded')
    await api.operatorTokens.remove(id, origin)
    t.equal(await statusWith(token), 401)
    await t.rejects(api.operatorTokens.remove(id, origin), { name: 'NotFound' })

    const past = await api.operatorTokens.create('Past', new Date(Date.now() - 1000), origin)
    t.equal(await statusWith(past.token), 401)
    const future = new Date(Date.now() + 60_000)
    t.equal(await statusWith((await api.operatorTokens.create('Soon', future, origin)).token), 200)
    await t.rejects(api.operatorTokens.create('\u202e', null, origin), { name: 'Invalid' })
    for (const text of ['', 'lkop_', 'lkop_\u0000', `lkop_${'a'.repeat(10_000)}`])
      t.equal(await api.operatorTokens.verify(text), null)
  })
})
