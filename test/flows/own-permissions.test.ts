/** Permissions of the platform, from the operator's call to the data API: no restart, on every instance. */
import { createVerifier } from '../../packages/verify/src/verify.ts'
import { eventually } from '../support/eventually.ts'
import {
  authorizeUrl,
  challengeOf,
  claimsOf,
  clientCredentials,
  currentCode,
  exchangeCode,
  legacyAuthorizeUrl,
  legacyCode,
  legacyToken,
  newVerifier,
  refresh,
} from '../support/flows.ts'
import type { Json } from '../support/latchkey.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import {
  createKeySet,
  introspectAt,
  registerResourceServer,
  selfSign,
} from '../support/resource-server.ts'
import { createVisitor, pageKind, walk } from '../support/visitor.ts'
import { createApp, install } from '../support/world.ts'

const own = 'invoices:approve'
const words = { en: 'Approve <b>invoices</b> & "bills"', de: 'Rechnungen freigeben' }

await onEachBackend(
  'permissions of the platform',
  async (t, { running, issuer, world }) => {
    const { operator, urls } = running
    const { acme, ana, kim } = world
    const put = async (generation: string, name: string, body: object) => {
      const answer = await operator('PUT', `/permissions/${generation}/${name}`, body)
      t.ok(answer.status < 300, JSON.stringify(answer.body))
    }
    const scopesAt = async (url: string) => {
      const response = await fetch(`${url}/.well-known/oauth-authorization-server`)
      return ((await response.json()) as Json).scopes_supported as string[]
    }
    const resourceServer = await registerResourceServer(running)
    const server = urls.at(-1) as string
    const verifier = createVerifier({ issuer, audience: issuer, resourceServer, server })
    t.teardown(() => verifier.close())

    await put('current', own, { sentence: words, group: 'write', mark: 'data_loss' })
    await put('legacy', 'export.all', { sentence: 'Export everything', group: 'read' })

    t.test('every instance lists it, and forgets it when it is retired', async (t) => {
      for (const url of urls) await eventually(async () => (await scopesAt(url)).includes(own))
      t.notOk((await scopesAt(issuer)).includes('export.all'), 'no scope of the legacy interface')
      const brief = '/permissions/current/brief'
      await operator('PUT', brief, { sentence: 'Brief', group: 'other' })
      for (const url of urls) await eventually(async () => (await scopesAt(url)).includes('brief'))
      await operator('DELETE', brief)
      for (const url of urls) await eventually(async () => !(await scopesAt(url)).includes('brief'))
    })

    t.test('current interface: from the install page to the data API', async (t) => {
      const permissions = ['records:create', own]
      const app = await createApp(running, { name: 'Billing', permissions })
      const visitor = createVisitor(issuer)
      const url = authorizeUrl(issuer, app, { code_challenge: challengeOf(newVerifier()) })
      const signIn = await visitor.get(url)
      const page = await visitor.submit(signIn, { email: kim.email, password: kim.password })
      t.equal(pageKind(page), 'decide')
      t.match(page.text, 'Approve &lt;b&gt;invoices&lt;/b&gt; &amp; &quot;bills&quot;')
      t.notMatch(page.text, 'Rechnungen')
      t.match(page.dom.text, 'data can be lost')
      t.match(page.dom.text, 'Read everything in the workspaces below')

      await install(running, acme, app, { permissions })
      const code = await currentCode(running, app, ana, { scope: own })
      const first = await exchangeCode(issuer, app, code)
      t.equal(first.body.scope, own)
      t.same(claimsOf(first.body.access_token).permissions, [own])
      const access = await verifier.verify(first.body.access_token)
      t.equal(access.can(own), true)
      t.equal(access.can('records:create'), false)
      t.match(await introspectAt(server, resourceServer, first.body.access_token), {
        body: { active: true, permissions: [own] },
      })

      const all = await clientCredentials(issuer, app, acme)
      t.equal(all.body.scope, `records:create ${own}`)
      const less = await clientCredentials(issuer, app, acme, { scope: 'records:create' })
      t.equal(less.body.scope, 'records:create')
      for (const scope of ['export.all', 'invoices:read', 'openid'])
        t.match(await clientCredentials(issuer, app, acme, { scope }), {
          status: 400,
          body: { error: 'invalid_scope' },
        })

      await operator('PATCH', `/apps/${app.client_id}`, { permissions: ['records:create'] })
      const narrowed = await refresh(issuer, app, first.body.refresh_token)
      t.equal(narrowed.body.scope, '')
    })

    t.test('legacy interface: from the install page to the data API', async (t) => {
      const permissions = ['readData', 'export.all']
      const app = await createApp(running, { interface: 'legacy', name: 'Dump', permissions })
      const page = await walk(createVisitor(issuer), legacyAuthorizeUrl(issuer, app), ana)
      t.equal(pageKind(page), 'ask-admin')
      await install(running, acme, app, { permissions })
      const { code } = await legacyCode(running, app, ana)
      const fields = { grant_type: 'authorization_code', code, redirect_uri: app.redirect_uri }
      const { body } = await legacyToken(issuer, app, fields)
      t.equal(body.scope, 'readData export.all')
      const access = await verifier.verify(body.access_token)
      t.equal(access.can('export.all'), true)
      t.equal(access.interface, 'legacy')
      t.match(
        await legacyToken(issuer, app, {
          grant_type: 'refresh_token',
          refresh_token: body.refresh_token,
          scope: 'export.all',
        }),
        { status: 200, body: { scope: 'export.all' } },
      )
    })

    t.test('a key set signs tokens with it', async (t) => {
      const keySet = await createKeySet(running, acme, { permissions: [own] })
      const iat = Math.floor(Date.now() / 1000)
      const token = selfSign(keySet.secret, {
        iss: keySet.client_id,
        iat,
        exp: iat + 600,
        permissions: [own, 'records:delete'],
      })
      const access = await verifier.verify(token)
      t.equal(access.can(own), true)
      t.equal(access.can('records:delete'), false)
    })

    t.test('reading needs a permission when the operator says so', async (t) => {
      const app = await createApp(running, { name: 'Reader', permissions: [] })
      await install(running, acme, app, { permissions: [] })
      const consent = async () => {
        const visitor = createVisitor(issuer)
        const url = authorizeUrl(issuer, app, { code_challenge: challengeOf(newVerifier()) })
        const page = await visitor.get(url)
        return visitor.submit(page, { email: ana.email, password: ana.password })
      }
      t.match((await consent()).dom.text, 'Read everything')
      const read = { sentence: 'Read all tables', group: 'read', read_permission: true }
      await put('current', 'tables:read', read)
      await eventually(async () => !(await consent()).dom.text.includes('Read everything'))
      await operator('PATCH', `/apps/${app.client_id}`, { permissions: ['tables:read'] })
      await install(running, acme, app, { permissions: ['tables:read'] })
      t.match((await consent()).dom.text, 'Read all tables')
      const metadata = await fetch(`${issuer}/.well-known/oauth-authorization-server`)
      t.match(await metadata.json(), { read_permission: 'tables:read' })
      await put('current', 'tables:read', { ...read, read_permission: false })
      await eventually(async () => (await consent()).dom.text.includes('Read everything'))
    })
  },
  { instances: 2 },
)
