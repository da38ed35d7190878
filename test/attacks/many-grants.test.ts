/**
 * A member who is authorized repeatedly without a page, and one with an excessive number of grants.
 */
import type { Test } from 'tap'
import { createVerifier } from '../../packages/verify/src/verify.ts'
import { outcomeOf } from '../packages/verify/scene.ts'
import { decide } from '../pages/organization-visit.ts'
import { eventually } from '../support/eventually.ts'
import {
  authorizeUrl,
  challengeOf,
  claimsOf,
  currentCode,
  exchangeCode,
  legacyAuthorizeUrl,
  legacyToken,
  newVerifier,
  refresh,
} from '../support/flows.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { introspectAt, readFeed, registerResourceServer } from '../support/resource-server.ts'
import { signedIn } from '../support/signed-in.ts'
import { sql } from '../support/traces.ts'

const invalidGrant = { status: 400, body: { error: 'invalid_grant' } }
const most = 5
const environment = { GRANTS_PER_USER_AND_APP: String(most), LIMIT_GRANTS: '1000' }

await onEachBackend(
  'many authorizations of one user and app',
  async (t, { running, issuer, world, stores }) => {
    const { confidential, second, publicApp, legacy, ana, kim, acme } = world
    const visitor = await signedIn(issuer, ana)
    const code = (app = confidential) => currentCode(running, app, ana, {}, visitor)
    const connected = async (app = confidential) =>
      (await exchangeCode(issuer, app, await code(app))).body.refresh_token as string
    const livingOf = async (clientId: string) =>
      (
        await sql<{ id: string }>(
          stores,
          'select id from grants where client_id = $1 and ended_at is null',
          [clientId],
        )
      ).length
    /** Valid refresh tokens, by their order. */
    const goodOf = async (tokens: string[], app = confidential) => {
      const answers = []
      for (const token of tokens) answers.push((await refresh(issuer, app, token)).status === 200)
      return answers
    }
    const endedOf = async (clientId: string) => {
      const { body } = await running.operator('GET', `/audit?client_id=${clientId}&limit=100`)
      return (body.items as { type: string; detail: Record<string, unknown> }[]).filter(
        ({ type }) => type === 'grant.ended',
      )
    }

    t.test(
      'GRT-01 each grant above the limit revokes the oldest one, and is audited',
      async (t) => {
        const tokens = []
        for (let i = 0; i < most + 3; i++) tokens.push(await connected())
        t.same(
          await goodOf(tokens),
          tokens.map((_, at) => at >= 3),
        )
        await eventually(async () => (await endedOf(confidential.client_id)).length === 3)
        for (const { detail } of await endedOf(confidential.client_id))
          t.match(detail, { reason: 'superseded', grant_id: /^[0-9a-f-]{36}$/ })
      },
    )

    t.test(
      'GRT-01 the limit does not revoke grants of other users, apps and organizations',
      async (t) => {
        const [theirs, another] = [await signedIn(issuer, kim), await connected(second)]
        const grant = await currentCode(running, confidential, kim, {}, theirs)
        const { body } = await exchangeCode(issuer, confidential, grant)
        for (let i = 0; i < most + 2; i++) await connected()
        t.equal((await refresh(issuer, confidential, body.refresh_token)).status, 200)
        t.equal((await refresh(issuer, second, another)).status, 200)
      },
    )

    t.test('GRT-02 concurrent authorizations do not exceed the limit', async (t) => {
      await Promise.all(Array.from({ length: 24 }, () => connected(second).catch(() => null)))
      t.ok((await livingOf(second.client_id)) <= most, 'of the current interface')
      const url = legacyAuthorizeUrl(issuer, legacy, { organization_id: acme })
      const answers = await Promise.all(Array.from({ length: 24 }, () => visitor.fetch(url)))
      for (const { status } of answers) t.equal(status, 303)
      t.ok((await livingOf(legacy.client_id)) <= most, 'of the legacy interface')
      const left = new URL(answers.at(-1)?.headers.get('location') ?? '')
      t.ok(left.searchParams.get('code'))
      const fresh = await visitor.fetch(url)
      const { searchParams } = new URL(fresh.headers.get('location') ?? '')
      const fields = { grant_type: 'authorization_code', code: searchParams.get('code') as string }
      t.equal((await legacyToken(issuer, legacy, fields)).status, 200, 'the newest is valid')
    })

    t.test('GRT-03 unredeemed codes do not push out used grants', async (t) => {
      const tokens = [await connected(publicApp), await connected(publicApp)]
      for (let i = 0; i < 4 * most; i++) await code(publicApp)
      t.same(await goodOf(tokens, publicApp), [true, true])
      t.ok((await livingOf(publicApp.client_id)) <= most)
      t.equal((await exchangeCode(issuer, publicApp, await code(publicApp))).status, 200)
    })

    t.test('GRT-03 grants that expire by themselves have their own limit', async (t) => {
      const lasting = await connected(publicApp)
      const verifier = newVerifier()
      const posted = { response_mode: 'web_message', prompt: 'none' }
      const url = authorizeUrl(issuer, publicApp, {
        ...posted,
        code_challenge: challengeOf(verifier),
      })
      for (let i = 0; i < 2 * most; i++) t.equal((await visitor.fetch(url)).status, 200)
      t.same(await goodOf([lasting], publicApp), [true])
      t.ok((await livingOf(publicApp.client_id)) <= 2 * most)
    })
  },
  { environment },
)

