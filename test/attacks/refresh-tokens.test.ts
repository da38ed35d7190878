import {
  clientCredentials,
  currentCode,
  exchangeCode,
  legacyCode,
  legacyToken,
  refresh,
} from '../support/flows.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { signedIn } from '../support/signed-in.ts'
import { amounts, expireAll, familyLives, sql } from '../support/traces.ts'
import { createApp, install, password } from '../support/world.ts'

const invalidGrant = { status: 400, body: { error: 'invalid_grant' } }

await onEachBackend(
  'refresh tokens',
  async (t, { running, issuer, world, stores }) => {
    const { confidential, second, publicApp, legacy, ana, acme } = world
    const [one, two] = running.urls as [string, string]
    let visitor = await signedIn(issuer, ana)

    const fresh = async (app = confidential, person = ana, browser = visitor) => {
      const grant = await currentCode(running, app, person, {}, browser)
      return (await exchangeCode(issuer, app, grant)).body.refresh_token as string
    }
    const freshLegacy = async () => {
      const { code } = await legacyCode(running, legacy, ana, {}, visitor)
      const fields = { grant_type: 'authorization_code', code }
      return (await legacyToken(issuer, legacy, fields)).body.refresh_token as string
    }
    const legacyRefresh = (token: string, app = legacy, url = issuer) =>
      legacyToken(url, app, { grant_type: 'refresh_token', refresh_token: token })

    t.test('RFT-01 reuse revokes the family and reports it to the operator', async (t) => {
      const first = await fresh()
      const later = (await refresh(one, confidential, first)).body.refresh_token
      t.match(await refresh(two, confidential, first), invalidGrant)
      t.match(await refresh(one, confidential, later), invalidGrant)
      const old = await freshLegacy()
      const next = (await legacyRefresh(old)).body.refresh_token
      t.match(await legacyRefresh(old), invalidGrant)
      t.match(await legacyRefresh(next), invalidGrant)
    })

    t.test('RFT-03 refuses another client’s refresh token', async (t) => {
      const token = await fresh()
      for (const thief of [second, publicApp])
        t.match(await refresh(issuer, thief, token), invalidGrant)
      t.match(await legacyRefresh(token), invalidGrant, 'nor on the other interface')
      const next = await refresh(issuer, confidential, token)
      t.equal(next.status, 200, 'neither consumed nor revoked')
      for (const thief of [second, publicApp]) await refresh(issuer, thief, token)
      const last = await refresh(issuer, confidential, next.body.refresh_token)
      t.equal(last.status, 200, 'a replay by another client does not revoke it')
    })

    t.test(
      'RFT-08 CCG-03 an uninstall ends the app’s access in that organization only',
      async (t) => {
        const app = await createApp(running, { name: 'Short-lived' })
        await install(running, acme, app)
        const token = await fresh(app)
        const alive = (await refresh(two, app, token)).body.refresh_token
        t.equal((await clientCredentials(two, app, acme)).status, 200)
        await running.operator('DELETE', `/organizations/${acme}/installs/${app.client_id}`)
        t.match(await refresh(two, app, alive), invalidGrant)
        t.match(await clientCredentials(two, app, acme), invalidGrant)
        await install(running, acme, app)
        t.match(
          await refresh(two, app, alive),
          invalidGrant,
          'a reinstall does not restore old tokens',
        )
      },
    )

    t.test('RFT-09 refuses refresh tokens after a change of the user', async (t) => {
      const person = async (name: string) => {
        const email = `${name}-${stores.name}@acme.test`
        const { body } = await running.operator('POST', '/users', { email, name, password })
        await running.operator('PUT', `/organizations/${acme}/members/${body.id}`, {
          role: 'member',
        })
        return { id: body.id as string, email, password, organizationId: acme }
      }
      const ends: Record<string, (id: string) => Promise<unknown>> = {
        disabled: (id) => running.operator('PATCH', `/users/${id}`, { disabled: true }),
        'after a new password': (id) =>
          running.operator('PATCH', `/users/${id}`, { password: 'another password entirely' }),
        'removed from the organization': (id) =>
          running.operator('DELETE', `/organizations/${acme}/members/${id}`),
        deleted: (id) => running.operator('DELETE', `/users/${id}`),
      }
      for (const [label, end] of Object.entries(ends)) {
        const who = await person(label.replaceAll(' ', '-'))
        const browser = await signedIn(issuer, who)
        const token = await fresh(confidential, who, browser)
        const unused = await currentCode(running, confidential, who, {}, browser)
        await end(who.id)
        t.match(await refresh(two, confidential, token), invalidGrant, label)
        t.match(await exchangeCode(two, confidential, unused), invalidGrant, label)
        if (label !== 'disabled') continue
        await running.operator('PATCH', `/users/${who.id}`, { disabled: false })
        t.match(await refresh(two, confidential, token), invalidGrant, 'revoked for good')
      }
    })

    t.test('RFT-12 an unused refresh token does not expire', async (t) => {
      const token = await fresh()
      t.ok((await familyLives(stores)).includes(null), 'no expiry')
      await expireAll(stores)
      await sql(stores, `update grants set created_at = now() - interval '3 years'`)
      t.equal((await refresh(issuer, confidential, token)).status, 200)
      visitor = await signedIn(issuer, ana)
    })

    t.test('RFT-13 refuses tokens of another type', async (t) => {
      const grant = await currentCode(running, confidential, ana, {}, visitor)
      const tokens = (await exchangeCode(issuer, confidential, grant)).body
      const waiting = await currentCode(running, confidential, ana, {}, visitor)
      t.match(await refresh(issuer, confidential, tokens.access_token), invalidGrant)
      t.match(await refresh(issuer, confidential, waiting.code), invalidGrant)
      t.match(await refresh(issuer, confidential, grant.code), invalidGrant)
      for (const code of [tokens.refresh_token, tokens.access_token]) {
        const answer = await exchangeCode(issuer, confidential, { ...grant, code })
        t.match(answer, invalidGrant)
      }
      t.equal((await exchangeCode(issuer, confidential, waiting)).status, 200)
      t.equal((await refresh(issuer, confidential, tokens.refresh_token)).status, 200)
      for (const path of ['/api/admin/v1/apps', '/api/admin/v1/users']) {
        for (const token of [tokens.access_token, tokens.refresh_token, waiting.code]) {
          const headers = { authorization: `Bearer ${token}` }
          t.equal((await fetch(issuer + path, { headers })).status, 401)
        }
      }
    })

    t.test('RFT-14 rejects hostile token strings', async (t) => {
      const right = await fresh()
      const hostile = [
        '*',
        '?',
        '[a-z]',
        'x\r\nFLUSHALL\r\n',
        '*1\r\n$8\r\nFLUSHALL\r\n',
        '{x}',
        `{${right}}`,
        `${right}\r\nFLUSHALL`,
        '\0',
        '\ud83d\ude00',
        '\u202e',
        "'; drop table grants; --",
        '../../etc/passwd',
        '{{7*7}}',
        '<%= 7*7 %>',
        'lkrt_',
        `lkrt_${'A'.repeat(67)}`,
        `lkrt_${'z'.repeat(67)}`,
        right.toLowerCase(),
        `${right}${right}`,
        right.slice(0, -1),
        'x'.repeat(60_000),
        'undefined',
        'null',
      ]
      const before = await amounts(stores)
      for (const token of hostile) {
        const label = JSON.stringify(token).slice(0, 50)
        t.match(await refresh(issuer, confidential, token), invalidGrant, label)
        t.match(await legacyRefresh(token), invalidGrant, label)
      }
      const huge = await refresh(issuer, confidential, 'x'.repeat(1_000_000))
      t.match(huge, { status: 400, body: { error: 'invalid_request' } })
      t.same(await amounts(stores), before)
      t.equal((await refresh(issuer, confidential, right)).status, 200)
    })

    t.test('RFT-15 a replay is refused unless the app has a retry window', async (t) => {
      const token = await fresh()
      t.equal((await refresh(issuer, confidential, token)).status, 200)
      t.match(await refresh(issuer, confidential, token), invalidGrant)

      const app = await createApp(running, { name: 'Unsteady', retry_window_seconds: 30 })
      await install(running, acme, app)
      const first = await fresh(app)
      const next = (await refresh(one, app, first)).body.refresh_token
      t.equal((await refresh(two, app, first)).body.refresh_token, next, 'the same successor')
      t.match(await refresh(two, second, first), invalidGrant, 'for its own client only')
      const last = (await refresh(one, app, next)).body.refresh_token
      t.match(await refresh(one, app, first), invalidGrant, 'the direct predecessor only')
      t.match(await refresh(one, app, last), invalidGrant, 'an older token revokes the family')

      const grant = await currentCode(running, app, ana, {}, visitor)
      t.equal((await exchangeCode(issuer, app, grant)).status, 200)
      t.match(await exchangeCode(issuer, app, grant), invalidGrant, 'never for codes')

      const gone = await fresh(app)
      await refresh(one, app, gone)
      await running.operator('DELETE', `/organizations/${acme}/installs/${app.client_id}`)
      t.match(await refresh(one, app, gone), invalidGrant, 'not after an uninstall')
    })
  },
  { instances: 2, environment: { LIMIT_CLIENT_FAILURES: '100000' } },
)
