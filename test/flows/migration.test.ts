/**
 * Migration from the legacy to the current interface (RFC 8693): once, never more than approved,
 * and with a full audit trail.
 */
import type { Test } from 'tap'
import { eventually } from '../support/eventually.ts'
import {
  claimsOf,
  credentials,
  legacyToken,
  post,
  refresh,
  type TokenResponse,
} from '../support/flows.ts'
import type { Json } from '../support/latchkey.ts'
import {
  createSuccessor,
  exchange,
  exchangeType,
  legacyTokens,
  putTwin,
  twinPermissions,
} from '../support/migration.ts'
import { onEachBackend, type Scene } from '../support/on-each-backend.ts'
import { introspectAt, registerResourceServer } from '../support/resource-server.ts'
import { signedIn } from '../support/signed-in.ts'
import { amounts, sql } from '../support/traces.ts'
import { createVisitor } from '../support/visitor.ts'
import { createApp, createWorld, install, type TestApp } from '../support/world.ts'

const refreshLegacy = (url: string, app: TestApp, token: string) =>
  legacyToken(url, app, { grant_type: 'refresh_token', refresh_token: token })

const audited = async ({ running }: Pick<Scene, 'running'>, type: string, clientId: string) => {
  const { body } = await running.operator('GET', `/audit?type=${type}&client_id=${clientId}`)
  return body.items as Json[]
}

