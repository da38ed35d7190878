import { onEveryBackend } from './operator-api.ts'

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
})
