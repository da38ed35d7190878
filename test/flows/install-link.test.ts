/** An admin installs an app from a link; the app learns where, by a one-time install code. */
import type { Test } from 'tap'
import { eventually } from '../support/eventually.ts'
import { claimsOf, credentials, post, type TokenResponse } from '../support/flows.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { signedIn } from '../support/signed-in.ts'
import { amounts, expireAll } from '../support/traces.ts'
import { createVisitor, type VisitedPage, walk } from '../support/visitor.ts'
import { createApp, install, type TestApp } from '../support/world.ts'

const grantType = 'urn:latchkey:params:oauth:grant-type:install-code'
const setupUri = 'https://app.example/setup?from=latchkey'

const isError = (t: Test, answer: TokenResponse, error: string, status = 400) =>
  t.match(answer, { status, body: { error } })

await onEachBackend('a link to install an app', async (t, { running, stores, ...scene }) => {
  const { issuer, world } = scene
  const { acme, other, ana, kim, zoe, sales } = world
  const { operator } = running

  const linked = (part: Record<string, unknown> = {}) =>
    createApp(running, { name: 'Letter Press', setup_uri: setupUri, ...part })

  const linkOf = (app: { client_id: string }, more: Record<string, string> = {}) =>
    `${issuer}/install?${new URLSearchParams({ client_id: app.client_id, state: 'the state', ...more })}`

  const redeem = (
    app: TestApp,
    code: string,
    more: Record<string, string | undefined> = {},
  ): Promise<TokenResponse> =>
    post(`${issuer}/api/oauth/token`, {
      grant_type: grantType,
      install_code: code,
      ...credentials(app),
      ...more,
    })

  const codeOf = ({ left }: VisitedPage) => left?.searchParams.get('install_code') ?? ''

  /** Kim installs the app, or confirms the install. */
  const installed = async (app: TestApp) => {
    const admin = await signedIn(issuer, kim)
    const page = await admin.submit(await admin.get(linkOf(app)), { decision: 'approve' })
    return codeOf(page)
  }

  t.test(
    'an admin signs in, installs, and the app gets a token for the organization',
    async (t) => {
      const app = await linked()
      const page = await walk(createVisitor(issuer), linkOf(app), kim)
      const { left } = page
      t.equal(`${left?.origin}${left?.pathname}`, 'https://app.example/setup')
      const answer = Object.fromEntries(left?.searchParams ?? [])
      t.match(answer, { from: 'latchkey', state: 'the state', iss: issuer, install_code: /^lkic_/ })
      t.equal(page.headers.get('cache-control'), 'no-store')

      const { status, body, headers } = await redeem(app, codeOf(page), { workspace_ids: sales })
      t.equal(status, 200)
      t.match(body, { token_type: 'Bearer', expires_in: 3600, organization_id: acme })
      t.same(body.workspace_ids, [sales])
      t.notOk('refresh_token' in body)
      t.equal(headers.get('cache-control'), 'no-store')
      t.match(claimsOf(body.access_token), { kind: 'install', organization_id: acme })

      await eventually(async () => {
        const { body: audit } = await operator('GET', `/audit?client_id=${app.client_id}`)
        return audit.items.some(({ type }: { type: string }) => type === 'install.code_redeemed')
      })
      const { body: audit } = await operator('GET', `/audit?client_id=${app.client_id}`)
      const types = audit.items.map(({ type }: { type: string }) => type)
      for (const type of ['install.approved', 'install.code_redeemed']) t.ok(types.includes(type))
    },
  )

  t.test('the link narrows what is installed, within the registration of the app', async (t) => {
    const app = await linked()
    const admin = await signedIn(issuer, kim)
    const page = await admin.get(linkOf(app, { permissions: 'records:create' }))
    t.match(page.text, 'value="records:create" checked')
    t.notMatch(page.text, 'value="records:update"')
    const { status, body } = await redeem(
      app,
      codeOf(await admin.submit(page, { decision: 'approve' })),
    )
    t.match({ status, scope: body.scope }, { status: 200, scope: 'records:create' })
  })

  t.test('an admin who refuses returns with access_denied', async (t) => {
    const app = await linked()
    const admin = await signedIn(issuer, kim)
    const page = await admin.submit(await admin.get(linkOf(app)), { decision: 'deny' })
    const answer = Object.fromEntries(page.left?.searchParams ?? [])
    t.match(answer, { error: 'access_denied', state: 'the state', iss: issuer })
    t.notOk('install_code' in answer)
  })

  t.test('an installed app is shown, and the admin confirms', async (t) => {
    const app = await linked()
    await install(running, acme, app, {
      permissions: ['records:create'],
      workspace_ids: [sales],
    })
    const admin = await signedIn(issuer, kim)
    const page = await admin.get(linkOf(app))
    t.equal(page.left, null, 'nothing is sent before the admin confirms')
    t.match(page.text, 'is already installed in')
    t.match(page.text, 'Sales')
    t.notMatch(page.text, 'Finance')
    const answer = await admin.submit(page, { decision: 'approve' })
    const { body } = await redeem(app, codeOf(answer))
    t.equal(body.scope, 'records:create', 'the install is as it was')
  })

  t.test('a member cannot decide: asks for the app, and cannot confirm an install', async (t) => {
    const app = await linked()
    const member = await signedIn(issuer, ana)
    const asking = await member.get(linkOf(app))
    t.match(asking.text, 'name="decision" value="request"')
    t.equal((await member.submit(asking, { decision: 'approve' })).status, 403)
    await member.submit(asking, { decision: 'request' })
    await install(running, acme, app)
    const shown = await member.get(linkOf(app))
    t.notMatch(shown.text, 'value="approve"')
    const forced = await member.submit(shown, { decision: 'approve' })
    t.equal(forced.status, 403)
    t.equal(forced.left, null)
  })

  t.test('an organization of the link that is not the user’s decides nothing', async (t) => {
    const app = await linked()
    for (const organization_id of [other, 'orgMadeUp', '../x', '']) {
      const admin = await signedIn(issuer, kim)
      const page = await admin.get(linkOf(app, { organization_id }))
      const where = page.dom.querySelector('h1')?.text ?? ''
      t.match(where, organization_id === '' ? 'Install' : 'Where do you want', organization_id)
      t.equal(page.left, null)
    }
    const stranger = await signedIn(issuer, zoe)
    const page = await stranger.get(linkOf(app, { organization_id: acme }))
    t.notMatch(page.text, 'Acme')
  })

  t.test('nothing is redirected for an unknown app or a faulty link', async (t) => {
    const app = await linked()
    const bare = await createApp(running, { name: 'Bare' })
    const off = await linked()
    await operator('PATCH', `/apps/${off.client_id}`, { disabled: true })
    const faulty = [
      linkOf({ client_id: 'appMadeUp' }),
      linkOf({ client_id: '\u0000' }),
      linkOf(off),
      `${issuer}/install`,
      `${issuer}/install?client_id=${app.client_id}`,
      `${linkOf(app)}&state=again`,
      `${linkOf(app)}&client_id=${bare.client_id}`,
      linkOf(app, { state: 'x'.repeat(4097) }),
      linkOf(app, { permissions: 'records:delete' }),
      linkOf(app, { permissions: 'made:up' }),
      linkOf(app, { permissions: 'ä' }),
      linkOf(app, { permissions: ' ' }),
    ]
    const visitor = createVisitor(issuer)
    for (const link of faulty) {
      const page = await visitor.get(link)
      t.match(
        { status: page.status, left: page.left },
        { status: 400, left: null },
        link.slice(0, 200),
      )
      t.match(page.text, '<h1>')
    }
    const before = await amounts(stores)
    for (const link of faulty) await visitor.get(link)
    t.same(await amounts(stores), before, 'and nothing is stored')
    const aimed = `${linkOf(app)}&setup_uri=https://evil.example/&redirect_uri=https://evil.example/`
    const { left } = await walk(createVisitor(issuer), aimed, kim)
    t.equal(left?.origin, 'https://app.example')
  })

  t.test('without a setup URI the admin sees the apps of the organization', async (t) => {
    const bare = await createApp(running, { name: 'Bare' })
    const admin = await signedIn(issuer, kim)
    const page = await admin.get(`${issuer}/install?client_id=${bare.client_id}`)
    t.match(page.text, 'Then you see the apps of the organization')
    const done = await admin.submit(page, { decision: 'approve' })
    t.match(done, { status: 200, left: null })
    t.equal(done.url.pathname, `/organizations/${acme}/apps`)
    t.match(done.text, 'Bare')
  })

  t.test('a setup URI that the operator has changed meanwhile gets no code', async (t) => {
    const app = await linked()
    const admin = await signedIn(issuer, kim)
    const page = await admin.get(linkOf(app))
    const path = `/apps/${app.client_id}`
    await operator('PATCH', path, { setup_uri: 'https://app.example/other' })
    const answer = await admin.submit(page, { decision: 'approve' })
    t.match({ status: answer.status, left: answer.left }, { status: 400, left: null })
  })

  t.test('an answer counts once, and only where the admin is signed in', async (t) => {
    const app = await linked()
    const admin = await signedIn(issuer, kim)
    const page = await admin.get(linkOf(app))
    const answer = await admin.submit(page, { decision: 'approve' })
    t.ok(codeOf(answer))
    const again = await admin.get(`${page.url.href}/setup`)
    t.match({ status: again.status, left: again.left }, { status: 400, left: null })
    const repeated = await admin.submit(page, { decision: 'approve' })
    t.match(repeated.text, 'You have already answered this')

    const second = await signedIn(issuer, kim)
    const open = await second.get(linkOf(app))
    await second.fetch(open.url, { method: 'GET' })
    const planted = createVisitor(issuer)
    for (const [name, value] of second.cookies)
      if (name.endsWith('browser')) planted.cookies.set(name, value)
    await second.submit(open, { decision: 'approve' })
    t.equal((await planted.get(`${open.url.href}/setup`)).left, null)
  })

  t.test('a code is good once, of twenty at the same time', async (t) => {
    const app = await linked()
    const code = await installed(app)
    const answers = await Promise.all(Array.from({ length: 20 }, () => redeem(app, code)))
    t.equal(answers.filter(({ status }) => status === 200).length, 1)
    for (const answer of answers.filter(({ status }) => status !== 200))
      isError(t, answer, 'invalid_grant')
    isError(t, await redeem(app, code), 'invalid_grant')
    const [{ body }] = answers.filter(({ status }) => status === 200) as [TokenResponse]
    const { access_token: token } = body
    const alive = await post(`${issuer}/api/oauth/token`, {
      grant_type: 'client_credentials',
      organization_id: acme,
      ...credentials(app),
    })
    t.equal(alive.status, 200, 'a replay ends no install')
    t.ok(token)
  })

  t.test('a refused request does not consume the code', async (t) => {
    const app = await linked()
    const rival = await linked()
    const code = await installed(app)
    isError(t, await redeem(rival, code), 'invalid_grant')
    isError(t, await redeem(app, code, { client_secret: 'wrong' }), 'invalid_client', 401)
    isError(t, await redeem(app, code, { client_secret: undefined }), 'invalid_client', 401)
    isError(t, await redeem(app, code, { scope: 'records:delete' }), 'invalid_scope')
    isError(t, await redeem(app, code, { workspace_ids: 'wksNone' }), 'invalid_scope')
    isError(t, await redeem(app, code, { resource: 'urn:nobody' }), 'invalid_target')
    isError(t, await redeem(app, `${code}x`), 'invalid_grant')
    isError(t, await redeem(app, ''), 'invalid_request')
    isError(t, await redeem(world.publicApp, code), 'unauthorized_client')
    for (const [grant_type, field] of [
      ['authorization_code', 'code'],
      ['refresh_token', 'refresh_token'],
      ['urn:ietf:params:oauth:grant-type:device_code', 'device_code'],
    ] as const) {
      const form = { grant_type, [field]: code, redirect_uri: app.redirect_uri }
      const fields = { ...form, code_verifier: 'x'.repeat(43), ...credentials(app) }
      t.equal((await post(`${issuer}/api/oauth/token`, fields)).status, 400, grant_type)
    }
    t.equal((await redeem(app, code)).status, 200)
  })

  t.test(
    'a code of a suspended install waits, one of an ended install is worth nothing',
    async (t) => {
      const app = await linked()
      const path = `/organizations/${acme}/installs/${app.client_id}`
      const code = await installed(app)
      await operator('PATCH', path, { suspended: true })
      isError(t, await redeem(app, code), 'invalid_grant')
      await operator('PATCH', path, { suspended: false })
      t.equal((await redeem(app, code)).status, 200, 'a refusal did not consume it')

      const late = await installed(app)
      await operator('DELETE', path)
      isError(t, await redeem(app, late), 'invalid_grant')
      await install(running, acme, app)
      isError(t, await redeem(app, late), 'invalid_grant')
    },
  )

  t.test('a code is valid for a minute', async (t) => {
    const app = await linked()
    const code = await installed(app)
    await expireAll(stores)
    isError(t, await redeem(app, code), 'invalid_grant')
  })

  t.test('the metadata lists the grant type', async (t) => {
    const answer = await fetch(`${issuer}/.well-known/oauth-authorization-server`)
    const { grant_types_supported } = (await answer.json()) as { grant_types_supported: string[] }
    t.ok(grant_types_supported.includes(grantType))
  })
})
