/**
 * Apps by Client ID Metadata Documents: imports, reviews and the flow, with a client id that is a URL.
 */
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { Test } from 'tap'
import { type DocumentServer, startDocumentServer } from '../support/document-server.ts'
import {
  authorizeUrl,
  challengeOf,
  currentCode,
  exchangeCode,
  newVerifier,
  post,
  refresh,
} from '../support/flows.ts'
import type { Json, Running } from '../support/latchkey.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { createVisitor } from '../support/visitor.ts'
import type { TestApp } from '../support/world.ts'

const environment = { WEBHOOK_ALLOW_PRIVATE: 'true' }
const permissions = ['records:create', 'records:update']

const appAt = (clientId: string): TestApp => ({
  client_id: clientId,
  client_secret: '',
  redirect_uri: 'https://agent.example/cb',
})

const importUrl = (running: Running, url: string, part: Json = {}) =>
  running.operator('POST', '/apps/import', { url, ...part })

const installPath = (organizationId: string, clientId: string) =>
  `/organizations/${organizationId}/installs/${encodeURIComponent(clientId)}`

const allow = (running: Running, { host }: DocumentServer, policy = 'review') =>
  running.operator('PUT', `/client-hosts/${encodeURIComponent(host)}`, { policy })

/** The page that a browser gets for an authorization request of this client. */
const open = (running: Running, clientId: string) =>
  createVisitor(running.issuer).get(
    authorizeUrl(running.issuer, appAt(clientId), { code_challenge: challengeOf(newVerifier()) }),
  )

const reviewsOf = async (running: Running): Promise<Json[]> =>
  (await running.operator('GET', '/app-reviews')).body.items

const eventsOf = async (running: Running, clientId: string): Promise<string[]> => {
  const query = new URLSearchParams({ client_id: clientId })
  const { body } = await running.operator('GET', `/audit?${query}`)
  return body.items.map(({ type }: Json) => type)
}

