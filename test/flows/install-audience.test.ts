/** An install is for everyone, for members of workspaces or groups, or for named people; one person can be denied it. */
import type { Test } from 'tap'
import { createVerifier } from '../../packages/verify/src/verify.ts'
import { outcomeOf } from '../packages/verify/scene.ts'
import { decide } from '../pages/organization-visit.ts'
import { delegate } from '../support/delegation.ts'
import { answerDevice, beginDevice, createDeviceApp, poll } from '../support/device.ts'
import { eventually } from '../support/eventually.ts'
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
import {
  assertAt,
  assertingApp,
  nameProvider,
  providerEnvironment,
  startIdentityProvider,
} from '../support/identity-provider.ts'
import { type Json, operatorToken } from '../support/latchkey.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { introspectAt, registerResourceServer } from '../support/resource-server.ts'
import { signedIn } from '../support/signed-in.ts'
import { createApp, install, legacyPermissions, type TestApp } from '../support/world.ts'

await onEachBackend(
  'the audience of an install',
  async (t, { running, issuer, world }) => {
    const { acme, sales, support, foreignWorkspace, ana, kim, zoe } = world
    const { operator } = running
    const api = await registerResourceServer(running)
    const installPath = (app: TestApp) => `/organizations/${acme}/installs/${app.client_id}`
    const put = (app: TestApp, audience: unknown) =>
      operator('PATCH', installPath(app), { audience })
    const only = (part: Json = {}) => ({ workspaces: [], groups: [], users: [], ...part })
    const deny = (app: TestApp, { id } = ana) => operator('PUT', `${installPath(app)}/denied/${id}`)
    const admit = (app: TestApp, { id } = ana) =>
      operator('DELETE', `${installPath(app)}/denied/${id}`)
    const installed = async (part: Json = {}) => {
      const app = await createApp(running, part)
      await install(running, acme, app, part.interface ? { permissions: legacyPermissions } : {})
      return app
    }
    const tokensOf = async (app: TestApp, person = ana) => {
      const code = await currentCode(running, app, person, { organization_id: acme })
      return (await exchangeCode(issuer, app, code)).body
    }
    const isActive = async (token: string) => (await introspectAt(issuer, api, token)).body.active
    const refused = async (token: string) =>
      (await operator('POST', '/tokens/inspect', { token })).body.refused
    const visit = (app: TestApp, more: Record<string, string> = {}) =>
      authorizeUrl(issuer, app, {
        organization_id: acme,
        code_challenge: challengeOf(newVerifier()),
        ...more,
      })
    const workspaceOf = async () =>
      (await operator('POST', `/organizations/${acme}/workspaces`, { name: 'Team' })).body.id
    const join = (workspace: string, { id } = ana) =>
      operator('PUT', `/workspaces/${workspace}/members/${id}`, {})
    const leave = (workspace: string, { id } = ana) =>
      operator('DELETE', `/workspaces/${workspace}/members/${id}`)
    const pointers = ({ body }: Json) => body.errors?.map(({ pointer }: Json) => pointer)

    t.test('it is everyone until it is chosen, and changes only where it is given', async (t) => {
      const app = await installed()
      const read = async () => (await operator('GET', installPath(app))).body
      t.match(await read(), { audience: { everyone: true }, denied: [] })
      const chosen = only({ workspaces: [sales], users: [kim.id] })
      t.same(
        (await put(app, { workspaces: [sales, sales], users: [kim.id] })).body.audience,
        chosen,
      )
      const approval = { permissions: ['records:create'], workspace_ids: null }
      t.same((await operator('PUT', installPath(app), approval)).body.audience, chosen)
      t.same(
        (await operator('PATCH', installPath(app), { suspended: false })).body.audience,
        chosen,
      )
      t.same((await put(app, {})).status, 400)
      for (const wrong of [
        null,
        { everyone: false },
        { everyone: true, users: [] },
        { all: true },
        [],
      ])
        t.equal((await put(app, wrong)).status, 400, JSON.stringify(wrong))
      const foreign = await put(app, { workspaces: [foreignWorkspace], users: [zoe.id, ana.id] })
      const unknown = await put(app, { workspaces: ['wksNone'], users: ['usrNone', ana.id] })
      t.equal(foreign.status, 400)
      t.same(foreign.body.errors, unknown.body.errors, 'unknown and foreign are alike')
      t.same(pointers(foreign), ['/audience/workspaces/0', '/audience/users/0'])
      t.same(pointers(await put(app, { groups: ['grpNone'] })), ['/audience/groups/0'])
      t.same((await put(app, only())).body.audience, only(), 'three empty lists are nobody')
      t.same((await put(app, { everyone: true })).body.audience, { everyone: true })
    })

    t.test('what is deleted drops out', async (t) => {
      const app = await installed()
      const team = await workspaceOf()
      const person = { email: `gone-${team}@acme.test`, name: 'Gone', password: ana.password }
      const { id } = (await operator('POST', '/users', person)).body
      await operator('PUT', `/organizations/${acme}/members/${id}`, { role: 'member' })
      await join(team)
      await put(app, { workspaces: [team, support], users: [id] })
      const { access_token: token } = await tokensOf(app)
      await leave(support)
      t.ok(await isActive(token))
      await operator('DELETE', `/workspaces/${team}`)
      t.notOk(await isActive(token))
      await join(support)
      t.ok(await isActive(token), 'and lives again')
      await operator('DELETE', `/organizations/${acme}/members/${id}`)
      const { audience } = (await operator('GET', installPath(app))).body
      t.same(audience, only({ workspaces: [support], users: [id] }), 'who left may come back')
      t.equal((await put(app, audience)).status, 200)
      await operator('DELETE', `/users/${id}`)
      const { body } = await operator('GET', installPath(app))
      t.same(body.audience, only({ workspaces: [support] }))
    })

    t.test('the list has every member, and why', async (t) => {
      const app = await installed()
      const people = async () => {
        const { items } = (await operator('GET', `${installPath(app)}/people`)).body
        const own = items.filter(({ user }: Json) => [ana.id, kim.id].includes(user))
        return Object.fromEntries(own.map(({ user, ...rest }: Json) => [user, rest]))
      }
      const everyone = { inside: true, why: 'everyone' }
      t.same(await people(), { [ana.id]: everyone, [kim.id]: everyone })
      await put(app, { workspaces: [sales], users: [kim.id] })
      t.same(await people(), {
        [ana.id]: { inside: true, why: 'workspace' },
        [kim.id]: { inside: true, why: 'user' },
      })
      t.equal((await deny(app)).status, 201)
      t.equal((await deny(app)).status, 200)
      t.same((await people())[ana.id], { inside: false, why: 'denied' })
      t.equal((await admit(app)).status, 204)
      t.equal((await admit(app)).status, 204)
      t.equal((await admit(app, zoe)).status, 204)
      t.equal((await deny(app, zoe)).status, 404)
      t.equal((await deny(app, { ...zoe, id: 'usrNone' })).status, 404)
      await put(app, { users: [kim.id] })
      t.same((await people())[ana.id], { inside: false, why: 'not_in_audience' })
      const page = (await operator('GET', `${installPath(app)}/people?limit=1`)).body
      t.equal(page.items.length, 1)
      t.ok(page.next)
      const preview = async (audience: unknown) =>
        (
          await operator('POST', `${installPath(app)}/preview`, {
            permissions: ['records:create', 'records:update', 'workspace_members:read'],
            workspace_ids: null,
            audience,
          })
        ).body
      await tokensOf(app, kim)
      t.match(await preview({ users: [ana.id] }), { people: 1, families: 1, jobs: 0 })
      t.match(await preview({ users: [kim.id] }), { people: 0, families: 0, jobs: 0 })
    })

    t.test('who leaves is refused; a family ends when its token is presented', async (t) => {
      const app = await installed()
      const team = await workspaceOf()
      await join(team)
      await put(app, { workspaces: [team] })
      const [quiet, used] = [await tokensOf(app), await tokensOf(app)]
      const machine = (await clientCredentials(issuer, app, acme)).body
      await leave(team)
      t.notOk(await isActive(quiet.access_token))
      t.equal(await refused(quiet.access_token), 'not_in_audience')
      t.match(await refresh(issuer, app, used.refresh_token), {
        status: 400,
        body: { error: 'invalid_grant' },
      })
      t.ok(await isActive(machine.access_token), 'the app itself is not concerned')
      await join(team)
      t.ok(await isActive(quiet.access_token), 'what was not presented lives again')
      t.equal((await refresh(issuer, app, quiet.refresh_token)).status, 200)
      t.notOk(await isActive(used.access_token))
      t.equal((await refresh(issuer, app, used.refresh_token)).status, 400)
    })

    t.test('a person outside reads why, and whom to ask', async (t) => {
      const app = await installed({ name: 'Letters' })
      await put(app, { users: [kim.id] })
      const visitor = await signedIn(issuer, ana)
      const page = await visitor.get(visit(app))
      t.equal(page.status, 403)
      t.match(page.dom.querySelector('h1')?.text, 'Letters')
      t.match(page.dom.text, 'kim', 'whom to ask')
      const silent = await visitor.get(visit(app, { prompt: 'none' }))
      t.equal(silent.left?.searchParams.get('error'), 'interaction_required')
      const asked = await visitor.submit(page, { decision: 'request' })
      t.match(asked.dom.text, 'Your request is with the admins')
      const admin = await signedIn(issuer, kim)
      const requests = await admin.get(`/organizations/${acme}/apps`)
      t.match(requests.dom.text, 'Letters')
      const legacy = await installed({ interface: 'legacy' })
      await put(legacy, { users: [kim.id] })
      for (const response_type of ['code', 'token']) {
        const url = legacyAuthorizeUrl(issuer, legacy, { response_type })
        t.equal((await visitor.get(url)).status, 403, response_type)
      }
      const connected = await installed({ name: 'Connected' })
      await tokensOf(connected)
      await put(connected, { users: [kim.id] })
      const own = await visitor.get('/account/apps')
      t.match(own.dom.text, 'An admin has chosen whom it is for')
      await deny(app)
      const denied = await visitor.get(visit(app))
      t.equal(denied.status, 403)
      t.notOk(denied.dom.querySelector('textarea'), 'a denied person cannot ask')
      await put(app, { users: [ana.id] })
      const outside = await admin.get(visit(app))
      t.equal(outside.status, 403, 'an admin, too')
      t.ok(outside.dom.querySelector(`a[href$="/apps/${app.client_id}"]`))
    })

    t.test('a denial ends what there is for good', async (t) => {
      const app = await installed()
      const before = await tokensOf(app)
      await deny(app)
      t.notOk(await isActive(before.access_token))
      t.equal((await refresh(issuer, app, before.refresh_token)).status, 400)
      t.match((await operator('GET', installPath(app))).body.denied, [ana.id])
      await operator('DELETE', installPath(app))
      await install(running, acme, app)
      t.equal((await (await signedIn(issuer, ana)).get(visit(app))).status, 403, 'also later')
      await admit(app)
      t.equal((await refresh(issuer, app, before.refresh_token)).status, 400)
      t.ok(await isActive((await tokensOf(app)).access_token))
    })

    t.test('a page that was open when the person left gives no code that works', async (t) => {
      const app = await installed()
      await put(app, { users: [ana.id] })
      const visitor = await signedIn(issuer, ana)
      const page = await visitor.get(visit(app))
      t.equal(page.status, 200)
      await put(app, only())
      const after = await visitor.submit(page, { decision: 'approve' })
      t.equal(after.status, 403)
    })

    t.test('a device: refused when it was allowed, waiting when it was not', async (t) => {
      const app = await createDeviceApp(running, world)
      const allowed = (await beginDevice(issuer, app)).body
      await answerDevice(running, ana, allowed.user_code)
      const outside = (await beginDevice(issuer, app)).body
      await put(app, { users: [kim.id] })
      t.match(await poll(issuer, app, allowed.device_code), {
        status: 400,
        body: { error: 'access_denied' },
      })
      const visitor = await signedIn(issuer, ana)
      const typed = await visitor.get('/activate')
      t.equal((await visitor.submit(typed, { user_code: outside.user_code })).status, 403)
      t.match((await poll(issuer, app, outside.device_code)).body, {
        error: 'authorization_pending',
      })
    })

    t.test('neither an assertion nor an exchange goes around it', async (t) => {
      const provider = await startIdentityProvider(issuer)
      t.teardown(provider.stop)
      const asserting = await assertingApp(running, world)
      await nameProvider(running, acme, provider)
      const assertion = () => provider.assertion({ client_id: asserting.client_id, sub: ana.id })
      t.equal((await assertAt(issuer, asserting, await assertion())).status, 200)
      const invalidGrant = { status: 400, body: { error: 'invalid_grant' } }
      await put(asserting, { users: [kim.id] })
      t.match(await assertAt(issuer, asserting, await assertion()), invalidGrant)
      await put(asserting, { everyone: true })
      await deny(asserting)
      t.match(await assertAt(issuer, asserting, await assertion()), invalidGrant)

      const actor = await installed({ name: 'Actor' })
      const subject = await installed({ name: 'Subject', may_act: [actor.client_id] })
      const { access_token: token } = await tokensOf(subject)
      const machine = (await clientCredentials(issuer, subject, acme)).body.access_token
      const exchanged = (await delegate(issuer, actor, token)).body.access_token
      t.ok(await isActive(exchanged))
      for (const outside of [actor, subject]) {
        await put(outside, { users: [kim.id] })
        t.notOk(await isActive(exchanged))
        t.match(await delegate(issuer, actor, token), {
          status: 400,
          body: { error: 'invalid_request' },
        })
        t.equal((await delegate(issuer, actor, machine)).status, 200, 'no person is concerned')
        await put(outside, { everyone: true })
        t.ok(await isActive(exchanged))
      }
    })

    t.test('an approved request names the person in the audience', async (t) => {
      const app = await installed({ name: 'Ledger' })
      await put(app, { workspaces: [], users: [kim.id] })
      const visitor = await signedIn(issuer, ana)
      await visitor.submit(await visitor.get(visit(app)), { decision: 'request' })
      const admin = await signedIn(issuer, kim)
      const apps = await admin.get(`/organizations/${acme}/apps`)
      await decide(admin, apps, 'approve', { client_id: app.client_id })
      const { audience } = (await operator('GET', installPath(app))).body
      t.same([...audience.users].sort(), [ana.id, kim.id].sort())
      t.equal((await visitor.get(visit(app))).status, 200)
    })

    t.test('an admin chooses on the pages, and is asked before people lose it', async (t) => {
      const app = await installed({ name: 'Charts' })
      await tokensOf(app)
      const admin = await signedIn(issuer, kim)
      const own = `/organizations/${acme}/apps/${app.client_id}`
      const audienceNow = async () => (await operator('GET', installPath(app))).body.audience
      const page = await admin.get(`${own}/audience`)
      const chosen = { who: 'chosen', workspaces: [], users: [] }
      const asked = await admin.submit(page, { ...chosen, who: 'chosen' })
      t.match(asked.dom.querySelector('.problem, [role=alert], main')?.text, '1 person uses it now')
      t.same(await audienceNow(), { everyone: true }, 'nothing has changed yet')
      const more = { ...chosen, workspaces: [world.finance] }
      const other = await admin.submit(asked, more)
      t.match(other.dom.text, '1 person uses it now', 'another choice is asked about again')
      t.same(await audienceNow(), { everyone: true })
      const saved = await admin.submit(await admin.submit(other, chosen), chosen)
      t.match(saved.dom.text, 'It is in force')
      t.same(await audienceNow(), only())
      const names = await admin.get(`${own}/audience/names?name=ana`)
      await decide(admin, names, 'names', {}, { users: ana.id })
      t.same(await audienceNow(), only({ users: [ana.id] }))
      const list = await admin.get(`${own}/members`)
      t.match(list.dom.querySelector('.lead')?.text, /1 of \d+ people/)
      const deny = await admin.get(`${own}/people/${ana.id}/deny`)
      await admin.submit(deny, { decision: 'deny' })
      t.match((await operator('GET', installPath(app))).body.denied, [ana.id])
      t.match((await admin.get(`${own}/members`)).dom.text, 'Denied')
      const back = await admin.get(`${own}/people/${ana.id}/admit`)
      await admin.submit(back, { decision: 'admit' })
      t.same((await operator('GET', installPath(app))).body.denied, [])
      const stale = await admin.get(`${own}/audience`)
      await put(app, { workspaces: [sales] })
      const late = await admin.submit(stale, { who: 'everyone' })
      t.equal(late.status, 409, 'another person has saved it meanwhile')
      t.same(await audienceNow(), only({ workspaces: [sales] }))
      t.equal((await admin.get(`${own}/people/${zoe.id}/deny`)).status, 404)
    })

    t.test('an admin installs it for themselves first', async (t) => {
      const app = await createApp(running, { name: 'First' })
      const admin = await signedIn(issuer, kim)
      const page = await admin.get(visit(app))
      await admin.submit(page, { who: 'me', decision: 'approve' })
      const { audience } = (await operator('GET', installPath(app))).body
      t.same(audience, only({ users: [kim.id] }))
    })

    const verifierAt = async (t: Test) => {
      const verifier = createVerifier({
        ...{ issuer, audience: issuer, log: false, server: running.urls.at(-1) as string },
        resourceServer: await registerResourceServer(running),
      })
      t.teardown(() => verifier.close())
      await eventually(() => verifier.status().ready)
      return async (token: string) => outcomeOf(verifier.verify(token))
    }

    t.test('data APIs that verify by themselves learn of each way out and in', async (t) => {
      const says = await verifierAt(t)
      const app = await installed()
      const team = await workspaceOf()
      await join(team)
      const { access_token: token } = await tokensOf(app)
      const actor = await installed({ name: 'Actor' })
      const subject = await installed({ name: 'Subject', may_act: [actor.client_id] })
      const exchanged = (await delegate(issuer, actor, (await tokensOf(subject)).access_token)).body
      const becomes = async (expected: string, what: string) => {
        await eventually(async () => (await says(token)) === expected)
        t.equal(await says(token), expected, what)
      }
      const [inside, outside] = [await says(token), 'token-invalid: not_in_audience']
      await put(app, only())
      await becomes(outside, 'nobody')
      await put(app, { workspaces: [team] })
      await becomes(inside, 'a workspace')
      await leave(team)
      await becomes(outside, 'left it')
      await join(team)
      await becomes(inside, 'came back')
      await operator('DELETE', `/workspaces/${team}`)
      await becomes(outside, 'the workspace was deleted')
      await put(app, { users: [ana.id] })
      await becomes(inside, 'by name')
      await put(actor, only())
      await eventually(async () => (await says(exchanged.access_token)) === outside)
      await put(actor, { everyone: true })
      await eventually(async () => (await says(exchanged.access_token)) !== outside)
      await deny(app)
      await eventually(async () => (await says(token)).startsWith('token-invalid'))
    })

    t.test('of changes at once, data APIs and the server know the same end', async (t) => {
      const says = await verifierAt(t)
      const app = await installed()
      const team = await workspaceOf()
      await join(team)
      const { access_token: token } = await tokensOf(app)
      for (let round = 0; round < 12; round++) {
        await Promise.all([
          round % 2 ? join(team) : leave(team),
          put(app, round % 3 ? { workspaces: [team] } : { users: [] }),
          put(app, round % 4 ? { workspaces: [team] } : { everyone: true }),
        ])
        const isInside = await isActive(token)
        await eventually(async () => !(await says(token)).startsWith('token-invalid') === isInside)
        t.equal(!(await says(token)).startsWith('token-invalid'), isInside, `round ${round}`)
      }
    })

    t.test('the import sets it, and leaves it where it is absent', async (t) => {
      const app = await installed()
      const line = { type: 'install', organization: acme, client_id: app.client_id }
      const approval = { permissions: ['records:create'], workspace_ids: null }
      const send = async (more: Json) => {
        const response = await fetch(`${running.urls[0]}/api/admin/v1/import`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${operatorToken}`,
            'content-type': 'application/x-ndjson',
          },
          body: `${JSON.stringify({ ...line, ...approval, ...more })}\n`,
        })
        return JSON.parse(await response.text()).status
      }
      t.equal(await send({ audience: { users: [ana.id] } }), 'updated')
      t.equal(await send({ audience: { users: [zoe.id] } }), 'refused')
      t.equal(await send({ audience: { everyone: true, users: [] } }), 'refused')
      t.same((await operator('GET', installPath(app))).body.audience, only({ users: [ana.id] }))
      t.equal(await send({}), 'unchanged')
      t.same((await operator('GET', installPath(app))).body.audience, only({ users: [ana.id] }))
    })
  },
  { environment: providerEnvironment },
)
