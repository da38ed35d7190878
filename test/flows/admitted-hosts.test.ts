/** Hosts that admit: the document of an AI client becomes an app at its first request, within a ceiling and a number. */
import { wordsOf } from '../pages/organization-visit.ts'
import { type DocumentServer, startDocumentServer } from '../support/document-server.ts'
import {
  authorizeUrl,
  challengeOf,
  claimsOf,
  currentCode,
  exchangeCode,
  newVerifier,
  post,
  refresh,
} from '../support/flows.ts'
import type { Json, Running } from '../support/latchkey.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { signedIn } from '../support/signed-in.ts'
import type { TestApp } from '../support/world.ts'

const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const environment = { WEBHOOK_ALLOW_PRIVATE: 'true', TRUSTED_PROXIES: '127.0.0.1' }
const create = 'records:create'
const update = 'records:update'
const remove = 'records:delete'

const appAt = (clientId: string): TestApp => ({
  client_id: clientId,
  client_secret: '',
  redirect_uri: 'https://agent.example/cb',
})

let address = 0

/** The answer to an authorization request of the client, from another address each time. */
const open = async (
  url: string,
  clientId: string,
  parameters: Record<string, string> = {},
  from = `10.1.${Math.floor(address / 250)}.${1 + (address++ % 250)}`,
) => {
  const request = { code_challenge: challengeOf(newVerifier()), ...parameters }
  const response = await fetch(authorizeUrl(url, appAt(clientId), request), {
    redirect: 'manual',
    headers: { 'x-forwarded-for': from },
  })
  return { status: response.status, text: await response.text() }
}

const toolsOf = (running: Running, documents: DocumentServer) => {
  const { operator, issuer } = running
  const hostPath = `/client-hosts/${encodeURIComponent(documents.host)}`
  const appPath = (url: string) => `/apps/${encodeURIComponent(url)}`
  return {
    hostPath,
    appPath,
    put: (rule: Json) => operator('PUT', hostPath, rule),
    admit: (permissions: string[], rule: Json = {}) =>
      operator('PUT', hostPath, {
        policy: 'admit',
        ceiling: { interface: 'current', permissions },
        ...rule,
      }),
    open: (url: string, parameters?: Record<string, string>) => open(issuer, url, parameters),
    app: async (url: string) => (await operator('GET', appPath(url))).body,
    isApp: async (url: string) => (await operator('GET', appPath(url))).status === 200,
    waits: async (url: string) =>
      (await operator('GET', '/app-reviews?limit=100')).body.items.some(
        ({ client_id }: Json) => client_id === url,
      ),
    events: async (url: string): Promise<Json[]> =>
      (await operator('GET', `/audit?${new URLSearchParams({ client_id: url })}`)).body.items,
  }
}

