import type { Test } from 'tap'
import { startCanary } from '../support/canary.ts'
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
import { amounts, countRows } from '../support/traces.ts'
import { createVisitor, pageKind, walk } from '../support/visitor.ts'
import { createApp, install, legacyPermissions } from '../support/world.ts'

/** The parameters of an authorization response, from the query or the fragment. */
const answerOf = (response: Response) => {
  const location = response.headers.get('location')
  if (!location) return { location: '', query: new URLSearchParams(), hash: new URLSearchParams() }
  const url = new URL(location, 'http://server.invalid')
  return {
    location,
    query: url.searchParams,
    hash: new URLSearchParams(url.hash.slice(1)),
  }
}

/** The app receives the error once, with its state and, on the current interface, the issuer. */
const expectError = (
  t: Test,
  response: Response,
  expected: { error: string | RegExp; state?: string | null; iss?: string; fragment?: boolean },
  label: string,
) => {
  const { location, query, hash } = answerOf(response)
  const values = expected.fragment ? hash : query
  const { error, state = 'the-state', iss } = expected
  const sent = values.get('error') ?? ''
  const wrong = [
    response.status !== 303 && `status ${response.status}`,
    !/^https:\/\/(app|spa|view)\.example\/cb/.test(location) && `location ${location}`,
    !(typeof error === 'string' ? sent === error : error.test(sent)) && `error ${sent}`,
    values.getAll('error').length !== 1 && 'error repeated',
    values.get('state') !== state && `state ${values.get('state')}`,
    values.getAll('iss').join() !== (iss ?? '') && `iss ${values.getAll('iss')}`,
    /code=|access_token=/.test(location) && 'a code or token',
    !/^[\x20-\x21\x23-\x5b\x5d-\x7e]*$/.test(values.get('error_description') ?? '') &&
      'error_description has other characters',
    response.headers.get('cache-control') !== 'no-store' && 'may be cached',
  ].filter((one) => one !== false)
  t.same(wrong, [], label)
}

