import { createVerifier } from '../../packages/verify/src/verify.ts'
import { eventually } from '../support/eventually.ts'
import {
  claimsOf,
  clientCredentials,
  currentCode,
  exchangeCode,
  refresh,
} from '../support/flows.ts'
import { onEachBackend, type Scene } from '../support/on-each-backend.ts'
import { introspectAt, registerResourceServer } from '../support/resource-server.ts'
import { signedIn } from '../support/signed-in.ts'
import { countRows, sql } from '../support/traces.ts'
import { createApp, install } from '../support/world.ts'

const many = 20_000

/** Statistics of the time before: an organization has two workspaces, and a user has one. */
const addOthers = async ({ stores }: Scene) => {
  await sql(
    stores,
    `insert into users (id, email, name)
     select 'usrOTHER' || n, 'other' || n || '@acme.test', 'Other' from generate_series(1, 10000) n`,
  )
  await sql(
    stores,
    `insert into organizations (id, name)
     select 'orgOTHER' || n, 'Other' from generate_series(1, 5000) n`,
  )
  await sql(
    stores,
    `insert into workspaces (id, organization_id, name)
     select 'wksOTHER' || n, 'orgOTHER' || 1 + n % 5000, 'Other ' || n from generate_series(1, 10000) n`,
  )
  await sql(
    stores,
    `insert into workspace_members (workspace_id, user_id)
     select 'wksOTHER' || n, 'usrOTHER' || n from generate_series(1, 10000) n`,
  )
  await sql(stores, 'analyze workspaces, workspace_members')
}

/** Workspaces of Acme, all of them Ana's. */
const addWorkspaces = async ({ stores, world }: Scene) => {
  await sql(
    stores,
    `insert into workspaces (id, organization_id, name)
     select 'wksMANY' || lpad(n::text, 13, '0'), $1, 'Many ' || n from generate_series(1, ${many}) n`,
    [world.acme],
  )
  await sql(
    stores,
    `insert into workspace_members (workspace_id, user_id)
     select id, $1 from workspaces where id like 'wksMANY%'`,
    [world.ana.id],
  )
}

const named = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => `wksMANY${String(from + at).padStart(13, '0')}`)

