/**
 * SCIM 2.0 (RFC 7643, 7644): identity providers manage the users and groups of one organization,
 * in the forms that Entra ID and Okta send.
 */
import { eventually } from '../support/eventually.ts'
import { clientCredentials, currentCode, exchangeCode, refresh } from '../support/flows.ts'
import type { Json } from '../support/latchkey.ts'
import { onEachBackend, type Scene } from '../support/on-each-backend.ts'
import { introspectAt, registerResourceServer } from '../support/resource-server.ts'
import { connectProvider, isScimError, newScimUser, patchOf, scimAt } from '../support/scim.ts'
import { sql } from '../support/traces.ts'
import { createApp, install } from '../support/world.ts'

const rolesOf = async ({ running }: Scene, organization: string, user: string) =>
  (await running.operator('GET', `/organizations/${organization}/members/${user}`)).body.role

await onEachBackend('users', async (t, scene) => {
  const { running, world, stores } = scene
  const scim = await connectProvider(running, world.acme)
  const patch = (id: string, ...operations: unknown[]) =>
    scim.call('PATCH', `/Users/${id}`, patchOf(...operations))

  t.test('SCM-06 a request that changes nothing writes nothing', async (t) => {
    const sent = newScimUser()
    const { id } = (await scim.call('POST', '/Users', sent)).body
    const group = { displayName: 'Same', externalId: 'same', members: [{ value: id }] }
    const made = (await scim.call('POST', '/Groups', group)).body.id
    const events = () => sql(stores, `select type from audit_events where detail->>'by' = 'scim'`)
    const described = (await scim.call('GET', `/Users/${id}`)).body
    const before = await events()
    const answers = [
      await scim.call('PUT', `/Users/${id}`, sent),
      await patch(id, { op: 'replace', value: { active: true, displayName: sent.displayName } }),
      await scim.call('PUT', `/Groups/${made}`, group),
      await scim.call(
        'PATCH',
        `/Groups/${made}`,
        patchOf({ op: 'add', path: 'members', value: group.members }),
      ),
    ]
    t.same(
      answers.map(({ status }) => status),
      [200, 200, 200, 204],
    )
    t.same((await scim.call('GET', `/Users/${id}`)).body, described, 'lastModified too')
    t.same(await events(), before)
    await scim.call('DELETE', `/Groups/${made}`)
    await scim.call('DELETE', `/Users/${id}`)
  })

  t.test('a user is created, found, read, replaced and removed', async (t) => {
    const sent = newScimUser()
    const created = await scim.call('POST', '/Users', sent)
    t.equal(created.status, 201)
    const { id } = created.body
    t.equal(created.headers.get('location'), `${running.issuer}/scim/v2/Users/${id}`)
    t.match(created.body, {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: sent.userName,
      externalId: sent.externalId,
      displayName: sent.displayName,
      name: sent.name,
      emails: sent.emails,
      active: true,
      meta: { resourceType: 'User', location: created.headers.get('location') },
    })
    t.match((await running.operator('GET', `/users/${id}`)).body, {
      email: sent.userName,
      name: sent.displayName,
      email_verified: false,
    })
    t.equal(await rolesOf(scene, world.acme, id), 'member')
    isScimError(
      t,
      await scim.call('POST', '/Users', newScimUser({ userName: sent.userName.toUpperCase() })),
      409,
      'uniqueness',
    )
    isScimError(
      t,
      await scim.call('POST', '/Users', { ...newScimUser(), emails: sent.emails }),
      409,
      'uniqueness',
    )
    for (const filter of [
      `userName eq "${sent.userName.toUpperCase()}"`,
      `externalId eq "${sent.externalId}"`,
      `id eq "${id}"`,
      `userName eq "nobody" or externalid EQ "${sent.externalId}"`,
      `emails[type eq "work"].value eq "x" or id eq "${id}"`.replace(
        '].value eq "x"',
        ' and value co "corp"]',
      ),
      `userName sw "${sent.userName}"`,
    ])
      t.same(
        (await scim.find('Users', filter)).map((one) => one.id),
        [id],
        filter,
      )
    t.same(await scim.find('Users', 'userName eq "nobody@corp.test"'), [])
    const { externalId: _none, displayName: _name, ...rest } = sent
    const replaced = await scim.call('PUT', `/Users/${id}`, { ...rest, id, meta: {}, groups: [] })
    t.equal(replaced.status, 200)
    t.notOk('externalId' in replaced.body)
    t.notOk('displayName' in replaced.body)
    t.equal(replaced.body.active, true)
    t.equal((await scim.call('DELETE', `/Users/${id}`)).status, 204)
    isScimError(t, await scim.call('GET', `/Users/${id}`), 404)
    isScimError(t, await scim.call('DELETE', `/Users/${id}`), 404)
    const again = await scim.call('POST', '/Users', sent)
    t.match(again, { status: 201, body: { id } }, 'the account of the same provider returns')
  })

  t.test('existing members are users too, and become linked by a change', async (t) => {
    const [ana] = await scim.find('Users', `userName eq "${world.ana.email}"`)
    t.match(ana, { id: world.ana.id, active: true, emails: [{ value: world.ana.email }] })
    isScimError(
      t,
      await scim.call('POST', '/Users', newScimUser({ userName: world.ana.email, emails: [] })),
      409,
      'uniqueness',
    )
    const before = (await running.operator('GET', `/users/${world.ana.id}`)).body
    const { body } = await patch(world.ana.id, {
      op: 'Replace',
      value: { externalId: 'ana', displayName: 'Renamed', emails: [{ value: 'evil@corp.test' }] },
    })
    t.match(body, {
      externalId: 'ana',
      displayName: 'Renamed',
      emails: [{ value: 'evil@corp.test' }],
    })
    const after = (await running.operator('GET', `/users/${world.ana.id}`)).body
    t.same(after, before, "the account is not the provider's")
  })

  t.test('PATCH in the forms of Entra ID', async (t) => {
    const { id } = (await scim.call('POST', '/Users', newScimUser())).body
    const replaced = await patch(
      id,
      { op: 'Replace', path: 'displayName', value: 'Changed' },
      { op: 'Add', path: 'name.givenName', value: 'Gita' },
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'gita@corp.test' },
      { op: 'Add', path: 'emails[type eq "other"].value', value: 'other@corp.test' },
      {
        op: 'Replace',
        path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
        value: 'Law',
      },
      { op: 'Add', path: 'addresses[type eq "work"].formatted', value: 'Somewhere 1' },
    )
    t.equal(replaced.status, 200)
    t.match(replaced.body, {
      displayName: 'Changed',
      name: { givenName: 'Gita', familyName: 'Family' },
      emails: [
        { type: 'work', value: 'gita@corp.test', primary: true },
        { type: 'other', value: 'other@corp.test' },
      ],
    })
    t.match((await running.operator('GET', `/users/${id}`)).body, {
      email: 'gita@corp.test',
      name: 'Changed',
    })
    const off = await patch(id, { op: 'Replace', path: 'active', value: 'False' })
    t.equal(off.body.active, false)
    const on = await patch(id, { op: 'Add', path: 'active', value: [{ value: 'True' }] })
    t.equal(on.body.active, true)
    const dotted = await patch(id, {
      op: 'Add',
      value: { 'name.familyName': 'Dotted', 'emails[type eq "home"].value': 'home@corp.test' },
    })
    t.match(dotted.body.name, { givenName: 'Gita', familyName: 'Dotted' })
    t.match(dotted.body.emails[2], { type: 'home', value: 'home@corp.test' })
    const removed = await patch(
      id,
      { op: 'Remove', path: 'emails[type eq "home"]' },
      { op: 'Remove', path: 'name.givenName' },
      { op: 'Remove', path: 'externalId' },
    )
    t.equal(removed.body.emails.length, 2)
    t.notOk('givenName' in removed.body.name)
    t.notOk('externalId' in removed.body)
  })

  t.test('the locale of a user is the language of pages and mails', async (t) => {
    const created = await scim.call('POST', '/Users', { ...newScimUser(), locale: 'de_CH' })
    t.equal(created.body.locale, 'de_CH', 'as it was sent')
    const { id } = created.body
    const path = `/users/${id}`
    const own = async () => (await running.operator('GET', path)).body.locale
    t.equal(await own(), 'de', 'the closest language')
    const say = (value: unknown) => patch(id, { op: 'replace', path: 'locale', value })
    t.match(await say('pt-BR'), { status: 200, body: { locale: 'pt-BR' } })
    t.equal(await own(), 'pt-BR')
    const changes = await sql<{ detail: Json }>(
      stores,
      `select detail from audit_events where type = 'user.changed' and user_id = $1`,
      [id],
    )
    t.same(changes, [{ detail: { by: 'scim', changed: ['locale'] } }])

    await running.operator('PATCH', path, { locale: 'ja' })
    const renamed = await patch(id, { op: 'replace', path: 'displayName', value: 'Other' })
    t.equal(renamed.body.locale, 'pt-BR')
    t.equal(await own(), 'ja', 'the choice of the user stays while the provider says the same')
    t.equal((await say('ru-RU')).body.locale, 'ru-RU')
    t.equal(await own(), 'ja', 'no language of this server')
    await say('fr-CA')
    t.equal(await own(), 'fr')
    const removed = await patch(id, { op: 'remove', path: 'locale' })
    t.notOk('locale' in removed.body)
    t.equal(await own(), null)
    isScimError(t, await say(7), 400, 'invalidValue')
    isScimError(t, await say('x'.repeat(501)), 400, 'invalidValue')
    t.equal((await say('not a tag')).status, 200)
    t.equal(await own(), null)
  })

  t.test('preferredLanguage comes before the locale', async (t) => {
    const created = await scim.call('POST', '/Users', {
      ...newScimUser(),
      preferredLanguage: 'ru, fr-CA;q=0.5, de;q=0.8',
      locale: 'ja',
    })
    t.equal(created.body.preferredLanguage, 'ru, fr-CA;q=0.5, de;q=0.8', 'as it was sent')
    const { id } = created.body
    const own = async () => (await running.operator('GET', `/users/${id}`)).body.locale
    t.equal(await own(), 'de', 'the first by weight that there is')
    const filter = encodeURIComponent(`id eq "${id}" and preferredLanguage co "fr-ca"`)
    t.match(await scim.call('GET', `/Users?filter=${filter}`), { body: { totalResults: 1 } })

    const say = (value: unknown) => patch(id, { op: 'replace', path: 'preferredLanguage', value })
    t.match(await say('pt_BR'), { status: 200, body: { preferredLanguage: 'pt_BR' } })
    t.equal(await own(), 'pt-BR')
    t.equal((await say('ru-RU')).body.preferredLanguage, 'ru-RU', 'an unknown one is kept')
    t.equal(await own(), 'ja', 'and the locale decides')
    isScimError(t, await say(7), 400, 'invalidValue')

    await running.operator('PATCH', `/users/${id}`, { locale: 'ar' })
    await patch(id, { op: 'replace', path: 'displayName', value: 'Other' })
    t.equal(await own(), 'ar', 'the choice of the user stays')
    const { userName, emails } = created.body
    const put = { userName, emails, preferredLanguage: 'es' }
    t.equal((await scim.call('PUT', `/Users/${id}`, put)).body.preferredLanguage, 'es')
    t.equal(await own(), 'es')
    const removed = await patch(id, { op: 'remove', path: 'preferredLanguage' })
    t.notOk('preferredLanguage' in removed.body)
    t.equal(await own(), null)
  })

  t.test('a locale does not change an account of other organizations', async (t) => {
    const { kim } = world
    await running.operator('PATCH', `/users/${kim.id}`, { locale: 'ar' })
    t.equal((await scim.call('GET', `/Users/${kim.id}`)).body.locale, 'ar', 'of the account')
    const said = await patch(kim.id, { op: 'add', path: 'locale', value: 'de' })
    t.match(said, { status: 200, body: { locale: 'de' } })
    t.equal((await running.operator('GET', `/users/${kim.id}`)).body.locale, 'ar')
    await running.operator('PATCH', `/users/${kim.id}`, { locale: null })
  })

  t.test('PUT and PATCH in the forms of Okta', async (t) => {
    const created = await scim.call(
      'POST',
      '/Users',
      { ...newScimUser(), nickName: 'K', groups: [], password: 'never-used-1' },
      'application/scim+json; charset=utf-8',
    )
    t.equal(created.status, 201)
    const { id } = created.body
    t.notOk('password' in created.body)
    t.notOk('nickName' in created.body)
    const off = await patch(id, { op: 'replace', value: { active: false } })
    t.equal(off.body.active, false)
    const put = await scim.call(
      'PUT',
      `/Users/${id}`,
      { ...created.body, active: true },
      'application/json',
    )
    t.match(put, { status: 200, body: { active: true } })
    const [row] = await sql<{ password_hash: string | null }>(
      stores,
      'select password_hash from users where id = $1',
      [id],
    )
    t.equal(row?.password_hash, null, 'no provider sets a password')
  })

  t.test(
    'an inactive user leaves at once, stays visible, and returns with the workspaces',
    async (t) => {
      const app = await createApp(running, { name: 'Reports' })
      await install(running, world.acme, app)
      const data = await registerResourceServer(running)
      const code = await currentCode(running, app, world.ana, { organization_id: world.acme })
      const tokens = (await exchangeCode(running.issuer, app, code)).body
      const activity = async () =>
        (await introspectAt(running.issuer, data, tokens.access_token)).body.active
      t.equal(await activity(), true)
      const reached = async () =>
        (await running.operator('GET', `/workspaces/${world.sales}/members`)).body.items.some(
          ({ user_id }: { user_id: string }) => user_id === world.ana.id,
        )
      t.equal(await reached(), true)
      await running.operator('PUT', `/organizations/${world.other}/members/${world.ana.id}`, {
        role: 'admin',
      })
      t.equal((await patch(world.ana.id, { op: 'replace', value: { active: false } })).status, 200)
      t.equal(await activity(), false)
      t.match(await refresh(running.issuer, app, tokens.refresh_token), {
        status: 400,
        body: { error: 'invalid_grant' },
      })
      t.equal(await reached(), false)
      t.equal(
        await rolesOf(scene, world.other, world.ana.id),
        'admin',
        'other organizations keep them',
      )
      t.match((await scim.call('GET', `/Users/${world.ana.id}`)).body, { active: false })
      const groups = await scim.find('Groups', `members eq "${world.ana.id}"`)
      t.ok(groups.some(({ id }) => id === world.sales))
      t.equal(
        (await patch(world.ana.id, { op: 'replace', value: { active: true } })).body.active,
        true,
      )
      t.equal(await reached(), true)
      t.equal((await clientCredentials(running.issuer, app, world.acme)).status, 200)
    },
  )

  t.test('lists have pages and chosen attributes', async (t) => {
    for (let n = 0; n < 3; n++) await scim.call('POST', '/Users', newScimUser())
    const all = (await scim.call('GET', '/Users?startIndex=0&count=500')).body
    t.equal(all.totalResults, all.Resources.length)
    t.equal(all.startIndex, 1)
    const second = (await scim.call('GET', '/Users?startIndex=2&count=2')).body
    t.match(second, { totalResults: all.totalResults, startIndex: 2, itemsPerPage: 2 })
    t.same(second.Resources, all.Resources.slice(1, 3))
    t.match((await scim.call('GET', '/Users?count=0')).body, {
      totalResults: all.totalResults,
      itemsPerPage: 0,
      Resources: [],
    })
    const chosen = (await scim.call('GET', '/Users?attributes=userName,name.givenName&count=1'))
      .body
    t.same(
      Object.keys(chosen.Resources[0]).sort(),
      Object.keys(all.Resources[0])
        .filter((name) => ['id', 'name', 'schemas', 'userName'].includes(name))
        .sort(),
    )
    const searched = await scim.call('POST', '/Users/.search', { startIndex: 2, count: 2 })
    t.same(searched.body, second)
    const excluded = (await scim.call('GET', '/Users?excludedAttributes=emails&count=1')).body
    t.notOk('emails' in excluded.Resources[0])
  })

  t.test('many creations of one user at once make one', async (t) => {
    const sent = newScimUser()
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => scim.call('POST', '/Users', sent)),
    )
    const statuses = answers.map(({ status }) => status).sort()
    t.same(statuses, [201, ...Array.from({ length: 11 }, () => 409)])
    t.equal((await scim.find('Users', `userName eq "${sent.userName}"`)).length, 1)
  })
})

