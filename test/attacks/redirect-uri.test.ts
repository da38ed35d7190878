import {
  authorizeUrl,
  challengeOf,
  currentCode,
  exchangeCode,
  legacyAuthorizeUrl,
  newVerifier,
} from '../support/flows.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { expectPage, withoutReference } from '../support/refused-page.ts'
import { signedIn } from '../support/signed-in.ts'
import { amounts, countRows, sql } from '../support/traces.ts'
import { walk } from '../support/visitor.ts'
import { createApp, install, legacyPermissions, type TestApp } from '../support/world.ts'

const registered = [
  'https://a.example/cb',
  'https://a.example/cb2?x=1',
  'https://a.example/cb3?next=%2Fa%2fb&e=&f',
  'https://a.example/cb4?',
]

/** Unregistered URIs that resemble the registered ones. */
const unregistered: Record<string, string[]> = {
  'RDR-01 elsewhere': [
    'https://evil.example/cb',
    'https://evil.example',
    'http://evil.example:8080/cb?x=1',
    'com.evil.app:/cb',
    'https://a.example/other',
    'https://sub.a.example/cb',
    'a',
    '/cb',
    '?x=1',
    '*',
  ],
  'RDR-03 userinfo': [
    'https://a.example@evil.example/cb',
    'https://evil@a.example/cb',
    'https://evil:pw@a.example/cb',
    'https://@a.example/cb',
    'https://:@a.example/cb',
    'https://a.example%2F@evil.example/cb',
    'https://a.example%25@evil.example',
    'https://a.example:443@evil.example/cb',
    'https://a.example&@evil.example#@a.example/cb',
  ],
  'RDR-04 equivalents': [
    'https://A.EXAMPLE/cb',
    'HTTPS://a.example/cb',
    'https://a.example:443/cb',
    'https://a.example:0443/cb',
    'https://a.example:/cb',
    'https://a.example./cb',
    'https://%61.example/cb',
    'https://a.example/%63b',
    'https://a.example//cb',
    'https://a.example/x/../cb',
    'https://a.example/./cb',
    'https://a.example/%2e/cb',
  ],
  'RDR-05 path shape': [
    'https://a.example/cb/',
    'https://a.example/CB',
    'https://a.example/cb;evil=1',
    'https://a.example/cb123',
    'https://a.example/c',
    'https://a.example/',
    'https://a.example',
    'https://a.example/cb%20',
    'https://a.example/cb ',
    'https://a.example/cb%00',
    'https://a.example/cb/../../evil',
  ],
  'RDR-06 fragment': [
    'https://a.example/cb#x',
    'https://a.example/cb#',
    'https://a.example/cb%23',
    'https://evil.example#https://a.example/cb',
    'https://a.example/cb2?x=1#',
  ],
  'RDR-07 query': [
    'https://a.example/cb?code=attacker&state=x',
    'https://a.example/cb?',
    'https://a.example/cb?x=1',
    'https://a.example/cb2?x=1&y=2',
    'https://a.example/cb2?x=2',
    'https://a.example/cb2?x=1&',
    'https://a.example/cb2?x=1&x=1',
    'https://a.example/cb2?x=%31',
    'https://a.example/cb2',
    'https://a.example/cb3?next=%2fa%2Fb&e=&f',
    'https://a.example/cb3?e=&next=%2Fa%2fb&f',
    'https://a.example/cb3?next=/a/b&e=&f',
    'https://a.example/cb4',
  ],
  'RDR-08 host': [
    'https://a.example.evil.example/cb',
    'https://aXexample/cb',
    'https://evil.example/https://a.example/cb',
    'https://evil.example/?https://a.example/cb',
    'http://a.example/cb',
    'https://evila.example/cb',
    'https://a.examplee/cb',
    'https://a.example,evil.example/cb',
    'https://a.example:8443/cb',
  ],
  'RDR-09 parsers': [
    'https://a.example\\@evil.example/cb',
    'https:\\\\a.example\\cb',
    'https://a.example\\cb',
    'https://evil.example\\.a.example/cb',
    'https://a.example/cb\t',
    'https://a.example/c\tb',
    'https://a.exa\nmple/cb',
    'https://a.example/cb\r\nLocation: https://evil.example',
    'https://a.example/cb\0',
    '\0https://a.example/cb',
    ' https://a.example/cb',
    '\u00a0https://a.example/cb',
    'https://a.example/cb\u200b',
    'https://a\uff0eexample/cb',
    'https://\uff41.example/cb',
    'https:///a.example/cb',
    'https:/a.example/cb',
    'https:a.example/cb',
    '//a.example/cb',
    'https://a.example/cb\ud83d\ude00',
    '["https://a.example/cb"]',
  ],
  'RDR-10 scripts': [
    'javascript:alert(1)//',
    'JaVaScRiPt:alert(1)//https://a.example/cb',
    '\u0001javascript:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:msgbox(1)',
    'blob:https://a.example/cb',
    'file:///etc/passwd',
    'about:blank',
  ],
  'RDR-16 schemes of other programs': [
    'intent://scan/#Intent;scheme=zxing;end',
    'intent:cb',
    'search-ms:query=x&crumb=location:%5C%5Cevil.example',
    'tel:+1234567',
    'sms:+1234567',
    'mailto:a@evil.example',
    'ms-settings:privacy',
    'ms-officecmd:cb',
    'microsoft-edge:https://evil.example/',
    'microsoft.windows.camera:cb',
    'x-apple.systempreferences:com.apple.preference.security',
    'vscode://file/cb',
    'zoommtg://evil.example/join',
    'chrome-extension://abc/cb',
    'content://com.example.provider/cb',
    'android-app://com.example/cb',
    'urn:ietf:wg:oauth:2.0:oob',
    'app:cb',
    'com+example.app:/cb',
  ],
}