await onEachBackend(
  'a host that admits',
  async (t, { running, issuer, world }) => {
    const documents = await startDocumentServer(t)
    const { operator } = running
    const { acme, ana } = world
    const { hostPath, appPath, put, admit, open, app, isApp, waits, events } = toolsOf(
      running,
      documents,
    )
    const installPath = (url: string) =>
      `/organizations/${acme}/installs/${encodeURIComponent(url)}`

    await t.test('a policy is checked, replaced and read again', async (t) => {
      const pointers = async (rule: Json) => {
        const { status, body } = await put(rule)
        return [status, ...(body.errors ?? []).map(({ pointer }: Json) => pointer)]
      }
      const ceiling = { interface: 'current', permissions: [create] }
      for (const [rule, ...expected] of [
        [{ policy: 'admit' }, '/ceiling'],
        [{ policy: 'admit', ceiling: null }, '/ceiling'],
        [{ policy: 'admit', ceiling: { interface: 'current' } }, '/ceiling/permissions'],
        [
          { policy: 'admit', ceiling: { interface: 'legacy', permissions: [] } },
          '/ceiling/interface',
        ],
        [
          { policy: 'admit', ceiling: { interface: 'current', permissions: [create, 'no:such'] } },
          '/ceiling/permissions/1',
        ],
        [{ policy: 'admit', ceiling, limit: 0 }, '/limit'],
        [{ policy: 'admit', ceiling, limit: 1.5 }, '/limit'],
        [{ policy: 'admit', ceiling, limit: 1001 }, '/limit'],
        [{ policy: 'admit', ceiling, defaults: { expires_days: 0 } }, '/defaults/expires_days'],
        [
          { policy: 'admit', ceiling, defaults: { retry_window_seconds: 61 } },
          '/defaults/retry_window_seconds',
        ],
        [
          { policy: 'admit', ceiling, defaults: { access_token_seconds: 86_000 } },
          '/defaults/access_token_seconds',
        ],
        [{ policy: 'admit', ceiling, defaults: { reviewed: true } }, '/defaults/reviewed'],
      ] as [Json, ...string[]][])
        t.same(await pointers(rule), [400, ...expected], JSON.stringify(rule))
      for (const path of [
        ...['', 'a', 'a/', '//a', '/a//b', '/a/../b', '/a/.', '/a/%2e%2e/b', '/%61', '/a;b'],
        ...['/a?b', '/a#b', '/a\\b', '/a b', '/ä', '/a/..'],
      ])
        t.same(
          await pointers({ policy: 'admit', ceiling, path_prefix: path }),
          [400, '/path_prefix'],
          path,
        )
      t.equal((await operator('GET', hostPath)).status, 404, 'nothing was stored')

      const defaults = {
        optional_permissions: [create],
        access_token_seconds: 600,
        retry_window_seconds: 30,
        expires_days: 7,
      }
      const rule = { policy: 'admit', path_prefix: '/agents', limit: 3, ceiling, defaults }
      t.match(await put(rule), { status: 201, body: rule })
      t.match((await operator('GET', hostPath)).body, rule)
      const { body } = await admit([create])
      t.match(body, {
        path_prefix: null,
        limit: 100,
        defaults: { optional_permissions: null, expires_days: null },
      })
      const { created_at: _created, updated_at: at, host: _host, ...same } = body
      t.equal((await put(same)).body.updated_at, at, 'what was read can be sent again')
      const trail = (await operator('GET', '/audit?type=client_host.changed')).body.items
      t.match(trail[0].detail, { policy: 'admit', permissions: [create] })
      t.ok(trail[0].detail.changed.includes('path_prefix'))
    })

    await t.test('an app comes in at its first request, and a person is done', async (t) => {
      await admit([create, update])
      const url = documents.publish('/first', { scope: `${create} ${remove} offline_access` })
      const client = appAt(url)
      const scope = `${create} ${update} ${remove} no:such openid offline_access`
      const got = await currentCode(running, client, world.kim, { scope })
      const { status, body } = await exchangeCode(issuer, client, got)
      t.equal(status, 200)
      t.equal(body.scope, create, 'the rest of the scope is left out')
      t.same(claimsOf(body.access_token).permissions, [create])
      t.equal(documents.count('/first'), 1)
      t.match(await app(url), {
        permissions: [create],
        reviewed: false,
        optional_permissions: null,
        publisher: documents.host,
      })
      const [created] = (await events(url)).filter(({ type }) => type === 'app.created')
      t.match(created, { actor: { kind: 'anonymous' }, detail: { admitted: true } })
      const next = await refresh(issuer, client, body.refresh_token, { scope })
      t.match(next, { status: 200, body: { scope: create } })
    })

    await t.test('without a scope, an app has the whole ceiling', async (t) => {
      const url = documents.publish('/whole')
      t.equal((await open(url)).status, 303)
      t.same((await app(url)).permissions, [create, update])
      t.equal((await open(url, { scope: remove })).status, 303, 'nothing of it is left')
    })

    await t.test(
      'a lowered ceiling narrows at once, and a choice of the operator stays',
      async (t) => {
        const [url, other] = [documents.publish('/narrow'), documents.publish('/imported')]
        await open(url)
        await operator('POST', '/apps/import', { url: other, permissions: [update] })
        await operator('PUT', installPath(url), {
          permissions: [create, update],
          workspace_ids: null,
        })
        const client = appAt(url)
        const token = await exchangeCode(issuer, client, await currentCode(running, client, ana))
        t.equal(token.body.scope, `${create} ${update}`)
        await operator('PATCH', appPath(url), { permissions: [create, update, remove] })
        t.equal((await admit([create])).status, 200)
        t.same((await app(url)).permissions, [create, remove])
        t.same((await app(other)).permissions, [update], 'the operator has imported it')
        const introspected = await operator('POST', '/tokens/inspect', {
          token: token.body.access_token,
        })
        t.same(introspected.body.token.permissions, [create])
        t.equal((await refresh(issuer, client, token.body.refresh_token)).body.scope, create)
      },
    )

    await t.test('presets reach the app and its installs', async (t) => {
      await admit([create, update], {
        defaults: {
          optional_permissions: [update, remove],
          access_token_seconds: 600,
          retry_window_seconds: 30,
          expires_days: 7,
        },
      })
      const url = documents.publish('/presets')
      await open(url)
      t.match(await app(url), {
        optional_permissions: [update],
        access_token_seconds: 600,
        retry_window_seconds: 30,
      })
      const days = async () => {
        await operator('DELETE', installPath(url))
        const { body } = await operator('PUT', installPath(url), {
          permissions: [create],
          workspace_ids: null,
        })
        return Math.round((Date.parse(body.expires_at) - Date.now()) / 86_400_000)
      }
      t.equal(await days(), 7)
      const policy = `/organizations/${acme}/policy`
      await operator('PUT', policy, { connect: 'all', default_expires_days: 3 })
      t.equal(await days(), 3, 'the nearer end')
      await operator('PUT', policy, { connect: 'all', default_expires_days: 30 })
      t.equal(await days(), 7)
      await operator('PUT', policy, { connect: 'all' })

      const reviewed = documents.publish('/reviewed')
      await put({ policy: 'review', defaults: { optional_permissions: [], expires_days: 2 } })
      await open(reviewed)
      const { items } = (await operator('GET', '/app-reviews')).body
      const { id } = items.find(({ client_id }: Json) => client_id === reviewed)
      const decision = { decision: 'approve', permissions: [create], retry_window_seconds: 20 }
      t.match(await operator('POST', `/app-reviews/${id}`, decision), {
        body: { app: { retry_window_seconds: 20, optional_permissions: [] } },
      })
    })

    await t.test('documents outside of the path wait for a review', async (t) => {
      await admit([create], { path_prefix: '/agents' })
      for (const path of [
        ...['/agentsmith/a', '/Agents/a', '/agents%2fa', '/x/agents/a', '/agents/%2561'],
        ...['/agents/..%2fx', '/agents/..;/x', '/agents//a', '/agents/%2561%20'],
      ]) {
        const url = documents.publish(path)
        t.match(await open(url), { status: 400, text: /waits for a review/ }, path)
        t.notOk(await isApp(url), path)
        t.ok(await waits(url), path)
      }
      for (const path of ['/agents', '/agents/a?b=1', '/agents/b/c']) {
        const url = documents.publish(path)
        t.equal((await open(url)).status, 303, path)
        t.ok(await isApp(url), path)
      }
      const before = documents.count('/agentsmith/a')
      await open(documents.url('/agentsmith/a'))
      t.equal(documents.count('/agentsmith/a'), before, 'what waits is not read again')
      await admit([create])
      t.equal((await open(documents.url('/agentsmith/a'))).status, 303)
      t.notOk(await waits(documents.url('/agentsmith/a')), 'it waits no longer')
    })

    await t.test('a document that cannot be taken is an error page, and audited', async (t) => {
      await admit([create])
      const moved = documents.script('/moved', (response) =>
        response.writeHead(302, { location: documents.publish('/target') }).end(),
      )
      const stranger = documents.publish('/stranger', { client_id: documents.url('/first') })
      for (const [url, reason] of [
        [moved, 'redirect'],
        [stranger, 'invalid'],
        [documents.url('/missing'), 'status'],
      ] as const) {
        const page = await open(url)
        t.equal(page.status, 400)
        t.match(page.text, /could not read the description/)
        t.match(await events(url), [{ type: 'app.document_failed', detail: { reason } }])
        t.notOk(await isApp(url))
      }
      t.equal(documents.count('/target'), 0, 'redirects are not followed')
    })

    await t.test('a slow document ends after five seconds, and others go on', async (t) => {
      const url = documents.script('/slow', () => undefined)
      const began = Date.now()
      const slow = open(url)
      t.equal((await open(documents.publish('/quick'))).status, 303)
      t.equal((await slow).status, 400)
      t.ok(Date.now() - began < 15_000)
      t.match(await events(url), [{ detail: { reason: 'timeout' } }])
    })

    await t.test('a refused document, and known apps of a refused host', async (t) => {
      const [known, refused] = [documents.publish('/known'), documents.publish('/refused')]
      await open(known)
      await put({ policy: 'review' })
      await open(refused)
      const { items } = (await operator('GET', '/app-reviews?limit=100')).body
      const { id } = items.find(({ client_id }: Json) => client_id === refused)
      await operator('POST', `/app-reviews/${id}`, { decision: 'refuse' })
      await admit([create])
      t.match(await open(refused), { status: 400, text: /has not been reviewed here/ })
      await put({ policy: 'refuse' })
      t.equal((await open(known, { scope: `${create} ${remove}` })).status, 303)
      t.equal((await open(documents.publish('/new'))).status, 400)
      await operator('DELETE', hostPath)
      t.equal((await open(known)).status, 303)
      t.equal(documents.count('/new'), 0)
    })

    await t.test('a permission that leaves the catalogue leaves the ceiling', async (t) => {
      const path = '/permissions/current/notes:read'
      await operator('PUT', path, { sentence: 'Read notes', group: 'read' })
      await admit([create, 'notes:read'])
      t.equal((await operator('DELETE', path)).status, 204)
      t.same((await operator('GET', hostPath)).body.ceiling.permissions, [create])
      const url = documents.publish('/lost', { scope: `${create} notes:read` })
      await open(url)
      t.same((await app(url)).permissions, [create])
    })

    await t.test('the first request may be at any endpoint', async (t) => {
      await admit([create])
      const visitor = await signedIn(issuer, world.kim)
      const token = (grant: Json) => (client_id: string) =>
        post(`${issuer}/api/oauth/token`, { client_id, organization_id: acme, ...grant })
      const link = async (client_id: string) => {
        const page = await visitor.get(`${issuer}/install?${new URLSearchParams({ client_id })}`)
        return { status: page.status, body: { error_description: wordsOf(page) } }
      }
      const pushed = (client_id: string) =>
        post(`${issuer}/api/oauth/par`, {
          client_id,
          redirect_uri: 'https://agent.example/cb',
          response_type: 'code',
          code_challenge: challengeOf(newVerifier()),
          scope: `${create} ${remove}`,
        })
      const device = (client_id: string) =>
        post(`${issuer}/api/oauth/device_authorization`, { client_id })
      const assertion = { grant_type: jwtBearer, assertion: 'a.b.c' }
      for (const [name, request, known, wrong] of [
        ['par', pushed, { status: 201 }, 401],
        ['device', device, { body: { error: 'unauthorized_client' } }, 401],
        ['own', token({ grant_type: 'client_credentials' }), { status: 400 }, 401],
        ['id-jag', token(assertion), { status: 400 }, 401],
        ['link', link, { status: 200, body: { error_description: /Install Agent/ } }, 400],
      ] as const) {
        const url = documents.publish(`/at/${name}`)
        const answer = await request(url)
        t.match(answer, known, name)
        t.not(answer.body.error, 'invalid_client', name)
        t.ok(await isApp(url), name)
        const missing = await request(documents.url(`/nothing/${name}`))
        t.equal(missing.status, wrong, name)
        t.match(missing.body.error_description, /metadata document|description of the app/i)
        if (wrong === 401) t.equal(missing.body.error, 'invalid_client')
        t.match(await events(documents.url(`/nothing/${name}`)), [
          { type: 'app.document_failed', detail: { reason: 'status' } },
        ])
      }
      await put({ policy: 'review' })
      const waiting = documents.publish('/at/review')
      t.match(await pushed(waiting), {
        status: 401,
        body: {
          error_description: 'the client waits for the review of the operator of this server',
        },
      })
      t.ok(await waits(waiting))
    })

    await t.test('first requests at the token endpoint count too', async (t) => {
      await admit([create])
      const statuses = new Set<number>()
      for (let at = 0; at < 22; at++) {
        const response = await fetch(`${issuer}/api/oauth/token`, {
          method: 'POST',
          headers: { 'x-forwarded-for': '10.9.9.8' },
          body: new URLSearchParams({
            client_id: documents.publish(`/token-flood/${at}`),
            grant_type: 'client_credentials',
            organization_id: acme,
          }),
        })
        statuses.add(response.status)
      }
      t.ok(statuses.has(429))
    })
  },
  { environment },
)

