import t from 'tap'
import { answerDevice, beginDevice, createDeviceApp, poll } from '../support/device.ts'
import {
  authorizeUrl,
  challengeOf,
  claimsOf,
  clientCredentials,
  credentials,
  currentCode,
  exchangeCode,
  newVerifier,
  post,
  refresh,
} from '../support/flows.ts'
import { startLatchkey } from '../support/latchkey.ts'
import { testStores } from '../support/stores.ts'
import { createVisitor, pageKind, walk } from '../support/visitor.ts'
import { createApp, createWorld, currentPermissions, install } from '../support/world.ts'

for (const stores of await testStores()) {
  t.test(`current interface (${stores.name})`, async (t) => {
    const running = await startLatchkey(stores)
    t.teardown(async () => {
      await running.stop()
      await stores.drop()
    })
    const { issuer } = running
    const world = await createWorld(running)
    const { confidential, publicApp, ana, kim, acme, sales, support } = world

    t.test('a code and its refresh token grant everything that was approved', async (t) => {
      const grant = await currentCode(running, confidential, ana)
      t.equal(grant.left.searchParams.get('state'), 'the-state')
      t.equal(grant.left.searchParams.get('iss'), issuer)
      t.match(grant.code, /^lkac_/)
      const first = await exchangeCode(issuer, confidential, grant)
      t.equal(first.status, 200)
      t.match(first.body, { token_type: 'Bearer', expires_in: 3600, organization_id: acme })
      t.same(first.body.scope.split(' '), currentPermissions)
      t.same(first.body.workspace_ids.toSorted(), [sales, support].toSorted())
      t.equal(first.headers.get('cache-control'), 'no-store')
      const claims = claimsOf(first.body.access_token)
      t.match(claims, {
        iss: issuer,
        aud: issuer,
        sub: ana.id,
        client_id: confidential.client_id,
        interface: 'current',
        kind: 'user',
        organization_id: acme,
        scope: first.body.scope,
        permissions: currentPermissions,
        workspace_ids: first.body.workspace_ids,
      })
      t.equal(claims.exp - claims.iat, 3600)

      const second = await refresh(issuer, confidential, first.body.refresh_token)
      t.equal(second.status, 200)
      t.not(second.body.refresh_token, first.body.refresh_token)
      t.equal(second.body.scope, first.body.scope)
    })

    t.test('a code is redeemed once, and a replay revokes the family', async (t) => {
      const grant = await currentCode(running, confidential, ana)
      const first = await exchangeCode(issuer, confidential, grant)
      t.equal(first.status, 200)
      const replay = await exchangeCode(issuer, confidential, grant)
      t.match(replay, { status: 400, body: { error: 'invalid_grant' } })
      t.equal((await refresh(issuer, confidential, first.body.refresh_token)).status, 400)
    })

    t.test('a replay with a wrong verifier also revokes the family', async (t) => {
      const grant = await currentCode(running, confidential, ana)
      const first = await exchangeCode(issuer, confidential, grant)
      await exchangeCode(issuer, confidential, grant, { code_verifier: newVerifier() })
      t.equal((await refresh(issuer, confidential, first.body.refresh_token)).status, 400)
    })

    t.test('a replay of any earlier refresh token revokes the family', async (t) => {
      const grant = await currentCode(running, confidential, ana)
      const tokens = [(await exchangeCode(issuer, confidential, grant)).body.refresh_token]
      for (let i = 0; i < 3; i++) {
        tokens.push((await refresh(issuer, confidential, tokens.at(-1))).body.refresh_token)
      }
      t.equal((await refresh(issuer, confidential, tokens[0])).body.error, 'invalid_grant')
      t.equal((await refresh(issuer, confidential, tokens[3])).body.error, 'invalid_grant')
    })

    t.test('a refused request consumes nothing', async (t) => {
      const grant = await currentCode(running, confidential, ana)
      const refusals: [Record<string, string | undefined>, string][] = [
        [{ code_verifier: newVerifier() }, 'invalid_grant'],
        [{ redirect_uri: 'https://app.example/other' }, 'invalid_grant'],
        [{ redirect_uri: undefined }, 'invalid_request'],
        [{ code_verifier: undefined }, 'invalid_request'],
        [{ scope: 'records:delete' }, 'invalid_scope'],
        [{ scope: 'readData' }, 'invalid_scope'],
        [{ workspace_ids: world.finance }, 'invalid_scope'],
        [{ workspace_ids: world.foreignWorkspace }, 'invalid_scope'],
        [{ client_secret: `${confidential.client_secret}x` }, 'invalid_client'],
        [{ client_secret: undefined }, 'invalid_client'],
        [
          { client_id: world.second.client_id, client_secret: world.second.client_secret },
          'invalid_grant',
        ],
      ]
      for (const [changes, error] of refusals) {
        t.equal(
          (await exchangeCode(issuer, confidential, grant, changes)).body.error,
          error,
          `code: ${error}`,
        )
      }
      const tokens = await exchangeCode(issuer, confidential, grant)
      t.equal(tokens.status, 200, 'the code is still valid')
      const token = tokens.body.refresh_token
      for (const [changes, error] of refusals.slice(4)) {
        t.equal(
          (await refresh(issuer, confidential, token, changes)).body.error,
          error,
          `refresh: ${error}`,
        )
      }
      t.equal(
        (await refresh(issuer, confidential, token)).status,
        200,
        'the refresh token is still valid',
      )
    })

    t.test('narrowing scope and workspaces does not stick', async (t) => {
      const grant = await currentCode(running, confidential, ana)
      const narrow = { scope: 'records:update', workspace_ids: support }
      const first = await exchangeCode(issuer, confidential, grant, narrow)
      t.match(first.body, { scope: 'records:update', workspace_ids: [support] })
      t.match(claimsOf(first.body.access_token), {
        permissions: ['records:update'],
        workspace_ids: [support],
      })
      const second = await refresh(issuer, confidential, first.body.refresh_token)
      t.equal(second.body.scope, currentPermissions.join(' '))
      t.equal(second.body.workspace_ids.length, 2)
      const third = await refresh(issuer, confidential, second.body.refresh_token, { scope: ' ' })
      t.equal(third.body.error, 'invalid_scope', 'a blank scope does not mean every permission')
    })

    t.test('offline_access changes nothing at any endpoint (Core §11)', async (t) => {
      const app = await createDeviceApp(running, world, {
        permissions: currentPermissions,
        redirect_uris: ['http://localhost/cb'],
      })
      const all = currentPermissions.join(' ')
      const scope = 'records:update offline_access'
      const local = { ...app, redirect_uri: 'http://localhost:49152/cb' }
      const whole = await currentCode(running, local, ana, { scope: 'offline_access' })
      const first = await exchangeCode(issuer, local, whole, { scope })
      t.match(first, { status: 200, body: { scope: 'records:update' } })
      t.same(claimsOf(first.body.access_token).permissions, ['records:update'])
      const more = { scope: 'offline_access' }
      const second = await refresh(issuer, app, first.body.refresh_token, more)
      t.match(second, { status: 200, body: { scope: all } })

      const narrow = await currentCode(running, local, ana, { scope })
      const narrowed = await exchangeCode(issuer, local, narrow)
      t.match(narrowed, { status: 200, body: { scope: 'records:update' } })

      const pushed = await post(`${issuer}/api/oauth/par`, {
        ...credentials(app),
        redirect_uri: local.redirect_uri,
        code_challenge: challengeOf(newVerifier()),
        scope,
      })
      t.equal(pushed.status, 201)

      const device = await beginDevice(issuer, app, { scope })
      await answerDevice(running, ana, device.body.user_code)
      const polled = await poll(issuer, app, device.body.device_code, { scope })
      t.match(polled, { status: 200, body: { scope: 'records:update' } })

      const own = await clientCredentials(issuer, confidential, acme, { scope })
      t.match(own, { status: 200, body: { scope: 'records:update' } })
    })

    t.test('each wrong scope says what is wrong, and repeats nothing of it', async (t) => {
      const ask = async (more: Record<string, string>) => {
        const answer = await clientCredentials(issuer, confidential, acme, more)
        t.match(answer, { status: 400, body: { error: 'invalid_scope' } })
        return answer.body.error_description as string
      }
      const unknown = await ask({ scope: 'records:canary' })
      t.match(unknown, 'no permission of this interface')
      t.notMatch(unknown, 'canary')
      t.match(await ask({ scope: 'records:delete' }), 'exceeds the permissions')
      t.match(await ask({ scope: 'openid' }), 'may not request')
      t.match(await ask({ scope: '"' }), 'badly formed')
      const foreign = await ask({ workspace_ids: world.foreignWorkspace })
      t.match(foreign, 'not approved')
      t.equal(await ask({ workspace_ids: 'wksUnknown' }), foreign, 'discloses no workspace')
    })

    t.test(
      'client_credentials grants every workspace that the organization approved',
      async (t) => {
        const answer = await clientCredentials(issuer, confidential, acme)
        t.equal(answer.status, 200)
        t.notOk('refresh_token' in answer.body)
        t.equal(answer.body.workspace_ids.length, 3)
        t.match(claimsOf(answer.body.access_token), {
          kind: 'install',
          sub: confidential.client_id,
        })
        const unknown = await clientCredentials(issuer, confidential, 'org000000000000000000')
        const foreign = await clientCredentials(issuer, confidential, world.other)
        t.same([unknown.status, unknown.body], [400, foreign.body])
        t.equal(foreign.body.error, 'invalid_grant')
        const open = await clientCredentials(issuer, publicApp, acme)
        t.match(open, { status: 400, body: { error: 'unauthorized_client' } })
      },
    )

    t.test('a public client may be used from pages of its own origin only', async (t) => {
      const grant = await currentCode(running, publicApp, ana)
      for (const origin of ['https://evil.example', 'null', 'https://spa.example:444']) {
        const refused = await exchangeCode(issuer, publicApp, grant, {}, { origin })
        t.match(refused, { status: 400, body: { error: 'invalid_request' } })
        t.equal(refused.headers.get('access-control-allow-origin'), null)
      }
      t.equal((await exchangeCode(issuer, publicApp, grant, { client_secret: 'x' })).status, 401)
      const origin = 'https://spa.example'
      const tokens = await exchangeCode(issuer, publicApp, grant, {}, { origin })
      t.equal(tokens.status, 200)
      t.equal(tokens.headers.get('access-control-allow-origin'), origin)
      t.match(tokens.headers.get('vary') ?? '', /origin/i)
      const preflight = await fetch(`${issuer}/api/oauth/token`, {
        method: 'OPTIONS',
        headers: { origin },
      })
      t.equal(preflight.status, 204)
      t.equal(preflight.headers.get('access-control-allow-origin'), origin)
    })

    t.test(
      'a page may discover the server and start each flow, with the headers of MCP',
      async (t) => {
        const origin = new URL(publicApp.redirect_uri).origin
        const preflight = async (path: string, from: string, headers: string) => {
          const sent = { origin: from, 'access-control-request-headers': headers }
          const answer = await fetch(issuer + path, { method: 'OPTIONS', headers: sent })
          t.equal(answer.status, 204, path)
          return answer.headers
        }
        for (const path of [
          '/.well-known/oauth-authorization-server',
          '/.well-known/openid-configuration',
          '/.well-known/jwks.json',
          '/sdk/v1/configuration',
        ]) {
          const headers = await preflight(path, 'https://any.example', 'mcp-protocol-version')
          t.equal(headers.get('access-control-allow-origin'), '*', path)
          t.equal(headers.get('access-control-allow-methods'), 'GET, HEAD', path)
          t.equal(headers.get('access-control-allow-headers'), 'mcp-protocol-version', path)
          t.ok(Number(headers.get('access-control-max-age')) > 0, path)
        }
        for (const path of ['token', 'par', 'revoke', 'device_authorization']) {
          const url = `/api/oauth/${path}`
          const headers = await preflight(
            url,
            origin,
            'Content-Type, MCP-Protocol-Version, x-other',
          )
          t.equal(headers.get('access-control-allow-origin'), origin, path)
          t.equal(headers.get('access-control-allow-methods'), 'POST', path)
          const allowed = headers.get('access-control-allow-headers')
          t.equal(allowed, 'content-type, mcp-protocol-version', path)
          const foreign = await preflight(url, 'https://evil.example', 'content-type')
          t.equal(foreign.get('access-control-allow-origin'), null, path)
          const refused = await fetch(issuer + url, {
            method: 'POST',
            headers: { origin },
            body: new URLSearchParams({ client_id: publicApp.client_id }),
          })
          t.equal(refused.headers.get('access-control-allow-origin'), origin, path)
          const exposed = refused.headers.get('access-control-expose-headers')
          t.equal(exposed, 'dpop-nonce, retry-after, www-authenticate', path)
        }
      },
    )

    t.test('an uninstall revokes every grant for good', async (t) => {
      const app = await createApp(running, { name: 'Short-lived' })
      await install(running, acme, app)
      const used = await exchangeCode(issuer, app, await currentCode(running, app, ana))
      const unused = await exchangeCode(issuer, app, await currentCode(running, app, kim))
      const path = `/organizations/${acme}/installs/${app.client_id}`
      t.equal((await running.operator('DELETE', path)).status, 204)
      t.equal((await refresh(issuer, app, used.body.refresh_token)).body.error, 'invalid_grant')
      t.equal((await clientCredentials(issuer, app, acme)).body.error, 'invalid_grant')
      await install(running, acme, app)
      t.equal((await refresh(issuer, app, used.body.refresh_token)).body.error, 'invalid_grant')
      t.equal((await refresh(issuer, app, unused.body.refresh_token)).body.error, 'invalid_grant')
      t.equal((await clientCredentials(issuer, app, acme)).status, 200)
    })

    t.test('an admin installs fewer permissions, and a member gets only those', async (t) => {
      const app = await createApp(running, { name: 'Fresh' })
      const verifier = newVerifier()
      const url = authorizeUrl(issuer, app, { code_challenge: challengeOf(verifier) })
      const member = createVisitor(issuer)
      const requested = await walk(member, url, ana)
      t.equal(pageKind(requested), 'ask-admin')
      t.equal((await member.submit(requested, { decision: 'approve' })).status, 403)
      const filed = await member.submit(requested, { decision: 'request', reason: 'reports' })
      t.equal(filed.status, 200)

      const admin = createVisitor(issuer)
      const installed = await walk(admin, url, {
        ...kim,
        permissions: ['records:create'],
        workspaceIds: [sales],
      })
      t.ok(installed.left?.searchParams.get('code'))
      const again = await walk(member, url, ana)
      const code = again.left?.searchParams.get('code') ?? ''
      const tokens = await exchangeCode(issuer, app, { code, verifier })
      t.match(tokens.body, { scope: 'records:create', workspace_ids: [sales] })
    })

    t.test('a denial returns access_denied and ends the request', async (t) => {
      const url = authorizeUrl(issuer, confidential, {
        code_challenge: challengeOf(newVerifier()),
        prompt: 'consent',
      })
      const visitor = createVisitor(issuer)
      const page = await walk(visitor, url, { ...ana, decision: 'deny' })
      t.equal(page.left?.searchParams.get('error'), 'access_denied')
      t.equal(page.left?.searchParams.get('iss'), issuer)
      t.equal((await visitor.get(page.url)).status, 400)
    })

    t.test('a remembered consent is skipped, and prompt=none shows no page', async (t) => {
      const grant = await currentCode(running, confidential, ana)
      const url = (more: Record<string, string>) =>
        authorizeUrl(issuer, confidential, { code_challenge: challengeOf(newVerifier()), ...more })
      const direct = await grant.visitor.fetch(url({}))
      t.equal(direct.status, 303)
      t.match(direct.headers.get('location') ?? '', /^https:\/\/app\.example\/cb\?code=lkac_/)
      const silent = await grant.visitor.fetch(url({ prompt: 'none' }))
      t.match(silent.headers.get('location') ?? '', /code=lkac_/)
      const nobody = await createVisitor(issuer).fetch(url({ prompt: 'none' }))
      t.match(nobody.headers.get('location') ?? '', /error=login_required/)
      const requested = await grant.visitor.get(url({ prompt: 'consent' }))
      t.equal(pageKind(requested), 'decide')
    })

    t.test('a pushed request (RFC 9126) is used once', async (t) => {
      const verifier = newVerifier()
      const pushed = await fetch(`${issuer}/api/oauth/par`, {
        method: 'POST',
        body: new URLSearchParams({
          client_id: confidential.client_id,
          client_secret: confidential.client_secret,
          redirect_uri: confidential.redirect_uri,
          code_challenge: challengeOf(verifier),
          state: 'pushed',
        }),
      })
      t.equal(pushed.status, 201)
      const { request_uri } = (await pushed.json()) as { request_uri: string }
      const url = `${issuer}/authorize?${new URLSearchParams({ client_id: confidential.client_id, request_uri })}`
      const page = await walk(createVisitor(issuer), url, ana)
      t.equal(page.left?.searchParams.get('state'), 'pushed')
      const code = page.left?.searchParams.get('code') ?? ''
      t.equal((await exchangeCode(issuer, confidential, { code, verifier })).status, 200)
      const again = await walk(createVisitor(issuer), url, ana)
      t.notOk(again.left?.searchParams.get('code'))
    })
  })
}