await onEachBackend('accounts are not taken over', async (t, scene) => {
  const { running, world } = scene
  const acme = await connectProvider(running, world.acme)
  const other = await connectProvider(running, world.other)
  const { operator } = running

  t.test('SCM-01 an unverified account of another organization is not joined', async (t) => {
    const sent = newScimUser()
    const { id } = (await other.call('POST', '/Users', sent)).body
    const refused = await acme.call(
      'POST',
      '/Users',
      newScimUser({ userName: sent.userName, emails: [] }),
    )
    isScimError(t, refused, 409, 'uniqueness')
    await operator('PATCH', `/users/${id}`, { email_verified: true })
    const joined = await acme.call(
      'POST',
      '/Users',
      newScimUser({ userName: sent.userName, emails: [], displayName: 'Mine' }),
    )
    t.match(joined, { status: 201, body: { id, displayName: 'Mine' } })
    t.match(
      (await other.call('GET', `/Users/${id}`)).body,
      { displayName: sent.displayName },
      'each sees its own',
    )
    const before = (await operator('GET', `/users/${id}`)).body
    for (const scim of [acme, other]) {
      const changed = await scim.call(
        'PATCH',
        `/Users/${id}`,
        patchOf({
          op: 'replace',
          value: { displayName: 'Taken', emails: [{ value: 'taken@corp.test' }] },
        }),
      )
      t.equal(changed.status, 200)
    }
    t.same((await operator('GET', `/users/${id}`)).body, before)
    t.equal((await acme.call('DELETE', `/Users/${id}`)).status, 204)
    t.equal(await rolesOf(scene, world.other, id), 'member')
  })

  t.test('SCM-02 the address of an account that can sign in does not change', async (t) => {
    const { id, userName } = (await acme.call('POST', '/Users', newScimUser())).body
    await operator('PATCH', `/users/${id}`, { password: 'Tq9-blue-harbour-41-lantern' })
    await acme.call(
      'PATCH',
      `/Users/${id}`,
      patchOf({
        op: 'replace',
        value: { displayName: 'New Name', emails: [{ value: 'victim@corp.test' }] },
      }),
    )
    t.match((await operator('GET', `/users/${id}`)).body, { email: userName, name: 'New Name' })
  })

  t.test('SCM-03 users, groups and tokens of other organizations do not exist', async (t) => {
    const { id } = (await other.call('POST', '/Users', newScimUser())).body
    for (const method of ['GET', 'DELETE'])
      isScimError(t, await acme.call(method, `/Users/${id}`), 404)
    isScimError(t, await acme.call('PUT', `/Users/${id}`, newScimUser()), 404)
    isScimError(
      t,
      await acme.call(
        'PATCH',
        `/Users/${id}`,
        patchOf({ op: 'replace', value: { active: false } }),
      ),
      404,
    )
    t.same(await acme.find('Users', `id eq "${id}"`), [])
    isScimError(t, await acme.call('GET', `/Groups/${world.foreignWorkspace}`), 404)
    isScimError(
      t,
      await acme.call(
        'PATCH',
        `/Groups/${world.foreignWorkspace}`,
        patchOf({ op: 'add', path: 'members', value: [{ value: world.ana.id }] }),
      ),
      404,
    )
    isScimError(
      t,
      await acme.call(
        'PATCH',
        `/Groups/${world.sales}`,
        patchOf({ op: 'add', path: 'members', value: [{ value: id }] }),
      ),
      400,
      'invalidValue',
    )
    t.equal(
      (await operator('DELETE', `/organizations/${world.acme}/scim-tokens/${other.id}`)).status,
      404,
    )
  })

  t.test('SCM-04 a deleted token is refused at once, and wrong ones are audited', async (t) => {
    const brief = await connectProvider(running, world.acme)
    t.equal((await brief.call('GET', '/Users')).status, 200)
    const listed = (await operator('GET', `/organizations/${world.acme}/scim-tokens`)).body.items
    t.match(
      listed.find((one: Json) => one.id === brief.id),
      { groups: 'workspaces', last_used_at: /^\d{4}/ },
    )
    t.notMatch(JSON.stringify(listed), /lksc_/)
    await operator('DELETE', `/organizations/${world.acme}/scim-tokens/${brief.id}`)
    for (const token of [brief.token, 'wrong', 'lksc_wrong', '']) {
      const answer = await scimAt(running.urls[0] as string, token).call('GET', '/Users')
      isScimError(t, answer, 401)
      t.match(answer.headers.get('www-authenticate'), /^Bearer realm=/)
    }
    const refusals = async () =>
      (await operator('GET', '/audit?type=scim_token.refused')).body.items.length
    await eventually(async () => (await refusals()) === 3)
    const trail = (
      await operator('GET', `/audit?organization_id=${world.acme}&type=scim_token.created`)
    ).body.items
    t.ok(trail.length > 0)
  })
})

