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

  t.test('limits are stored, changed one by one, and audited', async (t) => {
    const organization = (await api.expect(201, 'POST', '/organizations', { name: 'Acme' })).id
    const limits = {
      resource: ['https://files.example/a', 'urn:acme:files'],
      permissions: ['records:create', 'readData'],
      organization_ids: [organization],
    }
    const created = await api.expect(201, 'POST', '/resource-servers', { name: 'Files', ...limits })
    const { client_secret, ...server } = created
    t.match(server, limits)
    const path = `/resource-servers/${server.client_id}`
    const changed = await api.expect(200, 'PATCH', path, {
      permissions: [],
      organization_ids: null,
      resource: ['urn:acme:files', 'urn:acme:files'],
    })
    t.same(changed, {
      ...server,
      resource: ['urn:acme:files'],
      permissions: [],
      organization_ids: null,
    })
    await api.expect(200, 'PATCH', path, { name: 'Files' })
    const { items } = await api.expect(200, 'GET', `/audit?client_id=${server.client_id}`)
    t.same(
      items.map(({ type, detail }: { type: string; detail: object }) => [type, detail]),
      [
        ['resource_server.changed', { changed: ['resource', 'permissions', 'organization_ids'] }],
        ['resource_server.created', {}],
      ],
      'a change without a difference is none',
    )
    await api.expect(404, 'PATCH', '/resource-servers/rsv0', { name: 'None' })
  })

  t.test('faults of limits are named, and change nothing', async (t) => {
    const server = await api.expect(201, 'POST', '/resource-servers', { name: 'Checked' })
    const path = `/resource-servers/${server.client_id}`
    const before = await api.expect(200, 'GET', path)
    const faults: [Record<string, unknown>, string][] = [
      [{ resource: ['https://files.example/#part'] }, '/resource/0'],
      [{ resource: ['urn:acme:fine', '/relative'] }, '/resource/1'],
      [{ resource: ['https://files.example/with space'] }, '/resource/0'],
      [{ resource: ['https://files.example/"quoted"'] }, '/resource/0'],
      [{ resource: [] }, '/resource'],
      [{ permissions: ['records:create', 'records:unknown'] }, '/permissions/1'],
      [{ organization_ids: [] }, '/organization_ids'],
      [{ organization_ids: ['org0unknown'] }, '/organization_ids'],
    ]
    for (const [limits, pointer] of faults) {
      const calls = [
        await api.call('POST', '/resource-servers', { name: 'New', ...limits }),
        await api.call('PATCH', path, limits),
      ]
      for (const { status, body } of calls) {
        t.equal(status, 400, JSON.stringify(limits))
        t.match(body.errors, [{ pointer }], JSON.stringify(limits))
      }
    }
    t.same(await api.expect(200, 'GET', path), before)
  })

  t.test('a resource URI has one resource server, however many ask for it at once', async (t) => {
    const one = 'https://one.example/'
    const requested = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        api.call('POST', '/resource-servers', {
          name: `Server ${n}`,
          resource: [`urn:of:${n}`, one],
        }),
      ),
    )
    const statuses = requested.map(({ status }) => status).sort()
    t.same(statuses, [201, ...Array.from({ length: 11 }, () => 409)])
    const [owner] = requested.filter(({ status }) => status === 201)
    const other = await api.expect(201, 'POST', '/resource-servers', { name: 'Other' })
    const change = (resource: string[] | null) => (server: { client_id: string }) =>
      api.call('PATCH', `/resource-servers/${server.client_id}`, { resource })
    const refused = await change([one])(other)
    t.equal(refused.status, 409)
    for (const written of ['https://one.example', 'HTTPS://One.example:443/'])
      t.equal((await change([written])(other)).status, 409, written)
    t.equal((await change(['https://one.example/a'])(other)).status, 200)
    t.equal((await change(['https://one.example/a/'])(other)).status, 200, 'a path and a slash')
    t.equal((await change([one])(owner?.body)).status, 200, 'its own')
    t.equal((await change(null)(owner?.body)).status, 200)
    t.equal((await change([one])(other)).status, 200, 'free again')
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