await onEachBackend('a legacy app moves to its twin', async (t, scene) => {
  const { running, issuer, world, stores } = scene
  const { acme, ana, legacy, sales, support } = world
  const twin = await createSuccessor(running, world, legacy)
  const installPath = `/organizations/${acme}/installs/${twin.client_id}`
  const asker = await registerResourceServer(running)
  const visitor = createVisitor(issuer)
  const tokensOf = () => legacyTokens(running, legacy, world, visitor)
  const isRefused = (t: Test, answer: { status: number; body: Json }, error = 'invalid_grant') =>
    t.match(answer, { status: 400, body: { error } })
  /** RFC 8693 §2.2.2. */
  const isUnacceptable = (t: Test, answer: { status: number; body: Json }) =>
    isRefused(t, answer, 'invalid_request')

  t.test('a legacy refresh token is exchanged for a grant of the current interface', async (t) => {
    const old = await tokensOf()
    const answer = await exchange(issuer, twin, old.refresh_token)
    t.match(answer, {
      status: 200,
      body: {
        access_token: /^ey/,
        issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        token_type: 'Bearer',
        expires_in: 3600,
        refresh_token: /^lkrt_/,
        scope: 'records:create records:delete',
        organization_id: acme,
      },
    })
    t.same([...answer.body.workspace_ids].sort(), [sales, support].sort(), 'the user’s own')
    t.match(claimsOf(answer.body.access_token), {
      interface: 'current',
      kind: 'user',
      sub: ana.id,
      client_id: twin.client_id,
      permissions: ['records:create', 'records:delete'],
    })
    t.match(answer.headers.get('cache-control'), 'no-store')

    t.equal((await introspectAt(issuer, asker, old.access_token)).body.active, false)
    t.equal((await introspectAt(issuer, asker, answer.body.access_token)).body.active, true)
    const next = await refresh(issuer, twin, answer.body.refresh_token, { scope: 'records:create' })
    t.match(next, { status: 200, body: { scope: 'records:create' } })

    const told = (await audited(scene, 'grant.moved', twin.client_id)).at(0)
    t.match(told, {
      actor: { kind: 'client', id: twin.client_id },
      organization_id: acme,
      user_id: ana.id,
      detail: {
        legacy_client_id: legacy.client_id,
        permissions: ['records:create', 'records:delete'],
      },
    })
    const browser = await signedIn(issuer, ana)
    const page = await browser.get('/account/apps')
    t.match(page.text, 'continues with the access that you gave')
    t.match(page.text, 'Sheet Sync 2')
  })

  t.test('a replayed exchange is refused and revokes the new grant', async (t) => {
    const old = await tokensOf()
    const moved = (await exchange(issuer, twin, old.refresh_token)).body
    isUnacceptable(t, await exchange(issuer, twin, old.refresh_token))
    isRefused(t, await refresh(issuer, twin, moved.refresh_token))
    t.equal((await introspectAt(issuer, asker, moved.access_token)).body.active, false)

    const other = await tokensOf()
    const again = (await exchange(issuer, twin, other.refresh_token)).body
    isRefused(t, await refreshLegacy(issuer, legacy, other.refresh_token))
    isRefused(t, await refresh(issuer, twin, again.refresh_token), 'invalid_grant')
    t.equal((await introspectAt(issuer, asker, again.access_token)).body.active, false)

    const long = await tokensOf()
    const second = (await refreshLegacy(issuer, legacy, long.refresh_token)).body
    const third = (await exchange(issuer, twin, second.refresh_token)).body
    isUnacceptable(t, await exchange(issuer, twin, long.refresh_token))
    isRefused(t, await refresh(issuer, twin, third.refresh_token))
  })

  t.test('a used legacy token revokes the legacy family at the exchange too', async (t) => {
    const old = await tokensOf()
    const next = (await refreshLegacy(issuer, legacy, old.refresh_token)).body
    isUnacceptable(t, await exchange(issuer, twin, old.refresh_token))
    isUnacceptable(t, await exchange(issuer, twin, next.refresh_token))
    isRefused(t, await refreshLegacy(issuer, legacy, next.refresh_token))
  })

  t.test('repeated replays are reported once', async (t) => {
    const told = async () => (await audited(scene, 'grant.reuse_detected', legacy.client_id)).length
    const toldOfTwin = async () =>
      (await audited(scene, 'grant.reuse_detected', twin.client_id)).length
    const marker = async (app: TestApp, token: string) => {
      const refused = await refreshLegacy(issuer, app, token)
      const id = refused.headers.get('x-request-id')
      await eventually(async () => {
        const { body } = await running.operator('GET', `/audit?request_id=${id}`)
        return body.items.length > 0
      })
    }
    const old = (await tokensOf()).refresh_token
    await exchange(issuer, twin, old)
    await marker(legacy, old)
    const before = await told()
    t.ok(before > 0)
    for (let turn = 0; turn < 3; turn++) await marker(legacy, old)
    t.equal(await told(), before)

    const long = (await tokensOf()).refresh_token
    const second = (await refreshLegacy(issuer, legacy, long)).body.refresh_token
    await exchange(issuer, twin, second)
    isUnacceptable(t, await exchange(issuer, twin, long))
    await marker(legacy, old)
    const beforeTwin = await toldOfTwin()
    t.ok(beforeTwin > 0)
    for (let turn = 0; turn < 3; turn++) isUnacceptable(t, await exchange(issuer, twin, long))
    await marker(legacy, old)
    t.equal(await toldOfTwin(), beforeTwin)
  })

  t.test('revoking the old token revokes the new grant', async (t) => {
    const old = (await tokensOf()).refresh_token
    const moved = (await exchange(issuer, twin, old)).body
    for (let turn = 0; turn < 2; turn++) {
      const revoked = await post(`${issuer}/api/oauth/revoke`, {
        token: old,
        ...credentials(legacy),
      })
      t.equal(revoked.status, 200)
    }
    isRefused(t, await refresh(issuer, twin, moved.refresh_token))
    t.equal((await introspectAt(issuer, asker, moved.access_token)).body.active, false)
    const revocations = await audited(scene, 'grant.revoked', twin.client_id)
    t.match(revocations, [{ actor: { id: legacy.client_id }, user_id: ana.id }])
    t.same(await audited(scene, 'grant.revoked', legacy.client_id), [])
  })

  t.test('a refused exchange consumes nothing', async (t) => {
    const old = (await tokensOf()).refresh_token
    const stranger = await createApp(running, { name: 'Stranger', permissions: twinPermissions })
    const elsewhere = await createApp(running, { interface: 'legacy', name: 'Elsewhere' })
    await install(running, acme, stranger, { permissions: twinPermissions })
    const before = await amounts(stores)
    const refusals: [string, Promise<{ status: number; body: Json }>, number, string][] = [
      ['a foreign app', exchange(issuer, stranger, old), 400, 'unauthorized_client'],
      [
        'a wrong secret',
        exchange(issuer, { ...twin, client_secret: 'x' }, old),
        401,
        'invalid_client',
      ],
      [
        'no secret',
        exchange(issuer, twin, old, { client_secret: undefined }),
        401,
        'invalid_client',
      ],
      ['the legacy app itself', exchange(issuer, legacy, old), 401, 'invalid_client'],
      ['a damaged token', exchange(issuer, twin, `${old}x`), 400, 'invalid_request'],
      ['no token', exchange(issuer, twin, '', {}), 400, 'invalid_request'],
      [
        'another type of token',
        exchange(issuer, twin, old, {
          subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        }),
        400,
        'invalid_request',
      ],
      [
        'without its type',
        exchange(issuer, twin, old, { subject_token_type: undefined }),
        400,
        'invalid_request',
      ],
      [
        'for a refresh token alone',
        exchange(issuer, twin, old, {
          requested_token_type: 'urn:ietf:params:oauth:token-type:refresh_token',
        }),
        400,
        'invalid_request',
      ],
      [
        'with an actor token',
        exchange(issuer, twin, old, { actor_token: old }),
        400,
        'invalid_request',
      ],
      [
        'with an audience',
        exchange(issuer, twin, old, { audience: 'https://other.example' }),
        400,
        'invalid_target',
      ],
      [
        'for another resource',
        exchange(issuer, twin, old, { resource: 'https://other.example' }),
        400,
        'invalid_target',
      ],
      [
        'with a repeated token',
        exchange(issuer, twin, old, { subject_token: [old, old] }),
        400,
        'invalid_request',
      ],
      [
        'more than the legacy permissions map to',
        exchange(issuer, twin, old, { scope: 'records:update' }),
        400,
        'invalid_scope',
      ],
      [
        'a legacy permission',
        exchange(issuer, twin, old, { scope: 'readData' }),
        400,
        'invalid_scope',
      ],
      [
        'a foreign workspace',
        exchange(issuer, twin, old, { workspace_ids: world.finance }),
        400,
        'invalid_scope',
      ],
    ]
    for (const [what, sent, status, error] of refusals)
      t.match(await sent, { status, body: { error } }, what)

    await running.operator('PATCH', installPath, { suspended: true })
    isUnacceptable(t, await exchange(issuer, twin, old))
    await running.operator('PATCH', installPath, { suspended: false })
    const legacyInstall = `/organizations/${acme}/installs/${legacy.client_id}`
    await running.operator('PATCH', legacyInstall, { suspended: true })
    isUnacceptable(t, await exchange(issuer, twin, old))
    await running.operator('PATCH', legacyInstall, { suspended: false })
    t.equal((await putTwin(running, elsewhere, stranger)).status, 201)
    isUnacceptable(t, await exchange(issuer, stranger, old))
    t.same(await amounts(stores), before, 'nothing was written')

    const narrowed = await exchange(issuer, twin, old, {
      scope: 'records:create',
      workspace_ids: sales,
      audience: issuer,
    })
    t.match(narrowed, { status: 200, body: { scope: 'records:create', workspace_ids: [sales] } })
    const whole = await refresh(issuer, twin, narrowed.body.refresh_token)
    t.equal(whole.body.scope, 'records:create records:delete', 'the grant itself is not narrowed')
  })

  t.test(
    'without an install the exchange is refused until an admin approves, and never exceeds that',
    async (t) => {
      const old = (await tokensOf()).refresh_token
      await running.operator('DELETE', installPath)
      isUnacceptable(t, await exchange(issuer, twin, old))
      await install(running, acme, twin, {
        permissions: ['records:create'],
        workspace_ids: [sales],
      })
      const moved = await exchange(issuer, twin, old)
      t.match(moved, { status: 200, body: { scope: 'records:create', workspace_ids: [sales] } })
      await install(running, acme, twin, { permissions: twinPermissions })
      const next = await refresh(issuer, twin, moved.body.refresh_token)
      t.equal(next.body.scope, 'records:create', 'no user was asked for the rest')
      await running.operator('DELETE', installPath)
      isRefused(t, await refresh(issuer, twin, next.body.refresh_token))
      await install(running, acme, twin, { permissions: twinPermissions })
    },
  )

  t.test('the operator maps legacy permissions to current ones', async (t) => {
    const [first, second] = [await tokensOf(), await tokensOf()]
    t.equal((await putTwin(running, legacy, twin, { readData: [] })).status, 200)
    t.match(await exchange(issuer, twin, first.refresh_token), { status: 200, body: { scope: '' } })
    const more = { readData: ['records:update'], addFields: ['records:create'] }
    t.equal((await putTwin(running, legacy, twin, more)).status, 200)
    const answer = await exchange(issuer, twin, second.refresh_token)
    t.equal(answer.body.scope, 'records:update', 'addFields was never approved')
    t.equal((await putTwin(running, legacy, twin)).status, 200)
  })

  t.test('a user who lacks the read permission is asked again', async (t) => {
    const old = (await tokensOf()).refresh_token
    const path = `/organizations/${acme}/installs/${legacy.client_id}`
    await running.operator('PATCH', path, { permissions: ['insertData'] })
    isUnacceptable(t, await exchange(issuer, twin, old))
    await running.operator('PATCH', path, { permissions: ['readData', 'insertData'] })
    const answer = await exchange(issuer, twin, old)
    t.equal(answer.body.scope, 'records:create', 'of the current approval')
    await running.operator('PATCH', path, { permissions: ['readData', 'insertData', 'deleteData'] })
  })

  t.test('an app with a secret cannot move to a successor without one', async (t) => {
    const open = await createApp(running, {
      client_type: 'public',
      name: 'Open',
      permissions: twinPermissions,
    })
    t.match(await putTwin(running, legacy, open), { status: 400 })
    const old = (await tokensOf()).refresh_token
    const path = `/apps/${twin.client_id}`
    await running.operator('PATCH', path, { client_type: 'public' })
    isRefused(t, await exchange(issuer, { ...twin, client_secret: '' }, old), 'unauthorized_client')
    await running.operator('PATCH', path, { client_type: 'confidential' })
    const { body } = await running.operator('POST', `${path}/secrets`, {})
    twin.client_secret = body.client_secret
    t.equal((await exchange(issuer, twin, old)).status, 200, 'the token was not consumed')
  })

  t.test('a public app moves to a public successor from its own pages', async (t) => {
    const { legacyPublic } = world
    const open = await createSuccessor(running, world, legacyPublic, {
      client_type: 'public',
      redirect_uris: ['https://view.example/cb'],
    })
    const old = await legacyTokens(running, legacyPublic, world, visitor)
    isUnacceptable(t, await exchange(issuer, twin, old.refresh_token))
    const answer = await exchange(issuer, open, old.refresh_token)
    t.match(answer, { status: 200, body: { refresh_token: /^lkrt_/ } })
    t.equal((await refresh(issuer, open, answer.body.refresh_token)).status, 200)
  })

  t.test('a removed user or a disabled app cannot be migrated', async (t) => {
    const leaving = (await tokensOf()).refresh_token
    const member = `/organizations/${acme}/members/${ana.id}`
    await running.operator('DELETE', member)
    isUnacceptable(t, await exchange(issuer, twin, leaving))
    await running.operator('PUT', member, { role: 'member' })
    isUnacceptable(t, await exchange(issuer, twin, leaving))
    isRefused(t, await refreshLegacy(issuer, legacy, leaving), 'invalid_grant')

    const off = (await tokensOf()).refresh_token
    await running.operator('PATCH', `/apps/${legacy.client_id}`, { disabled: true })
    isUnacceptable(t, await exchange(issuer, twin, off))
    await running.operator('PATCH', `/apps/${legacy.client_id}`, { disabled: false })
    isUnacceptable(t, await exchange(issuer, twin, off))
  })

  t.test('a deleted successor migrates nothing; finished migrations stay', async (t) => {
    const [first, second] = [await tokensOf(), await tokensOf()]
    const moved = await exchange(issuer, twin, first.refresh_token)
    t.equal((await running.operator('DELETE', `/apps/${legacy.client_id}/twin`)).status, 204)
    isRefused(t, await exchange(issuer, twin, second.refresh_token), 'unauthorized_client')
    t.equal((await refresh(issuer, twin, moved.body.refresh_token)).status, 200)
    t.equal((await refreshLegacy(issuer, legacy, second.refresh_token)).status, 200)
    t.equal((await putTwin(running, legacy, twin)).status, 201)
  })

  t.test(
    'a lost response is repeated within the retry window, without a second branch',
    async (t) => {
      const path = `/apps/${twin.client_id}`
      await running.operator('PATCH', path, { retry_window_seconds: 30 })
      const old = (await tokensOf()).refresh_token
      const first = (await exchange(issuer, twin, old)).body.refresh_token
      const again = await exchange(issuer, twin, old, { scope: 'records:create' })
      t.match(again, { status: 200, body: { refresh_token: first, scope: 'records:create' } })
      t.equal((await refresh(issuer, twin, first)).status, 200)
      isUnacceptable(t, await exchange(issuer, twin, old))
      await running.operator('PATCH', path, { retry_window_seconds: 0 })

      const late = (await tokensOf()).refresh_token
      const kept = (await exchange(issuer, twin, late)).body.refresh_token
      await running.operator('PATCH', path, { retry_window_seconds: 30 })
      await sql(
        stores,
        `update grants set created_at = now() - interval '31 seconds'
      where moved_from = $1`,
        [legacy.client_id],
      )
      isUnacceptable(t, await exchange(issuer, twin, late))
      isRefused(t, await refresh(issuer, twin, kept), 'invalid_grant')
      await running.operator('PATCH', path, { retry_window_seconds: 0 })
    },
  )

  t.test('disconnecting the old app revokes the new grant', async (t) => {
    await running.operator('PATCH', `/apps/${twin.client_id}`, { retry_window_seconds: 30 })
    const old = (await tokensOf()).refresh_token
    const moved = (await exchange(issuer, twin, old)).body.refresh_token
    const browser = await signedIn(issuer, ana)
    const page = await browser.get('/account/apps')
    const form = page.dom
      .querySelectorAll('form')
      .find((one) => one.innerHTML.includes(twin.client_id))
    t.ok(form, 'it is listed under connected apps')
    const fields = new URLSearchParams(
      (form?.querySelectorAll('input') ?? []).map((input): [string, string] => [
        input.getAttribute('name') ?? '',
        input.getAttribute('value') ?? '',
      ]),
    )
    fields.set('decision', 'disconnect')
    const sent = await browser.fetch(`${issuer}/account/apps`, { method: 'POST', body: fields })
    t.equal(sent.status, 303)
    isRefused(t, await refresh(issuer, twin, moved))
    isUnacceptable(t, await exchange(issuer, twin, old))
    await running.operator('PATCH', `/apps/${twin.client_id}`, { retry_window_seconds: 0 })
  })

  t.test('the audit trail, the metrics and the report record migrations', async (t) => {
    const old = (await tokensOf()).refresh_token
    const staying = await tokensOf()
    await refreshLegacy(issuer, legacy, staying.refresh_token)
    t.equal((await exchange(issuer, twin, old)).status, 200)
    const refused = await exchange(issuer, twin, old)
    t.equal((await exchange(issuer, twin, (await tokensOf()).refresh_token)).status, 200)
    const id = refused.headers.get('x-request-id') ?? ''
    const refusal = async () => {
      const { body } = await running.operator('GET', `/audit?request_id=${id}`)
      return body.items.find((one: Json) => one.type === 'token.refused')
    }
    await eventually(async () => (await refusal()) !== undefined) // Written every second.
    t.match(await refusal(), {
      detail: { reason: 'refresh_token_reused' },
      organization_id: acme,
      client_id: twin.client_id,
    })
    const usageOf = async (app: TestApp): Promise<Json> =>
      (await running.operator('GET', `/apps/${app.client_id}/usage`)).body.items[0]
    await eventually(async () => {
      const { issued, last_used_at: lastUsed } = await usageOf(legacy)
      return issued.refresh_token > 0 && lastUsed !== null
    })
    const item = await usageOf(legacy)
    t.match(item, {
      organization_id: acme,
      organization_name: 'Acme',
      people: 1,
      twin_installed: true,
    })
    t.equal(item.moved, 1, 'the others were revoked')
    await eventually(async () => (await usageOf(twin)).issued.token_exchange > 0)
    t.equal((await usageOf(twin)).twin_installed, null)
    const people = await running.operator('GET', `/apps/${legacy.client_id}/usage/${acme}`)
    t.match(people.body.items, [
      { user_id: ana.id, permissions: ['readData', 'insertData', 'deleteData'] },
    ])
    t.equal(
      (await running.operator('GET', `/apps/${legacy.client_id}/usage/${world.other}`)).status,
      404,
    )
    t.equal((await running.operator('GET', '/apps/app0/usage')).status, 404)
  })

  t.test('the metadata announces the grant type, and others stay unknown', async (t) => {
    const document = await fetch(`${issuer}/.well-known/oauth-authorization-server`)
    t.ok(((await document.json()) as Json).grant_types_supported.includes(exchangeType))
    const odd = await exchange(issuer, twin, 'x', { grant_type: `${exchangeType}s` })
    t.match(odd, { status: 400, body: { error: 'unsupported_grant_type' } })
  })
})

