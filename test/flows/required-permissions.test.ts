/** Permissions that an app requires: no box, call or import takes them away (RFC 6749 §3.3: `scope` says what was granted). */
import type { Test } from 'tap'
import { wordsOf } from '../pages/organization-visit.ts'
import { eventually } from '../support/eventually.ts'
import {
  authorizeUrl,
  challengeOf,
  clientCredentials,
  currentCode,
  exchangeCode,
  legacyAuthorizeUrl,
  legacyToken,
  newVerifier,
  refresh,
} from '../support/flows.ts'
import { type Json, operatorToken } from '../support/latchkey.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { signedIn } from '../support/signed-in.ts'
import type { VisitedPage } from '../support/visitor.ts'
import { createApp, install, type TestApp } from '../support/world.ts'

const permissions = ['records:create', 'records:update', 'records:delete', 'teams:read']
const optional_permissions = ['records:delete', 'records:update']
const permission_reasons = { 'records:create': 'It files each letter as a record.' }
const demands = { permissions, optional_permissions, permission_reasons }

/** The boxes of a page: the value of each, and whether it is ticked. */
const boxesOf = ({ dom }: VisitedPage) =>
  Object.fromEntries(
    dom
      .querySelectorAll('input[name=permissions]')
      .map((box) => [box.getAttribute('value'), box.hasAttribute('checked')]),
  )

