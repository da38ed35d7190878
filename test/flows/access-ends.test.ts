/** Installs and consents that end by themselves: at a time, or when they are not used. */

import { createVerifier } from '../../packages/verify/src/verify.ts'
import { createAccessSweeper } from '../../src/core/grants/access-sweeper.ts'
import { outcomeOf } from '../packages/verify/scene.ts'
import { eventually } from '../support/eventually.ts'
import {
  claimsOf,
  clientCredentials,
  currentCode,
  exchangeCode,
  legacyCode,
  legacyToken,
  refresh,
} from '../support/flows.ts'
import type { Json } from '../support/latchkey.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { openTestStores } from '../support/open-stores.ts'
import { introspectAt, registerResourceServer } from '../support/resource-server.ts'
import { sql } from '../support/traces.ts'
import {
  createApp,
  currentPermissions,
  install,
  legacyPermissions,
  type TestApp,
} from '../support/world.ts'

const parallel = 20
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()

await onEachBackend('access that ends by itself', async (t, { running, issuer, world, stores }) => {
  const { operator } = running
  const { acme, ana } = world
  const dataApi = await registerResourceServer(running)
  const isActive = async (token: string) =>
    (await introspectAt(issuer, dataApi, token)).body.active as boolean
  const opened = await openTestStores(stores)
  t.teardown(opened.close)
  const endNow = createAccessSweeper({ store: opened.accessSweeper, families: opened.families })

  const installPath = (app: TestApp) => `/organizations/${acme}/installs/${app.client_id}`
  const consentPath = (app: TestApp) => `${installPath(app)}/users/${ana.id}`
  const fresh = async (part: Record<string, unknown> = {}) => {
    const app = await createApp(running, { name: 'Passing Guest' })
    await install(running, acme, app, part)
    return app
  }
  const connected = async (app: TestApp) => {
    const code = await currentCode(running, app, ana, { organization_id: acme })
    const { status, body } = await exchangeCode(issuer, app, code)
    if (status !== 200) throw new Error(`code: ${JSON.stringify(body)}`)
    return { access: body.access_token as string, refreshToken: body.refresh_token as string }
  }
  const backdate = (table: 'installs' | 'consents', app: TestApp, column: string, ago: string) =>
    sql(stores, `update ${table} set ${column} = now() - interval '${ago}' where client_id = $1`, [
      app.client_id,
    ])
  const eventsOf = async (app: TestApp, type: string) => {
    const { body } = await operator(
      'GET',
      `/audit?organization_id=${acme}&client_id=${app.client_id}&limit=100`,
    )
    return (body.items as { type: string; actor: object; detail: object }[]).filter(
      (event) => event.type === type,
    )
  }

  t.test('no access token outlives its install', async (t) => {
    const expires = inSeconds(900)
    const app = await fresh({ expires_at: expires })
    t.match((await operator('GET', installPath(app))).body, {
      expires_at: expires,
      idle_seconds: null,
    })
    const latest = Math.floor(Date.parse(expires) / 1000)
    const user = await connected(app)
    const machine = await clientCredentials(issuer, app, acme)
    for (const token of [user.access, machine.body.access_token as string])
      t.equal(claimsOf(token).exp, latest)
    t.equal(machine.body.expires_in, latest - claimsOf(machine.body.access_token as string).iat)
    await operator('PATCH', installPath(app), { expires_at: null })
    const later = (await clientCredentials(issuer, app, acme)).body.access_token as string
    t.ok(claimsOf(later).exp > latest)
  })

  const interfaces = {
    current: {
      redeem: async (app: TestApp) =>
        exchangeCode(issuer, app, await currentCode(running, app, ana, { organization_id: acme })),
      again: (app: TestApp, token: string) => refresh(issuer, app, token),
    },
    legacy: {
      redeem: async (app: TestApp) => {
        const { code } = await legacyCode(running, app, ana)
        return legacyToken(issuer, app, { grant_type: 'authorization_code', code })
      },
      again: (app: TestApp, token: string) =>
        legacyToken(issuer, app, { grant_type: 'refresh_token', refresh_token: token }),
    },
  }
  const endOf = ({ authorization_expires_in, refresh_token_timeout }: Json) =>
    [authorization_expires_in, refresh_token_timeout] as const

  for (const [name, { redeem, again }] of Object.entries(interfaces))
    t.test(`an answer with a refresh token says when it ends (${name})`, async (t) => {
      const isNear = (actual: unknown, expected: number, what: string) =>
        t.ok(Math.abs(Number(actual) - expected) < 60, `${what}: ${actual}`)
      const app = await createApp(running, { interface: name })
      const permissions = name === 'legacy' ? legacyPermissions : currentPermissions
      await install(running, acme, app, { permissions })
      const { body: first } = await redeem(app)
      t.same(endOf(first), [undefined, undefined], 'no bound, no member')
      await operator('PATCH', installPath(app), { idle_seconds: 7200 })
      const end = { expires_at: inSeconds(9000), idle_seconds: 86_400 }
      await operator('PATCH', consentPath(app), end)
      const { body: second } = await again(app, first.refresh_token)
      isNear(endOf(second)[0], 9000, 'the nearer end date')
      t.equal(endOf(second)[1], 7200, 'the nearer idle rule')
      await operator('PATCH', installPath(app), { expires_at: inSeconds(3600) })
      const { body: third } = await again(app, second.refresh_token)
      for (const one of endOf(third)) isNear(one, 3600, 'no timeout after the end date')

      const unused = `update grants set created_at = now() - interval '1 day',
        last_used_at = now() - interval '90 minutes' where client_id = $1`
      // The uses above may be written late.
      await eventually(async () => {
        await sql(stores, unused, [app.client_id])
        const { body } = await introspectAt(issuer, dataApi, third.refresh_token)
        return Math.abs(endOf(body)[1] - 1800) < 60
      })
      const seen = await introspectAt(issuer, dataApi, third.refresh_token)
      isNear(endOf(seen.body)[0], 3600, 'introspection')
      isNear(endOf(seen.body)[1], 1800, 'introspection is no use')
      const access = await introspectAt(issuer, dataApi, third.access_token)
      t.same(endOf(access.body), [undefined, undefined], 'an access token has its own end')
    })

  t.test('an expired install gives nothing, and a new one revives nothing', async (t) => {
    const app = await fresh({ expires_at: inSeconds(900) })
    const { id } = (await operator('GET', installPath(app))).body
    const { access, refreshToken } = await connected(app)
    t.equal(await isActive(access), true)
    await backdate('installs', app, 'expires_at', '1 second')
    t.equal(await isActive(access), false)
    t.match(await refresh(issuer, app, refreshToken), {
      status: 400,
      body: { error: 'invalid_grant' },
    })
    t.match(await clientCredentials(issuer, app, acme), {
      status: 400,
      body: { error: 'invalid_grant' },
    })
    t.equal((await operator('GET', installPath(app))).status, 404)
    t.equal((await operator('PATCH', installPath(app), { suspended: true })).status, 404)
    await install(running, acme, app)
    const again = (await operator('GET', installPath(app))).body
    t.not(again.id, id)
    t.match(again, { expires_at: null })
    t.match(await refresh(issuer, app, refreshToken), { status: 400 })
    t.match(await eventsOf(app, 'install.ended'), [
      { actor: { kind: 'system' }, detail: { reason: 'expired' } },
    ])
  })

  t.test('at the moment of its end, an install gives tokens or refuses', async (t) => {
    const expires = inSeconds(2)
    const app = await fresh({ expires_at: expires })
    const latest = Math.floor(Date.parse(expires) / 1000)
    const ask = async () => {
      const answers: { status: number; exp: number | null }[] = []
      for (;;) {
        const { status, body } = await clientCredentials(issuer, app, acme)
        const exp = status === 200 ? (claimsOf(body.access_token as string).exp as number) : null
        answers.push({ status, exp })
        if (status !== 200) return answers
      }
    }
    const answers = (await Promise.all(Array.from({ length: parallel }, ask))).flat()
    t.ok(answers.every(({ status, exp }) => (status === 200 ? exp === latest : status === 400)))
    await eventually(async () => (await eventsOf(app, 'install.ended')).length > 0)
    t.equal((await eventsOf(app, 'install.ended')).length, 1)
  })

  t.test('an end that is brought forward reaches data APIs by the feed', async (t) => {
    const verifier = createVerifier({
      issuer,
      audience: issuer,
      resourceServer: dataApi,
      introspectionCache: { active: 60 },
      mode: 'local',
      log: false,
    })
    t.teardown(() => verifier.close())
    await eventually(() => verifier.status().ready)
    const app = await fresh()
    const { access } = await connected(app)
    t.equal(await outcomeOf(verifier.verify(access)), 'user')
    await operator('PATCH', installPath(app), { expires_at: inSeconds(1) })
    await eventually(async () => (await outcomeOf(verifier.verify(access))) !== 'user')
    t.pass()
  })

  t.test('a consent ends alone, and a new one revives nothing', async (t) => {
    const app = await fresh()
    t.equal((await operator('GET', consentPath(app))).status, 404)
    const { access, refreshToken } = await connected(app)
    const expires = inSeconds(900)
    t.match((await operator('PATCH', consentPath(app), { expires_at: expires })).body, {
      user_id: ana.id,
      expires_at: expires,
      idle_seconds: null,
    })
    const renewed = (await refresh(issuer, app, refreshToken)).body
    t.equal(claimsOf(renewed.access_token as string).exp, Math.floor(Date.parse(expires) / 1000))
    await backdate('consents', app, 'expires_at', '1 second')
    t.equal(await isActive(access), false)
    t.match(await refresh(issuer, app, renewed.refresh_token as string), {
      status: 400,
      body: { error: 'invalid_grant' },
    })
    t.equal((await clientCredentials(issuer, app, acme)).status, 200, 'the install is live')
    const next = await connected(app)
    t.match((await operator('GET', consentPath(app))).body, { expires_at: null })
    t.match(await refresh(issuer, app, renewed.refresh_token as string), { status: 400 })
    t.equal((await refresh(issuer, app, next.refreshToken)).status, 200)
    t.match(await eventsOf(app, 'connection.ended'), [
      { actor: { kind: 'system' }, detail: { reason: 'expired' } },
    ])
    t.match(await eventsOf(app, 'consent.changed'), [{ detail: { changed: ['expires_at'] } }])
  })

  t.test('what is unused for too long ends; what is used stays', async (t) => {
    const [unused, used, left] = [await fresh(), await fresh(), await fresh()]
    for (const app of [unused, used, left]) {
      await connected(app)
      await backdate('installs', app, 'created_at', '3 days')
      await backdate('consents', app, 'updated_at', '3 days')
    }
    // The server writes the times of uses later, so the last use may come after this.
    const endUnused = async () => {
      for (const app of [unused, left])
        await sql(
          stores,
          `update grants set created_at = now() - interval '3 days',
             last_used_at = now() - interval '3 days' where client_id = $1`,
          [app.client_id],
        )
      await endNow()
    }
    const limit = { idle_seconds: 86_400 }
    for (const app of [unused, used])
      t.equal((await operator('PATCH', installPath(app), limit)).status, 200)
    for (const app of [left, used])
      t.equal((await operator('PATCH', consentPath(app), limit)).status, 200)
    for (const path of [installPath(unused), consentPath(left)])
      await eventually(async () => {
        await endUnused()
        return (await operator('GET', path)).status === 404
      })
    t.equal((await operator('GET', installPath(used))).status, 200)
    t.equal((await operator('GET', consentPath(used))).status, 200)
    t.match(await eventsOf(unused, 'install.ended'), [{ detail: { reason: 'unused' } }])
    t.match(await eventsOf(left, 'connection.ended'), [{ detail: { reason: 'unused' } }])
  })

  t.test('many sweepers end each access once', async (t) => {
    const apps = await Promise.all(Array.from({ length: 6 }, () => fresh()))
    for (const app of apps) await connected(app)
    for (const [at, app] of apps.entries()) {
      await backdate(at % 2 === 0 ? 'installs' : 'consents', app, 'expires_at', '1 second')
    }
    await Promise.all(Array.from({ length: parallel }, endNow))
    for (const [at, app] of apps.entries()) {
      const type = at % 2 === 0 ? 'install.ended' : 'connection.ended'
      await eventually(async () => (await eventsOf(app, type)).length > 0)
      t.equal((await eventsOf(app, type)).length, 1)
    }
  })

  t.test('a wrong end is refused and changes nothing', async (t) => {
    const app = await fresh()
    await connected(app)
    const wrong: [body: object, pointer: string][] = [
      [{ expires_at: inSeconds(-1) }, '/expires_at'],
      [{ expires_at: 'tomorrow' }, '/expires_at'],
      [{ expires_at: '2999-01-01T00:00:00Z' }, '/expires_at'],
      [{ idle_seconds: 1 }, '/idle_seconds'],
      [{ idle_seconds: 1.5 }, '/idle_seconds'],
    ]
    for (const path of [installPath(app), consentPath(app)]) {
      const before = (await operator('GET', path)).body
      for (const [body, pointer] of wrong)
        t.match(
          await operator('PATCH', path, body),
          { status: 400, body: { errors: [{ pointer }] } },
          JSON.stringify(body),
        )
      t.same((await operator('GET', path)).body, before)
    }
    const foreign = `/organizations/${world.other}/installs/${app.client_id}/users/${ana.id}`
    t.equal((await operator('GET', foreign)).status, 404)
    t.equal((await operator('PATCH', foreign, { expires_at: null })).status, 404)
  })

  t.test('an organization gives new installs and consents their end', async (t) => {
    const path = `/organizations/${acme}/policy`
    t.match((await operator('GET', path)).body, {
      organization_id: acme,
      connect: 'all',
      default_expires_days: null,
      default_idle_days: null,
    })
    const policy = { connect: 'all', default_expires_days: 30, default_idle_days: 7 }
    t.match(await operator('PUT', path, policy), { status: 200, body: policy })
    const app = await fresh()
    await connected(app)
    for (const one of [installPath(app), consentPath(app)]) {
      const { expires_at, idle_seconds } = (await operator('GET', one)).body
      t.equal(idle_seconds, 7 * 86_400)
      const days = (Date.parse(expires_at) - Date.now()) / 86_400_000
      t.ok(days > 29 && days <= 30.01, String(days))
    }
    const own = await fresh({ expires_at: null, idle_seconds: null })
    t.match((await operator('GET', installPath(own))).body, {
      expires_at: null,
      idle_seconds: null,
    })
    await operator('PUT', path, { connect: 'all' })
    t.match((await operator('GET', installPath(await fresh()))).body, { expires_at: null })
  })
})