await onEachBackend('authorization request', async (t, { running, issuer, world, stores }) => {
  const { confidential, publicApp, legacy, legacyPublic, ana, kim, acme, other } = world
  const visitor = await signedIn(issuer, ana)
  const challenge = challengeOf(newVerifier())
  await currentCode(running, confidential, ana, {}, visitor)
  await walk(visitor, legacyAuthorizeUrl(issuer, legacy), ana)
  await walk(visitor, legacyAuthorizeUrl(issuer, legacyPublic, { response_type: 'token' }), ana)

  const current = (more: Record<string, string> = {}) =>
    authorizeUrl(issuer, confidential, { code_challenge: challenge, ...more })
  const old = (more: Record<string, string> = {}) => legacyAuthorizeUrl(issuer, legacy, more)

  t.test(
    'ARQ-01 rejects every response_type except code and, on the legacy interface, token',
    async (t) => {
      const before = await amounts(stores)
      const unknown = [
        'CODE',
        'code token',
        'token code',
        'none',
        'id_token',
        'code\0',
        ' code',
        'x',
      ]
      const respelt = ['code code', 'code  code', 'code ', 'code\tcode', 'code,code', '__proto__']
      for (const response_type of [...unknown, ...respelt, 'token', 'code id_token']) {
        const answer = await visitor.fetch(current({ response_type }))
        const error = 'unsupported_response_type'
        expectError(t, answer, { error, iss: issuer }, `current: ${response_type}`)
      }
      for (const response_type of [...unknown, ...respelt, 'TOKEN', 'code id_token']) {
        const answer = await visitor.fetch(old({ response_type }))
        expectError(t, answer, { error: 'unsupported_response_type' }, `legacy: ${response_type}`)
      }
      const missing = await visitor.fetch(old({ response_type: '' }))
      expectError(t, missing, { error: 'invalid_request' }, 'legacy: empty')
      t.same(await amounts(stores), before)
      for (const more of [{}, { response_type: '' }]) {
        const { query } = answerOf(await visitor.fetch(current(more)))
        t.ok(query.get('code'), 'current: absent means code')
      }
    },
  )

  t.test('ARQ-03 an implicit response has the token in the fragment only', async (t) => {
    const url = legacyAuthorizeUrl(issuer, legacyPublic, { response_type: 'token' })
    const response = await visitor.fetch(url)
    const { location, query, hash } = answerOf(response)
    t.equal(response.status, 303)
    t.equal([...query].length, 0, 'nothing in the query')
    t.same(
      [...hash.keys()].toSorted(),
      ['access_token', 'expires_in', 'scope', 'state', 'token_type'],
      'no refresh token',
    )
    t.match(Object.fromEntries(hash), {
      token_type: 'bearer',
      expires_in: '7200',
      state: 'the-state',
    })
    t.equal(response.headers.get('cache-control'), 'no-store')
    t.equal(response.headers.get('referrer-policy'), 'no-referrer')
    const token = hash.get('access_token') as string
    t.notOk(
      running.log.some((line) => line.includes(token)),
      'not in the log',
    )
    t.ok(location.startsWith('https://view.example/cb#'))
  })

  t.test('ARQ-04 rejects unsupported response modes', async (t) => {
    const bogus = ['jwt', 'query.jwt', 'form_post.jwt', 'bogus', 'QUERY', '__proto__']
    for (const response_mode of [...bogus, 'fragment']) {
      const answer = await visitor.fetch(current({ response_mode }))
      const error = /unsupported_response_mode|invalid_request/
      expectError(t, answer, { error, iss: issuer }, `current: ${response_mode}`)
    }
    for (const response_mode of [...bogus, 'fragment', 'form_post']) {
      const answer = await visitor.fetch(old({ response_mode }))
      expectError(t, answer, { error: 'unsupported_response_mode' }, `legacy: ${response_mode}`)
    }
    const implicit = { response_type: 'token' }
    for (const response_mode of [...bogus, 'query', 'form_post']) {
      const url = legacyAuthorizeUrl(issuer, legacyPublic, { ...implicit, response_mode })
      const error = { error: 'unsupported_response_mode', fragment: true }
      expectError(t, await visitor.fetch(url), error, `implicit: ${response_mode}`)
    }
    const twice = await visitor.fetch(`${current()}&response_mode=query&response_mode=form_post`)
    expectError(t, twice, { error: 'invalid_request', iss: issuer }, 'twice')
  })

  t.test(
    'ARQ-04 a form_post response is escaped and has its own content security policy',
    async (t) => {
      const state = `"><script>alert(1)</script>'&amp;\n<%= 1 %>\u202e\ud83d\ude00`
      const requested = { response_mode: 'form_post', state }
      for (const more of [
        requested,
        { ...requested, scope: 'bogus' },
        { ...requested, prompt: 'none login' },
      ]) {
        const page = await visitor.get(current(more))
        t.equal(page.status, 200)
        t.notMatch(page.text, /<script>|<%|alert\(1\)<\//)
        const fields = Object.fromEntries(
          page.dom
            .querySelectorAll('form input')
            .map((one) => [one.getAttribute('name') as string, one.getAttribute('value')]),
        )
        t.equal(fields.state, state, 'the state is unchanged')
        t.equal(fields.iss, issuer)
        t.ok('scope' in more || 'prompt' in more ? fields.error && !fields.code : fields.code)
        const form = page.dom.querySelector('form')
        t.equal(form?.getAttribute('action'), confidential.redirect_uri)
        const policy = page.headers.get('content-security-policy') ?? ''
        t.match(policy, /default-src 'none'/)
        t.notMatch(policy, 'form-action')
        t.notMatch(policy, /unsafe|\*/)
        t.equal(page.headers.get('cache-control'), 'no-store')
        t.equal(page.headers.get('referrer-policy'), 'no-referrer')
      }
    },
  )

  t.test('ARQ-05 request objects are neither fetched nor believed', async (t) => {
    const canary = await startCanary()
    const inner = Buffer.from(JSON.stringify({ scope: '', redirect_uri: 'https://evil.example' }))
    const request = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${inner.toString('base64url')}.`
    const cases: Record<string, string>[] = [
      { request_uri: `${canary.url}/request.jwt` },
      { request_uri: `${canary.url.replace('http:', 'https:')}/request.jwt#x` },
      { request_uri: 'urn:ietf:params:oauth:request_uri:unknown' },
      { request_uri: 'urn:ietf:params:oauth:request_uri:' },
      { request_uri: 'urn:example:request' },
      { request_uri: 'file:///etc/passwd' },
      { request_uri: '\0' },
      { request },
      { request: 'x' },
      { request, request_uri: `${canary.url}/both` },
      { registration: JSON.stringify({ redirect_uris: [canary.url] }) },
    ]
    const before = await amounts(stores)
    for (const more of cases) {
      const answer = await visitor.fetch(current(more))
      const label = JSON.stringify(more).slice(0, 60)
      const { query, location } = answerOf(answer)
      t.ok(answer.status === 400 || query.get('error'), label)
      t.notMatch(location, /evil|code=/, label)
    }
    t.same(await amounts(stores), before)
    const claims = await visitor.fetch(
      current({ claims: '{"id_token":{"x":{"essential":true}}}', nonce: 'n' }),
    )
    t.ok(answerOf(claims).query.get('code'), 'ignores a parameter that OAuth does not define')
    t.same(canary.requested, [])
    await canary.stop()
  })

  t.test('ARQ-06 prompt=none never shows a page', async (t) => {
    const stranger = createVisitor(issuer)
    const nobody = await stranger.fetch(current({ prompt: 'none' }))
    expectError(t, nobody, { error: 'login_required', iss: issuer }, 'no user is signed in')
    const fresh = await createApp(running, { name: 'Never approved' })
    await install(running, acme, fresh)
    const unseen = await createApp(running, { name: 'Never installed' })
    const ask = (app: typeof fresh, more = {}) =>
      visitor.fetch(
        authorizeUrl(issuer, app, { code_challenge: challenge, prompt: 'none', ...more }),
      )
    const before = await amounts(stores)
    const needed = /consent_required|interaction_required/
    expectError(t, await ask(fresh), { error: needed, iss: issuer }, 'no consent')
    expectError(t, await ask(unseen), { error: needed, iss: issuer }, 'not installed')
    expectError(
      t,
      await ask(confidential, { organization_id: other }),
      { error: /interaction_required|account_selection_required/, iss: issuer },
      'a foreign organization',
    )
    for (const prompt of ['none login', 'none consent', 'login none', 'none select_account']) {
      const answer = await visitor.fetch(current({ prompt }))
      expectError(t, answer, { error: 'invalid_request', iss: issuer }, prompt)
    }
    for (const prompt of ['bogus', 'NONE', 'login bogus', '__proto__']) {
      const answer = await visitor.fetch(current({ prompt }))
      expectError(t, answer, { error: 'invalid_request', iss: issuer }, prompt)
    }
    t.same(await amounts(stores), before, 'no page, no code')
  })

  t.test('ARQ-16 prompt=none does not reveal whether the user is a member', async (t) => {
    const make = async (part: Record<string, unknown>) => {
      const app = await createApp(running, { name: 'Curious', ...part })
      return { app, path: `/organizations/${acme}/installs/${app.client_id}` }
    }
    const kinds = [
      { ...(await make({})), permissions: [] },
      { ...(await make({ interface: 'legacy' })), permissions: legacyPermissions },
    ]
    const [sales, unknown] = [world.sales, 'wks0000000000000000000']
    for (const { app, path, permissions } of kinds) {
      const isLegacy = permissions.length > 0
      const ask = (by: typeof visitor, more: Record<string, string>) =>
        by.fetch(
          isLegacy
            ? legacyAuthorizeUrl(issuer, app, { response_mode: 'web_message', ...more })
            : authorizeUrl(issuer, app, { code_challenge: challenge, ...more }),
        )
      const told = async (by: typeof visitor, more: Record<string, string>) => {
        const response = await ask(by, { prompt: 'none', ...more })
        const text = await response.text()
        const posted = text.match(/data-answer="[^"]*"|<input[^>]*>/g) ?? []
        return `${response.status} ${response.headers.get('location')} ${posted.join(' ')}`
      }
      const requests: Record<string, string>[] = [
        {},
        { organization_id: acme },
        { organization_id: acme, response_mode: 'web_message' },
        ...(isLegacy
          ? []
          : [
              { organization_id: acme, workspace_ids: sales },
              { organization_id: acme, workspace_ids: unknown },
              { organization_id: acme, response_mode: 'form_post' },
            ]),
      ]
      const people = [visitor, await signedIn(issuer, kim), await signedIn(issuer, world.zoe)]
      const [stranger] = people.slice(-1) as [typeof visitor]
      const compare = async (state: string) => {
        for (const more of requests) {
          const expected = await told(stranger, more)
          t.match(expected, 'interaction_required', `${state} ${JSON.stringify(more)}`)
          for (const one of people)
            t.equal(await told(one, more), expected, `${state} ${JSON.stringify(more)}`)
        }
      }
      await compare('not installed')
      await install(running, acme, app, { permissions })
      if (!isLegacy) await compare('installed, not consented to')
      await running.operator('PATCH', path, { suspended: true })
      await compare('suspended')
      await running.operator('DELETE', path)
      await compare('uninstalled')
    }
  })

  t.test('ARQ-07 a custom scheme or loopback redirect asks for consent each time', async (t) => {
    for (const redirect of ['com.example.app:/cb', 'http://127.0.0.1/cb', 'http://localhost/cb']) {
      const app = await createApp(running, {
        name: 'Native',
        client_type: 'public',
        redirect_uris: [redirect],
      })
      await install(running, acme, app)
      t.ok((await currentCode(running, app, ana, {}, visitor)).code, redirect)
      // A public app may also use any other port of the device.
      const redirect_uri = redirect.replace(/^(http:[^/]*\/\/[^/]+)/, '$1:50123')
      const url = authorizeUrl(issuer, app, { redirect_uri, code_challenge: challenge })
      t.equal(pageKind(await visitor.get(url)), 'decide', redirect)
      const silent = answerOf(await visitor.fetch(`${url}&prompt=none`))
      t.match(silent.query.get('error'), /_required$/, redirect)
      const legacyApp = await createApp(running, {
        name: 'Native',
        interface: 'legacy',
        client_type: 'public',
        redirect_uris: [redirect],
      })
      await install(running, acme, legacyApp, { permissions: legacyPermissions })
      const legacyUrl = legacyAuthorizeUrl(issuer, legacyApp, {
        response_type: 'token',
        organization_id: acme,
      })
      t.ok((await walk(visitor, legacyUrl, ana)).left)
      t.equal(pageKind(await visitor.get(legacyUrl)), 'decide', redirect)
    }
    await currentCode(running, publicApp, ana, {}, visitor)
    const claimed = await visitor.fetch(
      authorizeUrl(issuer, publicApp, { code_challenge: challenge }),
    )
    t.ok(answerOf(claimed).query.get('code'), 'an https redirect URI has an owner')
  })

  t.test('ARQ-08 force_prompt shows the consent page again', async (t) => {
    for (const force_prompt of ['true', 'yes', '1'])
      t.equal(pageKind(await visitor.get(old({ force_prompt }))), 'decide', force_prompt)
    for (const force_prompt of ['TRUE', 'Yes', '0', 'false', 'no', '', 'on', ' true', '01'])
      t.ok(answerOf(await visitor.fetch(old({ force_prompt }))).query.get('code'), force_prompt)
    const preselected = old({ force_prompt: 'true', organization_id: acme })
    t.equal(pageKind(await visitor.get(preselected)), 'decide', 'also with organization_id')
    const twice = await visitor.fetch(`${old({ force_prompt: '1' })}&force_prompt=0`)
    expectError(t, twice, { error: 'invalid_request' }, 'twice')
  })

  t.test('ARQ-09 a foreign and an unknown organization get the same answer', async (t) => {
    const hints = [
      other,
      'org000000000000000000',
      '\0',
      "' or 1=1--",
      acme.toUpperCase(),
      '__proto__',
    ]
    for (const ask of [old, current]) {
      const pages = []
      for (const organization_id of hints) {
        const page = await visitor.get(ask({ organization_id }))
        t.equal(pageKind(page), 'choose-organization', organization_id)
        pages.push(
          withoutReference(page.text).replaceAll(/\/interaction\/[\w-]+|value="[\w-]{20,}"/g, ''),
        )
        if (organization_id.length > 4) t.notOk(page.text.includes(organization_id))
      }
      t.equal(new Set(pages).size, 1, 'all answers are equal')
    }
    const page = await visitor.get(old({ organization_id: other }))
    const refused = await visitor.submit(page, { organization_id: other })
    t.equal(refused.status, 400, 'the page refuses it too')
    t.equal(pageKind(refused), 'choose-organization')
  })

  t.test('ARQ-10 a member cannot approve an install for the organization', async (t) => {
    const apps = [
      { app: await createApp(running, { name: 'Wanted' }), ask: authorizeUrl },
      {
        app: await createApp(running, { name: 'Wanted', interface: 'legacy' }),
        ask: legacyAuthorizeUrl,
      },
    ]
    for (const { app, ask } of apps) {
      const before = await amounts(stores)
      const url = ask(issuer, app, { code_challenge: challenge })
      const page = await visitor.get(url)
      t.equal(pageKind(page), 'ask-admin')
      const forms = [
        { decision: 'approve' },
        { decision: 'approve', permissions: ['records:create', 'readData'], workspace_ids: '*' },
        { decision: 'approve', organization_id: other },
        { decision: 'install' },
        { decision: '' },
      ]
      for (const form of forms) {
        const answer = await visitor.submit(page, form)
        t.equal(answer.status, 403, JSON.stringify(form))
        t.equal(answer.left, null)
      }
      const after = await amounts(stores)
      t.equal(after.installs, before.installs, 'no install')
      t.equal(after.grants, before.grants, 'no grant')
    }
  })

  t.test('ARQ-10 an admin cannot approve more than the page offered', async (t) => {
    const app = await createApp(running, { name: 'Narrow', permissions: ['records:create'] })
    const admin = await signedIn(issuer, kim)
    const page = await admin.get(authorizeUrl(issuer, app, { code_challenge: challenge }))
    const before = await countRows(stores, 'installs')
    const forms: Record<string, string | string[]>[] = [
      { permissions: ['records:create', 'records:delete'] },
      { permissions: 'readData' },
      { permissions: '*' },
      { workspace_ids: world.foreignWorkspace },
      { workspace_ids: ['*', world.foreignWorkspace] },
      { workspace_ids: 'wks' },
      { workspace_ids: '\0' },
    ]
    for (const form of forms) {
      const answer = await admin.submit(page, { decision: 'approve', ...form })
      t.equal(answer.status, 400, JSON.stringify(form))
    }
    const none = await admin.submit(page, { decision: 'approve', workspace_ids: null })
    t.equal(none.status, 400, 'no workspace')
    t.equal(await countRows(stores, 'installs'), before)
    const there = await admin.submit(page, { decision: 'approve', organization_id: other })
    t.equal(pageKind(there), 'decide', 'the page’s organization is used')
    const path = `/organizations/${other}/installs/${app.client_id}`
    t.equal((await running.operator('GET', path)).status, 404)
  })

  t.test('ARQ-12 rejects oversized requests', async (t) => {
    const big = 'x'.repeat(1_000_000)
    for (const url of [current({ state: big }), old({ state: big })])
      t.equal((await visitor.fetch(url)).status, 431)
    const many = Array.from({ length: 10_000 }, (_, at) => `p${at}=1`).join('&')
    for (const body of [`state=${big}`, `${many}&${many}`]) {
      const answer = await visitor.fetch(`${issuer}/authorize`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body,
      })
      await expectPage(t, answer, 400, 'a big body')
    }
    const repeated = `${current()}${'&state=x'.repeat(1500)}`
    expectError(
      t,
      await visitor.fetch(repeated),
      { error: 'invalid_request', state: null, iss: issuer },
      'many states',
    )
    for (const url of [current({ state: 'x'.repeat(8000) }), old({ state: 'x'.repeat(8000) })])
      t.equal(answerOf(await visitor.fetch(url)).query.get('error'), 'invalid_request')
  })

  t.test('ARQ-12 a pending request has a size limit', async (t) => {
    const stranger = createVisitor(issuer)
    const long = 'x'.repeat(7000)
    const hint = `kim@${'x'.repeat(400)}`
    const post = (more: Record<string, string>) =>
      stranger.fetch(`${issuer}/authorize`, {
        method: 'POST',
        body: new URLSearchParams([...new URL(current(more)).searchParams]),
      })
    await expectPage(t, await post({ login_hint: 'x'.repeat(8000) }), 400, 'a long body')
    await expectPage(
      t,
      await post({ unheard_of: 'x'.repeat(8000) }),
      400,
      'in an unknown parameter',
    )
    // Ignored without the scope `openid`, whatever their value (OpenID Connect Core §3.1.2.1).
    for (const name of ['nonce', 'id_token_hint'])
      t.match((await post({ [name]: long })).headers.get('location'), /^\/interaction\//, name)
    t.equal(answerOf(await post({ max_age: long })).query.get('error'), 'invalid_request')
    const waiting = await stranger.get(current({ login_hint: hint }))
    t.equal(waiting.dom.querySelector('input[name="email"]')?.getAttribute('value')?.length, 320)
    for (const workspace_ids of ['x'.repeat(129), `${world.sales} *`]) {
      const { query } = answerOf(await post({ workspace_ids }))
      t.equal(query.get('error'), 'invalid_scope')
    }
  })

  t.test('ARQ-13 every response of the current interface has one iss', async (t) => {
    const metadata = (await (
      await fetch(`${issuer}/.well-known/oauth-authorization-server`)
    ).json()) as Record<string, unknown>
    t.match(metadata, { issuer, authorization_response_iss_parameter_supported: true })
    for (const more of [
      {},
      { scope: 'bogus' },
      { prompt: 'none login' },
      { iss: 'https://evil' },
    ]) {
      const { query } = answerOf(await visitor.fetch(current(more)))
      t.same(query.getAll('iss'), [issuer], JSON.stringify(more))
    }
  })

  t.test('ARQ-13 state is returned unchanged', async (t) => {
    const states = [
      'a b+c%20d',
      '\ud83d\ude00\u00e4\u4e2d',
      '\r\nSet-Cookie: x=y\r\n\r\n<html>',
      'a\0b',
      '#&=?/;:@%',
      '%0d%0a',
      '"\'\\<script>',
      '\u2028\u202e',
      '{"a":[1]}',
      '__proto__',
      'x'.repeat(4096),
    ]
    for (const state of states) {
      for (const url of [current({ state }), old({ state }), current({ state, scope: 'x' })]) {
        const response = await visitor.fetch(url)
        t.equal(response.status, 303)
        t.equal(answerOf(response).query.get('state'), state)
        t.notOk(response.headers.getSetCookie().some((line) => line.startsWith('x=')))
      }
    }
    for (const url of [current({ state: '' }), old({ state: '' })])
      t.notOk(
        answerOf(await visitor.fetch(url)).query.has('state'),
        'an empty state counts as absent',
      )
  })

  t.test(
    'ARQ-14 accepts an authorization request by POST, with all parameters in the body',
    async (t) => {
      const fields = Object.fromEntries(new URL(current()).searchParams)
      const send = (url: string, init: RequestInit) =>
        visitor.fetch(url, { method: 'POST', ...init })
      const plain = await send(`${issuer}/authorize`, { body: new URLSearchParams(fields) })
      t.ok(answerOf(plain).query.get('code'), 'the same as with GET')
      const before = await amounts(stores)
      const stranger = { 'sec-fetch-site': 'cross-site' }
      const twice = new URLSearchParams([...Object.entries(fields), ['state', 'again']])
      for (const body of [new URLSearchParams(fields), twice]) {
        // A cross-site POST carries no cookies, so the user seems signed out; it must not replace the
        // browser's cookie either.
        const form = await fetch(`${issuer}/authorize`, {
          method: 'POST',
          body,
          headers: stranger,
          redirect: 'manual',
        })
        t.equal(form.status, 303, 'a form of another site')
        const leads = new URL(form.headers.get('location') ?? '', issuer)
        t.equal(leads.pathname, '/authorize')
        t.same(
          [...leads.searchParams].sort(),
          [...body].sort(),
          'redirected to the equivalent link',
        )
        t.same(form.headers.getSetCookie(), [])
      }
      const long = new URLSearchParams({ ...fields, state: 'x'.repeat(8000) })
      await expectPage(
        t,
        await send(`${issuer}/authorize`, { body: long, headers: stranger }),
        400,
        'too long for a URL',
      )
      for (const [name, value] of Object.entries(fields)) {
        const rest = new URLSearchParams(fields)
        rest.delete(name)
        const split = `${issuer}/authorize?${name}=${encodeURIComponent(value)}`
        await expectPage(t, await send(split, { body: rest }), 400, `${name} in the query`)
      }
      const whole = await send(current(), { body: new URLSearchParams(fields) })
      await expectPage(t, whole, 400, 'in the query and in the body')
      await expectPage(t, await send(current(), {}), 400, 'all in the query')
      for (const [type, body] of [
        ['application/json', JSON.stringify(fields)],
        ['text/plain', String(new URLSearchParams(fields))],
        ['multipart/form-data; boundary=x', '--x--'],
        ['application/x-www-form-urlencoded; charset=utf-16', String(new URLSearchParams(fields))],
        ['', String(new URLSearchParams(fields))],
      ] as const) {
        const init = { headers: { 'content-type': type }, body: Buffer.from(body) }
        await expectPage(t, await send(`${issuer}/authorize`, init), 400, type)
      }
      const bad = new URLSearchParams({ ...fields, redirect_uri: 'https://evil.example/cb' })
      await expectPage(
        t,
        await send(`${issuer}/authorize`, { body: bad }),
        400,
        'the redirect URI is still checked',
      )
      const legacyPost = await send(`${issuer}/oauth/authorize`, {
        body: new URL(old()).searchParams,
      })
      t.match(legacyPost.status, /^40[045]$/)
      for (const method of ['HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
        for (const url of [current(), old()]) {
          const answer = await visitor.fetch(url, { method })
          t.ok([400, 404, 405].includes(answer.status), `${method} ${answer.status}`)
          t.equal(answer.headers.get('location'), null)
        }
      }
      t.same(await amounts(stores), before)
    },
  )

  t.test('PAR-01 rejects repeated parameters', async (t) => {
    const before = await amounts(stores)
    const values: Record<string, [string, string]> = {
      response_type: ['code', 'token'],
      state: ['the-state', 'another'],
      scope: ['records:create', 'records:update'],
      code_challenge: [challenge, challengeOf('x')],
      code_challenge_method: ['S256', 'plain'],
      organization_id: [acme, other],
      prompt: ['none', 'login'],
      workspace_ids: [world.sales, world.support],
      login_hint: ['a', 'b'],
      response_mode: ['query', 'form_post'],
    }
    for (const [name, [same, different]] of Object.entries(values)) {
      for (const second of [same, different]) {
        const [one, two] = [encodeURIComponent(same), encodeURIComponent(second)]
        const state = name === 'state' ? null : 'the-state'
        const url = new URL(current())
        url.searchParams.delete(name)
        const answer = await visitor.fetch(`${url}&${name}=${one}&${name}=${two}`)
        expectError(t, answer, { error: 'invalid_request', state, iss: issuer }, `current: ${name}`)
      }
    }
    const legacyValues: Record<string, [string, string]> = {
      response_type: ['code', 'token'],
      state: ['the-state', 'another'],
      scope: ['readData', 'insertData'],
      organization_id: [acme, other],
      force_prompt: ['1', '0'],
      code_challenge: [challenge, challengeOf('x')],
    }
    for (const [name, [same, different]] of Object.entries(legacyValues)) {
      for (const second of [same, different]) {
        const url = new URL(old())
        url.searchParams.delete(name)
        const [one, two] = [encodeURIComponent(same), encodeURIComponent(second)]
        const state = name === 'state' ? null : 'the-state'
        const answer = await visitor.fetch(`${url}&${name}=${one}&${name}=${two}`)
        expectError(t, answer, { error: 'invalid_request', state }, `legacy: ${name}`)
      }
    }
    t.same(await amounts(stores), before)
  })

  t.test('PKC-01 PKC-03 PKC-08 PAR-05 requires a valid S256 code_challenge', async (t) => {
    const before = await amounts(stores)
    const faults: Record<string, string>[] = [
      { code_challenge: '' },
      { code_challenge: '', code_challenge_method: 'S256' },
      { code_challenge: '', code_challenge_method: 'plain' },
      { code_challenge_method: 'plain' },
      { code_challenge_method: 's256' },
      { code_challenge_method: 'S512' },
      { code_challenge_method: 'none' },
      { code_challenge_method: 'S256 ' },
      { code_challenge: challenge.slice(1) },
      { code_challenge: `${challenge}A` },
      { code_challenge: `${challenge}=` },
      { code_challenge: `${challenge.slice(1)}=` },
      { code_challenge: `+${challenge.slice(1)}` },
      { code_challenge: `/${challenge.slice(1)}` },
      { code_challenge: `~${challenge.slice(1)}` },
      { code_challenge: ` ${challenge.slice(1)}` },
      { code_challenge: `\u00e9${challenge.slice(1)}` },
      { code_challenge: `${challenge.slice(1)}\n` },
      { code_challenge: `${challenge.slice(1)}\0` },
      { code_challenge: 'A'.repeat(10_000) },
    ]
    for (const app of [confidential, publicApp]) {
      for (const more of faults) {
        const url = authorizeUrl(issuer, app, { code_challenge: challenge, ...more })
        const label = JSON.stringify(more).slice(0, 80)
        expectError(t, await visitor.fetch(url), { error: 'invalid_request', iss: issuer }, label)
      }
      const none = new URL(authorizeUrl(issuer, app, {}))
      expectError(t, await visitor.fetch(none), { error: 'invalid_request', iss: issuer }, 'none')
    }
    // The legacy interface does not require PKCE, but enforces a challenge that was sent.
    for (const more of faults.slice(2)) {
      const url = old({ code_challenge: challenge, ...more })
      expectError(t, await visitor.fetch(url), { error: 'invalid_request' }, JSON.stringify(more))
    }
    t.same(await amounts(stores), before)
    const absent = await visitor.fetch(current({ code_challenge_method: '' }))
    t.ok(answerOf(absent).query.get('code'), 'an absent method means S256')
  })

  t.test('SCP-02 SCP-09 SCP-10 rejects invalid scopes and workspaces', async (t) => {
    const scopes = [
      'openid offline_access profile admin',
      'openid',
      'access',
      'offline_access readData',
      'readData',
      'RECORDS:CREATE',
      'records:create\trecords:update',
      'records:create,records:update',
      'records:delete',
      'records:create "',
      'records:create \\',
      ' ',
      '\0',
      '*',
      '__proto__',
    ]
    for (const scope of scopes) {
      const answer = await visitor.fetch(current({ scope }))
      expectError(t, answer, { error: 'invalid_scope', iss: issuer }, scope)
    }
    for (const scope of ['records:create', 'openid', 'READDATA', 'readData,insertData', ' ', '*'])
      expectError(t, await visitor.fetch(old({ scope })), { error: 'invalid_scope' }, scope)
    for (const workspace_ids of [world.foreignWorkspace, world.finance, 'wks', '*', ' ', '../x']) {
      const page = await walk(visitor, current({ workspace_ids }), ana)
      t.equal(page.left?.searchParams.get('error'), 'invalid_scope', workspace_ids)
      t.equal(page.left?.searchParams.get('iss'), issuer)
    }
    const doubled = { scope: 'records:update  records:update records:create ' }
    t.ok(answerOf(await visitor.fetch(current(doubled))).query.get('code'))
  })

  t.test('PAR-06 ignores unknown parameters', async (t) => {
    const unknown = {
      extra: 'foobar',
      'x-custom': '1',
      resources: 'https://x.example',
      nonce: 'n',
      id_token_hint: 'x',
      acr_values: '1',
      ui_locales: 'xx',
      display: 'bogus',
      authorization_details: 'x',
      web_message_uri: 'https://evil.example',
      requested_scope: 'records:delete',
      'state[]': 'x',
      __proto__x: '1',
      constructor: '1',
    }
    t.ok(answerOf(await visitor.fetch(current(unknown))).query.get('code'))
    t.ok(answerOf(await visitor.fetch(old(unknown))).query.get('code'))
    for (const url of [current(), old()])
      t.ok(answerOf(await visitor.fetch(`${url}&__proto__=1&&=&=x&a`)).query.get('code'), url)
    const grant = await currentCode(running, confidential, ana, unknown, visitor)
    const { body } = await exchangeCode(issuer, confidential, grant)
    t.notMatch(body.scope, 'records:delete', 'no effect on the response')
    t.notOk('id_token' in body)
  })

  t.test('HTTP-07 rejects a broken percent-encoding', async (t) => {
    const broken = ['%zz', '%', '%2', '%%', '%u0041', 'a%']
    for (const url of [current(), old()]) {
      for (const piece of broken) {
        await expectPage(t, await visitor.fetch(`${url}&state=${piece}`), 400, piece)
        await expectPage(t, await visitor.fetch(`${url}&${piece}=x`), 400, piece)
      }
    }
    for (const bytes of ['%ff', '%c0%80', '%ed%a0%80'])
      t.ok((await visitor.fetch(`${current()}&login_hint=${bytes}`)).status < 500)
  })
})