await onEachBackend('groups', async (t, scene) => {
  const { running, world } = scene
  const scim = await connectProvider(running, world.acme)
  const users = await Promise.all(
    [1, 2].map(async () => (await scim.call('POST', '/Users', newScimUser())).body.id as string),
  )
  const [two, three] = users as [string, string]

  t.test('what is created between two pages comes after them', async (t) => {
    for (const [kind, create] of [
      ['Users', () => newScimUser()],
      ['Groups', () => ({ displayName: 'Paged' })],
    ] as const) {
      const made: string[] = []
      const add = async () => made.push((await scim.call('POST', `/${kind}`, create())).body.id)
      const page = async (query: string) =>
        (await scim.call('GET', `/${kind}?${query}`)).body.Resources.map((one: Json) => one.id)
      const filter = kind === 'Users' ? 'userName ew "@corp.test"' : 'displayName eq "Paged"'
      for (const query of [
        '',
        `filter=${encodeURIComponent(filter)}`,
        'filter=title%20pr%20or%20id%20pr',
      ]) {
        for (let count = 0; count < 6; count++) await add()
        const first = await page(`${query}&count=5`)
        for (let count = 0; count < 6; count++) await add()
        const all = [...first, ...(await page(`${query}&startIndex=6&count=200`))]
        t.equal(new Set(all).size, all.length, `${kind} ${query}`)
        t.same(all.slice(-made.length), made, 'in the order in which they were made')
      }
      for (const id of made) await scim.call('DELETE', `/${kind}/${id}`)
    }
  })

  t.test('a member whom the provider describes keeps the age and the place', async (t) => {
    const path = `/Users/${world.ana.id}`
    const { created } = (await scim.call('GET', path)).body.meta
    const described = await scim.call(
      'PATCH',
      path,
      patchOf({ op: 'replace', value: { externalId: 'old' } }),
    )
    t.equal(described.body.meta.created, created)
  })

  t.test('groups can be the role of admins', async (t) => {
    const roles = await connectProvider(running, world.acme, 'roles')
    const list = (await roles.call('GET', '/Groups')).body
    t.match(list, { totalResults: 1, Resources: [{ id: 'admin', displayName: 'admin' }] })
    const set = (operation: unknown) => roles.call('PATCH', '/Groups/admin', patchOf(operation))
    const modified = async () =>
      (await roles.call('GET', '/Groups/admin')).body.meta.lastModified as string
    for (const role of ['admin', 'member']) {
      const before = await modified()
      await eventually(async () => new Date().toISOString() > before)
      await running.operator('PUT', `/organizations/${world.acme}/members/${three}`, { role })
      t.ok((await modified()) > before, role)
    }
    t.equal((await roles.find('Groups', 'meta.created pr and meta.lastModified pr')).length, 1)
    t.equal((await set({ op: 'Add', path: 'members', value: [{ value: two }] })).status, 204)
    t.equal(await rolesOf(scene, world.acme, two), 'admin')
    await roles.call('PATCH', `/Users/${two}`, patchOf({ op: 'replace', value: { active: false } }))
    await roles.call('PATCH', `/Users/${two}`, patchOf({ op: 'replace', value: { active: true } }))
    t.equal(await rolesOf(scene, world.acme, two), 'admin', 'the provider manages the role')
    await scim.call('PATCH', `/Users/${two}`, patchOf({ op: 'replace', value: { active: false } }))
    await scim.call('PATCH', `/Users/${two}`, patchOf({ op: 'replace', value: { active: true } }))
    t.equal(await rolesOf(scene, world.acme, two), 'member', 'a provider of workspaces does not')
    await set({ op: 'replace', path: 'members', value: [{ value: three }] })
    t.equal(await rolesOf(scene, world.acme, three), 'admin')
    await set({ op: 'remove', path: `members[value eq "${three}"]` })
    t.equal(await rolesOf(scene, world.acme, three), 'member')
    isScimError(
      t,
      await roles.call('POST', '/Groups', { displayName: 'Others' }),
      403,
      'mutability',
    )
    isScimError(t, await roles.call('DELETE', '/Groups/admin'), 403, 'mutability')
    isScimError(t, await roles.call('GET', `/Groups/${world.sales}`), 404)
    t.same(await roles.find('Groups', 'displayName eq "Admin"').then((found) => found.length), 1)
  })
})

