import {
  challengeOf,
  credentials,
  currentCode,
  exchangeCode,
  newVerifier,
  post,
} from '../support/flows.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { expectPage } from '../support/refused-page.ts'
import { signedIn } from '../support/signed-in.ts'
import { amounts, expireAll } from '../support/traces.ts'
import { walk } from '../support/visitor.ts'
import type { TestApp } from '../support/world.ts'

await onEachBackend('pushed requests', async (t, { running, issuer, world, stores }) => {
  const { confidential, second, publicApp, legacy, ana } = world
  const visitor = await signedIn(issuer, ana)
  const verifier = newVerifier()
  for (const app of [confidential, second, publicApp])
    await currentCode(running, app, ana, {}, visitor)

  type Fields = Record<string, string | string[] | undefined>
  const push = (app: TestApp, more: Fields = {}, headers: Record<string, string> = {}) =>
    post(
      `${issuer}/api/oauth/par`,
      {
        redirect_uri: app.redirect_uri,
        code_challenge: challengeOf(verifier),
        state: 'pushed',
        ...credentials(app),
        ...more,
      },
      headers,
    )
  const use = (app: TestApp, request_uri: string, more: Record<string, string> = {}) =>
    visitor.fetch(
      `${issuer}/authorize?${new URLSearchParams({ client_id: app.client_id, request_uri, ...more })}`,
    )
  const pushed = async (app: TestApp, more: Fields = {}) => {
    const { status, body } = await push(app, more)
    t.equal(status, 201)
    return body.request_uri as string
  }
  const errorAt = (response: Response) =>
    response.status === 400
      ? '400'
      : new URL(response.headers.get('location') ?? '', issuer).searchParams.get('error')

  t.test('RFC 9126 §2 requires client authentication', async (t) => {
    const before = await amounts(stores)
    const refused: [TestApp, Fields, number, string][] = [
      [confidential, { client_secret: undefined }, 401, 'invalid_client'],
      [confidential, { client_secret: 'x' }, 401, 'invalid_client'],
      [confidential, { client_secret: second.client_secret }, 401, 'invalid_client'],
      [confidential, { client_id: 'nope' }, 401, 'invalid_client'],
      [confidential, { client_id: undefined }, 401, 'invalid_client'],
      [publicApp, { client_secret: 'x' }, 401, 'invalid_client'],
      [legacy, {}, 401, 'invalid_client'],
      [confidential, { client_id: ['a', 'b'] }, 400, 'invalid_request'],
    ]
    for (const [app, more, status, error] of refused) {
      const answer = await push(app, more)
      t.match(answer, { status, body: { error } }, JSON.stringify(more))
      t.equal(answer.headers.get('cache-control'), 'no-store')
    }
    const both = await push(confidential, {}, { authorization: 'Basic eDp5' })
    t.match(both, { status: 400, body: { error: 'invalid_request' } })
    t.same(await amounts(stores), before)
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'HEAD']) {
      const answer = await fetch(`${issuer}/api/oauth/par`, { method })
      t.equal(answer.status, 405, `RFC 9126 §2.3 ${method}`)
      t.equal(answer.headers.get('allow'), 'POST')
    }
  })

  t.test('RFC 9126 §2.1 rejects invalid pushed parameters', async (t) => {
    const before = await amounts(stores)
    const faults: Fields[] = [
      { redirect_uri: 'https://evil.example/cb' },
      { redirect_uri: `${confidential.redirect_uri}/` },
      { redirect_uri: `${confidential.redirect_uri}#` },
      { redirect_uri: undefined },
      { redirect_uri: [confidential.redirect_uri, 'https://evil.example/cb'] },
      { request_uri: 'urn:ietf:params:oauth:request_uri:x' },
      { request_uri: 'http://127.0.0.1:9/x' },
      { request: 'e30.e30.' },
      { code_challenge: undefined },
      { code_challenge: '' },
      { code_challenge_method: 'plain' },
      { code_challenge: 'short' },
      { response_type: 'token' },
      { response_type: 'code code' },
      { response_mode: 'fragment' },
      { scope: 'records:delete' },
      { scope: 'openid' },
      { scope: 'openid', response_type: 'code' },
      { scope: ['records:create', 'records:update'] },
      { state: ['a', 'b'] },
      { state: 'x'.repeat(5000) },
      { login_hint: 'x'.repeat(8000) },
      { unheard_of: 'x'.repeat(8000) },
      { workspace_ids: '*' },
      { prompt: 'none login' },
      { workspace_ids: ' ' },
      { registration: '{}' },
    ]
    for (const more of faults) {
      const { status, body, headers } = await push(confidential, more)
      t.equal(status, 400, JSON.stringify(more).slice(0, 80))
      t.match(body.error, /^[a-z_]+$/)
      t.notMatch(body.error_description, /[^\x20-\x21\x23-\x5b\x5d-\x7e]|evil|example/)
      t.match(headers.get('content-type'), 'application/json')
      t.equal(headers.get('cache-control'), 'no-store')
      t.notOk('request_uri' in body)
    }
    t.same(await amounts(stores), before, 'nothing is stored')
  })

  t.test('RFC 9126 §7.2 a request_uri is bound to its client', async (t) => {
    const uri = await pushed(confidential)
    for (const app of [second, publicApp]) {
      const answer = await use(app, uri)
      t.ok(errorAt(answer), 'refused')
      t.notMatch(answer.headers.get('location') ?? '', /code=|app\.example\/cb\?code/)
    }
    const none = await visitor.fetch(`${issuer}/authorize?request_uri=${encodeURIComponent(uri)}`)
    await expectPage(t, none, 400, 'without a client_id')
    const twice = `${issuer}/authorize?client_id=${confidential.client_id}&request_uri=${encodeURIComponent(uri)}`
    const repeated = await visitor.fetch(`${twice}&request_uri=x`)
    t.ok(errorAt(repeated), 'repeated')
    const answer = await use(confidential, uri)
    t.match(answer.headers.get('location'), /code=/, 'refused uses do not consume it')
  })

  t.test('RFC 9126 §4 ignores parameters beside the request_uri', async (t) => {
    const uri = await pushed(confidential, { scope: 'records:create' })
    const answer = await use(confidential, uri, {
      redirect_uri: 'https://evil.example/cb',
      state: 'other',
      scope: 'records:update',
      code_challenge: challengeOf('other'),
      code_challenge_method: 'plain',
      response_mode: 'form_post',
      prompt: 'none login',
      workspace_ids: world.foreignWorkspace,
      organization_id: world.other,
    })
    const location = new URL(answer.headers.get('location') ?? '', issuer)
    t.equal(location.origin + location.pathname, confidential.redirect_uri)
    t.equal(location.searchParams.get('state'), 'pushed')
    const code = location.searchParams.get('code') ?? ''
    const tokens = await exchangeCode(issuer, confidential, { code, verifier })
    t.match(tokens, { status: 200, body: { scope: 'records:create' } })
  })

  t.test('RFC 9126 §7.3 a request_uri is accepted once', async (t) => {
    const uri = await pushed(confidential)
    const first = await use(confidential, uri)
    t.match(first.headers.get('location'), /code=/)
    t.ok(errorAt(await use(confidential, uri)), 'twice')

    const contested = await pushed(confidential)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => use(confidential, contested)),
    )
    const codes = answers.filter((one) => /[?&]code=/.test(one.headers.get('location') ?? ''))
    t.equal(codes.length, 1, 'of ten at once')

    // The page that the request_uri led to consumes it too.
    const begun = await pushed(confidential, { prompt: 'consent' })
    const page = await walk(
      visitor,
      (await use(confidential, begun)).headers.get('location') ?? '',
      ana,
    )
    t.ok(page.left?.searchParams.get('code'))
    t.ok(errorAt(await use(confidential, begun)))
  })

  t.test('RFC 9126 §2.2 a request_uri expires', async (t) => {
    const { body } = await push(confidential)
    t.ok(body.expires_in >= 5 && body.expires_in <= 600)
    t.match(body.request_uri, /^urn:ietf:params:oauth:request_uri:[\w-]{22,}$/)
    await expireAll(stores)
    const fresh = await signedIn(issuer, ana)
    const answer = await fresh.fetch(
      `${issuer}/authorize?${new URLSearchParams({ client_id: confidential.client_id, request_uri: body.request_uri })}`,
    )
    t.ok(errorAt(answer))
    const guessed = ['', 'x', '../x', '%00', '\0', '*', '{x}'].map(
      (tail) => `urn:ietf:params:oauth:request_uri:${tail}`,
    )
    for (const uri of guessed) t.ok(errorAt(await use(confidential, uri)), uri)
  })

  t.test('a page of a public client pushes from its own origin only', async (t) => {
    const origin = new URL(publicApp.redirect_uri).origin
    const own = await push(publicApp, {}, { origin })
    t.equal(own.status, 201)
    t.equal(own.headers.get('access-control-allow-origin'), origin)
    for (const foreign of ['https://evil.example', 'null', `${origin}.evil.example`]) {
      const answer = await push(publicApp, {}, { origin: foreign })
      t.match(answer, { status: 400, body: { error: 'invalid_request' } }, foreign)
      t.equal(answer.headers.get('access-control-allow-origin'), null)
    }
    const server = await push(confidential, {}, { origin })
    t.equal(server.headers.get('access-control-allow-origin'), null)
  })
})