await onEachBackend(
  'many first requests on two instances',
  async (t, { running }) => {
    const documents = await startDocumentServer(t)
    const { operator, urls } = running
    const { hostPath, admit, app, isApp, waits, events } = toolsOf(running, documents)

    await t.test('make one app', async (t) => {
      await admit([create])
      const url = documents.publish('/at-once')
      const all = Array.from({ length: 24 }, (_, at) => open(urls[at % 2]!, url))
      for (const { status } of await Promise.all(all)) t.equal(status, 303)
      t.equal(documents.count('/at-once'), 1, 'one fetch')
      const created = (await events(url)).filter(({ type }) => type === 'app.created')
      t.equal(created.length, 1)
    })

    await t.test('do not exceed the limit of the host', async (t) => {
      await admit([create], { limit: 4 })
      const all = Array.from({ length: 12 }, (_, at) => documents.publish(`/limit/${at}`))
      await Promise.all(all.map((url, at) => open(urls[at % 2]!, url)))
      const apps = await Promise.all(all.map(isApp))
      t.equal(apps.filter(Boolean).length, 3, 'one was there before')
      const waiting = await Promise.all(all.map(waits))
      t.equal(waiting.filter(Boolean).length, 9)
    })

    await t.test('never have more than a ceiling that is lowered meanwhile', async (t) => {
      await admit([create, update])
      const all = Array.from({ length: 10 }, (_, at) => documents.publish(`/lowered/${at}`))
      const first = all.map((url, at) => open(urls[at % 2]!, url))
      await new Promise((resolve) => setTimeout(resolve, 30))
      const lowered = await admit([create])
      await Promise.all(first)
      t.equal(lowered.status, 200)
      for (const url of all)
        if (await isApp(url)) t.same((await app(url)).permissions, [create], url)
    })

    await t.test('count in the limit of documents', async (t) => {
      const from = '10.9.9.9'
      const statuses = new Set<number>()
      for (let at = 0; at < 22; at++)
        statuses.add((await open(urls[0]!, documents.publish(`/flood/${at}`), {}, from)).status)
      t.ok(statuses.has(429))
      t.equal((await operator('GET', hostPath)).status, 200)
    })
  },
  { environment, instances: 2 },
)
