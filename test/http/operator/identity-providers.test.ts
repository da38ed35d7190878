import { newApp } from './catalogue.ts'
import { onEveryBackend } from './operator-api.ts'

await onEveryBackend(async (t, api) => {
  const organization = async () =>
    (await api.expect(201, 'POST', '/organizations', { name: 'Acme' })).id as string
  const issuer = 'https://idp.example/acme'

  t.test('an identity provider is named, read, replaced and removed', async (t) => {
    const id = await organization()
    const path = `/organizations/${id}/identity-provider`
    await api.expect(404, 'GET', path)
    await api.expect(404, 'DELETE', path)
    const named = await api.expect(201, 'PUT', path, { issuer })
    t.match(named, { organization_id: id, issuer, client_ids: null, jwks_uri: null })
    t.same(await api.expect(200, 'PUT', path, { issuer }), named, 'a repetition changes nothing')
    const { client_id } = await api.expect(201, 'POST', '/apps', newApp())
    const limited = { issuer, client_ids: [client_id], jwks_uri: 'https://keys.example/jwks' }
    t.match(await api.expect(200, 'PUT', path, limited), limited)
    t.match(await api.expect(200, 'GET', path), limited)
    await api.expect(204, 'DELETE', path)
    await api.expect(404, 'GET', path)
    const { items } = await api.expect(200, 'GET', `/audit?organization_id=${id}`)
    const own = items.filter(({ type }: { type: string }) => type.startsWith('identity_provider.'))
    t.match(
      own.map(({ type, detail }: { type: string; detail: object }) => ({ type, detail })),
      [
        { type: 'identity_provider.removed', detail: { issuer } },
        {
          type: 'identity_provider.changed',
          detail: { issuer, changed: ['client_ids', 'jwks_uri'] },
        },
        { type: 'identity_provider.set', detail: { issuer } },
      ],
    )
    await api.expect(404, 'PUT', '/organizations/missing/identity-provider', { issuer })
  })

  t.test('an address that the server must not fetch is refused', async (t) => {
    const path = `/organizations/${await organization()}/identity-provider`
    const wrong: [body: object, pointer: string][] = [
      [{}, '/issuer'],
      [{ issuer: 'idp.example' }, '/issuer'],
      [{ issuer: 'http://idp.example' }, '/issuer'],
      [{ issuer: 'https://idp.example/?tenant=1' }, '/issuer'],
      [{ issuer: 'https://idp.example/#x' }, '/issuer'],
      [{ issuer: 'https://user@idp.example/' }, '/issuer'],
      [{ issuer: 'https://127.0.0.1/' }, '/issuer'],
      [{ issuer: 'https://169.254.169.254/' }, '/issuer'],
      [{ issuer, jwks_uri: 'https://10.0.0.1/keys' }, '/jwks_uri'],
      [{ issuer, jwks_uri: 'file:///etc/passwd' }, '/jwks_uri'],
      [{ issuer, client_ids: ['missing'] }, '/client_ids/0'],
    ]
    for (const [body, pointer] of wrong) {
      const refused = await api.expect(400, 'PUT', path, body)
      t.match(refused, { errors: [{ pointer }] }, JSON.stringify(body))
    }
    await api.expect(404, 'GET', path)
  })

  t.test('only a confidential app of the current interface may use assertions', async (t) => {
    const switched = { identity_assertions: true }
    const { client_id, identity_assertions } = await api.expect(201, 'POST', '/apps', newApp())
    t.equal(identity_assertions, false, 'off by default')
    t.match(await api.expect(200, 'PATCH', `/apps/${client_id}`, switched), switched)
    for (const part of [
      { client_type: 'public' },
      { interface: 'legacy', permissions: ['readData'] },
    ]) {
      const refused = await api.expect(400, 'POST', '/apps', newApp({ ...part, ...switched }))
      t.match(refused, { errors: [{ pointer: '/identity_assertions' }] }, JSON.stringify(part))
    }
    await api.expect(400, 'PATCH', `/apps/${client_id}`, { client_type: 'public' })
  })

  t.test('of many first requests one creates the provider', async (t) => {
    const path = `/organizations/${await organization()}/identity-provider`
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => api.call('PUT', path, { issuer })),
    )
    t.equal(answers.filter(({ status }) => status === 201).length, 1)
    t.ok(answers.every(({ status }) => status === 200 || status === 201))
  })
})
