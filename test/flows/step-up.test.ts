/** Step-up (RFC 9470): access tokens state the user's sign-in, and an app asks for a better one. */
import {
  authorizeUrl,
  challengeOf,
  claimsOf,
  clientCredentials,
  currentCode,
  exchangeCode,
  legacyCode,
  legacyToken,
  newVerifier,
  refresh,
} from '../support/flows.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { introspectAt, registerResourceServer } from '../support/resource-server.ts'
import { signedIn } from '../support/signed-in.ts'
import { sql } from '../support/traces.ts'
import { createVisitor } from '../support/visitor.ts'

const byPassword = 'urn:latchkey:acr:password'

await onEachBackend('step-up', async (t, { running, issuer, world, stores }) => {
  const { confidential, legacy, ana, acme } = world
  const asker = await registerResourceServer(running)
  const seconds = () => Math.floor(Date.now() / 1000)
  const url = (parameters: Record<string, string>) =>
    authorizeUrl(issuer, confidential, {
      code_challenge: challengeOf(newVerifier()),
      ...parameters,
    })

  t.test('a user token states when and how the user had signed in', async (t) => {
    const before = seconds() - 1
    const visitor = await signedIn(issuer, ana)
    const grant = await currentCode(running, confidential, ana, {}, visitor)
    const tokens = (await exchangeCode(issuer, confidential, grant)).body
    const { auth_time: time, acr } = claimsOf(tokens.access_token)
    t.equal(acr, byPassword)
    t.ok(time >= before && time <= seconds())
    const introspected = (await introspectAt(issuer, asker, tokens.access_token)).body
    t.match(introspected, { active: true, auth_time: time, acr })
    const renewed = (await refresh(issuer, confidential, tokens.refresh_token)).body
    t.match(claimsOf(renewed.access_token), { auth_time: time, acr }, 'a refresh changes nothing')
    t.match((await introspectAt(issuer, asker, renewed.refresh_token)).body, { auth_time: time })
  })

  t.test('a legacy token too, but no token of an app itself', async (t) => {
    const { code } = await legacyCode(running, legacy, ana, { organization_id: acme })
    const fields = { grant_type: 'authorization_code', code }
    const { body } = await legacyToken(issuer, legacy, fields)
    t.match(claimsOf(body.access_token), { auth_time: Number, acr: byPassword })
    const machine = await clientCredentials(issuer, confidential, acme)
    const claims = claimsOf(machine.body.access_token)
    t.notOk('auth_time' in claims || 'acr' in claims)
  })

  t.test('a grant of an earlier version states nothing', async (t) => {
    const grant = await currentCode(running, confidential, ana)
    const tokens = (await exchangeCode(issuer, confidential, grant)).body
    await sql(stores, 'update grants set auth_time = null, acr = null')
    const renewed = (await refresh(issuer, confidential, tokens.refresh_token)).body
    const claims = claimsOf(renewed.access_token)
    t.notOk('auth_time' in claims || 'acr' in claims)
    t.notOk('acr' in (await introspectAt(issuer, asker, renewed.access_token)).body)
  })

  t.test('max_age and acr_values are heeded without OpenID', async (t) => {
    const visitor = await signedIn(issuer, ana)
    await currentCode(running, confidential, ana, {}, visitor)
    const silent = await visitor.get(url({ max_age: '600' }))
    t.ok(silent.left?.searchParams.has('code'), 'recent enough')
    const known = await visitor.get(url({ acr_values: byPassword }))
    t.ok(known.left?.searchParams.has('code'), 'of this class')
    await sql(stores, 'update sessions set authenticated_at = authenticated_at - 60000')
    const old = await visitor.get(url({ max_age: '30' }))
    t.match(old.url.pathname, /^\/login|^\/interaction/)
    t.equal(old.left, null)
    t.ok(old.dom.querySelector('input[name=password]'), 'the user signs in again')
    const again = await visitor.submit(old, { email: ana.email, password: ana.password })
    t.ok(again.left?.searchParams.has('code'), 'and then goes on')
    const stronger = await visitor.get(url({ acr_values: 'phr' }))
    t.equal(stronger.left, null)
    t.ok(stronger.dom.querySelector('input[name=password]'))
    const none = await createVisitor(issuer).get(url({ max_age: '0', prompt: 'none' }))
    t.equal(none.left?.searchParams.get('error'), 'login_required')
    const wrong = await visitor.get(url({ max_age: 'soon' }))
    t.equal(wrong.left?.searchParams.get('error'), 'invalid_request')
  })

  t.test('after a new sign-in, the token states the new time', async (t) => {
    const visitor = await signedIn(issuer, ana)
    await sql(stores, 'update sessions set authenticated_at = authenticated_at - 60000')
    const first = await currentCode(running, confidential, ana, {}, visitor)
    const old = (await exchangeCode(issuer, confidential, first)).body
    const next = await currentCode(running, confidential, ana, { max_age: '30' }, visitor)
    const fresh = (await exchangeCode(issuer, confidential, next)).body
    const timeOf = (body: { access_token: string }) => claimsOf(body.access_token).auth_time
    t.ok(timeOf(fresh) - timeOf(old) >= 55)
  })
})
