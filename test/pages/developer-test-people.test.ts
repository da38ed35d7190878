/** Test people of a sandbox: what they may do, and what no one can do with them. */

import { type Json, operatorToken } from '../support/latchkey.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { signedIn } from '../support/signed-in.ts'
import { countRows, sql } from '../support/traces.ts'
import { createApp, install } from '../support/world.ts'
import { postFields, secretOn, wordsOf } from './organization-visit.ts'

const path = '/developer/sandbox/people'

await onEachBackend('test people of a sandbox', async (t, { running, issuer, world, stores }) => {
  const { operator } = running
  const { ana, kim, acme } = world
  const app = await createApp(running, { name: 'Letter Press', owners: [ana.id] })
  const maker = await signedIn(issuer, ana)
  t.match(wordsOf(await maker.get(path)), 'Apps you maintain', 'without a sandbox')
  await maker.submit(await maker.get('/developer/sandbox'), {})
  const { items } = (await operator('GET', '/organizations?limit=100')).body
  const sandbox = items.find((one: Json) => one.sandbox).id as string
  const people = () =>
    sql<{ id: string; email: string }>(
      stores,
      `select u.id, u.email from users u join test_people p on p.user_id = u.id order by p.created_at`,
    )

  await t.test(
    'one is added once, whatever number of clicks, with a password shown once',
    async (t) => {
      const form = await maker.get(path)
      const pages = await Promise.all(
        Array.from({ length: 4 }, () => maker.submit(form, { name: 'Tess Person' })),
      )
      const [shown, ...others] = pages.filter(({ status }) => status === 200)
      t.same(others, [], 'the password is shown once')
      t.match(wordsOf(shown!), 'How Tess Person signs in')
      const [person, ...more] = await people()
      t.same(more, [])
      t.match(person?.email, /^test-[0-9a-f]{16}@sandbox\.invalid$/)
      const password = String(secretOn(shown!))
      const member = await signedIn(issuer, { email: person!.email, password })
      await install(running, sandbox, app, { permissions: [] })
      t.match(wordsOf(await member.get('/account/apps')), 'No app is connected', 'signed in')
      t.equal((await member.get(`/organizations/${sandbox}/apps`)).status, 404, 'no admin')
      t.equal((await member.get('/developer/sandbox')).status, 404, 'no owner')
    },
  )

  await t.test('the bounds', async (t) => {
    const [{ id } = { id: '' }] = await people()
    const membership = await operator('PUT', `/organizations/${acme}/members/${id}`, {
      role: 'member',
    })
    t.equal(membership.status, 404)
    const owners = { owners: [ana.id, id] }
    t.equal((await operator('PATCH', `/apps/${app.client_id}`, owners)).status, 400)
    const operators = await operator('PUT', `/users/${id}/operator`, { permissions: ['apps:read'] })
    t.equal(operators.status, 404)
    await t.rejects(
      sql(
        stores,
        `insert into members (organization_id, user_id, role) values ($1, $2, 'member')`,
        [acme, id],
      ),
      'the database refuses it too',
    )
    const imported = await fetch(`${issuer}/api/admin/v1/import`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${operatorToken}`,
        'content-type': 'application/x-ndjson',
      },
      body: `${JSON.stringify({ type: 'member', organization: acme, user: id, role: 'member' })}\n`,
    })
    t.match(await imported.text(), '"refused"')
    t.match(wordsOf(await maker.submit(await maker.get(path), { name: '\u0007' })), 'Enter a name')
    const forms = await Promise.all(Array.from({ length: 8 }, () => maker.get(path)))
    await Promise.all(forms.map((form, at) => maker.submit(form, { name: `Person ${at}` })))
    t.equal((await people()).length, 5, 'no more than five, with many forms at once')
    t.match(wordsOf(await maker.get(path)), 'has 5 test people')
    const stranger = await signedIn(issuer, kim)
    t.equal((await stranger.get(path)).status, 404)
    const removal = await postFields(stranger, `${issuer}${path}/${id}/remove`, {})
    t.equal(removal.status, 404)
    t.equal((await people()).length, 5)
  })

  await t.test('they end one by one, and with the sandbox', async (t) => {
    const [{ id } = { id: '' }] = await people()
    const page = await maker.submit(await maker.get(`${path}/${id}/remove`), {})
    t.match(wordsOf(page), 'The test person is removed')
    t.equal((await operator('GET', `/users/${id}`)).status, 404)
    const others = await people()
    t.equal(others.length, 4)
    await maker.submit(await maker.get('/developer/sandbox/delete'), {})
    t.equal(await countRows(stores, 'test_people'), 0)
    for (const one of others) t.equal((await operator('GET', `/users/${one.id}`)).status, 404)
    t.equal((await operator('GET', `/users/${ana.id}`)).status, 200, 'the owner stays')
  })
})
