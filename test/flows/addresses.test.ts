/** Names and addresses of all languages, at each door: one form is stored (decision 0110). */
import { eventually } from '../support/eventually.ts'
import { operatorToken, startLatchkey } from '../support/latchkey.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { connectProvider, newScimUser } from '../support/scim.ts'
import { sql } from '../support/traces.ts'
import { createVisitor, walk } from '../support/visitor.ts'
import { password } from '../support/world.ts'

const name = 'علی\u200cرضا 👩\u200d💻'

await onEachBackend('addresses', async (t, { running, world, stores, issuer }) => {
  const { operator } = running
  const user = (email: string, part = {}) => operator('POST', '/users', { email, name, ...part })

  t.test('the Operator API stores one form, and finds it by each', async (t) => {
    const made = await user('Ana@Bücher.example', { password })
    t.match(made, { status: 201, body: { email: 'ana@xn--bcher-kva.example', name } })
    const { id } = made.body
    for (const email of [
      'ana@bu\u0308cher.example',
      'ANA@xn--bcher-kva.example',
      'ana@BÜCHER.example',
    ])
      t.match(await user(email), { status: 409 }, email)
    const found = await operator('GET', `/users?email=${encodeURIComponent('ana@bücher.example')}`)
    t.match(found.body.items, [{ id }])
    const other = (await user('other@bücher.example')).body.id
    const change = (email: string) => operator('PATCH', `/users/${other}`, { email })
    t.equal((await change('ana@bücher.example')).status, 409)
    t.match((await change('neu@bücher.example')).body, { email: 'neu@xn--bcher-kva.example' })
    const refused = await change('zoë@bücher.example')
    t.equal(refused.status, 400)
    t.match(JSON.stringify(refused.body), /email_letters/)
    t.equal((await change('a@bü／x.example')).status, 400)
    t.equal((await user('x@acme.test', { name: 'bare\u200c' })).status, 400)
  })

  t.test('names with joiners are taken wherever a name is', async (t) => {
    for (const [method, path, body] of [
      ['POST', '/organizations', {}],
      ['PATCH', `/organizations/${world.acme}`, {}],
      ['POST', `/organizations/${world.acme}/workspaces`, {}],
      ['PATCH', `/apps/${world.confidential.client_id}`, {}],
      ['PATCH', `/users/${world.kim.id}`, {}],
    ] as const) {
      const answer = await operator(method, path, { ...body, name })
      t.match(answer, { status: method === 'POST' ? 201 : 200, body: { name } }, path)
    }
  })

  t.test('an import stores one form, and says what it refuses', async (t) => {
    const line = (id: string, email: string) => JSON.stringify({ type: 'user', id, email, name })
    const lines = [
      line('idn-1', 'Import@Bücher.example'),
      line('idn-2', 'import@xn--bcher-kva.example'),
      line('idn-3', 'zoë@bücher.example'),
      line('idn-4', 'a@ü..example'),
    ]
    const response = await fetch(`${running.urls[0]}/api/admin/v1/import`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${operatorToken}`,
        'content-type': 'application/x-ndjson',
      },
      body: lines.join('\n'),
    })
    const outcomes = (await response.text())
      .trim()
      .split('\n')
      .map((one) => JSON.parse(one))
    t.match(outcomes, [
      { status: 'created' },
      { status: 'refused', detail: /another user/ },
      { status: 'refused', detail: /SMTPUTF8/ },
      { status: 'refused', detail: /not an e-mail address/ },
    ])
    t.match((await operator('GET', '/users/idn-1')).body, {
      email: 'import@xn--bcher-kva.example',
      name,
    })
  })

  t.test('a person signs in with each form, and reads the letters', async (t) => {
    for (const email of ['ana@bücher.example', 'Ana@xn--bcher-kva.example']) {
      const page = await walk(createVisitor(issuer), `${issuer}/login?return_to=/account/apps`, {
        email,
        password,
      })
      t.equal(page.url.pathname, '/account/apps', email)
      t.equal(page.dom.querySelector('header .who')?.text, 'ana@bücher.example')
    }
  })

  t.test('SCIM takes it, shows what it was told, and finds each form', async (t) => {
    const scim = await connectProvider(running, world.acme)
    const sent = newScimUser({ userName: 'idn@bücher.example', displayName: name, emails: [] })
    const made = await scim.call('POST', '/Users', sent)
    t.match(made, { status: 201, body: { userName: 'idn@bücher.example', displayName: name } })
    t.match((await operator('GET', `/users/${made.body.id}`)).body, {
      email: 'idn@xn--bcher-kva.example',
      name,
    })
    const same = newScimUser({ userName: 'IDN@xn--bcher-kva.example', emails: [] })
    t.match(await scim.call('POST', '/Users', same), { status: 409 })
    const zoe = newScimUser({ userName: 'zoë@acme.test', emails: [] })
    t.match(await scim.call('POST', '/Users', zoe), { status: 400, body: { detail: /SMTPUTF8/ } })
    const group = await scim.call('POST', '/Groups', { displayName: name })
    t.match(group, { status: 201, body: { displayName: name } })

    const { id } = (await user('member@bücher.example')).body
    await operator('PUT', `/organizations/${world.acme}/members/${id}`, { role: 'member' })
    for (const filter of [
      'userName eq "member@bücher.example"',
      'emails.value eq "member@bücher.example"',
    ])
      t.match(await scim.find('Users', filter), [{ id }], filter)
  })

  t.test('accounts that have become equal stay, and are listed at the start', async (t) => {
    await sql(
      stores,
      `insert into users (id, email, name) values ('usr_old', 'ana@bücher.example', 'Old')`,
    )
    const next = await startLatchkey(stores)
    t.teardown(() => next.stop())
    await eventually(async () => next.log.join('').includes('not in the stored form'))
    const line = next.log
      .join('')
      .split('\n')
      .find((one) => one.includes('not in the stored form'))
    const { id } = (await operator('GET', '/users?email=ana@xn--bcher-kva.example')).body.items[0]
    t.match(JSON.parse(line as string), { accounts: [{ userId: 'usr_old', equalTo: id }] })
    t.equal((await operator('GET', '/users/usr_old')).status, 200)
  })
})
