/** Every door to a guarded change: the same change is refused at each of them, and nothing has changed. */
import type { Json } from '../support/latchkey.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { connectProvider, newScimUser, patchOf, scimAt } from '../support/scim.ts'
import { sql } from '../support/traces.ts'

await onEachBackend('second doors', async (t, { running, stores, world }) => {
  const { operator } = running
  const api = `${running.urls[0]}/api/admin/v1`
  const { acme, other, ana, zoe } = world

  const tokenWith = async (rights: Record<string, unknown>): Promise<string> => {
    const { status, body } = await operator('POST', '/operator-tokens', { name: 'T', ...rights })
    t.equal(status, 201)
    return body.token
  }
  const callWith = async (token: string, method: string, path: string, body?: unknown) => {
    const isText = typeof body === 'string'
    const type = isText ? 'application/x-ndjson' : 'application/json'
    const response = await fetch(`${api}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': type }),
      },
      ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? null : (JSON.parse(text) as Json) }
  }
  const accountOf = async (id: string): Promise<Json> =>
    (await operator('GET', `/users/${id}`)).body
  let people = 0
  const person = async (): Promise<Json> => {
    const email = `door${++people}@acme.test`
    return (await operator('POST', '/users', { email, name: 'Olga' })).body
  }
  const appOwnedBy = async (id: string) =>
    t.equal(
      (await operator('PATCH', `/apps/${world.confidential.client_id}`, { owners: [id] })).status,
      200,
    )
  const operatorIs = async (id: string) =>
    t.equal((await operator('PUT', `/users/${id}/operator`, { permissions: ['*'] })).status, 201)

  t.test('ADM-08 only all rights change the account of an operator', async (t) => {
    const { id, email, name } = await person()
    await operatorIs(id)
    const before = await accountOf(id)
    const permissions = ['users:write', 'users:read', 'organizations:write', 'apps:write']
    const password = 'a passphrase of an attacker'
    const line = (fields: object) => JSON.stringify({ type: 'user', id, email, name, ...fields })
    const doors: [method: string, path: string, body?: unknown][] = [
      ['PATCH', '', { email: 'attacker@acme.test' }],
      ['PATCH', '', { password }],
      ['PATCH', '', { name: 'Other' }],
      ['PATCH', '', { disabled: true }],
      ['PATCH', '', { email_verified: true }],
      ['PATCH', '', { locale: 'de' }],
      ['PUT', '', { email, name, disabled: true }],
      ['PUT', '', { email, name, password }],
      ['DELETE', '/passkeys'],
      ['DELETE', '/sessions'],
      ['DELETE', ''],
    ]
    const unlimited = await tokenWith({ permissions })
    const limited = await tokenWith({ permissions: ['*'], organization_ids: [acme] })
    for (const token of [unlimited, limited])
      for (const [method, path, body] of doors)
        t.match(
          await callWith(token, method, `/users/${id}${path}`, body),
          { status: 403, body: { type: 'urn:latchkey:problem:forbidden' } },
          `${method} ${path} ${JSON.stringify(body)}`,
        )
    for (const fields of [{ disabled: true }, { password }, { email: 'x@acme.test' }, {}])
      t.match((await callWith(unlimited, 'POST', '/import', line(fields))).body, {
        status: 'refused',
        detail: /operator/,
      })
    t.same(await accountOf(id), before)

    const everything = await tokenWith({ permissions: ['*'] })
    t.match((await callWith(everything, 'POST', '/import', line({ name: 'Olga O.' }))).body, {
      status: 'updated',
    })
    for (const [method, path, body] of doors)
      t.ok((await callWith(everything, method, `/users/${id}${path}`, body)).status < 300, path)
  })

  t.test('ADM-08 a concurrent grant of operator rights is seen by each change', async (t) => {
    const token = await tokenWith({ permissions: ['users:write'] })
    for (let round = 0; round < 10; round++) {
      const { id, email } = await person()
      const [changed] = await Promise.all([
        callWith(token, 'PATCH', `/users/${id}`, { email: `moved${round}@acme.test` }),
        operatorIs(id),
      ])
      const moved = (await accountOf(id)).email !== email
      t.equal(changed.status, moved ? 200 : 403)
      t.equal((await callWith(token, 'DELETE', `/users/${id}`)).status, 403)
    }
  })

  t.test('ADM-08 a provider changes no account of an operator or an owner of an app', async (t) => {
    for (const [what, promote] of [
      ['an operator', operatorIs],
      ['an owner of an app', appOwnedBy],
    ] as const)
      t.test(what, async (t) => {
        const scim = await connectProvider(running, acme)
        const sent = newScimUser()
        const { id } = (await scim.call('POST', '/Users', sent)).body
        const path = `/Users/${id}`
        const free = patchOf({ op: 'replace', path: 'displayName', value: 'Before' })
        t.equal((await scim.call('PATCH', path, free)).status, 200, 'until then it may')
        await promote(id)
        const before = await accountOf(id)
        const resource = (await scim.call('GET', path)).body
        const evil = [{ value: 'attacker@corp.test', type: 'work', primary: true }]
        const doors: [method: string, body: object][] = [
          ['PUT', { ...sent, emails: evil }],
          ['PUT', { ...sent, userName: 'attacker@corp.test', emails: [] }],
          ['PATCH', patchOf({ op: 'replace', path: 'emails', value: evil })],
          [
            'PATCH',
            patchOf({ op: 'replace', path: 'emails[type eq "work"].value', value: 'a@b.test' }),
          ],
          ['PATCH', patchOf({ op: 'replace', path: 'userName', value: 'attacker@corp.test' })],
          ['PATCH', patchOf({ op: 'replace', path: 'displayName', value: 'Other' })],
          ['PATCH', patchOf({ op: 'replace', path: 'name.givenName', value: 'Other' })],
          ['PATCH', patchOf({ op: 'replace', path: 'preferredLanguage', value: 'de' })],
          ['PATCH', patchOf({ op: 'remove', path: 'emails' })],
        ]
        for (const [method, body] of doors) {
          const answer = await scim.call(method, path, body)
          t.match(
            answer,
            {
              status: 403,
              body: { status: '403', scimType: 'mutability', detail: /operator manages/ },
            },
            `${method} ${JSON.stringify(body)}`,
          )
        }
        t.same((await scim.call('GET', path)).body, resource)
        t.same(await accountOf(id), before)

        const link = patchOf({ op: 'replace', path: 'externalId', value: 'their-id' })
        t.match(await scim.call('PATCH', path, link), {
          status: 200,
          body: { externalId: 'their-id' },
        })
        const leaving = patchOf(
          { op: 'replace', path: 'emails', value: evil },
          { op: 'replace', path: 'active', value: false },
        )
        t.match(await scim.call('PATCH', path, leaving), { status: 200, body: { active: false } })
        t.same(await accountOf(id), before, 'who leaves an organization keeps the account')
        const back = patchOf({ op: 'replace', path: 'active', value: true })
        t.match(await scim.call('PATCH', path, back), { status: 200, body: { active: true } })
        t.equal((await scim.call('DELETE', path)).status, 204)
        t.match(await scim.call('POST', '/Users', { ...newScimUser(), emails: sent.emails }), {
          status: 201,
          body: { id },
        })
        t.same(await accountOf(id), before, 'nor changes it by another addition')
      })
  })

  const inAcme = { organization_ids: [acme] }
  const writes = ['users:write', 'organizations:write', 'organizations:read']

  t.test('ADM-09 a limited token adds only people whom it knows', async (t) => {
    const token = await tokenWith({ permissions: writes, ...inAcme })
    const put = (id: string, by = token) =>
      callWith(by, 'PUT', `/organizations/${acme}/members/${id}`, { role: 'admin' })
    const withoutRequest = ({ status, body: { request_id: _, ...body } }: Json) => ({
      status,
      body,
    })
    const unknown = withoutRequest(await put('usr0'))
    t.equal(unknown.status, 404)
    const stranger = await person()
    for (const { id } of [zoe, stranger])
      t.same(withoutRequest(await put(id)), unknown, 'like one that does not exist')
    t.equal((await put(ana.id)).status, 200, 'a member gets another role')

    const email = 'made-by-limited@acme.test'
    for (const wayIn of [{ password: 'correct horse battery' }, { email_verified: true }])
      t.equal(
        (await callWith(token, 'POST', '/users', { email, name: 'New', ...wayIn })).status,
        403,
      )
    const made = await callWith(token, 'POST', '/users', { email, name: 'New' })
    t.equal(made.status, 201)
    const another = await tokenWith({ permissions: ['*'], organization_ids: [acme] })
    t.equal((await put(made.body.id, another)).status, 404, 'the same token only')
    t.equal((await put(made.body.id)).status, 201)

    const inBoth = await tokenWith({ permissions: writes, organization_ids: [acme, other] })
    t.equal((await put(zoe.id, inBoth)).status, 201, 'a member of one of its organizations')
    t.equal((await operator('DELETE', `/organizations/${acme}/members/${zoe.id}`)).status, 204)
    await operator('PUT', `/organizations/${acme}/members/${ana.id}`, { role: 'member' })
  })

  t.test('ADM-09 a limited token imports into its organizations only', async (t) => {
    const token = await tokenWith({ permissions: ['*'], ...inAcme })
    const made = (await callWith(token, 'POST', '/users', { email: 'm@limited.test', name: 'M' }))
      .body
    const app = world.confidential.client_id
    const install = { type: 'install', client_id: app, permissions: ['records:create'] }
    const member = { type: 'member', role: 'member' }
    const none = { status: 'refused', detail: /there is no such/ }
    const platforms = { status: 'refused', detail: /limited to organizations/ }
    const { email, name } = await accountOf(ana.id)
    const draft = {
      ...{ name: 'App', interface: 'current', client_type: 'public' },
      ...{ redirect_uris: ['https://app.example/cb'], permissions: [] },
    }
    await operator('PUT', `/organizations/${other}/workspaces/wks-other`, { name: 'Other' })
    const lines: [line: object, answer: object][] = [
      [{ type: 'organization', id: other, name: 'Taken' }, none],
      [{ type: 'organization', id: 'org-of-limited', name: 'New' }, none],
      [{ type: 'workspace', organization: acme, id: 'wks-acme', name: 'W' }, { status: 'created' }],
      [
        { type: 'workspace', organization: acme, id: 'wks-other', name: 'W' },
        { status: 'refused' },
      ],
      [{ type: 'workspace', organization: other, id: 'wks-mine', name: 'W' }, none],
      [{ ...member, organization: acme, user: zoe.id }, none],
      [{ ...member, organization: acme, user: 'usr0' }, none],
      [{ ...member, organization: other, user: made.id }, none],
      [{ ...member, organization: acme, user: made.id }, { status: 'created' }],
      [{ ...member, organization: acme, user: ana.id, role: 'admin' }, { status: 'updated' }],
      [{ ...member, organization: acme, user: ana.id }, { status: 'updated' }],
      [{ type: 'workspace_member', workspace: 'wks-acme', user: made.id }, { status: 'created' }],
      [{ type: 'workspace_member', workspace: 'wks-other', user: zoe.id }, none],
      [{ ...install, organization: acme, workspace_ids: null }, { status: /updated|unchanged/ }],
      [{ ...install, organization: acme, workspace_ids: ['wks-other'] }, { status: 'refused' }],
      [{ ...install, organization: other, workspace_ids: null }, none],
      [{ type: 'user', id: ana.id, email, name: 'Taken' }, platforms],
      [{ type: 'user', id: ana.id, email, name, password: 'a passphrase of mine' }, platforms],
      [{ type: 'user', id: 'usr-of-limited', email: 'n@limited.test', name: 'N' }, platforms],
      [{ type: 'app', client_id: 'app-of-limited', ...draft }, platforms],
      [{ type: 'organization', id: acme, name: 'Acme' }, { status: /updated|unchanged/ }],
    ]
    const foreign = async () =>
      Promise.all(
        [`/organizations/${other}`, `/organizations/${other}/members`, `/users/${ana.id}`].map(
          async (path) => (await operator('GET', path)).body,
        ),
      )
    const before = await foreign()
    const response = await fetch(`${api}/import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
      body: lines.map(([line]) => `${JSON.stringify(line)}\n`).join(''),
    })
    t.equal(response.status, 200)
    const answers = (await response.text()).trim().split('\n')
    t.equal(answers.length, lines.length)
    for (const [at, [line, answer]] of lines.entries())
      t.match(JSON.parse(answers[at] as string), answer, JSON.stringify(line))
    t.same(await foreign(), before)
    const absent = ['/users/usr-of-limited', '/apps/app-of-limited', '/workspaces/wks-mine']
    for (const path of absent) t.equal((await operator('GET', path)).status, 404, path)
  })

  t.test('ADM-09 a token for SCIM needs both rights, and is as limited as its maker', async (t) => {
    const path = `/organizations/${acme}/scim-tokens`
    for (const [missing, ...permissions] of [
      ['organizations:write', 'users:write'],
      ['users:write', 'organizations:write'],
    ] as const)
      for (const limits of [{}, inAcme])
        t.match(
          await callWith(await tokenWith({ permissions, ...limits }), 'POST', path, { name: 'P' }),
          { status: 403, body: { permission: missing } },
        )
    const verified = await person()
    await operator('PATCH', `/users/${verified.id}`, { email_verified: true })
    const add = async (maker: Record<string, unknown>) => {
      const { body } = await callWith(await tokenWith(maker), 'POST', path, { name: 'P' })
      return scimAt(running.urls[0] as string, body.token).call('POST', '/Users', {
        ...newScimUser(),
        userName: verified.email,
        emails: [{ value: verified.email, type: 'work', primary: true }],
      })
    }
    t.match(await add({ permissions: writes, ...inAcme }), { status: 409 })
    t.match(await add({ permissions: writes }), { status: 201, body: { id: verified.id } })
  })

  t.test('ADM-09 a token for SCIM that exists keeps working', async (t) => {
    const scim = await connectProvider(running, acme)
    await sql(stores, 'update scim_tokens set is_limited = default where id = $1', [scim.id])
    t.equal((await scim.call('POST', '/Users', newScimUser())).status, 201)
  })
})