await onEachBackend('an app says what it requires', async (t, scene) => {
  const { running, issuer, world } = scene
  const { operator } = running
  const { acme, ana, kim } = world
  const installOf = (app: Json) => `/organizations/${acme}/installs/${app.client_id}`
  const begin = (app: TestApp, more: Record<string, string> = {}) =>
    authorizeUrl(issuer, app, {
      organization_id: acme,
      code_challenge: challengeOf(newVerifier()),
      ...more,
    })
  const pointers = ({ body }: Json) => body.errors?.map(({ pointer }: Json) => pointer)

  const refused = (t: Test, answer: Json, names: string[]) => {
    t.equal(answer.status, 400)
    t.same(pointers(answer), ['/permissions'])
    for (const name of names) t.match(answer.body.errors[0].detail, name)
  }

  await t.test('only permissions of the app can be optional or explained', async (t) => {
    const app = await createApp(running, demands)
    const patch = (body: Json) => operator('PATCH', `/apps/${app.client_id}`, body)
    t.same(pointers(await patch({ optional_permissions: ['documents:read'] })), [
      '/optional_permissions/0',
    ])
    t.same(pointers(await patch({ permission_reasons: { 'documents:read': 'For letters.' } })), [
      '/permission_reasons/documents:read',
    ])
    t.equal((await patch({ permission_reasons: { 'teams:read': 'a\u0000b' } })).status, 400)
    t.equal((await patch({ permission_reasons: { 'teams:read': '' } })).status, 400)
    const languages = { 'teams:read': { en: 'For the address.', de: 'Für die Anschrift.' } }
    t.equal(
      (await patch({ permission_reasons: languages })).body.permission_reasons['teams:read'].de,
      'Für die Anschrift.',
    )
    await patch({ permission_reasons: { ...languages, ...permission_reasons } })
    const { body } = await patch({ permissions: ['records:create', 'records:delete'] })
    t.same(body.optional_permissions, ['records:delete'], 'what was taken leaves both')
    t.same(body.permission_reasons, permission_reasons)
    t.same((await patch({ optional_permissions: null })).body.optional_permissions, null)
  })

  await t.test('the review lasts unless the app requires more', async (t) => {
    const app = await createApp(running, { ...demands, reviewed: true })
    const patch = async (body: Json) =>
      (await operator('PATCH', `/apps/${app.client_id}`, body)).body.reviewed
    t.equal(await patch({ permissions: permissions.slice(0, 3) }), true)
    t.equal(
      await patch({ optional_permissions: ['records:create', 'records:delete', 'records:update'] }),
      true,
    )
    t.equal(await patch({ optional_permissions: ['records:delete'] }), false)
    t.equal(await patch({ reviewed: true }), true)
    t.equal(await patch({ permission_reasons: { 'records:create': 'Just so.' } }), false)
  })

  await t.test('calls and imports cannot leave out what it requires', async (t) => {
    const app = await createApp(running, demands)
    const put = (body: Json) => operator('PUT', installOf(app), { workspace_ids: null, ...body })
    refused(t, await put({ permissions: [] }), ['records:create', 'teams:read'])
    refused(t, await put({ permissions: ['records:create', 'records:delete'] }), ['teams:read'])
    const line = {
      type: 'install',
      organization: acme,
      client_id: app.client_id,
      workspace_ids: null,
    }
    const imported = await fetch(`${issuer}/api/admin/v1/import`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${operatorToken}`,
        'content-type': 'application/x-ndjson',
      },
      body: JSON.stringify({ ...line, permissions: ['records:create'] }),
    })
    t.match(await imported.text(), 'must have what the app requires: teams:read')
    t.equal((await operator('GET', installOf(app))).status, 404)
    const { body } = await put({ permissions: ['records:create', 'teams:read'] })
    t.same(body.missing, [])
    refused(t, await operator('PATCH', installOf(app), { permissions: ['teams:read'] }), [
      'records:create',
    ])
  })

  await t.test('an install that lacks something works, and loses nothing more', async (t) => {
    const app = await createApp(running, { permissions })
    await install(running, acme, app, { permissions: ['records:create', 'records:update'] })
    await operator('PATCH', `/apps/${app.client_id}`, { optional_permissions: ['records:delete'] })
    const read = async () => (await operator('GET', installOf(app))).body
    t.same((await read()).missing, ['teams:read'])
    const admin = await signedIn(issuer, kim)
    const page = await admin.get(`/organizations/${acme}/apps/${app.client_id}`)
    t.match(wordsOf(page), 'Incomplete')
    t.match(wordsOf(page), /Read which teams exist in the whole organization needed/)
    const code = await currentCode(running, app, ana, { organization_id: acme })
    t.equal((await exchangeCode(issuer, app, code)).body.scope, 'records:create records:update')
    const patch = (body: Json) => operator('PATCH', installOf(app), body)
    t.equal((await patch({ workspace_ids: [world.sales] })).status, 200)
    refused(t, await patch({ permissions: ['records:create'] }), ['records:update'])
    t.equal((await patch({ permissions: ['records:create', 'records:update'] })).status, 200)
    t.same(
      (await patch({ permissions: ['records:create', 'records:update', 'teams:read'] })).body
        .missing,
      [],
    )
    refused(t, await patch({ permissions: ['records:create', 'records:update'] }), ['teams:read'])
  })

  await t.test('a cleared box takes nothing away, on both decision pages', async (t) => {
    const app = await createApp(running, { ...demands, name: 'Letters' })
    const visitor = await signedIn(issuer, kim)
    const page = await visitor.get(begin(app))
    t.same(boxesOf(page), { 'records:delete': false, 'records:update': true })
    t.match(wordsOf(page), /Create records needed ?It files each letter as a record\./)
    t.match(wordsOf(page), 'If you do not want it, do not install the app.')
    const consent = await visitor.submit(page, { decision: 'approve', permissions: [] })
    const { body } = await operator('GET', installOf(app))
    t.same(body.permissions, ['records:create', 'teams:read'])
    t.same(body.missing, [])
    t.match(wordsOf(consent), 'If you do not want it, choose Deny.')
    t.same(boxesOf(consent), {})
    const { left } = await visitor.submit(consent, { decision: 'approve', permissions: [] })
    t.ok(left?.searchParams.get('code'))
  })

  await t.test('a request for less is complete for that', async (t) => {
    const app = await createApp(running, { ...demands, name: 'Fewer' })
    const visitor = await signedIn(issuer, kim)
    const page = await visitor.get(begin(app, { scope: 'records:create records:delete' }))
    await visitor.submit(page, { decision: 'approve', permissions: ['records:delete'] })
    const { body } = await operator('GET', installOf(app))
    t.same(body.permissions, ['records:create', 'records:delete'])
    t.same(body.missing, ['teams:read'])
  })

  await t.test('an admin narrows an install at its page', async (t) => {
    const app = await createApp(running, { ...demands, name: 'Narrowed' })
    await install(running, acme, app, { permissions })
    const admin = await signedIn(issuer, kim)
    const url = `/organizations/${acme}/apps/${app.client_id}/change`
    const page = await admin.get(url)
    t.same(boxesOf(page), { 'records:delete': true, 'records:update': true })
    await admin.submit(page, { decision: 'change', permissions: [] })
    const { body } = await operator('GET', installOf(app))
    t.same(body.permissions, ['records:create', 'teams:read'])
  })

  await t.test('an app asks for one more, and keeps the rest', async (t) => {
    const app = await createApp(running, { permissions })
    await install(running, acme, app, { permissions })
    const visitor = await signedIn(issuer, ana)
    const ask = async (more: Record<string, string>, changes: Record<string, string[]> = {}) => {
      const verifier = newVerifier()
      const about = { code_challenge: challengeOf(verifier), organization_id: acme, ...more }
      const page = await visitor.get(authorizeUrl(issuer, app, about))
      const answered = page.left
        ? page
        : await visitor.submit(page, { decision: 'approve', ...changes })
      const code = answered.left?.searchParams.get('code') ?? ''
      const { body } = await exchangeCode(issuer, app, { code, verifier })
      return { page, boxes: page.left ? null : boxesOf(page), ...body }
    }
    const first = await ask({ scope: 'records:create records:update' })
    t.same(first.scope, 'records:create records:update')
    const more = await ask({ scope: 'records:delete', prompt: 'consent' })
    t.same(more.boxes, { 'records:delete': true })
    t.equal(more.scope, 'records:delete')
    const kept = await refresh(issuer, app, first.refresh_token)
    t.equal(kept.body.scope, 'records:create records:update')
    const all = await ask({ scope: 'records:create records:update records:delete' })
    t.equal(all.boxes, null, 'nothing is asked twice')
    t.equal(all.scope, 'records:create records:update records:delete')
    const less = await ask({ scope: 'records:delete', prompt: 'consent' }, { permissions: [] })
    t.equal(less.scope, '')
    const rest = await ask({ scope: 'records:create records:delete' })
    t.equal(rest.scope, 'records:create', 'the last answer about each counts')
  })

  await t.test('a preview says who would have less', async (t) => {
    const app = await createApp(running, demands)
    await install(running, acme, app, { permissions })
    const preview = async (body: Json) =>
      (await operator('POST', `${installOf(app)}/preview`, { workspace_ids: null, ...body })).body
    const nobody = { people: 0, families: 0, jobs: 0 }
    t.same(await preview({ permissions: [] }), {
      ...nobody,
      missing: ['records:create', 'teams:read'],
    })
    const grants = [
      await currentCode(running, app, ana, { organization_id: acme }),
      await currentCode(running, app, kim, { organization_id: acme }),
      await currentCode(running, app, ana, { organization_id: acme, scope: 'records:create' }),
    ]
    for (const grant of grants) await exchangeCode(issuer, app, grant)
    t.same(await preview({ permissions }), { ...nobody, missing: [] })
    const without = (...gone: string[]) => permissions.filter((one) => !gone.includes(one))
    t.same(await preview({ permissions: without('records:update') }), {
      people: 2,
      families: 2,
      jobs: 0,
      missing: [],
    })
    t.match(await preview({ permissions: without('records:create') }), { people: 2, families: 3 })
    const places = { permissions, workspace_ids: [world.sales, world.finance] }
    t.match(await preview(places), { people: 2, families: 3 }, 'both are in Support')
    await clientCredentials(issuer, app, acme)
    // The last use is written a moment later.
    await eventually(async () => (await preview(places)).jobs === 1)
    t.match(await preview({ permissions: without('records:delete') }), { jobs: 1 })
    t.match(await preview({ permissions }), nobody)
    t.equal(
      (
        await operator('POST', `/organizations/${acme}/installs/app-none/preview`, {
          permissions: [],
        })
      ).status,
      404,
    )
    t.same(
      (await operator('GET', installOf(app))).body.permissions.length,
      4,
      'nothing has changed',
    )
    const admin = await signedIn(issuer, kim)
    const change = await admin.get(`/organizations/${acme}/apps/${app.client_id}/change`)
    t.match(wordsOf(change), '2 people use it. It also works by itself, without a person.')
    await operator('DELETE', `${installOf(app)}/users/${ana.id}`)
    t.match(await preview({ permissions: without('records:create') }), { people: 1, families: 1 })
  })

  await t.test('its owner says it in a form', async (t) => {
    const app = await createApp(running, { permissions, owners: [ana.id] })
    const owner = await signedIn(issuer, ana)
    const url = `/developer/apps/${app.client_id}`
    t.match(wordsOf(await owner.get(url)), 'Say what it can do without')
    const save = async (changes: Record<string, string | string[]>) =>
      owner.submit(await owner.get(`${url}/change`), changes)
    const wrong = await save({ permission_reasons: 'records:create' })
    t.equal(wrong.status, 400)
    t.match(wordsOf(wrong), 'Write each line as a permission, a colon and a sentence.')
    const saved = await save({
      needs: 'some',
      optional_permissions: ['records:delete', 'documents:read'],
      permission_reasons:
        'records:create: Files letters: one by one.\nteams:read (en): For teams.\nteams:read (de): Für Teams.',
    })
    t.match(wordsOf(saved), 'Saved.')
    t.notMatch(wordsOf(saved), 'Say what it can do without')
    const { body } = await operator('GET', `/apps/${app.client_id}`)
    t.same(body.optional_permissions, ['records:delete'])
    t.same(body.permission_reasons, {
      'records:create': 'Files letters: one by one.',
      'teams:read': { en: 'For teams.', de: 'Für Teams.' },
    })
    t.match(wordsOf(await save({})), 'Nothing was different')
    await save({ needs: 'nothing' })
    t.equal((await operator('GET', `/apps/${app.client_id}`)).body.optional_permissions, null)
  })

  await t.test('a legacy app too', async (t) => {
    const app = await createApp(running, {
      interface: 'legacy',
      permissions: ['readData', 'deleteData'],
      optional_permissions: ['deleteData'],
    })
    refused(t, await operator('PUT', installOf(app), { permissions: ['deleteData'] }), ['readData'])
    const visitor = await signedIn(issuer, kim)
    const page = await visitor.get(legacyAuthorizeUrl(issuer, app))
    t.same(boxesOf(page), { deleteData: false })
    const consent = await visitor.submit(page, { decision: 'approve', permissions: [] })
    const { left } = await visitor.submit(consent, { decision: 'approve', permissions: [] })
    const code = left?.searchParams.get('code') ?? ''
    const { body } = await legacyToken(issuer, app, { grant_type: 'authorization_code', code })
    t.ok(body.access_token)
    t.same((await operator('GET', installOf(app))).body.permissions, ['readData'])
  })
})
