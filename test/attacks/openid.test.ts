import {
  authorizeUrl,
  challengeOf,
  claimsOf,
  clientCredentials,
  currentCode,
  exchangeCode,
  newVerifier,
  post,
  refresh,
} from '../support/flows.ts'
import { operatorAt } from '../support/latchkey.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { openidApp, signedByServer, userinfoAt } from '../support/openid.ts'
import { introspectAt, registerResourceServer } from '../support/resource-server.ts'
import { signedIn } from '../support/signed-in.ts'
import { amounts, sql } from '../support/traces.ts'
import { createVisitor, pageKind } from '../support/visitor.ts'

await onEachBackend(
  'OpenID sign-in under attack',
  async (t, { running, issuer, world, stores }) => {
    const { acme, ana, kim, confidential } = world
    const app = await openidApp(running, world)
    const other = await openidApp(running, world, { name: 'Other wiki' })
    const begin = (
      nonce: string,
      by = app,
      visitor = createVisitor(issuer),
      scope = 'openid email',
    ) => currentCode(running, by, { ...ana, organizationId: acme }, { scope, nonce }, visitor)

    t.test('OID-01 each code has its own nonce and gives no other', async (t) => {
      const visitor = await signedIn(issuer, ana)
      const [first, second] = [
        await begin('nonce of the first', app, visitor),
        await begin('nonce of the second', app, visitor),
      ]
      const swapped = await exchangeCode(issuer, app, {
        code: first.code,
        verifier: second.verifier,
      })
      t.equal(swapped.status, 400)
      for (const [grant, nonce] of [
        [second, 'nonce of the second'],
        [first, 'nonce of the first'],
      ] as const) {
        const sent = { nonce: 'another', max_age: '0', scope: 'openid' }
        const { body } = await exchangeCode(issuer, app, grant, sent)
        t.equal(claimsOf(body.id_token).nonce, nonce)
        const next = await refresh(issuer, app, body.refresh_token, { nonce })
        t.notOk(
          'nonce' in claimsOf(next.body.id_token),
          'an authorization without openid has no ID token',
        )
      }
      const third = await begin('nonce of the third')
      const foreign = await exchangeCode(issuer, other, third)
      t.equal(foreign.status, 400, 'a code of another client')
      const { body } = await exchangeCode(issuer, app, third)
      t.equal(claimsOf(body.id_token).aud, app.client_id)
      const replayed = await exchangeCode(issuer, app, third)
      t.equal(replayed.status, 400)
      t.notOk('id_token' in replayed.body)
      t.equal(
        (await userinfoAt(issuer, body.access_token)).status,
        401,
        'a replay revokes userinfo access too',
      )
    })

    t.test('OID-02 an ID token is not accepted as another credential', async (t) => {
      const { body } = await exchangeCode(issuer, app, await begin('n'))
      const token = body.id_token as string
      const resourceServer = await registerResourceServer(running)
      t.equal((await userinfoAt(issuer, token)).status, 401)
      t.same((await introspectAt(issuer, resourceServer, token)).body, { active: false })
      t.equal((await refresh(issuer, app, token)).status, 400)
      t.equal(
        (await exchangeCode(issuer, app, { code: token, verifier: newVerifier() })).status,
        400,
      )
      const asSecret = await clientCredentials(issuer, { ...app, client_secret: token }, acme)
      t.equal(asSecret.status, 401)
      const asAssertion = await post(`${issuer}/api/oauth/token`, {
        grant_type: 'client_credentials',
        organization_id: acme,
        client_id: app.client_id,
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: token,
      })
      t.equal(asAssertion.status, 401)
      const admin = await fetch(`${issuer}/api/admin/v1/users`, {
        headers: { authorization: `Bearer ${token}` },
      })
      t.equal(admin.status, 401)
      const visitor = createVisitor(issuer)
      visitor.cookies.set('latchkey_session', token)
      t.equal((await visitor.get('/account/apps')).url.pathname, '/login')
      const revoked = await post(`${issuer}/api/oauth/revoke`, {
        token,
        client_id: app.client_id,
        client_secret: app.client_secret,
      })
      t.equal(revoked.status, 200, 'RFC 7009 §2.2: unknown tokens are no error')
      t.equal((await userinfoAt(issuer, body.access_token)).status, 200, 'the grant stays valid')
    })

    t.test('OID-03 an access token is not accepted as an ID token', async (t) => {
      const { body } = await exchangeCode(issuer, app, await begin('n'))
      const visitor = await signedIn(issuer, ana)
      const page = await visitor.get(`/end-session?id_token_hint=${body.access_token}`)
      t.equal(page.status, 200)
      t.ok(page.dom.querySelector('form[action="/end-session/confirm"]'), 'the user is asked')
      t.equal(claimsOf(body.access_token).aud, issuer, 'its audience is not a client')
      t.notOk('nonce' in claimsOf(body.access_token))
    })

    t.test('OID-04 returns no claims beyond the consent', async (t) => {
      const visitor = await signedIn(issuer, ana)
      const fresh = await openidApp(running, world, { name: 'Greedy' })
      const url = (scope: string) =>
        authorizeUrl(issuer, fresh, { code_challenge: challengeOf(newVerifier()), scope })
      const page = await visitor.get(url('openid records:create'))
      t.equal(pageKind(page), 'decide')
      const before = await amounts(stores)
      for (const permissions of [['openid'], ['email'], ['records:create', 'profile']]) {
        const answer = await visitor.submit(page, { decision: 'approve', permissions })
        t.equal(answer.status, 400, `${permissions} is not a checkbox of the page`)
      }
      t.equal((await amounts(stores)).grants, before.grants)
      const extra = {
        decision: 'approve',
        openid_scopes: ['email', 'profile'],
        scope: 'openid email',
      }
      t.ok((await visitor.submit(page, extra)).left)
      const [row] = await sql<{ openid_scopes: string[] }>(
        stores,
        'select openid_scopes from consents where client_id = $1',
        [fresh.client_id],
      )
      t.same(row?.openid_scopes, ['openid'])
      t.equal(
        pageKind(await visitor.get(url('openid email'))),
        'decide',
        'a wider request asks again',
      )

      const code = await begin('n', app, visitor, 'openid')
      const { body } = await exchangeCode(issuer, app, code)
      const forged = await signedByServer(
        stores,
        { ...claimsOf(body.access_token), scope: 'openid profile email' },
        'at+jwt',
      )
      const told = await userinfoAt(issuer, forged)
      t.same(Object.keys(told.body).sort(), ['organization_id', 'sub'], 'the grant decides')
    })

    t.test('OID-05 an id_token_hint neither signs in nor switches the user', async (t) => {
      const { body } = await exchangeCode(issuer, app, await begin('n'))
      const requested = (more: Record<string, string>) =>
        authorizeUrl(issuer, app, {
          code_challenge: challengeOf(newVerifier()),
          scope: 'openid',
          id_token_hint: body.id_token,
          ...more,
        })
      const stranger = createVisitor(issuer)
      const silent = await stranger.fetch(requested({ prompt: 'none' }))
      t.match(silent.headers.get('location'), 'error=login_required')
      const page = await stranger.get(requested({}))
      t.equal(pageKind(page), 'sign-in')
      t.notMatch(page.text, ana.email, 'it does not reveal that user')
      const somebody = await signedIn(issuer, kim)
      t.equal(pageKind(await somebody.get(requested({}))), 'sign-in')
      t.equal(
        (await somebody.get('/account/apps')).url.pathname,
        '/account/apps',
        'Kim stays signed in',
      )
    })

    t.test('OID-06 rejects look-alikes of OpenID scopes', async (t) => {
      const visitor = await signedIn(issuer, ana)
      const scopes = [
        'OPENID',
        'openid\u200b',
        'openid,email',
        'openid\temail',
        'openid __proto__',
        'openid constructor',
        'openid admin',
        'openid readData',
        'openid records:delete',
        'email',
        'profile email',
      ]
      for (const scope of scopes) {
        const url = authorizeUrl(issuer, app, {
          code_challenge: challengeOf(newVerifier()),
          prompt: 'none',
          scope,
        })
        const location = (await visitor.fetch(url)).headers.get('location') ?? ''
        t.match(new URL(location).searchParams.get('error'), 'invalid_scope', scope)
      }
    })

    t.test('OID-07 only the operator can allow OpenID for an app', async (t) => {
      for (const more of [{ openid: 'true' }, { scope: 'openid', claims: '{"userinfo":{}}' }]) {
        const visitor = await signedIn(issuer, ana)
        const url = authorizeUrl(issuer, confidential, {
          code_challenge: challengeOf(newVerifier()),
          organization_id: acme,
          ...more,
        })
        const page = await visitor.get(url)
        t.notMatch(page.text, 'Recognise you')
      }
      const anonymous = await fetch(`${issuer}/api/admin/v1/apps/${confidential.client_id}`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: '{"openid":true}',
      })
      t.equal(anonymous.status, 401)
      const { body } = await operatorAt(issuer)('GET', `/apps/${confidential.client_id}`)
      t.equal(body.openid, false)
    })

    t.test('OID-08 rejects hostile tokens at userinfo', async (t) => {
      const { body } = await exchangeCode(issuer, app, await begin('n'))
      const claims = claimsOf(body.access_token)
      const now = Math.floor(Date.now() / 1000)
      const [head, payload, signature] = body.access_token.split('.')
      const none = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')
      const cases: [string, string][] = [
        ['expired', await signedByServer(stores, { ...claims, exp: now - 1 }, 'at+jwt')],
        ['for another API', await signedByServer(stores, { ...claims, aud: 'x' }, 'at+jwt')],
        ['of another issuer', await signedByServer(stores, { ...claims, iss: 'x' }, 'at+jwt')],
        ['of another type', await signedByServer(stores, claims, 'JWT')],
        [
          'of an unknown grant',
          await signedByServer(stores, { ...claims, grant_id: crypto.randomUUID() }, 'at+jwt'),
        ],
        ['unsigned', `${none}.${payload}.`],
        [
          'signed for another purpose',
          `${head}.${payload}.${'A'.repeat((signature ?? '').length)}`,
        ],
        ['a refresh token', body.refresh_token],
        ['a secret', app.client_secret],
        ['much', 'x'.repeat(9000)],
      ]
      for (const [what, token] of cases) {
        const answer = await userinfoAt(issuer, token)
        t.match(answer, { status: 401, body: { error: 'invalid_token' } }, what)
        t.notMatch(JSON.stringify(answer.body), ana.email)
      }
    })
  },
)
