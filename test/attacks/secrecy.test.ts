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
import { signedIn, signIn } from '../support/signed-in.ts'
import { dumpStores, sql } from '../support/traces.ts'
import { createVisitor, walk } from '../support/visitor.ts'
import { createApp, install } from '../support/world.ts'

await onEachBackend(
  'secrecy',
  async (t, { running, issuer, world, stores }) => {
    const { confidential, second, publicApp, legacy, legacyPublic, ana, kim, acme } = world
    /** Every secret that went over the wire, by what it was. */
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

    t.test('flows, right and wrong', async (t) => {
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
        await refresh(issuer, app, tokens.body.refresh_token as string) // reuse
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
      // Everything where it does not belong, too: in the query, in Basic, as another parameter.
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

    t.test('LOG-01 LOG-02 none of them lies anywhere', async (t) => {
      await new Promise((resolve) => setTimeout(resolve, 1200)) // the audit trail is written in batches
      const log = running.log.join('')
      const stored = await dumpStores(stores)
      t.ok(log.length > 10_000 && stored.length > 10_000)
      for (const [value, what] of secrets) {
        const forms = [value, encodeURIComponent(value), Buffer.from(value).toString('base64')]
        for (const form of forms) {
          if (log.includes(form)) t.fail(`a ${what} is in the log`)
          // What an open request needs again to answer its app: not a credential.
          if (what !== 'state' && stored.includes(form)) t.fail(`a ${what} is in the stores`)
          const hex = Buffer.from(form).toString('hex')
          if (what !== 'state' && stored.includes(hex)) t.fail(`a ${what} is in the stores, in hex`)
        }
        t.pass(what)
      }
      t.notMatch(stored, /-----BEGIN|"d":"/, 'nor a private key')
      t.notMatch(log, /-----BEGIN|\$argon2|authorization":|"cookie":/i)
      for (const line of stored.split('\n')) {
        const [table] = line.split(' ', 1)
        if (line.includes('$argon2')) t.equal(table, 'users')
      }
    })

    t.test('LOG-03 what happened can be told afterwards', async (t) => {
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
      await new Promise((resolve) => setTimeout(resolve, 1200))
      const events = await sql<Record<string, string | null>>(
        stores,
        `select type, actor_kind, actor_id, client_id, user_id, organization_id, request_id, detail::text as detail
           from audit_events where client_id = $1 or user_id = $2 order by id`,
        [app.client_id, ana.id],
      )
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
      t.match(refused?.detail, 'refresh_token_reused', 'the request is named')
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
  { environment: { LIMIT_SIGN_IN_FAILURES: '50' } },
)