await onEachBackend(
  'silent authorizations in a row',
  async (t, { running, issuer, world }) => {
    const { confidential, legacy, ana, acme } = world
    const visitor = await signedIn(issuer, ana)
    await currentCode(running, confidential, ana, {}, visitor)

    t.test('GRT-04 silent authorizations are limited for each user and app', async (t) => {
      const current = authorizeUrl(issuer, confidential, {
        code_challenge: challengeOf(newVerifier()),
      })
      const old = legacyAuthorizeUrl(issuer, legacy, { organization_id: acme })
      for (const url of [current, old, `${current}&prompt=none`]) {
        const answers = []
        for (let i = 0; i < 5; i++) answers.push(await visitor.fetch(url))
        const last = answers.at(-1) as Response
        t.equal(last.status, 429)
        t.match(last.headers.get('retry-after'), /^[1-9]\d*$/)
        t.equal(last.headers.get('location'), null)
      }
    })
  },
  { environment: { LIMIT_GRANTS: '4', GRANTS_PER_USER_AND_APP: '1' } },
)

await onEachBackend('110,000 live grants of one user and app', async (t, scene) => {
  const { running, issuer, world, stores } = scene
  const { confidential, ana, acme } = world
  const resourceServer = await registerResourceServer(running)
  const api = createVerifier({ issuer, audience: issuer, resourceServer })
  t.teardown(() => api.close())
  const visitor = await signedIn(issuer, ana)
  const connected = async () =>
    (
      await exchangeCode(
        issuer,
        confidential,
        await currentCode(running, confidential, ana, {}, visitor),
      )
    ).body
  const about = { client_id: confidential.client_id, organization_id: acme }
  const disconnect = async (t: Test) => {
    const page = await decide(visitor, await visitor.get('/account/apps'), 'disconnect', about)
    t.equal(page.status, 200)
    t.match(page.text, 'can no longer act for you')
  }
  const isOut = async (t: Test, tokens: Record<string, string>) => {
    const { access_token: access, refresh_token: renewing } = tokens as Record<string, string>
    t.match(await refresh(issuer, confidential, renewing as string), invalidGrant)
    for (const token of [access, renewing] as string[])
      t.same((await introspectAt(issuer, resourceServer, token)).body, { active: false })
    await eventually(
      async () =>
        (await outcomeOf(api.verify(access as string))) === 'token-invalid: grant_revoked',
    )
  }

  t.test('GRT-05 disconnecting an app revokes all its grants at once', async (t) => {
    const [oldest, newest] = [await connected(), await connected()]
    for (const { access_token: token } of [oldest, newest]) t.ok(await api.verify(token))
    const oldestId = claimsOf(oldest.access_token).grant_id
    await sql(stores, `update grants set created_at = now() - interval '1 day' where id = $1`, [
      oldestId,
    ])
    await sql(
      stores,
      `insert into grants (id, user_id, client_id, organization_id, install_id, app_epoch, user_epoch, permissions,
         redirect_uri, used, created_at)
       select gen_random_uuid(), user_id, client_id, organization_id, install_id, app_epoch, user_epoch, permissions,
         redirect_uri, true, now() - interval '1 hour'
         from grants g, generate_series(1, 110000) where g.id = $1`,
      [oldestId],
    )
    const before = await readFeed(issuer, resourceServer)
    await disconnect(t)
    for (const tokens of [oldest, newest]) await isOut(t, tokens)
    const after = await readFeed(issuer, resourceServer, before.cursor)
    t.ok(after.changes.length < 600, `${after.changes.length} entries for all of them`)
    t.notMatch((await visitor.get('/account/apps')).text, confidential.client_id)
    const [row] = await sql<{ epoch: number }>(stores, 'select epoch from connection_epochs')
    t.equal(row?.epoch, 1)
  })

  t.test('GRT-05 a later grant stays valid until the next disconnect', async (t) => {
    const tokens = await connected()
    t.equal(claimsOf(tokens.access_token).connection_epoch, 1)
    t.ok(await api.verify(tokens.access_token))
    t.match(await introspectAt(issuer, resourceServer, tokens.access_token), {
      body: { active: true },
    })
    const next = await refresh(issuer, confidential, tokens.refresh_token)
    t.match(next, { status: 200 })
    t.match((await visitor.get('/account/apps')).text, 'Disconnect')
    await disconnect(t)
    await isOut(t, next.body)
    const [row] = await sql<{ epoch: number }>(stores, 'select epoch from connection_epochs')
    t.equal(row?.epoch, 2)
  })
})
