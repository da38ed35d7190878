import { randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import tap from 'tap'
import { newWebhookSecret } from '../../src/core/webhooks/signature.ts'
import { latchkey as command } from '../cli/latchkey-command.ts'
import { decide, secretOn } from '../pages/organization-visit.ts'
import { beginDevice, createDeviceApp, enterCode } from '../support/device.ts'
import { eventually } from '../support/eventually.ts'
import {
  authorizeUrl,
  challengeOf,
  clientCredentials,
  currentCode,
  exchangeCode,
  legacyAuthorizeUrl,
  legacyCode,
  legacyToken,
  newVerifier,
  post,
  refresh,
} from '../support/flows.ts'
import { masterKey, operatorToken } from '../support/latchkey.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { openidApp, userinfoAt } from '../support/openid.ts'
import { introspectAt, registerResourceServer, selfSign } from '../support/resource-server.ts'
import { signedIn, signIn } from '../support/signed-in.ts'
import { startTraceReceiver } from '../support/trace-receiver.ts'
import { dumpStores, findSecrets, plant, sql } from '../support/traces.ts'
import { createVisitor, type VisitedPage, walk } from '../support/visitor.ts'
import { createApp, install } from '../support/world.ts'

const collector = await startTraceReceiver()
tap.teardown(() => collector.stop())

await onEachBackend(
  'secrecy',
  async (t, { running, issuer, world, stores }) => {
    const { confidential, second, publicApp, legacy, legacyPublic, ana, kim, acme } = world
    /** Every secret that crossed the wire, by its kind. */
    const secrets = new Map<string, string>()
    const note = (what: string, value: string | null | undefined) => {
      if (value && value.length >= 8) secrets.set(value, what)
    }
    const noteTokens = (answer: { body: Record<string, string> }) => {
      note('access token', answer.body.access_token)
      note('refresh token', answer.body.refresh_token)
      return answer
    }
    note('master key', masterKey)
    note('operator token', operatorToken)
    for (const app of [confidential, second, legacy]) note('client secret', app.client_secret)
    for (const person of [ana, kim]) note('password', person.password)

    t.test('collects secrets of successful and failed flows', async (t) => {
      const visitor = await signedIn(issuer, ana)
      const wrong = 'a-password-that-is-wrong-4711'
      note('wrong password', wrong)
      const failing = createVisitor(issuer)
      await signIn(failing, { email: ana.email, password: wrong })
      await signIn(failing, { email: ana.email, password: `${wrong}\0` })

      const state = 'state-0123456789-abcdef'
      note('state', state)
      const codes = []
      for (const app of [confidential, publicApp]) {
        const grant = await currentCode(running, app, ana, { state }, visitor)
        note('code', grant.code)
        note('verifier', grant.verifier)
        const badVerifier = newVerifier()
        note('wrong verifier', badVerifier)
        await exchangeCode(issuer, app, grant, { code_verifier: badVerifier })
        await exchangeCode(issuer, app, grant, { redirect_uri: 'https://app.example/cb2' })
        const tokens = noteTokens(await exchangeCode(issuer, app, grant))
        await exchangeCode(issuer, second, grant)
        const next = noteTokens(await refresh(issuer, app, tokens.body.refresh_token as string))
        await refresh(issuer, app, `${next.body.refresh_token}x`)
        await refresh(issuer, app, tokens.body.refresh_token as string) // Reuse.
        codes.push(grant)
      }
      const unused = await currentCode(running, confidential, ana, {}, visitor)
      note('code', unused.code)
      const rotated = noteTokens(
        await exchangeCode(
          issuer,
          confidential,
          await currentCode(running, confidential, ana, {}, visitor),
        ),
      )
      t.ok(rotated.body.refresh_token)
      // Secrets in wrong places too: in the query, in Basic, as another parameter.
      const misplaced = new URLSearchParams({
        code: unused.code,
        code_verifier: unused.verifier,
        client_secret: confidential.client_secret,
        refresh_token: rotated.body.refresh_token as string,
        password: ana.password,
        access_token: rotated.body.access_token as string,
      })
      for (const path of [
        '/authorize',
        '/oauth/authorize',
        '/login',
        '/nowhere',
        '/api/oauth/token',
      ])
        await visitor.fetch(`${issuer}${path}?${misplaced}`)
      await visitor.fetch(`${issuer}/api/oauth/token?${misplaced}`, {
        method: 'POST',
        body: misplaced,
      })
      const authorization = `Basic ${Buffer.from(`${confidential.client_id}:${confidential.client_secret}`).toString('base64')}`
      note('Authorization', authorization.slice(6))
      await post(`${issuer}/api/oauth/token`, { grant_type: 'x' }, { authorization })
      await post(
        `${issuer}/api/oauth/token`,
        { grant_type: 'refresh_token', refresh_token: 'x' },
        { authorization },
      )
      await fetch(`${issuer}/api/oauth/token`, { headers: { authorization } })
      await fetch(`${issuer}/nowhere`, { headers: { authorization } })
      await clientCredentials(
        issuer,
        { ...confidential, client_secret: `${confidential.client_secret}x` },
        acme,
      )
      noteTokens(await clientCredentials(issuer, confidential, acme))

      const wiki = await openidApp(running, world)
      const identity = { state, scope: 'openid profile email', organization_id: acme }
      const known = await currentCode(running, wiki, ana, identity, visitor)
      const signedAs = noteTokens(await exchangeCode(issuer, wiki, known)).body
      note('ID token', signedAs.id_token)
      for (const token of [signedAs.access_token as string, `${signedAs.id_token}`, 'x'])
        await userinfoAt(issuer, token)
      const shown = new URLSearchParams({ access_token: signedAs.access_token as string })
      await userinfoAt(issuer, null, { method: 'POST', body: shown })
      await visitor.fetch(`${issuer}/userinfo?${shown}`)
      const hint = { id_token_hint: signedAs.id_token as string }
      await createVisitor(issuer).get(`/end-session?${new URLSearchParams(hint)}`)
      await visitor.fetch(authorizeUrl(issuer, wiki, { ...identity, ...hint, prompt: 'none' }))
      await post(`${issuer}/api/oauth/par`, { ...hint, client_id: 'x' })

      const old = await legacyCode(running, legacy, ana, { state }, visitor)
      note('code', old.code)
      const fields = { grant_type: 'authorization_code', code: old.code }
      noteTokens(await legacyToken(issuer, legacy, fields))
      await legacyToken(issuer, legacy, fields)
      const implicit = await walk(
        visitor,
        legacyAuthorizeUrl(issuer, legacyPublic, { response_type: 'token', state }),
        ana,
      )
      note('access token', new URLSearchParams(implicit.left?.hash.slice(1)).get('access_token'))

      const terminal = await createDeviceApp(running, world)
      const device = await beginDevice(issuer, terminal)
      note('device code', device.body.device_code)
      for (const form of [device.body.user_code, device.body.user_code.replace('-', '')])
        note('user code', form)
      await enterCode(visitor, device.body.user_code)

      const par = await post(`${issuer}/api/oauth/par`, {
        client_id: confidential.client_id,
        client_secret: confidential.client_secret,
        redirect_uri: confidential.redirect_uri,
        code_challenge: challengeOf(newVerifier()),
        state,
      })
      note('request_uri', par.body.request_uri.split(':').at(-1))
      const begun = createVisitor(issuer)
      await begun.fetch(
        authorizeUrl(issuer, confidential, { code_challenge: challengeOf('x'), state }),
      )
      for (const one of [visitor, begun, failing])
        for (const [name, value] of one.cookies) note(`cookie ${name}`, value)

      const app = await createApp(running, { name: 'Rotating' })
      note('client secret', app.client_secret)
      const renewed = await running.operator('POST', `/apps/${app.client_id}/secrets`, {})
      note('client secret', renewed.body.client_secret)
      for (const api of ['legacy', 'current']) {
        const set = await running.operator('POST', `/organizations/${acme}/key-sets`, {
          name: 'Own',
          interface: api,
          permissions: [],
        })
        note('key set secret', set.body.secret)
        const path = `/organizations/${acme}/key-sets/${set.body.id}/rotate`
        note('key set secret', (await running.operator('POST', path)).body.secret)
      }
      const server = await running.operator('POST', '/resource-servers', { name: 'Data' })
      note('resource server secret', server.body.client_secret)
      await running.operator('POST', '/signing-keys/rotate')
      const out = await visitor.get('/logout')
      await visitor.submit(out, {})
      t.ok(secrets.size > 35, `${secrets.size} secrets seen`)
    })

    t.test('collects secrets of operator, organization and programs', async (t) => {
      const environment = {
        DATABASE_URL: stores.databaseUrl,
        LATCHKEY_MASTER_KEY: masterKey,
        LATCHKEY_URL: issuer,
      }
      const made = await command(['operator-token', 'create', '--name', 'ci'], environment)
      t.equal(made.code, 0, made.stderr)
      const token = made.stdout.trim()
      note('operator token', token)
      for (const one of [token, `${token.slice(0, -1)}x`]) {
        note('operator token', one)
        await fetch(`${issuer}/api/admin/v1/apps`, { headers: { authorization: `Bearer ${one}` } })
      }

      const url = 'https://hooks.example.com/latchkey'
      const hook = await running.operator('POST', '/webhooks', { url })
      note('webhook secret', hook.body.secret)
      const rotated = `/webhooks/${hook.body.id}/secrets`
      note('webhook secret', (await running.operator('POST', rotated, {})).body.secret)

      const stream = { url, format: 'latchkey', secret: newWebhookSecret() }
      t.equal((await running.operator('PUT', '/audit-streams/siem', stream)).status, 201)
      note('secret of an audit stream', stream.secret)

      const data = await registerResourceServer(running)
      note('resource server secret', data.clientSecret)
      note('Authorization', data.authorization.slice(6))
      const admin = await signedIn(issuer, kim)
      const noteFields = (page: VisitedPage) => {
        for (const field of page.dom.querySelectorAll('input[name="_csrf"]'))
          note('anti-forgery field', field.getAttribute('value'))
        return page
      }
      for (const generation of ['current', 'legacy']) {
        const form = noteFields(
          await admin.get(`/organizations/${acme}/keys/new?interface=${generation}`),
        )
        const page = await decide(admin, form, 'create', {}, { name: `Program ${generation}` })
        const secret = secretOn(page) as string
        t.ok(secret, 'shown once')
        note('key set secret', secret)
        const { body } = await running.operator('GET', `/organizations/${acme}/key-sets`)
        const set = body.items.find((one: { name: string }) => one.name === `Program ${generation}`)
        const signed = selfSign(secret, { iss: set.client_id, iat: Math.floor(Date.now() / 1000) })
        note('self-signed token', signed)
        for (const one of [signed, secret, `${signed}x`]) await introspectAt(issuer, data, one)
        t.match(await introspectAt(issuer, data, generation === 'legacy' ? secret : signed), {
          body: { active: true },
        })
      }

      const { privateKey, publicKey } = await generateKeyPair('ES256')
      const keyed = await createApp(running, {
        name: 'Keyed',
        jwks: { keys: [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'ES256' }] },
      })
      await install(running, acme, keyed)
      const assertion = await new SignJWT({ jti: randomUUID() })
        .setProtectedHeader({ alg: 'ES256', kid: 'k' })
        .setIssuer(keyed.client_id)
        .setSubject(keyed.client_id)
        .setAudience(issuer)
        .setExpirationTime('1m')
        .sign(privateKey)
      note('client assertion', assertion)
      for (const expected of [200, 401]) {
        const answer = await post(`${issuer}/api/oauth/token`, {
          grant_type: 'client_credentials',
          organization_id: acme,
          client_assertion: assertion,
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        })
        t.equal(answer.status, expected)
        note('access token', answer.body.access_token)
      }

      const grant = await currentCode(running, confidential, kim, {}, admin)
      note('code', grant.code)
      const { body } = noteTokens(await exchangeCode(issuer, confidential, grant))
      const { client_id, client_secret } = confidential
      for (const one of [body.refresh_token, body.access_token] as string[]) {
        await introspectAt(issuer, data, one)
        await post(`${issuer}/api/oauth/revoke`, { client_id, client_secret, token: one })
      }

      const chosen = 'a new password of Kim, chosen today'
      note('password', chosen)
      const form = noteFields(await admin.get('/account/password'))
      const changed = await admin.submit(form, {
        current_password: kim.password,
        new_password: chosen,
      })
      t.equal(changed.status, 200)
      for (const [name, value] of admin.cookies) note(`cookie ${name}`, value)
    })

    t.test('the scan finds a planted secret', async (t) => {
      const planted = 'lkxx_0123456789abcdefghijklmnop+/'
      const one = new Map([[planted, 'planted']])
      const bytes = Buffer.from(planted)
      for (const form of [
        planted,
        planted.slice(5),
        encodeURIComponent(planted),
        bytes.toString('base64'),
        bytes.toString('base64url'),
        bytes.toString('hex'),
        bytes.toString('hex').toUpperCase(),
      ]) {
        t.same(findSecrets(await dumpStores(stores), one), [])
        await plant(stores, `{"x":"${form}"}`)
        const dump = await dumpStores(stores)
        t.same(findSecrets(dump, one), ['planted'], form)
        for (const line of dump.split('\n').filter((text) => text.includes('planted')))
          t.same(findSecrets(line, one), ['planted'], 'in every store')
        await sql(stores, `delete from records where collection = 'planted'`)
        if (stores.redisUrl) await plant(stores, '')
        await sql(stores, `delete from records where collection = 'planted'`)
      }
    })

    t.test('LOG-01 the Operator API and the command line show no secret', async (t) => {
      const said: string[] = []
      const ask = async (method: string, path: string, body?: object) => {
        const answer = await running.operator(method, path, body)
        said.push(JSON.stringify([...answer.headers, answer.body]))
        return answer
      }
      const environment = {
        DATABASE_URL: stores.databaseUrl,
        LATCHKEY_MASTER_KEY: masterKey,
        LATCHKEY_OPERATOR_TOKEN: operatorToken,
        LATCHKEY_URL: issuer,
      }
      const run = async (line: string, env: Record<string, string> = {}, stdin = '') => {
        const { code, stdout, stderr } = await command(
          line.split(' '),
          { ...environment, ...env },
          stdin,
        )
        said.push(stdout, stderr)
        return code
      }

      const verdicts = new Set<unknown>()
      for (const [secret, what] of secrets) {
        const { status, body } = await ask('POST', '/tokens/inspect', { token: secret })
        t.equal(status, 200, what)
        verdicts.add(body.refused)
        for (const more of ['', ' --json', ' --local'])
          await run(`token inspect${more}`, {}, secret)
      }
      t.ok(verdicts.size > 5, [...verdicts].join(' '))
      for (const { client_id } of [confidential, second, publicApp, legacy]) {
        const about = { client_id, organization_id: acme }
        t.equal((await ask('POST', '/tokens/simulate', { ...about, user_id: ana.id })).status, 200)
        await ask('POST', '/tokens/simulate', about)
        await run(`token simulate --app ${client_id} --organization ${acme} --user ${ana.id}`)
        await run(`token simulate --app ${client_id} --organization ${acme} --json`)
        for (const path of ['', '/secrets']) await ask('GET', `/apps/${client_id}${path}`)
        for (const line of ['app show', 'app secrets']) await run(`${line} ${client_id} --json`)
      }
      const hooks = (await ask('GET', '/webhooks')).body.items as { id: string }[]
      for (const { id } of hooks) await ask('GET', `/webhooks/${id}/deliveries`)
      for (const path of [
        'apps',
        'users',
        `organizations/${acme}/key-sets`,
        `organizations/${acme}/installs`,
        'resource-servers',
        'audit-streams',
        'signing-keys',
        'audit?limit=200',
      ])
        t.equal((await ask('GET', `/${path}`)).status, 200, path)
      for (const line of [
        'app list',
        'user list',
        `key-set list ${acme}`,
        'resource-server list',
        'webhook list',
        'audit-stream list',
        'operator-token list',
        'keys list',
        'keys status',
        'audit --limit 1000',
      ])
        for (const more of ['', ' --json']) t.equal(await run(line + more), 0, line)

      // Refusals and errors do not repeat secrets either.
      const [odd] = [...secrets].find(([, what]) => what === 'refresh token') as [string, string]
      note('database password', 'of-the-database-4711')
      for (const env of [
        { LATCHKEY_OPERATOR_TOKEN: odd },
        { LATCHKEY_URL: `http://user:${odd}@127.0.0.1:1` },
      ])
        t.not(await run('app list', env), 0)
      const wrong = {
        DATABASE_URL: 'mysql://latchkey:of-the-database-4711@db.example/latchkey',
        REDIS_URL: 'http://:of-the-database-4711@redis.example',
        LATCHKEY_MASTER_KEY: `${masterKey}x`,
        LATCHKEY_PREVIOUS_MASTER_KEYS: odd,
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
        OTEL_EXPORTER_OTLP_HEADERS: `authorization ${odd}`,
      }
      t.equal(await run('serve', wrong), 2, 'the server does not start')
      t.ok(said.length > 300 && said.join('').length > 50_000)
      t.same(findSecrets(said.join('\n'), secrets), [])
    })

    t.test('LOG-01 LOG-02 traces contain no secret', async (t) => {
      const [traceId, spanId] = [randomUUID().replaceAll('-', ''), '00f067aa0ba902b7']
      await fetch(`${issuer}/health/live`, {
        headers: { traceparent: `00-${traceId}-${spanId}-01` },
      })
      await collector.waitFor(({ links }) => links.some((link) => link.traceId === traceId))
      t.ok(collector.spans.length > 300, `${collector.spans.length} spans`)
      t.same(findSecrets(collector.text(), secrets), [])
      t.notMatch(collector.text(), /cookie|authorization"|bearer/i)
      t.ok(collector.said().includes('"stringValue":"/api/oauth/token'))
      t.notMatch(collector.said(), /cookie|"key":"[^"]*authorization"|\?[a-z_]+=/i)
    })

    t.test('LOG-01 LOG-02 stores and logs contain no secret', async (t) => {
      await new Promise((resolve) => setTimeout(resolve, 1200)) // The audit trail is written in batches.
      const log = running.log.join('')
      const stored = await dumpStores(stores)
      t.ok(log.length > 10_000 && stored.length > 10_000)
      t.ok(secrets.size > 60, `${secrets.size} secrets seen`)
      t.same(findSecrets(log, secrets), [], 'the log')
      // Parameters that a pending request needs for its response: not credentials.
      const kept = new Map([...secrets].filter(([, what]) => what !== 'state'))
      t.same(findSecrets(stored, kept), [], 'the stores')
      t.notMatch(stored, /-----BEGIN|"d":"/, 'no private key either')
      t.notMatch(log, /-----BEGIN|\$argon2|authorization":|"cookie":/i)
      for (const line of stored.split('\n')) {
        const [table] = line.split(' ', 1)
        if (line.includes('$argon2')) t.equal(table, 'users')
      }
    })

    t.test('LOG-03 the audit trail and the log record what happened', async (t) => {
      const app = await createApp(running, { name: 'Watched' })
      await install(running, acme, app)
      const visitor = await signedIn(issuer, ana)
      const grant = await currentCode(running, app, ana, {}, visitor)
      const first = (await exchangeCode(issuer, app, grant)).body.refresh_token as string
      await refresh(issuer, app, first)
      const replayed = await refresh(issuer, app, first)
      const failed = await refresh(issuer, app, first, { client_secret: 'x' })
      await running.operator('POST', `/apps/${app.client_id}/secrets`, {})
      await running.operator('DELETE', `/organizations/${acme}/installs/${app.client_id}`)
      await signIn(createVisitor(issuer), { email: ana.email, password: 'wrong' })
      let events: Record<string, string | null>[] = []
      await eventually(async () => {
        events = await sql(
          stores,
          `select type, actor_kind, actor_id, client_id, user_id, organization_id, request_id, detail::text as detail
             from audit_events where client_id = $1 or user_id = $2 order by id`,
          [app.client_id, ana.id],
        )
        return events.at(-1)?.type === 'session.sign_in_failed'
      })
      const find = (type: string) => events.filter((one) => one.type === type)
      for (const type of [
        'consent.granted',
        'grant.reuse_detected',
        'token.refused',
        'app_secret.created',
        'session.signed_in',
        'session.sign_in_failed',
      ])
        t.ok(find(type).length > 0, type)
      t.ok(events.some((one) => /uninstall|install\.(ended|removed|deleted)/.test(one.type ?? '')))
      t.match(find('grant.reuse_detected').at(-1), {
        client_id: app.client_id,
        user_id: ana.id,
        organization_id: acme,
      })
      const refused = find('token.refused').find(
        (one) => one.request_id === replayed.headers.get('x-request-id'),
      )
      t.match(refused?.detail, 'refresh_token_reused', 'the request has its id')
      const request = failed.headers.get('x-request-id')
      t.match(
        events.find((one) => one.request_id === request),
        {
          type: 'token.refused',
          actor_id: app.client_id,
          organization_id: null,
          detail: /secret_wrong/,
        },
      )
      t.ok(
        running.log.some(
          (line) => line.includes(request as string) && line.includes('secret_wrong'),
        ),
      )
    })
  },
  { environment: { LIMIT_SIGN_IN_FAILURES: '50', ...collector.environment } },
)