await onEachBackend('redirect URI', async (t, { running, issuer, world, stores }) => {
  const { ana, acme } = world
  const part = { redirect_uris: registered }
  const current = await createApp(running, { ...part, name: 'A' })
  const legacy = await createApp(running, { ...part, name: 'B', interface: 'legacy' })
  const openApp = await createApp(running, { ...part, name: 'C', client_type: 'public' })
  await install(running, acme, current)
  await install(running, acme, openApp)
  await install(running, acme, legacy, { permissions: legacyPermissions })
  // The user is signed in and has approved: an accepted URI would receive a code.
  const visitor = await signedIn(issuer, ana)
  const challenge = challengeOf(newVerifier())
  for (const app of [current, openApp]) await currentCode(running, app, ana, {}, visitor)
  await walk(visitor, legacyAuthorizeUrl(issuer, legacy), ana)

  type Ask = (redirectUri: string, more?: Record<string, string>) => Promise<Response>
  const currentAsk =
    (app: TestApp): Ask =>
    (redirect_uri, more = {}) =>
      visitor.fetch(authorizeUrl(issuer, app, { code_challenge: challenge, redirect_uri, ...more }))
  const asks: Record<string, Ask> = {
    current: currentAsk(current),
    'current, public': currentAsk(openApp),
    'current, POST': (redirect_uri, more = {}) =>
      visitor.fetch(`${issuer}/authorize`, {
        method: 'POST',
        body: new URLSearchParams({
          client_id: current.client_id,
          code_challenge: challenge,
          redirect_uri,
          ...more,
        }),
      }),
    'legacy code': (redirect_uri, more = {}) =>
      visitor.fetch(legacyAuthorizeUrl(issuer, legacy, { redirect_uri, ...more })),
    'legacy token': (redirect_uri, more = {}) =>
      visitor.fetch(
        legacyAuthorizeUrl(issuer, legacy, { response_type: 'token', redirect_uri, ...more }),
      ),
  }

  for (const [id, list] of Object.entries(unregistered)) {
    t.test(id, async (t) => {
      const before = await amounts(stores)
      for (const [front, ask] of Object.entries(asks)) {
        for (const uri of list) {
          const label = `${front}: ${JSON.stringify(uri)}`
          const text = await expectPage(t, await ask(uri), 400, label)
          if (/a\.example|alert\(1\)/.test(text)) t.fail(`${label}: the page repeats a URI`)
        }
      }
      t.same(await amounts(stores), before, 'no request or grant is stored')
    })
  }

  t.test('RDR-12 an unregistered URI receives no other error either', async (t) => {
    const evil = 'https://evil.example/cb'
    const errors: Record<string, string>[] = [
      { response_type: 'bogus' },
      { response_type: 'id_token token' },
      { scope: 'bogus' },
      { scope: '"' },
      { prompt: 'none' },
      { prompt: 'none login' },
      { code_challenge: '' },
      { code_challenge: 'short' },
      { code_challenge_method: 'plain' },
      { response_mode: 'bogus' },
      { response_mode: 'fragment' },
      { response_mode: 'form_post' },
      { request: 'e30.e30.' },
      { request_uri: 'https://evil.example/request' },
      { registration: '{}' },
      { state: 'x'.repeat(5000) },
      { workspace_ids: ' ' },
      { organization_id: world.other },
      { force_prompt: '1' },
    ]
    for (const [front, ask] of Object.entries(asks)) {
      for (const more of errors)
        await expectPage(t, await ask(evil, more), 400, `${front}: ${JSON.stringify(more)}`)
    }
    const doubled = ['state', 'scope', 'response_type', 'code_challenge', 'prompt', 'response_mode']
    for (const name of doubled) {
      for (const [front, url] of [
        ['current', authorizeUrl(issuer, current, { redirect_uri: evil })],
        ['legacy', legacyAuthorizeUrl(issuer, legacy, { redirect_uri: evil })],
      ] as const) {
        const answer = await visitor.fetch(`${url}&${name}=a&${name}=b`)
        await expectPage(t, answer, 400, `${front}: ${name} twice`)
      }
    }
  })

  t.test(
    'RDR-13 shows an error page if client_id is unknown, missing, repeated, disabled or of the other interface',
    async (t) => {
      const disabled = await createApp(running, { ...part, name: 'D' })
      const disabledLegacy = await createApp(running, { ...part, name: 'E', interface: 'legacy' })
      for (const { client_id } of [disabled, disabledLegacy])
        await running.operator('PATCH', `/apps/${client_id}`, { disabled: true })
      const redirect = encodeURIComponent('https://a.example/cb')
      const fronts = [
        { path: '/authorize', own: current, off: disabled, foreign: legacy },
        { path: '/oauth/authorize', own: legacy, off: disabledLegacy, foreign: current },
      ]
      for (const { path, own, off, foreign } of fronts) {
        const rest = `redirect_uri=${redirect}&response_type=code&code_challenge=${challenge}&state=s`
        const ask = (query: string) => visitor.fetch(`${issuer}${path}?${query}`)
        const unknown = await expectPage(
          t,
          await ask(`client_id=app0000000000000000000&${rest}`),
          400,
          'unknown',
        )
        const off_ = await expectPage(
          t,
          await ask(`client_id=${off.client_id}&${rest}`),
          400,
          'off',
        )
        t.equal(withoutReference(off_), withoutReference(unknown), 'disabled looks like unknown')
        const queries = [
          rest,
          `client_id=&${rest}`,
          `client_id=${foreign.client_id}&${rest}`,
          `client_id=${own.client_id}&client_id=${own.client_id}&${rest}`,
          `client_id=${own.client_id}&client_id=nope&${rest}`,
          `client_id=nope&client_id=${own.client_id}&${rest}`,
          `client_id[]=${own.client_id}&${rest}`,
          `client_id=${own.client_id.toUpperCase()}&${rest}`,
          `client_id=${own.client_id}%20&${rest}`,
          `client_id=%00&${rest}`,
          `client_id=${own.client_id}%00&${rest}`,
          `client_id=%F0%9F%98%80&${rest}`,
          `client_id=${'a'.repeat(5000)}&${rest}`,
          `client_id='%20OR%201=1--&${rest}`,
          `client_id=__proto__&${rest}`,
          `client_id=${encodeURIComponent('<script>alert(1)</script>')}&${rest}`,
          `client_id=${own.client_id}&${rest}&redirect_uri=${redirect}`,
          `client_id=${own.client_id}&${rest}&redirect_uri=https%3A%2F%2Fevil.example`,
          `client_id=${own.client_id}&redirect_uri=https%3A%2F%2Fevil.example&${rest}`,
        ]
        for (const query of queries) {
          const label = `${path}?${query.slice(0, 60)}`
          const text = await expectPage(t, await ask(query), 400, label)
          if (text.includes('<script>')) t.fail(`${label}: markup`)
        }
      }
    },
  )

  t.test('RDR-14 rejects an omitted or empty redirect_uri', async (t) => {
    for (const more of ['', '&redirect_uri=']) {
      const url = `${issuer}/oauth/authorize?client_id=${legacy.client_id}&response_type=code${more}`
      const first = await visitor.fetch(url)
      t.match(first.headers.get('location'), /^https:\/\/a\.example\/cb\?code=/, 'the first one')
      const missing = await visitor.fetch(
        `${issuer}/authorize?client_id=${current.client_id}&code_challenge=${challenge}${more}`,
      )
      await expectPage(t, missing, 400, 'demanded')
    }
    const single = await visitor.fetch(
      `${issuer}/authorize?client_id=${world.confidential.client_id}&code_challenge=${challenge}`,
    )
    await expectPage(t, single, 400, 'required even when only one is registered')
  })

  t.test('RDR-07 keeps a registered query byte for byte', async (t) => {
    const fronts = { current: asks.current as Ask, legacy: asks['legacy code'] as Ask }
    for (const [front, ask] of Object.entries(fronts)) {
      for (const uri of registered) {
        const location = (await ask(uri, { state: 's' })).headers.get('location') ?? ''
        t.ok(location.startsWith(uri), `${front}: ${location.slice(0, 60)}`)
        const rest = location.slice(uri.length)
        t.match(rest, uri.includes('?') ? /^&?code=/ : /^\?code=/)
        const { searchParams } = new URL(location)
        t.equal(searchParams.getAll('code').length, 1)
        t.equal(searchParams.getAll('state').length, 1)
      }
    }
  })

  t.test('RDR-08 a public app may use any port on a loopback host only', async (t) => {
    const loopback = [
      'http://127.0.0.1/cb',
      'http://[::1]:4000/cb?x=1',
      'http://localhost:3000/cb',
      'com.example.app:/cb',
      'https://spa.example/cb',
    ]
    const native = await createApp(running, {
      name: 'Native',
      client_type: 'public',
      redirect_uris: loopback,
    })
    const nativeLegacy = await createApp(running, {
      name: 'Native legacy',
      client_type: 'public',
      interface: 'legacy',
      redirect_uris: loopback,
    })
    const plain = await createApp(running, {
      name: 'Plain',
      redirect_uris: ['http://127.0.0.1:9000/cb', 'http://localhost:3000/cb'],
    })
    const spa = await createApp(running, {
      name: 'Localhost only',
      client_type: 'public',
      redirect_uris: ['http://localhost:3000/cb'],
    })
    const isTaken = async (app: TestApp, redirect_uri: string) => {
      const url =
        app === nativeLegacy
          ? legacyAuthorizeUrl(issuer, app, { redirect_uri })
          : authorizeUrl(issuer, app, { redirect_uri, code_challenge: challenge })
      const { status, headers } = await visitor.fetch(url)
      const location = headers.get('location') ?? ''
      if (status === 303 && location.startsWith('/interaction/')) return true
      t.equal(status, 400, redirect_uri)
      t.equal(location, '', redirect_uri)
      // The redirect URI receives no other error of this request either.
      const faulty = await visitor.fetch(`${url}&response_type=bogus&scope=bogus`)
      t.equal(faulty.headers.get('location'), null, redirect_uri)
      return false
    }
    const taken = [
      'http://127.0.0.1/cb',
      'http://127.0.0.1:1/cb',
      'http://127.0.0.1:65535/cb',
      'http://[::1]/cb?x=1',
      'http://[::1]:4321/cb?x=1',
      'http://localhost:3000/cb',
      'http://localhost/cb',
      'http://localhost:1/cb',
      'http://localhost:65535/cb',
      'com.example.app:/cb',
    ]
    const refused = [
      'http://127.0.0.1:1/cb/',
      'http://127.0.0.1:1/CB',
      'http://127.0.0.1:1/cb?x=1',
      'http://127.0.0.1:1/cb#',
      'http://127.0.0.1:65536/cb',
      'http://127.0.0.1:-1/cb',
      'http://127.0.0.1:1x/cb',
      'HTTP://127.0.0.1:1/cb',
      'https://127.0.0.1:1/cb',
      'http://127.0.0.1.:1/cb',
      'http://127.1:1/cb',
      'http://127.0.0.2:1/cb',
      'http://2130706433:1/cb',
      'http://0x7f.1/cb',
      'http://0.0.0.0:1/cb',
      'http://user@127.0.0.1:1/cb',
      'http://127.0.0.1:1@evil.example/cb',
      'http://127.0.0.1:1\\@evil.example/cb',
      'http://127.0.0.1.evil.example:1/cb',
      'http://[::1]:4321/cb',
      'http://[0:0:0:0:0:0:0:1]:4321/cb?x=1',
      'http://[::ffff:127.0.0.1]:4321/cb?x=1',
      'http://LOCALHOST:3000/cb',
      'http://localhost.:3000/cb',
      'http://localhost:3000/cb/',
      'http://localhost:65536/cb',
      'http://localhost:1@evil.example/cb',
      'http://localhost.evil.example:1/cb',
      'http://evil.localhost:1/cb',
      'https://localhost:1/cb',
      'com.example.app:/cb2',
      'com.example.app://cb',
      'COM.EXAMPLE.APP:/cb',
      'https://spa.example:8443/cb',
    ]
    for (const app of [native, nativeLegacy]) {
      for (const uri of taken) t.ok(await isTaken(app, uri), uri)
      for (const uri of refused) t.notOk(await isTaken(app, uri), uri)
    }
    t.ok(await isTaken(spa, 'http://localhost:3000/cb'))
    t.ok(await isTaken(spa, 'http://localhost:3001/cb'))
    t.notOk(await isTaken(spa, 'http://127.0.0.1:3000/cb'), 'a name is not an address')
    t.ok(await isTaken(plain, 'http://127.0.0.1:9000/cb'))
    t.notOk(
      await isTaken(plain, 'http://127.0.0.1:9001/cb'),
      'a confidential app must register the port',
    )
    t.notOk(await isTaken(plain, 'http://localhost:3001/cb'))
  })

  t.test('RDR-06 RDR-10 rejects dangerous URIs at registration', async (t) => {
    const faulty = [
      'https://a.example/cb#',
      'https://a.example/cb#x',
      'https://*.example/cb',
      'https://user@a.example/cb',
      'https://@a.example/cb',
      'http://a.example/cb',
      '/cb',
      '//a.example/cb',
      'https:///cb',
      'https://a.example/c b',
      'https://a.example/cb\r\nx',
      'https://a.example\\@b.example/cb',
      'https://a\uff0eexample/cb',
      'https://a.example;sandbox/cb',
      "https://a.example'self'/cb",
      'https://a.example,b.example/cb',
      `https://a.example/${'x'.repeat(10_000)}`,
      '',
      ...(unregistered['RDR-10 scripts'] as string[]),
      ...(unregistered['RDR-16 schemes of other programs'] as string[]),
    ]
    const before = await countRows(stores, 'apps')
    for (const client_type of ['public', 'confidential']) {
      for (const uri of faulty) {
        const body = {
          name: 'X',
          interface: 'current',
          client_type,
          redirect_uris: ['https://ok.example/cb', uri],
          permissions: [],
        }
        const label = `${client_type} ${JSON.stringify(uri).slice(0, 60)}`
        t.equal((await running.operator('POST', '/apps', body)).status, 400, label)
        const uris = { redirect_uris: ['https://ok.example/'], post_logout_redirect_uris: [uri] }
        t.equal((await running.operator('POST', '/apps', { ...body, ...uris })).status, 400, label)
        const path = `/apps/${current.client_id}`
        const patched = await running.operator('PATCH', path, { redirect_uris: [uri] })
        t.equal(patched.status, 400)
      }
    }
    t.equal(await countRows(stores, 'apps'), before)
  })

  t.test('RDR-16 never redirects to a URI that today’s rules would refuse', async (t) => {
    const old = ['tel:+1234567', 'search-ms:query=x', 'intent:cb']
    for (const generation of ['current', 'legacy'] as const) {
      const app = await createApp(running, {
        name: `Old ${generation}`,
        interface: generation,
        client_type: 'public',
        redirect_uris: ['https://a.example/cb'],
        openid: generation === 'current',
      })
      const permissions = generation === 'legacy' ? legacyPermissions : undefined
      await install(running, acme, app, permissions && { permissions })
      const uris = `{${old.join(',')}}`
      await sql(
        stores,
        `update apps set redirect_uris = $2, post_logout_redirect_uris = $3 where client_id = $1`,
        [app.client_id, uris, generation === 'current' ? uris : '{}'],
      )
      for (const redirect_uri of old) {
        const parameters = { redirect_uri, code_challenge: challenge }
        const url =
          generation === 'current'
            ? authorizeUrl(issuer, app, parameters)
            : legacyAuthorizeUrl(issuer, app, parameters)
        await expectPage(t, await visitor.fetch(url), 400, `${generation}: ${redirect_uri}`)
        if (generation === 'legacy') continue
        const query = new URLSearchParams({
          client_id: app.client_id,
          post_logout_redirect_uri: redirect_uri,
        })
        await expectPage(t, await visitor.fetch(`${issuer}/end-session?${query}`), 400, 'sign-out')
      }
      if (generation === 'legacy')
        await expectPage(
          t,
          await visitor.fetch(
            `${issuer}/oauth/authorize?client_id=${app.client_id}&response_type=code&code_challenge=${challenge}`,
          ),
          400,
          'the default one',
        )
      const path = `/apps/${app.client_id}`
      const renamed = await running.operator('PATCH', path, { name: 'Still changed' })
      t.equal(renamed.status, 200, 'a stored URI does not block other changes by the operator')
      const again = await running.operator('PATCH', path, { redirect_uris: old })
      t.equal(again.status, 400)
      t.equal((await running.operator('PATCH', path, { disabled: true })).status, 200)
    }
  })

  t.test('RDR-15 rejects another redirect URI at the exchange', async (t) => {
    const wrong: [string | undefined, string][] = [
      ['https://a.example/cb2?x=1', 'invalid_grant'],
      ['https://a.example/CB', 'invalid_grant'],
      ['https://a.example/cb/', 'invalid_grant'],
      ['https://a.example:443/cb', 'invalid_grant'],
      ['https://evil.example/cb', 'invalid_grant'],
      ['https://a.example/cb\0', 'invalid_grant'],
      [undefined, 'invalid_request'],
      ['', 'invalid_request'],
    ]
    const grant = await currentCode(running, current, ana, {}, visitor)
    for (const [redirect_uri, error] of wrong) {
      const { status, body } = await exchangeCode(issuer, current, grant, { redirect_uri })
      t.match({ status, error: body.error }, { status: 400, error }, String(redirect_uri))
      t.notMatch(JSON.stringify(body), /a\.example/, 'the stored value is not revealed')
    }
    t.equal((await exchangeCode(issuer, current, grant)).status, 200, 'the code is still valid')
  })
})