const parallel = 50
const rounds = 5

await onEachBackend(
  'many concurrent exchanges on two instances',
  async (t, { running, world }) => {
    const { legacy } = world
    const twin = await createSuccessor(running, world, legacy)
    const visitor = createVisitor(running.issuer)
    const url = (at: number) => running.urls[at % running.urls.length] as string
    const many = <Result>(work: (at: number) => Promise<Result>) =>
      Promise.all(Array.from({ length: parallel }, (_, at) => work(at)))
    const tokenOf = async () =>
      (await legacyTokens(running, legacy, world, visitor)).refresh_token as string
    const won = (answers: TokenResponse[]) => answers.filter(({ status }) => status === 200)

    t.test('one exchange succeeds, and the others are replays', async (t) => {
      for (let round = 0; round < rounds; round++) {
        const old = await tokenOf()
        const answers = await many((at) => exchange(url(at), twin, old))
        const [winner, ...more] = won(answers)
        t.ok(winner && more.length === 0, `round ${round}`)
        const odd = answers.filter((one) => one !== winner && one.body.error !== 'invalid_request')
        t.same(odd, [], 'all others are refused')
        t.equal((await refresh(url(0), twin, winner?.body.refresh_token)).status, 400)
        t.equal((await refreshLegacy(url(1), legacy, old)).status, 400)
      }
    })

    t.test('of concurrent exchanges and refreshes of one token at most one succeeds', async (t) => {
      for (let round = 0; round < rounds; round++) {
        const old = await tokenOf()
        const answers = await many((at) =>
          at % 2 ? exchange(url(at), twin, old) : refreshLegacy(url(at), legacy, old),
        )
        t.ok(won(answers).length <= 1, `round ${round}`)
        for (const one of won(answers)) {
          const token = one.body.refresh_token
          t.equal(
            (await refresh(url(0), twin, token)).status,
            400,
            'the resulting grant is revoked',
          )
          t.equal((await refreshLegacy(url(0), legacy, token)).status, 400)
        }
      }
    })

    t.test('of one exchange and one refresh at most one grant stays valid', async (t) => {
      for (let round = 0; round < 30; round++) {
        const old = await tokenOf()
        const [moved, refreshed] = await Promise.all([
          exchange(url(0), twin, old),
          refreshLegacy(url(1), legacy, old),
        ])
        const tokens = won([moved, refreshed]).map((one) => one.body.refresh_token)
        t.ok(tokens.length <= 1, `round ${round}`)
        for (const token of tokens) {
          t.equal((await refresh(url(0), twin, token)).status, 400, `${round}: twin`)
          t.equal((await refreshLegacy(url(1), legacy, token)).status, 400, `${round}: legacy`)
        }
      }
    })

    t.test('within a retry window all exchanges get the same tokens', async (t) => {
      const path = `/apps/${twin.client_id}`
      await running.operator('PATCH', path, { retry_window_seconds: 30 })
      for (let round = 0; round < rounds; round++) {
        const old = await tokenOf()
        const answers = await many((at) => exchange(url(at), twin, old))
        t.equal(won(answers).length, parallel, `round ${round}`)
        const tokens = new Set(answers.map((one) => one.body.refresh_token))
        t.equal(tokens.size, 1, 'never a second branch')
        t.equal((await refresh(url(0), twin, [...tokens][0] as string)).status, 200)
      }
    })
  },
  { instances: 2 },
)

