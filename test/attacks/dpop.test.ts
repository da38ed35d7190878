import { exportJWK, generateKeyPair } from 'jose'
import { answerDevice, beginDevice, createDeviceApp, deviceGrant, poll } from '../support/device.ts'
import { createHolder, type Holder, hashOf, seconds } from '../support/dpop.ts'
import {
  clientCredentials,
  currentCode,
  exchangeCode,
  post,
  refresh,
  type TokenResponse,
} from '../support/flows.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { openidApp, userinfoAt } from '../support/openid.ts'
import { paddedSignature } from '../support/padded-signature.ts'
import { rawRequest, sendRaw } from '../support/raw-http.ts'
import { signedIn } from '../support/signed-in.ts'
import { amounts } from '../support/traces.ts'
import { walk } from '../support/visitor.ts'
import { createApp, install } from '../support/world.ts'

const invalidGrant = { status: 400, body: { error: 'invalid_grant' } }
const invalidProof = { status: 400, body: { error: 'invalid_dpop_proof' } }
const useNonce = { status: 400, body: { error: 'use_dpop_nonce' } }
const atOnce = 12

await onEachBackend(
  'proof of possession',
  async (t, { running, issuer, world, stores }) => {
    const { publicApp, confidential, ana, acme } = world
    const [one, two] = running.urls as [string, string]
    const tokenUrl = `${issuer}/api/oauth/token`
    const holder = await createHolder()
    const thief = await createHolder()
    const visitor = await signedIn(issuer, ana)

    const code = (parameters: Record<string, string> = {}, app = publicApp) =>
      currentCode(running, app, ana, parameters, visitor)
    const withProof = async (by: Holder = holder) => by.posts(tokenUrl)
    /** Tokens of a public client that are bound to the holder's key. */
    const bound = async (app = publicApp): Promise<TokenResponse['body']> => {
      const answer = await exchangeCode(one, app, await code({}, app), {}, await withProof())
      t.match(answer, { status: 200, body: { token_type: 'DPoP' } })
      return answer.body
    }
    const renew = (token: string, headers: Record<string, string> = {}, url = one) =>
      refresh(url, publicApp, token, {}, headers)

    t.test('DPP-01 a proof is accepted once, on all instances', async (t) => {
      const { refresh_token } = await bound()
      const headers = await withProof()
      const next = await renew(refresh_token, headers)
      t.equal(next.status, 200)
      for (const url of [one, two])
        t.match(await renew(next.body.refresh_token, headers, url), invalidProof)
      t.match(await renew(refresh_token, headers, two), invalidProof, 'the whole request again')
      const last = await renew(next.body.refresh_token, await withProof(), two)
      t.equal(last.status, 200, 'no token was consumed and no family revoked')
    })

    t.test('DPP-02 one proof with many concurrent tokens is accepted once', async (t) => {
      const families = [await bound()]
      while (families.length < atOnce) families.push(await bound())
      const headers = await withProof()
      const answers = await Promise.all(
        families.map(({ refresh_token }, at) =>
          renew(refresh_token, headers, at % 2 === 0 ? one : two),
        ),
      )
      t.equal(answers.filter(({ status }) => status === 200).length, 1, 'one succeeds')
      for (const answer of answers) if (answer.status !== 200) t.match(answer, invalidProof)
      for (const [at, answer] of answers.entries()) {
        const live = answer.body.refresh_token ?? families[at].refresh_token
        t.equal(
          (await renew(live, await withProof(), two)).status,
          200,
          'the other tokens stay valid',
        )
      }
    })

    t.test('DPP-03 rejects an invalid proof', async (t) => {
      const { refresh_token } = await bound()
      const before = await amounts(stores)
      const right = await holder.prove(tokenUrl)
      const [head, body, signature] = right.split('.') as [string, string, string]
      const { privateKey } = await generateKeyPair('ES256', { extractable: true })
      const weak = await generateKeyPair('RS256', { extractable: true, modulusLength: 2048 })
      const short = { ...(await exportJWK(weak.publicKey)), n: holder.jwk.x }
      const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
      const proofs: Record<string, string> = {
        empty: '',
        'not a JWT': 'proof',
        'two in one header': `${right}, ${await holder.prove(tokenUrl)}`,
        'without a signature': `${head}.${body}.`,
        'the signature of another proof': `${head}.${body}.${(await holder.prove(tokenUrl)).split('.')[2]}`,
        'r and s with a leading zero byte': `${head}.${body}.${paddedSignature(signature)}`,
        'another payload': `${head}.${encoded({ jti: 'x', htm: 'POST', htu: tokenUrl, iat: seconds() })}.${signature}`,
        'signed by another key': (await thief.prove(tokenUrl, {}, { jwk: holder.jwk })) as string,
        'too long': await holder.prove(tokenUrl, { more: 'x'.repeat(4096) }),
        'another type': await holder.prove(tokenUrl, {}, { typ: 'JWT' }),
        'no type': await holder.prove(tokenUrl, {}, { typ: undefined }),
        'no key': await holder.prove(tokenUrl, {}, { jwk: undefined }),
        'a private key': await holder.prove(tokenUrl, {}, { jwk: await exportJWK(privateKey) }),
        'a symmetric key': await holder.prove(tokenUrl, {}, { jwk: { kty: 'oct', k: 'AAAA' } }),
        'a short key': await holder.prove(tokenUrl, {}, { jwk: short }),
        'not on the curve': await holder.prove(
          tokenUrl,
          {},
          { jwk: { ...holder.jwk, y: holder.jwk.x } },
        ),
        'alg none': `${encoded({ typ: 'dpop+jwt', alg: 'none', jwk: holder.jwk })}.${body}.`,
        'alg none, with a signature': `${encoded({ typ: 'dpop+jwt', alg: 'none', jwk: holder.jwk })}.${body}.${signature}`,
        'alg HS256': `${encoded({ typ: 'dpop+jwt', alg: 'HS256', jwk: holder.jwk })}.${body}.${signature}`,
        'another algorithm': `${encoded({ typ: 'dpop+jwt', alg: 'ES384', jwk: holder.jwk })}.${body}.${signature}`,
        'no id': await holder.prove(tokenUrl, { jti: undefined }),
        'an id that is not a string': await holder.prove(tokenUrl, { jti: 7 }),
        'an id that is too long': await holder.prove(tokenUrl, { jti: 'x'.repeat(300) }),
        'no time': await holder.prove(tokenUrl, { iat: undefined }),
        'a time that is not a number': await holder.prove(tokenUrl, { iat: 'now' }),
        'another method': await holder.prove(tokenUrl, { htm: 'GET' }),
        'the method in lower case': await holder.prove(tokenUrl, { htm: 'post' }),
        'no method': await holder.prove(tokenUrl, { htm: undefined }),
        'no URL': await holder.prove(tokenUrl, { htu: undefined }),
        'another endpoint': await holder.prove(`${issuer}/api/oauth/par`),
        'another server': await holder.prove('https://evil.example/api/oauth/token'),
        'another scheme': await holder.prove(tokenUrl.replace('http:', 'https:')),
        'a path alone': await holder.prove('/api/oauth/token'),
        'userinfo in the URL': await holder.prove(tokenUrl.replace('//', '//user@')),
        'a longer path': await holder.prove(`${tokenUrl}/`),
      }
      for (const [what, dpop] of Object.entries(proofs))
        t.match(await renew(refresh_token, { dpop }), invalidProof, what)
      for (const host of ['evil.example', `evil.example:${new URL(issuer).port}`]) {
        const dpop = await holder.prove(`http://${host}/api/oauth/token`)
        const headers = { dpop, 'x-forwarded-host': host, forwarded: `host=${host}` }
        t.match(
          await renew(refresh_token, headers),
          invalidProof,
          'the issuer decides, not the Host header',
        )
      }
      const after = await amounts(stores)
      for (const [what, count] of Object.entries(before))
        t.ok((after[what] ?? 0) <= count, `nothing was written: ${what}`)
      t.equal((await renew(refresh_token, await withProof())).status, 200)
    })

    t.test('DPP-04 rejects two proof headers', async (t) => {
      const { refresh_token } = await bound()
      const form = new URLSearchParams({
        grant_type: 'refresh_token',
        refresh_token,
        client_id: publicApp.client_id,
      }).toString()
      const proofs = [await holder.prove(tokenUrl), await holder.prove(tokenUrl)]
      const type = 'Content-Type: application/x-www-form-urlencoded'
      const headers = [type, ...proofs.map((proof) => `DPoP: ${proof}`)]
      const answer = await sendRaw(one, rawRequest(one, 'POST /api/oauth/token', headers, form))
      t.same(answer.statuses, [400])
      t.match(answer.text, '"invalid_dpop_proof"')
      t.equal((await renew(refresh_token, await withProof())).status, 200)
    })

    t.test('DPP-05 rejects a proof that is too old or too new', async (t) => {
      const { refresh_token } = await bound()
      for (const iat of [seconds() - 90, seconds() + 90, 0, -1, 9e15]) {
        const answer = await renew(refresh_token, await holder.posts(tokenUrl, { iat }))
        t.match(answer, useNonce, String(iat))
        t.ok(answer.headers.get('dpop-nonce'))
      }
      const stale = await renew(refresh_token, await holder.posts(tokenUrl, { iat: 0 }))
      const nonce = stale.headers.get('dpop-nonce') as string
      const [time, mac] = nonce.split('.') as [string, string]
      const later = (Number.parseInt(time, 36) + 30).toString(36)
      for (const forged of ['', 'nonce', `${later}.${mac}`, `${time}.`, mac]) {
        const headers = await holder.posts(tokenUrl, { nonce: forged })
        t.match(await renew(refresh_token, headers), useNonce, forged)
      }
      const again = await holder.posts(tokenUrl, { iat: 0, nonce })
      const next = await renew(refresh_token, again, two)
      t.equal(
        next.status,
        200,
        'a nonce gives the time to a client without a clock, on each instance',
      )
      t.ok(next.headers.get('dpop-nonce'), 'the response carries the next nonce')
      t.match(
        await renew(next.body.refresh_token, again),
        invalidProof,
        'the proof is accepted once',
      )
    })

    t.test('DPP-06 refuses a bound refresh token without its key', async (t) => {
      const { refresh_token: first } = await bound()
      const { refresh_token: live } = (await renew(first, await withProof())).body
      for (const [what, token] of Object.entries({ spent: first, live })) {
        t.match(await renew(token), invalidProof, `${what}, without a proof`)
        t.match(await renew(token, await withProof(thief)), invalidGrant, `${what}, another key`)
      }
      const next = await renew(live, await withProof(), two)
      t.equal(next.status, 200, 'the holder’s token and family stay valid')
      t.match(
        await renew(live, await withProof()),
        invalidGrant,
        'a replay with the key counts as one',
      )
      t.match(await renew(next.body.refresh_token, await withProof()), invalidGrant)
    })

    t.test('DPP-07 a thief among many concurrent refreshes does not end the family', async (t) => {
      const { refresh_token } = await bound()
      const tries = Array.from({ length: atOnce }, async (_, at) =>
        renew(refresh_token, await withProof(at === 3 ? holder : thief), at % 2 ? one : two),
      )
      const answers = await Promise.all(tries)
      t.equal(answers[3]?.status, 200)
      t.equal(answers.filter(({ status }) => status === 200).length, 1)
      const next = answers[3]?.body.refresh_token
      t.equal((await renew(next, await withProof())).status, 200, 'the family stays valid')
    })

    t.test('DPP-08 refuses a bound token as a bearer token, and the reverse', async (t) => {
      const app = await openidApp(running, world, { client_type: 'public' })
      const scope = { scope: 'openid email' }
      const answer = await exchangeCode(issuer, app, await code(scope, app), {}, await withProof())
      const { access_token: token } = answer.body
      const url = `${issuer}/userinfo`
      const proof = (by: Holder, claims = {}) =>
        by.prove(url, { htm: 'GET', ath: hashOf(token), ...claims })
      const shown = async (dpop: string, authorization = `DPoP ${token}`, at = one) =>
        userinfoAt(at, null, { headers: { authorization, dpop } })

      const bearer = await userinfoAt(issuer, token)
      t.match(bearer, { status: 401, body: { error: 'invalid_token' } })
      t.match(bearer.headers.get('www-authenticate'), /^DPoP .*error="invalid_token".*algs="ES256 /)
      const inBody = await userinfoAt(issuer, null, {
        method: 'POST',
        body: new URLSearchParams({ access_token: token }),
      })
      t.match(inBody, { status: 401, body: { error: 'invalid_token' } })
      t.equal((await shown(await proof(holder), `Bearer ${token}`)).status, 401)
      t.match(await shown(await proof(thief)), { status: 401, body: { error: 'invalid_token' } })
      const refused = { status: 401, body: { error: 'invalid_dpop_proof' } }
      const without = await userinfoAt(issuer, null, {
        headers: { authorization: `DPoP ${token}` },
      })
      t.match(without, refused)
      t.match(await shown(await proof(holder, { ath: undefined })), refused)
      t.match(await shown(await proof(holder, { ath: hashOf('another') })), refused)
      t.match(await shown(await proof(holder, { htm: 'POST' })), refused)
      t.match(await shown(await holder.prove(tokenUrl, { ath: hashOf(token) })), refused)
      const unbound = (await exchangeCode(issuer, app, await code(scope, app))).body.access_token
      t.match(
        await shown(await proof(holder, { ath: hashOf(unbound) }), `DPoP ${unbound}`),
        { status: 401, body: { error: 'invalid_token' } },
        'an unbound token with the DPoP scheme',
      )
      const right = await proof(holder)
      t.equal((await shown(right)).status, 200)
      for (const at of [one, two]) t.match(await shown(right, `DPoP ${token}`, at), refused, 'once')
    })

    t.test('DPP-09 refuses a bound code without its key', async (t) => {
      const grant = await code({ dpop_jkt: holder.jkt })
      t.match(await exchangeCode(one, publicApp, grant), invalidProof)
      t.match(await exchangeCode(one, publicApp, grant, {}, await withProof(thief)), invalidGrant)
      const wrong = { ...grant, verifier: 'x'.repeat(43) }
      t.match(await exchangeCode(one, publicApp, wrong, {}, await withProof()), invalidGrant)
      const answer = await exchangeCode(two, publicApp, grant, {}, await withProof())
      t.match(answer, { status: 200, body: { token_type: 'DPoP' } }, 'the code was not consumed')

      const ofConfidential = await code({ dpop_jkt: holder.jkt }, confidential)
      const byThief = await withProof(thief)
      t.match(await exchangeCode(one, confidential, ofConfidential, {}, byThief), invalidGrant)
      const theirs = await exchangeCode(one, confidential, ofConfidential, {}, await withProof())
      t.match(theirs, { status: 200, body: { token_type: 'DPoP' } })
    })

    t.test('DPP-10 one code redeemed with many keys gives one family', async (t) => {
      const grant = await code()
      const keys = await Promise.all(Array.from({ length: atOnce }, () => createHolder()))
      const answers = await Promise.all(
        keys.map(async (key, at) =>
          exchangeCode(at % 2 ? one : two, publicApp, grant, {}, await withProof(key)),
        ),
      )
      const won = answers.filter(({ status }) => status === 200)
      t.ok(won.length <= 1)
      for (const answer of answers) if (answer.status !== 200) t.match(answer, invalidGrant)
      const tokens = won[0]?.body.refresh_token
      for (const key of tokens ? keys : [])
        t.match(
          await renew(tokens, await withProof(key)),
          invalidGrant,
          'a replayed code revokes the family',
        )
      // A thief binds a stolen code to another key; the owner must still be able to revoke that
      // family.
      const stolen = await code()
      const theirs = await exchangeCode(one, publicApp, stolen, {}, await withProof(thief))
      t.equal(theirs.status, 200)
      t.match(await exchangeCode(two, publicApp, stolen, {}, await withProof()), invalidGrant)
      const { refresh_token } = theirs.body
      t.match(await renew(refresh_token, await withProof(thief)), invalidGrant)
    })

    t.test('DPP-11 a pushed request with another key is refused', async (t) => {
      const url = `${issuer}/api/oauth/par`
      const fields = {
        client_id: publicApp.client_id,
        redirect_uri: publicApp.redirect_uri,
        code_challenge: hashOf('x'.repeat(43)),
      }
      const push = async (more: Record<string, string>, headers: Record<string, string>) =>
        post(url, { ...fields, ...more }, headers)
      t.match(await push({ dpop_jkt: thief.jkt }, await holder.posts(url)), invalidProof)
      t.match(await push({}, await holder.posts(tokenUrl)), invalidProof)
      t.match(await push({}, await holder.posts(url, { iat: 0 })), useNonce)
      const malformed = { status: 400, body: { error: 'invalid_request' } }
      t.match(await push({ dpop_jkt: 'x' }, {}), malformed)
      const twice = await holder.posts(url)
      const pushed = await push({}, twice)
      t.equal(pushed.status, 201)
      t.match(await push({}, twice), invalidProof)
      // The authorization request cannot remove or change the key of a pushed request.
      const request = { request_uri: pushed.body.request_uri, dpop_jkt: thief.jkt }
      const query = new URLSearchParams({ client_id: publicApp.client_id, ...request })
      const page = await walk(visitor, `${issuer}/authorize?${query}`, ana)
      const grant = {
        code: page.left?.searchParams.get('code') as string,
        verifier: 'x'.repeat(43),
      }
      t.ok(grant.code)
      t.match(await exchangeCode(one, publicApp, grant, {}, await withProof(thief)), invalidGrant)
      t.equal((await exchangeCode(one, publicApp, grant, {}, await withProof())).status, 200)
    })

    t.test('DPP-12 a required proof cannot be avoided', async (t) => {
      const required = { dpop_bound_access_tokens: true, device_flow: true }
      const app = await createDeviceApp(running, world, { ...required, name: 'Strict' })
      const server = await createApp(running, { ...required, name: 'Strict server' })
      await install(running, acme, server)
      t.match(await clientCredentials(one, server, acme), invalidProof)
      const ofServer = await code({}, server)
      t.match(await exchangeCode(one, server, ofServer), invalidProof)
      const answer = await exchangeCode(one, server, ofServer, {}, await withProof())
      t.match(answer, { status: 200, body: { token_type: 'DPoP' } })
      t.match(await refresh(one, server, answer.body.refresh_token), invalidProof)
      const another = await refresh(
        one,
        server,
        answer.body.refresh_token,
        {},
        await withProof(thief),
      )
      t.equal(another.status, 200, 'a confidential client may change its key')

      const begun = (await beginDevice(one, app)).body
      t.match(await poll(one, app, begun.device_code), invalidProof)
      await answerDevice(running, ana, begun.user_code)
      t.match(await poll(one, app, begun.device_code), invalidProof)
      const form = { grant_type: deviceGrant, device_code: begun.device_code }
      const requested = { ...form, client_id: app.client_id }
      const tokens = await post(tokenUrl, requested, await withProof())
      t.match(tokens, { status: 200, body: { token_type: 'DPoP' } })
      const { refresh_token } = tokens.body
      t.match(await refresh(one, app, refresh_token, {}, await withProof(thief)), invalidGrant)
      t.equal((await refresh(two, app, refresh_token, {}, await withProof())).status, 200)
    })
  },
  { instances: 2, environment: { LIMIT_CLIENT_FAILURES: '100000' } },
)
