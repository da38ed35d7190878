import { newApp } from './catalogue.ts'
import { onEveryBackend } from './operator-api.ts'

const day = 24 * 3600

await onEveryBackend(async (t, api) => {
  const register = async () => {
    const app = await api.expect(201, 'POST', '/apps', newApp())
    return { ...app, path: `/apps/${app.client_id}/secrets` }
  }
  /** The secrets that a token request would accept now. */
  const activeOf = async (clientId: string, secrets: string[]) => {
    const { rows } = await api.database.query<{ digest: Buffer }>(
      `select digest from app_secrets
       where client_id = $1 and (expires_at is null or expires_at > now())`,
      [clientId],
    )
    return secrets.filter((one) =>
      rows.some(({ digest }) => api.keyring.digestMatches(one, digest)),
    )
  }

  t.test('a new secret revokes the old one at once', async (t) => {
    const { client_id, client_secret: first, path } = await register()
    const second = await api.expect(201, 'POST', path)
    t.match(second.client_secret, /^lkcs_/)
    t.match(second, {
      hint: `…${second.client_secret.slice(-4)}`,
      expires_at: null,
      last_used_at: null,
    })
    t.same(await activeOf(client_id, [first, second.client_secret]), [second.client_secret])
    const { client_secret: _, ...shown } = second
    t.same(await api.expect(200, 'GET', path), { items: [shown], next: null })
  })

  t.test('two secrets may be active during an overlap, a third may not', async (t) => {
    const { client_id, client_secret: first, path } = await register()
    const overlap = { retire_others_after_seconds: 60 }
    const second = (await api.expect(201, 'POST', path, overlap)).client_secret
    t.same(await activeOf(client_id, [first, second]), [first, second])
    const listed = await api.expect(200, 'GET', path)
    t.same(
      listed.items.map((one: { expires_at: string | null }) => one.expires_at !== null),
      [true, false],
    )
    const third = await api.call('POST', path, overlap)
    t.match(third, { status: 409, body: { type: 'urn:latchkey:problem:too-many-secrets' } })
    t.same(await api.expect(200, 'GET', path), listed, 'the refused rotation revokes nothing')

    const last = (await api.expect(201, 'POST', path, { retire_others_after_seconds: 0 }))
      .client_secret
    t.same(await activeOf(client_id, [first, second, last]), [last])
  })

  t.test('the expiry of an old secret can only be brought forward', async (t) => {
    const { client_id, path } = await register()
    const ends = async () =>
      (await api.expect(200, 'GET', path)).items.map((one: { expires_at: string | null }) =>
        one.expires_at === null ? null : Date.parse(one.expires_at),
      )
    await api.expect(201, 'POST', path, { retire_others_after_seconds: 60 })
    const [soon] = await ends()
    const [, second] = (await api.expect(200, 'GET', path)).items
    await api.expect(204, 'DELETE', `${path}/${second.id}`)
    await api.expect(201, 'POST', path, { retire_others_after_seconds: 90 * day })
    t.same(await ends(), [soon, null])
    await api.expect(400, 'POST', path, { retire_others_after_seconds: 90 * day + 1 })
    t.equal((await activeOf(client_id, [])).length, 0)
  })

  t.test('a deleted secret is refused at once, and another app cannot delete it', async (t) => {
    const [mine, other] = [await register(), await register()]
    const [secret] = (await api.expect(200, 'GET', mine.path)).items
    await api.expect(404, 'DELETE', `${other.path}/${secret.id}`)
    t.same(await activeOf(mine.client_id, [mine.client_secret]), [mine.client_secret])
    await api.expect(204, 'DELETE', `${mine.path}/${secret.id}`)
    t.same(await activeOf(mine.client_id, [mine.client_secret]), [])
    await api.expect(404, 'DELETE', `${mine.path}/${secret.id}`)
    t.same((await api.expect(200, 'GET', mine.path)).items, [])
  })

  t.test('of ten concurrent rotations one secret remains, and it was returned', async (t) => {
    const { client_id, client_secret: first, path } = await register()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => api.expect(201, 'POST', path)),
    )
    const secrets = answers.map(({ client_secret }) => client_secret)
    t.equal(new Set(secrets).size, 10)
    t.equal((await activeOf(client_id, [first, ...secrets])).length, 1)
    t.equal((await activeOf(client_id, secrets)).length, 1)
    t.equal((await api.expect(200, 'GET', path)).items.length, 1)
  })

  t.test('of ten concurrent secrets with an overlap one is created', async (t) => {
    const { path } = await register()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => api.call('POST', path, { retire_others_after_seconds: 60 })),
    )
    t.same(answers.map(({ status }) => status).sort(), [201, ...Array(9).fill(409)])
    t.equal((await api.expect(200, 'GET', path)).items.length, 2)
  })

  t.test('an unknown app has no secrets', async () => {
    await api.expect(404, 'GET', '/apps/appNone/secrets')
    await api.expect(404, 'POST', '/apps/appNone/secrets')
    await api.expect(404, 'DELETE', '/apps/appNone/secrets/secNone')
  })
})