const importTests = async (t: Test, running: Running, documents: DocumentServer) => {
  t.test('shows what a later import changes', async (t) => {
    const url = documents.publish('/again', { scope: 'records:create offline_access' })
    const first = await importUrl(running, url)
    t.match(first, { status: 201, body: { ignored_scopes: ['offline_access'] } })
    t.same(first.body.permissions, ['records:create'], 'the scope of the document')
    t.equal(first.headers.get('location'), `/api/admin/v1/apps/${encodeURIComponent(url)}`)
    t.match(await importUrl(running, url), { status: 200, body: { changes: [] } })
    documents.publish('/again', { client_name: 'Agent 2', scope: 'records:create records:update' })
    const again = await importUrl(running, url)
    t.equal(again.status, 200)
    t.same(again.body.changes, [
      { field: 'name', before: 'Agent', after: 'Agent 2' },
      { field: 'permissions', before: ['records:create'], after: permissions },
    ])
    t.match((await importUrl(running, url, { permissions: ['records:create'] })).body, {
      permissions: ['records:create'],
    })
    t.same((await importUrl(running, url)).body.changes, [], 'a choice of the operator stays')
  })

  t.test('an app by document can be read, changed and deleted, and has no secret', async (t) => {
    const url = documents.publish('/managed')
    await importUrl(running, url)
    const path = `/apps/${encodeURIComponent(url)}`
    t.match(await running.operator('GET', path), { status: 200, body: { client_id: url } })
    const patch = await running.operator('PATCH', path, { device_flow: true })
    t.match(patch, { status: 200, body: { device_flow: true } })
    t.equal((await running.operator('POST', `${path}/secrets`, {})).status, 409)
    const listed: Json[] = []
    for (let next: string | null = ''; next !== null; ) {
      const query: string = next === '' ? '' : `&cursor=${encodeURIComponent(next)}`
      const page = await running.operator('GET', `/apps?limit=1${query}`)
      listed.push(...page.body.items)
      next = page.body.next
    }
    t.ok(
      listed.some(({ client_id }) => client_id === url),
      'the list can be read page by page',
    )
    t.equal(new Set(listed.map(({ client_id }) => client_id)).size, listed.length)
    t.equal((await running.operator('DELETE', path)).status, 204)
    t.equal((await running.operator('GET', path)).status, 404)
  })

  t.test('refuses hostile URLs and documents, and registers nothing', async (t) => {
    const slow = documents.script('/slow', () => undefined)
    const huge = documents.script('/huge', (response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(`{"padding":"${'x'.repeat(33 * 1024)}"}`)
    })
    const moved = documents.script('/moved', (response) =>
      response.writeHead(302, { location: documents.publish('/target') }).end(),
    )
    const page = documents.script('/page', (response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('{}'),
    )
    const failing = documents.script('/failing', (response) => response.writeHead(500).end())
    const secret = documents.publish('/secret', { client_secret: 's' })
    const foreign = documents.publish('/foreign', { client_id: documents.url('/other') })
    const urls = [
      ...[slow, huge, moved, page, failing, secret, foreign, documents.url('/missing')],
      `${documents.url('/target')}#x`,
      documents.url('/a/../target'),
      documents.url('/target').replace('https:', 'http:'),
      `https://${documents.host}`,
      'https://169.254.169.254/latest',
      'not a url',
    ]
    for (const url of urls) {
      const answer = await importUrl(running, url)
      t.match(answer, { status: 400, body: { type: 'urn:latchkey:problem:invalid-input' } }, url)
      t.notMatch(JSON.stringify(answer.body), /xxxx|169\.254/, 'nothing is echoed')
      const path = `/apps/${encodeURIComponent(url)}`
      t.equal((await running.operator('GET', path)).status, 404, url)
    }
    t.equal(documents.count('/target'), 0, 'redirects are not followed')
  })

  t.test('many imports of one URL at once make one app', async (t) => {
    const url = documents.publish('/at-once')
    const answers = await Promise.all(Array.from({ length: 8 }, () => importUrl(running, url)))
    t.ok(answers.every(({ status }) => [200, 201].includes(status)))
    t.equal(answers.filter(({ status }) => status === 201).length, 1)
    const created = (await eventsOf(running, url)).filter((type) => type === 'app.created')
    t.equal(created.length, 1)
  })
}

const reviewTests = async (t: Test, running: Running, documents: DocumentServer) => {
  t.test('a document of another host is never fetched', async (t) => {
    await running.operator('DELETE', `/client-hosts/${encodeURIComponent(documents.host)}`)
    const url = documents.publish('/unknown')
    const page = await open(running, url)
    t.equal(page.status, 400)
    t.match(page.text, /has not been reviewed here/)
    t.match(page.text, /admin of your organization or the operator/)
    t.equal(page.left, null)
    t.equal(documents.count('/unknown'), 0)
    t.match(await allow(running, documents, 'refuse'), { status: 201 })
    t.equal((await open(running, url)).status, 400)
    t.equal(documents.count('/unknown'), 0)
    t.match(await importUrl(running, url), {
      status: 409,
      body: { type: 'urn:latchkey:problem:host-refused' },
    })
  })

  t.test('an unknown document of an allowed host waits, once', async (t) => {
    t.match(await allow(running, documents), { status: 200, body: { policy: 'review' } })
    const url = documents.publish('/waits', { scope: 'records:create' })
    const pages = await Promise.all(Array.from({ length: 6 }, () => open(running, url)))
    for (const page of pages) {
      t.equal(page.status, 400)
      t.match(page.text, /waits for a review/)
    }
    t.match((await open(running, url)).text, /waits for a review/)
    const waiting = (await reviewsOf(running)).filter(({ client_id }) => client_id === url)
    t.match(waiting, [{ kind: 'new', name: 'Agent', ignored_scopes: [] }])
    t.equal((await eventsOf(running, url)).join(), 'app_review.requested')
    t.ok(documents.count('/waits') <= 6, 'a waiting document is not read again')

    const decide = () =>
      running.operator('POST', `/app-reviews/${waiting[0].id}`, {
        decision: 'approve',
        permissions,
      })
    const decisions = await Promise.all(Array.from({ length: 8 }, decide))
    const done = decisions.filter(({ status }) => status === 200)
    t.equal(done.length, 1, 'one decision counts')
    t.match(done[0]?.body, { decision: 'approve', app: { client_id: url, permissions } })
    t.ok(decisions.every(({ status }) => [200, 404, 409].includes(status)))
    t.match((await open(running, url)).url.pathname, /^\/(interaction|login)/)
  })

  t.test('a proposed document waits for a review, which shows what it changes', async (t) => {
    const url = documents.publish('/proposed', { scope: 'records:create' })
    const propose = () => running.operator('POST', '/app-reviews', { url })
    const first = await propose()
    t.match(first, { status: 201, body: { client_id: url, kind: 'new', changes: [{}] } })
    t.equal((await running.operator('GET', `/apps/${encodeURIComponent(url)}`)).status, 404)
    const again = await Promise.all(Array.from({ length: 8 }, propose))
    t.same([...new Set(again.map(({ body }) => body.id))], [first.body.id], 'one review')
    const path = `/app-reviews/${first.body.id}`
    t.equal((await running.operator('POST', path, { decision: 'approve' })).status, 200)
    documents.publish('/proposed', { scope: 'records:create records:update' })
    const wider = (await propose()).body
    t.match(wider, { kind: 'change', changes: [{ field: 'permissions' }] })
    const refuse = { decision: 'refuse' }
    t.equal((await running.operator('POST', `/app-reviews/${wider.id}`, refuse)).status, 200)
    const { body: app } = await running.operator('GET', `/apps/${encodeURIComponent(url)}`)
    t.same(app.permissions, ['records:create'])
    t.not((await propose()).body.id, wider.id, 'the operator may look at a refused one again')
  })

  t.test('a refused document is not asked for again, but can be imported', async (t) => {
    const url = documents.publish('/refused')
    await open(running, url)
    const [review] = (await reviewsOf(running)).filter(({ client_id }) => client_id === url)
    const path = `/app-reviews/${review.id}`
    t.match(await running.operator('GET', path), { status: 200, body: { client_id: url } })
    const unknown = { decision: 'approve', permissions: ['no:such'] }
    t.equal((await running.operator('POST', path, unknown)).status, 400)
    t.equal((await running.operator('GET', path)).status, 200, 'a failed approval changes nothing')
    t.match(await running.operator('POST', path, { decision: 'refuse' }), {
      status: 200,
      body: { decision: 'refuse', app: null },
    })
    t.equal((await running.operator('POST', path, { decision: 'approve' })).status, 409)
    const fetched = documents.count('/refused')
    t.match((await open(running, url)).text, /has not been reviewed here/)
    t.equal(documents.count('/refused'), fetched)
    t.equal((await running.operator('GET', path)).status, 404)
    t.equal((await importUrl(running, url)).status, 201)
  })

  t.test('a document that breaks a rule does not wait', async (t) => {
    const url = documents.publish('/hostile', { client_secret: 's' })
    const page = await open(running, url)
    t.equal(page.status, 400)
    t.match(page.text, /could not read the description/)
    t.notOk((await reviewsOf(running)).some(({ client_id }) => client_id === url))
  })

  t.test('a disabled app does not wait for a review', async (t) => {
    const url = documents.publish('/disabled')
    await importUrl(running, url)
    await running.operator('PATCH', `/apps/${encodeURIComponent(url)}`, { disabled: true })
    const page = await open(running, url)
    t.match(page.text, /unknown here/)
    t.notOk((await reviewsOf(running)).some(({ client_id }) => client_id === url))
  })

  t.test('requests are limited per address', async (t) => {
    const statuses = new Set<number>()
    for (let i = 0; i < 25; i++) {
      const url = documents.publish(`/flood/${i}`)
      statuses.add((await open(running, url)).status)
    }
    t.same([...statuses].sort(), [400, 429])
    t.ok((await reviewsOf(running)).length <= 20)
  })
}

await onEachBackend(
  'apps by metadata documents',
  async (t, { running, issuer, world }) => {
    const documents = await startDocumentServer(t)

    await t.test('both metadata documents say so', async (t) => {
      for (const name of ['oauth-authorization-server', 'openid-configuration']) {
        const response = await fetch(`${issuer}/.well-known/${name}`)
        t.match(await response.json(), { client_id_metadata_document_supported: true })
      }
    })

    await t.test('from an import to a refreshed token and its end', async (t) => {
      const url = documents.publish('/main')
      t.match(await importUrl(running, url, { permissions }), {
        status: 201,
        body: { client_id: url, client_type: 'public', publisher: documents.host, permissions },
      })
      const app = appAt(url)
      const path = installPath(world.acme, url)
      const installed = await running.operator('PUT', path, { permissions, workspace_ids: null })
      t.ok(installed.status < 300)
      const got = await currentCode(running, app, world.ana)
      const first = await exchangeCode(issuer, app, got)
      t.match(first, { status: 200, body: { token_type: 'Bearer' } })
      const second = await refresh(issuer, app, first.body.refresh_token)
      t.equal(second.status, 200)
      const claims = JSON.parse(
        Buffer.from(second.body.access_token.split('.')[1], 'base64url').toString(),
      )
      t.match(claims, { client_id: url, kind: 'user', permissions })
      const inspect = () =>
        running.operator('POST', '/tokens/inspect', { token: second.body.access_token })
      t.match((await inspect()).status, 200)
      t.equal((await running.operator('DELETE', path)).status, 204)
      const third = await refresh(issuer, app, second.body.refresh_token)
      t.match(third, { status: 400, body: { error: 'invalid_grant' } })
    })

    await t.test('an admin installs the app, and a user disconnects it', async (t) => {
      const url = documents.publish('/pages')
      await importUrl(running, url, { permissions })
      const app = appAt(url)
      const got = await currentCode(running, app, world.kim)
      const token = await exchangeCode(issuer, app, got)
      t.equal(token.status, 200)
      const { visitor } = got
      const apps = await visitor.get(`${issuer}/organizations/${world.acme}/apps`)
      t.match(apps.text, /Agent/)
      const page = `/organizations/${world.acme}/apps/${encodeURIComponent(url)}`
      t.match(apps.text, page, 'the link to the app')
      for (const part of ['', '/change', '/suspend', '/uninstall'])
        t.equal((await visitor.get(`${issuer}${page}${part}`)).status, 200, part)
      const connected = await visitor.get(`${issuer}/account/apps`)
      const form = connected.dom
        .querySelectorAll('form')
        .find((one) => one.querySelector(`input[name="client_id"][value="${url}"]`))
      t.ok(form, 'the connected app has a form')
    })

    await t.test('an app with keys authenticates by private_key_jwt', async (t) => {
      const { publicKey, privateKey } = await generateKeyPair('ES256')
      const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'k1' }] }
      const published = documents.script('/keys', (response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(jwks))
      })
      for (const [path, keys] of Object.entries({
        '/own-keys': { jwks },
        '/remote-keys': { jwks_uri: published },
      })) {
        const url = documents.publish(path, {
          token_endpoint_auth_method: 'private_key_jwt',
          ...keys,
        })
        t.match(await importUrl(running, url, { permissions }), {
          status: 201,
          body: { client_type: 'confidential', ...keys },
        })
        const limits = { permissions, workspace_ids: null }
        await running.operator('PUT', installPath(world.acme, url), limits)
        const assertion = await new SignJWT({ jti: crypto.randomUUID() })
          .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
          .setIssuer(url)
          .setSubject(url)
          .setAudience(issuer)
          .setIssuedAt()
          .setExpirationTime('1m')
          .sign(privateKey)
        const request = {
          grant_type: 'client_credentials',
          organization_id: world.acme,
          client_id: url,
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
          client_assertion: assertion,
        }
        t.equal((await post(`${issuer}/api/oauth/token`, request)).status, 200, path)
        t.equal((await post(`${issuer}/api/oauth/token`, request)).status, 401, 'used once')
      }
    })

    await importTests(t, running, documents)
    await reviewTests(t, running, documents)
  },
  { environment },
)
