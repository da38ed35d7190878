import { sealPlace } from '../../../src/core/organizations/key-set-secrets.ts'
import { onEveryBackend } from './operator-api.ts'

const draft = { name: 'Export', interface: 'current', permissions: ['records:create'] }

await onEveryBackend(async (t, api) => {
  const organization = async () =>
    (await api.expect(201, 'POST', '/organizations', { name: 'Acme' })).id as string
  const create = async (part: Record<string, unknown> = {}, of?: string) => {
    const path = `/organizations/${of ?? (await organization())}/key-sets`
    const { secret, ...keySet } = await api.expect(201, 'POST', path, { ...draft, ...part })
    return { secret: secret as string, keySet, path: `${path}/${keySet.id}` }
  }
  const activeSecrets = async (id: string) => {
    const { rows } = await api.database.query<{
      id: string
      digest: Buffer
      sealed: Buffer | null
    }>(
      `select id, digest, sealed from key_set_secrets
       where key_set_id = $1 and (expires_at is null or expires_at > now())`,
      [id],
    )
    return rows
  }

  t.test('a key set is created, read, changed and deleted', async (t) => {
    const of = await organization()
    const { secret, keySet, path } = await create({ description: 'Nightly' }, of)
    t.match(secret, /^lkks_/)
    t.ok(Buffer.byteLength(secret) >= 32, 'long enough for HS256 (RFC 7518 §3.2)')
    t.match(keySet, { ...draft, organization_id: of, description: 'Nightly', created_by: null })
    t.not(keySet.id, keySet.client_id)
    t.match(keySet.secrets, [{ hint: `…${secret.slice(-4)}`, expires_at: null }])
    t.same(await api.expect(200, 'GET', path), keySet)
    t.same(await api.expect(200, 'GET', `/organizations/${of}/key-sets`), {
      items: [keySet],
      next: null,
    })
    const patch = { name: 'Import', description: null, permissions: ['records:delete'] }
    const changed = await api.expect(200, 'PATCH', path, patch)
    t.same(changed, { ...keySet, ...patch, updated_at: changed.updated_at })
    t.same(await api.expect(200, 'PATCH', path, patch), changed, 'a repetition returns the same')
    await api.expect(204, 'DELETE', path)
    for (const method of ['GET', 'DELETE']) await api.expect(404, method, path)
    await api.expect(404, 'PATCH', path, patch)
    await api.expect(404, 'POST', `${path}/rotate`)
    t.same(await activeSecrets(keySet.id), [])
    const again = await create({ description: 'Nightly' }, of)
    t.not(again.keySet.id, keySet.id)
    t.not(again.keySet.client_id, keySet.client_id, 'ids are never reused')
  })

  t.test('the store has only the encrypted HS256 key of a secret', async (t) => {
    const current = await create()
    const [stored] = await activeSecrets(current.keySet.id)
    t.ok(api.keyring.digestMatches(current.secret, stored!.digest))
    t.equal(
      api.keyring.open(stored!.sealed!, sealPlace(stored!.id)).toString('utf8'),
      current.secret,
    )
    const legacy = await create({ interface: 'legacy', permissions: ['readData'] })
    const [legacyStored] = await activeSecrets(legacy.keySet.id)
    t.ok(api.keyring.digestMatches(legacy.secret, legacyStored!.digest))
    t.equal(legacyStored?.sealed, null)
  })

  t.test('a rotation revokes the old secret at once', async (t) => {
    const { secret, keySet, path } = await create()
    const rotated = await api.expect(200, 'POST', `${path}/rotate`)
    t.match(rotated, { id: keySet.id, client_id: keySet.client_id })
    t.not(rotated.secret, secret)
    const active = await activeSecrets(keySet.id)
    t.equal(active.length, 1)
    t.ok(api.keyring.digestMatches(rotated.secret, active[0]!.digest))
    t.equal(
      api.keyring.open(active[0]!.sealed!, sealPlace(active[0]!.id)).toString(),
      rotated.secret,
    )
    t.same((await api.expect(200, 'GET', path)).secrets, rotated.secrets)
  })

  t.test('two secrets may be active during an overlap, a third may not', async (t) => {
    const { keySet, path } = await create()
    const overlap = { retire_others_after_seconds: 60 }
    const rotated = await api.expect(200, 'POST', `${path}/rotate`, overlap)
    t.equal(rotated.secrets.length, 2)
    const third = await api.call('POST', `${path}/rotate`, overlap)
    t.match(third, { status: 409, body: { type: 'urn:latchkey:problem:too-many-secrets' } })
    t.equal((await activeSecrets(keySet.id)).length, 2)
    await api.expect(200, 'POST', `${path}/rotate`, {})
    t.equal((await activeSecrets(keySet.id)).length, 1)
  })

  t.test('of ten concurrent rotations one secret remains, and it was returned', async (t) => {
    const { secret, keySet, path } = await create()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => api.expect(200, 'POST', `${path}/rotate`)),
    )
    const secrets = answers.map((answer) => answer.secret as string)
    t.equal(new Set([secret, ...secrets]).size, 11)
    const active = await activeSecrets(keySet.id)
    t.equal(active.length, 1)
    t.equal(secrets.filter((one) => api.keyring.digestMatches(one, active[0]!.digest)).length, 1)
  })

  t.test('a key set of another organization is not found', async (t) => {
    const { keySet, path } = await create()
    const foreign = `/organizations/${await organization()}/key-sets/${keySet.id}`
    await api.expect(404, 'GET', foreign)
    await api.expect(404, 'PATCH', foreign, { name: 'Mine' })
    await api.expect(404, 'POST', `${foreign}/rotate`)
    await api.expect(404, 'DELETE', foreign)
    t.same(await api.expect(200, 'GET', path), keySet)
    await api.expect(404, 'POST', '/organizations/orgNone/key-sets', draft)
    await api.expect(404, 'GET', '/organizations/orgNone/key-sets')
  })

  t.test('permissions belong to the interface of the key set', async (t) => {
    const { path } = await create()
    const list = path.replace(/\/[^/]+$/, '')
    for (const [generation, permissions] of [
      ['current', ['readData']],
      ['legacy', ['records:create']],
    ])
      t.match(await api.call('POST', list, { ...draft, interface: generation, permissions }), {
        status: 400,
        body: { errors: [{ pointer: '/permissions/0' }] },
      })
    await api.expect(400, 'PATCH', path, { permissions: ['readData'] })
    for (const fixed of [
      { interface: 'legacy' },
      { client_id: 'x' },
      { secret: 'x' },
      { organization_id: 'x' },
    ])
      await api.expect(400, 'PATCH', path, fixed)
    const all = await create({ interface: 'legacy', permissions: ['readMembers', 'readData'] })
    t.same(all.keySet.permissions, ['readData', 'readMembers'])
  })
})