await onEachBackend('the protocol', async (t, { running, world }) => {
  const scim = await connectProvider(running, world.acme)
  const { id } = (await scim.call('POST', '/Users', newScimUser())).body

  t.test('discovery describes what is supported', async (t) => {
    t.match((await scim.call('GET', '/ServiceProviderConfig')).body, {
      patch: { supported: true },
      bulk: { supported: false },
      filter: { supported: true },
    })
    t.same(
      (await scim.call('GET', '/ResourceTypes')).body.Resources.map((one: Json) => one.id),
      ['User', 'Group'],
    )
    const { Resources } = (await scim.call('GET', '/Schemas')).body
    t.same(
      Resources.map((one: Json) => one.name),
      ['User', 'Group'],
    )
    t.equal((await scim.call('GET', `/Schemas/${Resources[0].id}`)).status, 200)
    isScimError(t, await scim.call('GET', '/Schemas/urn:none'), 404)
    isScimError(t, await scim.call('GET', '/Schemas?filter=id%20pr'), 403)
  })

  t.test('refusals have the form of RFC 7644 §3.12', async (t) => {
    const user = newScimUser()
    const cases: [Promise<{ status: number; body: Json; headers: Headers }>, number, string?][] = [
      [scim.call('GET', '/Users?filter=userName'), 400, 'invalidFilter'],
      [scim.call('GET', '/Users?count=x'), 400, 'invalidValue'],
      [scim.call('GET', '/Users/%00'), 404],
      [scim.call('GET', '/None'), 404],
      [scim.call('PUT', '/Users', {}), 405],
      [scim.call('POST', '/Users', '{'), 400, 'invalidSyntax'],
      [scim.call('POST', '/Users', []), 400, 'invalidSyntax'],
      [scim.call('POST', '/Users', `[${'1,'.repeat(100_001)}1]`), 413, 'tooMany'],
      [scim.call('POST', '/Users', user, 'text/plain'), 415],
      [scim.call('POST', '/Users', { ...user, userName: undefined }), 400, 'invalidValue'],
      [scim.call('POST', '/Users', { ...user, userName: ' ' }), 400, 'invalidValue'],
      [scim.call('POST', '/Users', { ...user, userName: 'x', emails: [] }), 400, 'invalidValue'],
      [scim.call('POST', '/Users', { ...user, displayName: 'a\u0000b' }), 400, 'invalidValue'],
      [scim.call('POST', '/Users', '{"userName":"\\ud800@corp.test"}'), 400, 'invalidValue'],
      [scim.call('POST', '/Users', { ...user, active: 'perhaps' }), 400, 'invalidValue'],
      [scim.call('POST', '/Groups', { displayName: '' }), 400, 'invalidValue'],
      [scim.call('PATCH', `/Users/${id}`, {}), 400, 'invalidSyntax'],
      [
        scim.call('PATCH', `/Users/${id}`, patchOf({ op: 'move', path: 'a' })),
        400,
        'invalidSyntax',
      ],
      [scim.call('PATCH', `/Users/${id}`, patchOf({ op: 'remove' })), 400, 'noTarget'],
      [
        scim.call('PATCH', `/Users/${id}`, patchOf({ op: 'add', path: 'a[', value: 1 })),
        400,
        'invalidPath',
      ],
      [
        scim.call('PATCH', `/Users/${id}`, patchOf({ op: 'replace', path: 'id', value: 'x' })),
        400,
        'mutability',
      ],
      [
        scim.call('PATCH', `/Users/${id}`, patchOf({ op: 'remove', path: 'userName' })),
        400,
        'invalidValue',
      ],
    ]
    for (const [answer, status, scimType] of cases) isScimError(t, await answer, status, scimType)
  })

  t.test('what the protocol has and this service has not is 501 (RFC 7644 §3.12)', async (t) => {
    const cases: [string, string, RegExp][] = [
      ['GET', '/Me', /Users/],
      ['PATCH', '/Me?attributes=id', /Users/],
      ['DELETE', '/Me', /Users/],
      ['GET', '/Me/roles', /Users/],
      ['POST', '/.search', /Users.*Groups/],
      ['GET', '?filter=userName%20eq%20%22x%22', /Users.*Groups/],
      ['GET', '/?filter=userName%20eq%20%22x%22', /Users.*Groups/],
      ['POST', '/Bulk', /each/],
    ]
    for (const [method, path, detail] of cases) {
      const body = method === 'POST' || method === 'PATCH' ? {} : undefined
      const answer = await scim.call(method, path, body)
      isScimError(t, answer, 501)
      t.match(answer.body.detail, detail, `${method} ${path}`)
    }
    isScimError(t, await scimAt(running.urls[0] as string, 'lksc_wrong').call('GET', '/Me'), 401)
  })

  t.test('SCM-05 no value makes the server fail', async (t) => {
    const values: unknown[] = [
      null,
      '',
      'x',
      0,
      true,
      [],
      {},
      [[]],
      [{}],
      [null],
      { value: null },
      { value: {} },
      [{ value: [] }],
      'x'.repeat(3000),
      { __proto__: null, constructor: 1 },
    ]
    const paths = [
      'userName',
      'externalId',
      'active',
      'displayName',
      'name',
      'name.givenName',
      'emails',
      'emails.value',
      'emails[type eq "work"]',
      'emails[value pr].primary',
      'emails[type eq "new"].display',
      'members',
      'members[value eq "x"]',
      'members[type eq "x"]',
      'groups',
      'constructor',
      'name.constructor',
      'emails[type eq "a"].constructor',
      'toString',
      undefined,
    ]
    for (const resource of [`/Users/${id}`, `/Groups/${world.sales}`])
      for (const op of ['add', 'replace', 'remove'])
        for (const path of paths)
          for (const value of values) {
            const { status, body } = await scim.call(
              'PATCH',
              resource,
              patchOf({ op, path, value }),
            )
            if (status >= 500) t.fail(`${resource} ${op} ${path} ${JSON.stringify(value)}`, body)
          }
    t.equal((await scim.call('GET', `/Users/${id}`)).status, 200)
    for (const filter of [
      'id eq 1',
      'active gt true',
      'members eq null',
      'emails eq "x"',
      'userName eq "\\u0000"',
      'meta.created gt "2020"',
      'id eq "\\ud800"',
    ]) {
      for (const kind of ['Users', 'Groups']) {
        const { status } = await scim.call('GET', `/${kind}?filter=${encodeURIComponent(filter)}`)
        t.ok(status < 500, `${kind} ${filter}: ${status}`)
      }
    }
  })
})
