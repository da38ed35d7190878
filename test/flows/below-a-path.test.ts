/** The main flows with an issuer that has a path, behind a proxy that removes it and without one. */
import { answerDevice, beginDevice, createDeviceApp, poll } from '../support/device.ts'
import { createHolder, getWithProof } from '../support/dpop.ts'
import {
  challengeOf,
  claimsOf,
  credentials,
  currentCode,
  exchangeCode,
  legacyCode,
  legacyToken,
  newVerifier,
  post,
  refresh,
} from '../support/flows.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { openidApp, userinfoAt, verifiedIdToken } from '../support/openid.ts'
import { introspectAt, registerResourceServer } from '../support/resource-server.ts'
import { signedIn } from '../support/signed-in.ts'
import { createVisitor, walk } from '../support/visitor.ts'

const signedOutAt = 'https://wiki.example/signed-out'

for (const strips of [false, true])
  await onEachBackend(
    `below /auth, which the proxy ${strips ? 'removes' : 'keeps'}`,
    async (t, { running, issuer, world }) => {
      const { acme, ana, kim, publicApp, legacy } = world
      t.match(issuer, /\/auth$/)
      const wiki = await openidApp(running, world, { post_logout_redirect_uris: [signedOutAt] })
      const dataApi = await registerResourceServer(running)

      t.test('OpenID, refresh, userinfo, introspection, revocation, sign-out', async (t) => {
        const scope = 'openid email records:create'
        const got = await currentCode(running, wiki, ana, { scope, organization_id: acme })
        t.equal(got.left.searchParams.get('iss'), issuer)
        const { body } = await exchangeCode(issuer, wiki, got)
        t.equal((await verifiedIdToken(issuer, wiki.client_id, body.id_token)).sub, ana.id)
        t.match(claimsOf(body.access_token), { iss: issuer, aud: issuer })
        t.match(await userinfoAt(issuer, body.access_token), { status: 200, body: { sub: ana.id } })
        const next = await refresh(issuer, wiki, body.refresh_token)
        t.equal(next.status, 200)
        const token = next.body.access_token
        t.match(await introspectAt(issuer, dataApi, token), { body: { active: true, iss: issuer } })
        const revoked = await fetch(`${issuer}/api/oauth/revoke`, {
          method: 'POST',
          body: new URLSearchParams({ token, ...credentials(wiki) }),
        })
        t.equal(revoked.status, 200)
        t.match(await introspectAt(issuer, dataApi, token), { body: { active: false } })
        const query = new URLSearchParams({
          id_token_hint: body.id_token,
          post_logout_redirect_uri: signedOutAt,
        })
        t.equal((await got.visitor.get(`/end-session?${query}`)).left?.href, signedOutAt)
      })

      t.test('a pushed request with a proof of possession', async (t) => {
        const holder = await createHolder()
        const verifier = newVerifier()
        const par = `${issuer}/api/oauth/par`
        const request = {
          client_id: publicApp.client_id,
          redirect_uri: publicApp.redirect_uri,
          code_challenge: challengeOf(verifier),
          scope: 'records:create',
        }
        const pushed = await post(par, request, await holder.posts(par))
        t.equal(pushed.status, 201)
        const query = new URLSearchParams({
          client_id: publicApp.client_id,
          request_uri: pushed.body.request_uri,
        })
        const { left } = await walk(createVisitor(issuer), `${issuer}/authorize?${query}`, ana)
        const code = left?.searchParams.get('code') ?? ''
        const at = `${issuer}/api/oauth/token`
        const foreign = await holder.posts(at.replace('/auth/', '/'))
        const refused = await exchangeCode(issuer, publicApp, { code, verifier }, {}, foreign)
        t.match(refused.body, { error: 'invalid_dpop_proof' })
        const proof = await holder.posts(at)
        const tokens = await exchangeCode(issuer, publicApp, { code, verifier }, {}, proof)
        t.match(tokens.body, { token_type: 'DPoP' })
        const read = await getWithProof(holder, `${issuer}/userinfo`, tokens.body.access_token)
        t.equal(read.status, 403, 'the proof is accepted; the token has no scope openid')
      })

      t.test('the legacy interface', async (t) => {
        const { code } = await legacyCode(running, legacy, ana)
        const tokens = await legacyToken(issuer, legacy, { grant_type: 'authorization_code', code })
        t.match(claimsOf(tokens.body.access_token), { iss: issuer, interface: 'legacy' })
        const { refresh_token } = tokens.body
        const next = await legacyToken(issuer, legacy, {
          grant_type: 'refresh_token',
          refresh_token,
        })
        t.equal(next.status, 200)
      })

      t.test('a device', async (t) => {
        const app = await createDeviceApp(running, world)
        const { body } = await beginDevice(issuer, app)
        t.equal(body.verification_uri, `${issuer}/activate`)
        t.match((await answerDevice(running, ana, body.user_code)).text, 'The device is connected')
        t.equal((await poll(issuer, app, body.device_code)).status, 200)
      })

      t.test('pages lead only below the path', async (t) => {
        const visitor = await signedIn(issuer, kim)
        const seen = new Set<string>()
        const paths = ['/', '/account/apps', `/organizations/${acme}/apps`, '/account/sessions']
        for (const path of paths) {
          const page = await visitor.get(path)
          t.equal(page.status, 200, path)
          for (const element of page.dom.querySelectorAll('[href], [action], [src]'))
            for (const name of ['href', 'action', 'src']) {
              const address = element.getAttribute(name)
              if (address?.startsWith('/')) seen.add(address)
            }
        }
        t.ok(seen.size > 10)
        for (const address of seen) t.ok(address.startsWith('/auth/'), address)
        const absent = await visitor.get('/nothing-here')
        t.equal(absent.status, 404)
        t.match(absent.text, 'href="/auth/"')
      })
    },
    { path: '/auth', strips },
  )
