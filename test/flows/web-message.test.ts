import { createHash } from 'node:crypto'
import { parse } from 'node-html-parser'
import type { Test } from 'tap'
import {
  authorizeUrl,
  challengeOf,
  claimsOf,
  currentCode,
  exchangeCode,
  legacyAuthorizeUrl,
  legacyToken,
  newVerifier,
  post,
} from '../support/flows.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { sql } from '../support/traces.ts'
import { createVisitor, walk } from '../support/visitor.ts'
import { createApp, install, legacyPermissions, type TestApp } from '../support/world.ts'

const platform = 'https://platform.example'
const spa = 'https://spa.example'

/** The data that the page posts, and its target origin. */
const answerOf = (html: string) =>
  JSON.parse(parse(html).querySelector('html')?.getAttribute('data-answer') ?? 'null')

const directives = (response: Response) =>
  Object.fromEntries(
    (response.headers.get('content-security-policy') ?? '').split('; ').map((one) => {
      const [name = '', ...values] = one.split(' ')
      return [name, values.join(' ')]
    }),
  )

await onEachBackend(
  'responses by web message',
  async (t, { stores, running, issuer, world }) => {
    const { acme, ana, publicApp, confidential, legacy, legacyPublic } = world
    const { visitor } = await currentCode(running, publicApp, ana)
    const verifier = newVerifier()
    const posted = { response_mode: 'web_message', code_challenge: challengeOf(verifier) }
    const framed = { ...posted, platform_origin: platform, prompt: 'none' }
    const old = { response_type: 'token', response_mode: 'web_message', organization_id: acme }

    const read = async (url: string, by = visitor) => {
      const response = await by.fetch(url)
      const text = await response.text()
      return { response, text, answer: answerOf(text) }
    }
    const current = (more: Record<string, string> = {}, app: TestApp = publicApp) =>
      authorizeUrl(issuer, app, { ...framed, ...more })

    const isErrorPage = (t: Test, { response, answer, text }: Awaited<ReturnType<typeof read>>) => {
      t.equal(response.status, 400)
      t.equal(answer, null, 'nothing is posted')
      t.equal(response.headers.get('location'), null)
      t.equal(directives(response)['frame-ancestors'], `'none'`)
      t.equal(response.headers.get('x-frame-options'), 'DENY')
      t.match(text, /req_/)
    }

    t.test('posts a code to one origin, from a page that only this origin may frame', async (t) => {
      const { response, text, answer } = await read(current())
      t.equal(response.status, 200)
      t.equal(response.headers.get('location'), null)
      t.match(answer, {
        origin: spa,
        platform,
        response: { code: String, state: 'the-state', iss: issuer },
      })
      t.same(Object.keys(answer), ['origin', 'platform', 'response'])
      const script = parse(text).querySelectorAll('script')
      t.equal(script.length, 1)
      const hash = createHash('sha256')
        .update(script[0]?.textContent ?? '')
        .digest('base64')
      t.same(directives(response), {
        'default-src': `'none'`,
        'script-src': `'sha256-${hash}'`,
        'style-src': `'self'`,
        'frame-ancestors': platform,
        'base-uri': `'none'`,
        'form-action': `'none'`,
      })
      t.equal(response.headers.get('x-frame-options'), null)
      t.equal(response.headers.get('cache-control'), 'no-store')
      t.equal(response.headers.get('referrer-policy'), 'no-referrer')
      const { code } = answer.response
      const { status, body } = await exchangeCode(issuer, publicApp, { code, verifier })
      t.equal(status, 200)
      t.match(claimsOf(body.access_token), { sub: ana.id, organization_id: acme })
      t.notOk('refresh_token' in body, 'the user is asked again instead')
      const page = parse(text)
      t.equal(page.querySelector('html')?.getAttribute('lang'), 'en')
      t.match(
        page.querySelector('main')?.text,
        /Back to the app\s+Your .* You can close this window/,
      )
      t.notOk(text.includes(body.access_token))
    })

    t.test('without a platform the app’s own origin may frame the page', async (t) => {
      const { response, answer } = await read(authorizeUrl(issuer, publicApp, posted))
      t.match(answer, { origin: spa, platform: null, response: { code: String } })
      t.equal(directives(response)['frame-ancestors'], spa)
    })

    t.test('such a grant expires with its access token', async (t) => {
      const { answer } = await read(current())
      const { body } = await exchangeCode(issuer, publicApp, {
        code: answer.response.code,
        verifier,
      })
      const { grant_id } = claimsOf(body.access_token)
      const [row] = await sql<{ life: string }>(
        stores,
        'select extract(epoch from expires_at - created_at)::text as life from grants where id = $1',
        [grant_id],
      )
      t.equal(Number(row?.life), 3600 + 60)
      const { code } = await currentCode(running, publicApp, ana, {}, visitor)
      const lasting = await exchangeCode(issuer, publicApp, { code, verifier }).catch(() => null)
      t.ok(lasting)
      const rows = await sql<{ lasts: boolean }>(
        stores,
        'select bool_or(expires_at is null) as lasts from grants',
      )
      t.equal(rows[0]?.lasts, true, 'other grants last until revoked')
    })

    t.test('a posted code is redeemed once', async (t) => {
      const { answer } = await read(current())
      const { code } = answer.response
      const results = await Promise.all(
        Array.from({ length: 10 }, () => exchangeCode(issuer, publicApp, { code, verifier })),
      )
      t.equal(results.filter(({ status }) => status === 200).length, 1)
      const again = await exchangeCode(issuer, publicApp, { code, verifier })
      t.match(again, { status: 400, body: { error: 'invalid_grant' } })
    })

    t.test('the legacy interface posts a token or a code', async (t) => {
      const token = await read(
        legacyAuthorizeUrl(issuer, legacyPublic, { ...old, platform_origin: platform }),
      )
      t.match(token.answer, {
        origin: 'https://view.example',
        platform,
        response: {
          access_token: String,
          token_type: 'bearer',
          expires_in: '7200',
          scope: legacyPermissions.join(' '),
          organization_id: acme,
          state: 'the-state',
        },
      })
      t.equal(token.response.headers.get('location'), null)
      t.equal(directives(token.response)['frame-ancestors'], platform)
      const code = await read(legacyAuthorizeUrl(issuer, legacy, { ...old, response_type: 'code' }))
      t.match(code.answer, { origin: 'https://app.example', platform: null })
      const { body } = await legacyToken(issuer, legacy, {
        grant_type: 'authorization_code',
        code: code.answer.response.code,
      })
      t.match(body, { access_token: String, expires_in: 7200 })
      t.notOk('refresh_token' in body)
    })

    t.test('prompt=none reports whether a sign-in or another page is needed', async (t) => {
      const stranger = createVisitor(issuer)
      const fresh = await createApp(running, { name: 'Fresh', redirect_uris: [`${spa}/fresh`] })
      await install(running, acme, fresh)
      const absent = await createApp(running, { name: 'Absent', interface: 'legacy' })
      const silent = { ...old, prompt: 'none' }
      const cases: [string, string, typeof visitor][] = [
        ['login_required', current(), stranger],
        ['interaction_required', current({}, fresh), visitor],
        ['interaction_required', current({ organization_id: 'orgUnknown' }), visitor],
        ['login_required', legacyAuthorizeUrl(issuer, legacyPublic, silent), stranger],
        ['interaction_required', legacyAuthorizeUrl(issuer, absent, silent), visitor],
        [
          'interaction_required',
          legacyAuthorizeUrl(issuer, legacyPublic, { ...silent, organization_id: 'orgUnknown' }),
          visitor,
        ],
      ]
      for (const [error, url, by] of cases) {
        const { response, answer } = await read(url, by)
        t.equal(response.status, 200)
        t.match(answer?.response, { error, state: 'the-state' }, url)
        t.notOk(answer.response.code ?? answer.response.access_token)
      }
      const redirected = await stranger.fetch(
        legacyAuthorizeUrl(issuer, legacyPublic, { response_type: 'token', prompt: 'none' }),
      )
      t.match(
        redirected.headers.get('location'),
        /^\/interaction\//,
        'legacy: for posted responses only',
      )
      const both = legacyAuthorizeUrl(issuer, legacyPublic, { ...silent, force_prompt: 'true' })
      t.match((await read(both)).answer.response, { error: 'invalid_request' })
      const other = legacyAuthorizeUrl(issuer, legacyPublic, { ...old, prompt: 'consent' })
      t.ok(
        (await read(other)).answer.response.access_token,
        'other error codes are not of this interface',
      )
    })

    t.test('errors are posted too', async (t) => {
      const cases: [Record<string, string>, string][] = [
        [{ scope: 'records:delete' }, 'invalid_scope'],
        [{ scope: 'bogus' }, 'invalid_scope'],
        [{ code_challenge: 'short' }, 'invalid_request'],
        [{ code_challenge_method: 'plain' }, 'invalid_request'],
        [{ response_type: 'token' }, 'unsupported_response_type'],
        [{ prompt: 'none login' }, 'invalid_request'],
        [{ workspace_ids: 'wksUnknown' }, 'invalid_scope'],
      ]
      for (const [part, error] of cases) {
        const { response, answer } = await read(current(part))
        t.match(answer, {
          origin: spa,
          platform,
          response: { error, state: 'the-state', iss: issuer },
        })
        t.equal(directives(response)['frame-ancestors'], platform)
      }
      const { answer } = await read(
        legacyAuthorizeUrl(issuer, legacyPublic, { ...old, scope: 'bogus' }),
      )
      t.match(answer.response, { error: 'invalid_scope', state: 'the-state' })
    })

    t.test('posts nothing without a valid recipient', async (t) => {
      const native = await createApp(running, {
        name: 'Native',
        client_type: 'public',
        redirect_uris: ['com.example.app:/cb'],
      })
      const loopback = await createApp(running, {
        name: 'Loopback',
        client_type: 'public',
        redirect_uris: ['http://127.0.0.1/cb'],
      })
      await install(running, acme, native)
      await install(running, acme, loopback)
      const anyPort = { ...loopback, redirect_uri: 'http://127.0.0.1:5555/cb' }
      const origins = [
        'https://evil.example',
        `${platform}/`,
        `${platform}:8443`,
        'http://platform.example',
        'null',
        '*',
        `${platform} https://evil.example`,
        `${platform};script-src 'unsafe-inline'`,
      ]
      const urls = [
        ...origins.flatMap((platform_origin) => [
          current({ platform_origin }),
          current({ platform_origin, response_type: 'bogus' }),
          legacyAuthorizeUrl(issuer, legacyPublic, { ...old, platform_origin }),
        ]),
        current({}, native),
        current({}, anyPort),
        authorizeUrl(issuer, anyPort, posted),
        current({ redirect_uri: 'https://evil.example/cb' }),
        current({ redirect_uri: `${spa}/other` }),
        legacyAuthorizeUrl(issuer, legacyPublic, { ...old, redirect_uri: 'https://evil.example' }),
        `${current()}&platform_origin=https://evil.example`,
        `${legacyAuthorizeUrl(issuer, legacyPublic, { ...old, platform_origin: platform })}&platform_origin=x`,
      ]
      for (const url of urls) isErrorPage(t, await read(url))
    })

    t.test('the recipient of a pushed request is checked at the push', async (t) => {
      const push = (more: Record<string, string>) =>
        post(`${issuer}/api/oauth/par`, {
          client_id: publicApp.client_id,
          redirect_uri: publicApp.redirect_uri,
          state: 'the-state',
          ...framed,
          ...more,
        })
      t.match(await push({ platform_origin: 'https://evil.example' }), {
        status: 400,
        body: { error: 'invalid_request' },
      })
      const { status, body } = await push({})
      t.equal(status, 201)
      const url = `${issuer}/authorize?client_id=${publicApp.client_id}&request_uri=${encodeURIComponent(body.request_uri)}`
      t.match((await read(url)).answer, { origin: spa, platform, response: { code: String } })
    })

    t.test('posts the response after the pages as well', async (t) => {
      for (const [app, url] of [
        [
          'current',
          authorizeUrl(issuer, publicApp, {
            ...posted,
            platform_origin: platform,
            prompt: 'consent',
          }),
        ],
        [
          'legacy',
          legacyAuthorizeUrl(issuer, legacyPublic, {
            ...old,
            platform_origin: platform,
            force_prompt: '1',
          }),
        ],
      ] as const) {
        for (const decision of ['approve', 'deny'] as const) {
          const page = await walk(visitor, url, { ...ana, decision })
          t.equal(page.left, null, `${app}: it ends on a page of ours`)
          t.notMatch(page.url.href, /code=|token/)
          const answer = answerOf(page.text)
          t.match(answer, { platform, response: { state: 'the-state' } })
          if (decision === 'deny') t.equal(answer.response.error, 'access_denied')
          else t.ok(answer.response.code ?? answer.response.access_token)
        }
      }
      const page = await walk(
        visitor,
        authorizeUrl(issuer, publicApp, {
          ...posted,
          platform_origin: platform,
          prompt: 'consent',
        }),
        ana,
      )
      const { code } = answerOf(page.text).response
      const { body } = await exchangeCode(issuer, publicApp, { code, verifier })
      t.ok(body.access_token)
      t.notOk('refresh_token' in body)
    })

    t.test('posted values are escaped', async (t) => {
      const state = `"></script><script>alert(1)</script>'&\u2028`
      for (const url of [
        current({ state }),
        legacyAuthorizeUrl(issuer, legacyPublic, { ...old, state }),
      ]) {
        const { text, answer } = await read(url)
        t.equal(answer.response.state, state)
        t.equal(parse(text).querySelectorAll('script').length, 1)
        t.notOk(text.includes('<script>alert'))
      }
    })

    t.test('a confidential app needs its secret for the exchange', async (t) => {
      await currentCode(running, confidential, ana, {}, visitor)
      const { answer } = await read(current({}, confidential))
      const { code } = answer.response
      const bare = { ...confidential, client_secret: '' }
      t.equal((await exchangeCode(issuer, bare, { code, verifier })).status, 401)
      t.equal((await exchangeCode(issuer, confidential, { code, verifier })).status, 200)
    })
  },
  { environment: { PLATFORM_ORIGINS: platform } },
)

await onEachBackend('a server that knows no platform', async (t, { running, issuer, world }) => {
  const { visitor } = await currentCode(running, world.publicApp, world.ana)
  const requested = { response_mode: 'web_message', code_challenge: challengeOf(newVerifier()) }
  const page = await visitor.fetch(
    authorizeUrl(issuer, world.publicApp, { ...requested, platform_origin: issuer }),
  )
  t.equal(page.status, 400, 'not even its own page')
})