await onEachBackend(
  'the end of the legacy interface is announced',
  async (t, { issuer, world }) => {
    const expected = {
      deprecation: '@1774915200',
      sunset: 'Thu, 01 Oct 2026 12:00:00 GMT',
      link: '<https://docs.example/moving>; rel="deprecation"; type="text/html", <https://docs.example/moving>; rel="sunset"; type="text/html"',
    }
    const requests: [string, RequestInit][] = [
      [`/oauth/authorize?client_id=${world.legacy.client_id}&response_type=code`, {}],
      ['/oauth/authorize?client_id=app0', {}],
      ['/api/oauth/access_token', { method: 'POST', body: new URLSearchParams({ a: 'b' }) }],
      ['/api/oauth/access_token', {}],
    ]
    for (const [path, init] of requests) {
      const { headers } = await fetch(issuer + path, { ...init, redirect: 'manual' })
      for (const [name, value] of Object.entries(expected)) t.equal(headers.get(name), value, path)
    }
    for (const path of ['/api/oauth/token', '/authorize', '/login', '/.well-known/jwks.json']) {
      const { headers } = await fetch(issuer + path, { redirect: 'manual' })
      for (const name of Object.keys(expected)) t.equal(headers.get(name), null, path)
    }
  },
  {
    environment: {
      LEGACY_DEPRECATED_AT: '2026-03-31',
      LEGACY_SUNSET_AT: '2026-10-01T12:00:00Z',
      LEGACY_END_URL: 'https://docs.example/moving',
    },
  },
)

await onEachBackend('an organization of others', async (t, { running, issuer, world }) => {
  const twin = await createSuccessor(running, world, world.legacy)
  const elsewhere = await createWorld(running)
  await install(running, elsewhere.acme, world.legacy, { permissions: ['readData'] })
  const foreign = await legacyTokens(running, world.legacy, elsewhere)
  t.match(
    await exchange(issuer, twin, foreign.refresh_token),
    { status: 400, body: { error: 'invalid_request' } },
    'an install in one organization does not count for another',
  )
  await install(running, elsewhere.acme, twin, { permissions: twinPermissions })
  const moved = await exchange(issuer, twin, foreign.refresh_token)
  t.match(moved, { status: 200, body: { organization_id: elsewhere.acme, scope: '' } })
})