await onEachBackend('a token for 20,000 workspaces', async (t, scene) => {
  const { running, issuer, world, stores } = scene
  const { acme, ana } = world
  await addOthers(scene)
  await addWorkspaces(scene)
  const app = await createApp(running, { name: 'Everywhere' })
  await install(running, acme, app)
  const server = await registerResourceServer(running)
  const introspect = async (token: string) => (await introspectAt(issuer, server, token)).body
  const verifier = createVerifier({ issuer, audience: issuer, resourceServer: server })
  t.teardown(() => verifier.close())
  const own = [...named(1, many), world.sales, world.support].sort()
  const all = [...own, world.finance].sort()

  t.test('is issued to the app itself, and the answer lists all', async (t) => {
    const { status, body } = await clientCredentials(issuer, app, acme)
    t.equal(status, 200)
    t.same(body.workspace_ids, all)
    t.ok(body.access_token.length < 1500, 'it fits into a header')
    const claims = claimsOf(body.access_token)
    t.equal(claims.workspaces, 'introspect')
    t.notOk('workspace_ids' in claims || 'reach_id' in claims)
    t.match(await introspect(body.access_token), { active: true, kind: 'install' })
    t.same((await introspect(body.access_token)).workspace_ids, all)
    const access = await verifier.verify(body.access_token)
    t.equal(access.workspaceIds?.length, all.length)
    for (const id of [own[0], world.finance] as string[]) t.ok(access.reaches(acme, id))
    t.notOk(access.reaches(acme, world.foreignWorkspace))
  })

  t.test('is issued for a user’s own workspaces, also by refresh', async (t) => {
    const code = await currentCode(running, app, ana)
    const first = (await exchangeCode(issuer, app, code)).body
    t.same(first.workspace_ids, own)
    const { body } = await refresh(issuer, app, first.refresh_token)
    t.same(body.workspace_ids, own)
    t.same((await introspect(body.access_token)).workspace_ids, own, 'without Finance')
    const access = await verifier.verify(body.access_token)
    const [lost, kept] = named(1, 2) as [string, string]
    t.ok(access.reaches(acme, lost))
    t.notOk(access.reaches(acme, world.finance))
    await running.operator('DELETE', `/workspaces/${lost}/members/${ana.id}`)
    t.notOk((await introspect(body.access_token)).workspace_ids.includes(lost), 'at once')
    const isReached = async () => (await verifier.verify(body.access_token)).reaches(acme, lost)
    await eventually(async () => !(await isReached()))
    const now = await verifier.verify(body.access_token)
    t.notOk(now.reaches(acme, lost), 'the data API is notified')
    t.ok(now.reaches(acme, kept))
    await running.operator('PUT', `/workspaces/${lost}/members/${ana.id}`)
  })

  t.test('a long answer is read from signed-in users only', async (t) => {
    const body = `_csrf=x&${'workspace_ids=wks1&'.repeat(20_000)}`
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const path = `${issuer}/interaction/unknown`
    const sent = (init: RequestInit) =>
      fetch(path, { method: 'POST', redirect: 'manual', headers, ...init })
    const { status, headers: answered } = await sent({ body })
    t.equal(status, 303)
    t.match(answered.get('location'), '/login?return_to=')
    t.equal((await sent({ body: '_csrf=x' })).status, 403, 'a short one is read and refused')
    const visitor = await signedIn(issuer, ana)
    const cookie = [...visitor.cookies].map((pair) => pair.join('=')).join('; ')
    const own = await sent({ body, headers: { ...headers, cookie } })
    t.equal(own.status, 403, 'read, and refused for its field')
  })

  t.test('lists the workspaces again when the request names few', async (t) => {
    const few = named(7, 8)
    const { body } = await clientCredentials(issuer, app, acme, { workspace_ids: few.join(' ') })
    t.same(body.workspace_ids, few)
    t.match(claimsOf(body.access_token), { workspace_ids: few, workspaces: undefined })
    t.equal(await countRows(stores, 'token_reaches'), 0)
  })

  t.test('reaches exactly the named ones, however many', async (t) => {
    const requested = named(1, 900)
    const { status, body } = await clientCredentials(issuer, app, acme, {
      workspace_ids: requested.join(' '),
    })
    t.equal(status, 200)
    t.same(body.workspace_ids, requested)
    const claims = claimsOf(body.access_token)
    t.match(claims, { workspaces: 'introspect', reach_id: /^[\w-]{16,}$/ })
    t.same((await introspect(body.access_token)).workspace_ids, requested)
    const access = await verifier.verify(body.access_token)
    t.ok(access.reaches(acme, requested[899] as string))
    t.notOk(access.reaches(acme, named(901, 901)[0] as string))
    await sql(stores, 'delete from token_reaches where id = $1', [claims.reach_id])
    t.same((await introspect(body.access_token)).workspace_ids, [], 'a lost list is not "all"')
  })

  t.test('many permissions and many workspaces make no token that is too long', async (t) => {
    const names = Array.from({ length: 100 }, (_, at) => `custom:perm-${100 + at}`)
    const entry = { sentence: 'Do it', group: 'other', mark: null }
    for (const name of names) await running.operator('PUT', `/permissions/current/${name}`, entry)
    const able = await createApp(running, { name: 'Able', permissions: names })
    await install(running, acme, able, { permissions: names })
    const requested = named(1, 400)
    const { body } = await clientCredentials(issuer, able, acme, {
      workspace_ids: requested.join(' '),
    })
    t.ok(body.access_token.length < 8000, `${body.access_token.length} characters`)
    const seen = await introspect(body.access_token)
    t.match(seen, { active: true, workspace_ids: requested })
    t.equal(seen.permissions.length, 100)
    const access = await verifier.verify(body.access_token)
    t.ok(access.reaches(acme, requested[0] as string) && access.can(names[99] as string))
    const tooLong = names.map((name) => `${name}-longer`)
    const refused = await running.operator('POST', '/apps', {
      name: 'Too able',
      interface: 'current',
      client_type: 'confidential',
      redirect_uris: ['https://app.example/cb'],
      permissions: tooLong,
    })
    t.equal(refused.status, 400)
  })

  t.test('a later workspace belongs to a token for all, not to one for named ones', async (t) => {
    const whole = (await clientCredentials(issuer, app, acme)).body.access_token
    const part = (
      await clientCredentials(issuer, app, acme, { workspace_ids: named(1, 900).join(' ') })
    ).body.access_token
    const later = await running.operator('POST', `/organizations/${acme}/workspaces`, { name: 'L' })
    t.ok((await introspect(whole)).workspace_ids.includes(later.body.id))
    t.notOk((await introspect(part)).workspace_ids.includes(later.body.id))
    await running.operator('DELETE', `/workspaces/${later.body.id}`)
  })

  t.test('a refused request stores and consumes nothing', async (t) => {
    const stored = await countRows(stores, 'token_reaches')
    const code = await currentCode(running, app, ana)
    const requested = named(1, 900)
    const wrong = [
      { workspace_ids: [...requested, world.finance].join(' ') },
      { workspace_ids: requested.join(' '), scope: 'records:delete' },
      { workspace_ids: requested.join(' '), code_verifier: 'x'.repeat(43) },
    ]
    for (const more of wrong) t.equal((await exchangeCode(issuer, app, code, more)).status, 400)
    t.equal(await countRows(stores, 'token_reaches'), stored)
    const right = await exchangeCode(issuer, app, code, { workspace_ids: requested.join(' ') })
    t.equal(right.status, 200)
    t.same((await introspect(right.body.access_token)).workspace_ids, requested)
    t.equal(await countRows(stores, 'token_reaches'), stored + 1)
  })

  t.test('a member of all can be deactivated, activated and removed', async (t) => {
    const memberships = async () => {
      const [row] = await sql<{ n: number }>(
        stores,
        'select count(*)::integer as n from workspace_members where user_id = $1',
        [ana.id],
      )
      return row?.n
    }
    const before = await memberships()
    const created = await running.operator('POST', `/organizations/${acme}/scim-tokens`, {
      name: 'Directory',
    })
    const setActive = (value: boolean) =>
      fetch(`${issuer}/scim/v2/Users/${ana.id}`, {
        method: 'PATCH',
        headers: {
          authorization: `Bearer ${created.body.token}`,
          'content-type': 'application/scim+json',
        },
        body: JSON.stringify({
          schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
          Operations: [{ op: 'replace', path: 'active', value }],
        }),
      })
    const adopted = await fetch(`${issuer}/scim/v2/Users?filter=userName+eq+"${ana.email}"`, {
      headers: { authorization: `Bearer ${created.body.token}` },
    })
    t.match(await adopted.json(), { totalResults: 1 })
    t.equal((await setActive(false)).status, 200)
    t.equal(await memberships(), 0)
    t.equal((await setActive(true)).status, 200)
    t.equal(await memberships(), before)
    const path = `/organizations/${acme}/members/${ana.id}`
    t.equal((await running.operator('DELETE', path)).status, 204)
    t.equal(await memberships(), 0)
  })
})
