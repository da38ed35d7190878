/** Members install for themselves what is reviewed and only reads, and nothing else. */
import { decide } from '../pages/organization-visit.ts'
import { delegate } from '../support/delegation.ts'
import { beginDevice, enterCode } from '../support/device.ts'
import {
  authorizeUrl,
  challengeOf,
  clientCredentials,
  currentCode,
  exchangeCode,
  legacyAuthorizeUrl,
  newVerifier,
  refresh,
} from '../support/flows.ts'
import type { Json } from '../support/latchkey.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { introspectAt, registerResourceServer } from '../support/resource-server.ts'
import { signedIn } from '../support/signed-in.ts'
import { sql } from '../support/traces.ts'
import { createApp, password, type TestApp } from '../support/world.ts'

await onEachBackend('self-installs', async (t, { running, issuer, world, stores }) => {
  const { acme, sales, support, ana, kim } = world
  const { operator } = running
  const rule = async (part: Json = {}) => {
    const policy = { connect: 'all', self_install: 'reviewed_read_only', ...part }
    const { status, body } = await operator('PUT', `/organizations/${acme}/policy`, policy)
    if (status !== 200) throw new Error(JSON.stringify(body))
  }
  await operator('PUT', '/permissions/current/teams:read', {
    ...{ sentence: 'Read which teams there are', group: 'read', mark: null },
  })
  await operator('PUT', '/permissions/current/salaries:read', {
    ...{ sentence: 'Read salaries', group: 'read', mark: 'personal_data' },
  })
  const reader = (part: Json = {}) =>
    createApp(running, { permissions: ['teams:read'], reviewed: true, ...part })
  const path = (app: TestApp) => `/organizations/${acme}/installs/${app.client_id}`
  const read = async (app: TestApp) => (await operator('GET', path(app))).body
  const member = async (name: string) => {
    const email = `${name}-${crypto.randomUUID()}@acme.test`
    const { id } = (await operator('POST', '/users', { email, name, password })).body
    await operator('PUT', `/organizations/${acme}/members/${id}`, { role: 'member' })
    await operator('PUT', `/workspaces/${support}/members/${id}`)
    return { id, email, password }
  }
  const visit = (app: TestApp, more: Record<string, string> = {}) =>
    authorizeUrl(issuer, app, {
      ...{ organization_id: acme, code_challenge: challengeOf(newVerifier()) },
      ...more,
    })
  type Person = typeof ana
  const open = async (app: TestApp, person: Person = ana, more: Record<string, string> = {}) => {
    const visitor = await signedIn(issuer, person)
    return { visitor, page: await visitor.get(visit(app, more)) }
  }
  /** What the page asks: `install for yourself`, `install`, `ask` or `allow`. */
  const asked = async (app: TestApp, person: Person = ana, more: Record<string, string> = {}) => {
    const { page } = await open(app, person, more)
    return page.dom.querySelector('h1')?.text ?? ''
  }
  const forSelf = async (app: TestApp, person: Person = ana) => {
    const { visitor, page } = await open(app, person)
    return visitor.submit(page, { decision: 'approve' })
  }
  const api = await registerResourceServer(running)
  const isActive = async (token: string) => (await introspectAt(issuer, api, token)).body.active
  const tokensOf = async (app: TestApp, person: Person = ana) => {
    const code = await currentCode(running, app, person, { organization_id: acme })
    return (await exchangeCode(issuer, app, code)).body
  }
  const [forYourself, ask] = ['for yourself', 'Ask an admin']

  t.test('by default an admin decides', async (t) => {
    t.match(await asked(await reader()), ask)
  })

  t.test('a member installs it for themselves, and a further one is added', async (t) => {
    await rule()
    const app = await reader({ name: 'Teams' })
    const { visitor, page } = await open(app)
    t.match(page.dom.querySelector('h1')?.text, 'Install Teams for yourself?')
    t.match(page.dom.querySelector('.bounds')?.text, 'For you only')
    t.equal(page.dom.querySelectorAll('input[type=checkbox]').length, 0)
    t.equal((await operator('GET', path(app))).status, 404, 'nothing is installed by a page')
    const consent = await visitor.submit(page, { decision: 'approve' })
    t.match(consent.dom.querySelector('h1')?.text, 'Allow Teams')
    t.match(await read(app), {
      ...{ self: true, permissions: ['teams:read'], workspace_ids: null, installed_by: ana.id },
      audience: { workspaces: [], groups: [], users: [ana.id] },
    })
    const other = await member('Ben')
    t.match(await asked(app, other), forYourself)
    await forSelf(app, other)
    t.same((await read(app)).audience.users, [ana.id, other.id].sort())
    const { access_token: token } = await tokensOf(app, other)
    const { body } = await introspectAt(issuer, api, token)
    t.same(body.workspace_ids, [support], 'their own workspaces')
    const { items } = (await operator('GET', `/audit?client_id=${app.client_id}`)).body
    const own = items.filter(({ type }: Json) => type === 'install.self_installed')
    t.same(own.map(({ user_id }: Json) => user_id).sort(), [ana.id, other.id].sort())
  })

  t.test('no more than reading, no sensitive data, nothing that is not reviewed', async (t) => {
    await rule()
    const cases: [string, Json, string][] = [
      ['only reads', {}, forYourself],
      ['reading is free', { permissions: [] }, forYourself],
      ['writes', { permissions: ['teams:read', 'records:create'] }, ask],
      ['sensitive', { permissions: ['salaries:read'] }, ask],
      ['not reviewed', { reviewed: false }, ask],
    ]
    for (const [what, part, expected] of cases)
      t.match(await asked(await reader(part)), expected, what)
    const wide = await reader({ permissions: ['teams:read', 'records:create'] })
    t.match(await asked(wide, ana, { scope: 'teams:read' }), forYourself, 'what it asks for')
    await forSelf(await reader())
    const legacy = await createApp(running, {
      ...{ interface: 'legacy', permissions: [], reviewed: true },
    })
    const visitor = await signedIn(issuer, ana)
    const page = await visitor.get(legacyAuthorizeUrl(issuer, legacy, {}))
    t.notMatch(page.dom.querySelector('h1')?.text, forYourself)
  })

  t.test('more reading is added by the member, and writing is not', async (t) => {
    await rule()
    await operator('PUT', '/permissions/current/rooms:read', {
      ...{ sentence: 'Read which rooms there are', group: 'read', mark: null },
    })
    const app = await reader({ permissions: ['teams:read', 'rooms:read', 'records:create'] })
    const { visitor, page } = await open(app, ana, { scope: 'teams:read' })
    await visitor.submit(page, { decision: 'approve' })
    t.match(await asked(app, ana, { scope: 'teams:read records:create' }), 'Allow')
    t.match(await asked(app, ana, { scope: 'teams:read' }), 'Allow')
    const more = await open(app, ana, { scope: 'rooms:read' })
    t.match(more.page.dom.querySelector('h1')?.text, forYourself)
    await more.visitor.submit(more.page, { decision: 'approve' })
    t.match(await read(app), { self: true, permissions: ['teams:read', 'rooms:read'] })
    t.match(await asked(app, ana, { scope: 'rooms:read' }), 'Allow')
  })

  t.test('a rule that asks, or refuses, is in the way', async (t) => {
    const app = await reader({ client_type: 'public', redirect_uris: ['https://app.example/cb'] })
    for (const [part, expected] of [
      [{ public_apps: 'ask' }, ask],
      [{ public_apps: 'refuse' }, 'not allowed'],
      [{ public_apps: 'allow', connect: 'ask' }, ask],
      [{ connect: 'installed' }, forYourself],
      [{ device_flow: 'ask' }, forYourself],
      [{ device_flow: 'allow', self_install: 'never' }, ask],
    ] as const) {
      await rule(part)
      t.match(await asked(app), expected, JSON.stringify(part))
    }
  })

  t.test('`ask` keeps what was installed before, and an admin approves for all', async (t) => {
    await rule()
    const app = await reader({ client_type: 'public', redirect_uris: ['https://app.example/cb'] })
    await forSelf(app)
    await rule({ public_apps: 'ask' })
    const { refresh_token: token } = await tokensOf(app)
    t.equal((await refresh(issuer, app, token)).status, 200)
    const other = await member('Cem')
    const { visitor, page } = await open(app, other)
    t.match(page.dom.querySelector('h1')?.text, ask)
    await visitor.submit(page, { decision: 'request' })
    const admin = await signedIn(issuer, kim)
    const apps = await admin.get(`/organizations/${acme}/apps`)
    await decide(admin, apps, 'approve', {
      ...{ client_id: app.client_id, permissions: 'teams:read', workspace_ids: '*' },
    })
    t.match(await read(app), { self: false, audience: { everyone: true }, installed_by: kim.id })
    t.match(await asked(app, other), 'Allow')
    t.match(await asked(app, await member('Dan')), 'Allow')
    await rule({ public_apps: 'allow' })
  })

  t.test('a device: what was installed for oneself after the rule asks', async (t) => {
    const device = async (part: Json = {}) =>
      reader({
        client_type: 'public',
        device_flow: true,
        ...part,
        redirect_uris: ['http://127.0.0.1/cb'],
      })
    const entered = async (app: TestApp) => {
      const begun = (await beginDevice(issuer, app, { organization_id: acme })).body
      const page = await enterCode(await signedIn(issuer, ana), begun.user_code)
      return page.dom.querySelector('h1')?.text
    }
    await rule({ device_flow: 'allow' })
    const [before, after] = [await device(), await device()]
    t.match(await entered(before), forYourself)
    await forSelf(before)
    await rule({ device_flow: 'ask' })
    t.match(await entered(before), 'Allow')
    t.match(await entered(after), ask)
    await forSelf(after)
    t.match(await entered(after), ask, 'no admin has approved it')
    t.match(await asked(after), 'Allow', 'in the browser it works')
    await operator('PUT', path(after), { permissions: ['teams:read'], workspace_ids: null })
    t.match(await entered(after), 'Allow')
    await rule({ device_flow: 'allow' })
  })

  t.test('it is never for the app itself', async (t) => {
    await rule()
    const app = await reader({ setup_uri: 'https://app.example/setup' })
    const invalidGrant = { status: 400, body: { error: 'invalid_grant' } }
    await forSelf(app)
    t.match(await clientCredentials(issuer, app, acme), invalidGrant)
    const link = `${issuer}/install?client_id=${app.client_id}&state=x&organization_id=${acme}`
    const member = await (await signedIn(issuer, ana)).get(link)
    t.match(member.dom.querySelector('h1')?.text, ask, 'a link is for the organization')
    const admin = await (await signedIn(issuer, kim)).get(link)
    t.match(admin.dom.querySelector('h1')?.text, 'Install Report Builder in Acme?')
    const actor = app
    const subject = await createApp(running, { may_act: [actor.client_id] })
    await operator('PUT', path(subject), { permissions: [], workspace_ids: null })
    const machine = (await clientCredentials(issuer, subject, acme)).body.access_token
    t.match(await delegate(issuer, actor, machine), {
      status: 400,
      body: { error: 'invalid_request' },
    })
    const { access_token: token } = await tokensOf(subject)
    t.equal((await delegate(issuer, actor, token)).status, 200, 'for the person it may act')
  })

  t.test('`never`, a lost review and a wider app end nothing and add nobody', async (t) => {
    const losing: [string, (app: TestApp) => Promise<unknown>][] = [
      ['never', () => rule({ self_install: 'never' })],
      [
        'no longer reviewed',
        (app) => operator('PATCH', `/apps/${app.client_id}`, { reviewed: false }),
      ],
      [
        'wider',
        (app) =>
          operator('PATCH', `/apps/${app.client_id}`, {
            permissions: ['teams:read', 'records:create'],
          }),
      ],
    ]
    const other = await member('Eva')
    for (const [what, lose] of losing) {
      await rule()
      const app = await reader()
      await forSelf(app)
      const { access_token: token } = await tokensOf(app)
      await lose(app)
      t.ok(await isActive(token), what)
      t.match(await asked(app, other), ask, what)
      t.match(await read(app), { self: true, permissions: ['teams:read'] })
      t.same((await read(app)).audience.users, [ana.id])
    }
  })

  t.test('a page that was open when the rule changed installs nothing', async (t) => {
    await rule()
    const app = await reader()
    const { visitor, page } = await open(app)
    await rule({ self_install: 'never' })
    const after = await visitor.submit(page, { decision: 'approve' })
    t.match(after.dom.querySelector('h1')?.text, ask)
    t.equal((await operator('GET', path(app))).status, 404)
  })

  t.test('a denied person cannot, and neither can one outside an admin’s install', async (t) => {
    await rule()
    const app = await reader()
    const approval = { permissions: ['teams:read'], workspace_ids: null }
    await operator('PUT', path(app), { ...approval, audience: { users: [kim.id] } })
    t.match(await asked(app), 'is not for you')
    t.match(await read(app), { self: false })
    await operator('PUT', `${path(app)}/denied/${ana.id}`)
    await operator('DELETE', path(app))
    t.notMatch(await asked(app), forYourself, 'also when it is no longer installed')
    await forSelf(app, await member('Fay'))
    t.notMatch(await asked(app), forYourself)
  })

  t.test('an approval is for everyone, and ends no grant', async (t) => {
    await rule()
    const approval = { permissions: ['teams:read'], workspace_ids: null }
    const everyone = { self: false, audience: { everyone: true } }
    const approvals: [string, (app: TestApp) => Promise<unknown>, Json][] = [
      ['PUT', (app) => operator('PUT', path(app), approval), everyone],
      [
        'PUT for some',
        (app) => operator('PUT', path(app), { ...approval, audience: { workspaces: [sales] } }),
        { self: false, audience: { workspaces: [sales] } },
      ],
      [
        'the page of an admin',
        async (app) => {
          const { visitor, page } = await open(app, kim)
          t.match(page.dom.querySelector('h1')?.text, 'Install Report Builder in Acme?')
          await visitor.submit(page, {
            ...{ decision: 'approve', permissions: 'teams:read', workspace_ids: '*' },
          })
        },
        everyone,
      ],
      [
        'the page of the app',
        async (app) => {
          const admin = await signedIn(issuer, kim)
          const page = await admin.get(`/organizations/${acme}/apps/${app.client_id}`)
          t.match(page.dom.text, 'By members, for themselves')
          await decide(admin, page, 'adopt', { client_id: app.client_id })
        },
        everyone,
      ],
      [
        'narrowed by a PATCH',
        (app) => operator('PATCH', path(app), { workspace_ids: [sales] }),
        { self: false, audience: { users: [ana.id] } },
      ],
      [
        'another end by a PATCH',
        (app) => operator('PATCH', path(app), { idle_seconds: 3600 }),
        { self: true, audience: { users: [ana.id] } },
      ],
    ]
    for (const [what, approve, expected] of approvals) {
      const app = await reader()
      await forSelf(app)
      const { access_token: token, refresh_token: next } = await tokensOf(app)
      const { id } = await read(app)
      await approve(app)
      t.match(await read(app), { ...expected, id }, what)
      t.ok(await isActive(token), what)
      t.equal((await refresh(issuer, app, next)).status, 200, what)
    }
  })

  t.test('two members at once: one install with both', async (t) => {
    await rule()
    for (let round = 0; round < 4; round++) {
      const app = await reader()
      const people = [ana, await member('Gil'), await member('Hal')]
      const pages = await Promise.all(people.map((person) => open(app, person)))
      await Promise.all(
        pages.map(({ visitor, page }) => visitor.submit(page, { decision: 'approve' })),
      )
      const { audience, self } = await read(app)
      t.ok(self)
      t.same(audience.users, people.map(({ id }) => id).sort())
      const installs = await sql(stores, 'select id from installs where client_id = $1', [
        app.client_id,
      ])
      t.equal(installs.length, 1)
    }
  })

  t.test('a member and an admin at once: the approval of the admin stands', async (t) => {
    await rule()
    for (let round = 0; round < 6; round++) {
      const app = await reader()
      const { visitor, page } = await open(app)
      await Promise.all([
        visitor.submit(page, { decision: 'approve' }),
        operator('PUT', path(app), { permissions: ['teams:read'], workspace_ids: null }),
      ])
      t.match(await read(app), { self: false, audience: { everyone: true } }, `round ${round}`)
    }
  })
})
