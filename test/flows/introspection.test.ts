/**
 * Introspection (RFC 7662) and the revocation feed: resource servers learn of every revocation at
 * once.
 */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Test } from 'tap'
import { vocabulary } from '../../src/core/language/permissions.ts'
import {
  claimsOf,
  clientCredentials,
  currentCode,
  exchangeCode,
  legacyCode,
  legacyToken,
  post,
  refresh,
} from '../support/flows.ts'
import type { Json } from '../support/latchkey.ts'
import { onEachBackend, type Scene } from '../support/on-each-backend.ts'
import {
  createKeySet,
  introspectAt,
  type ResourceServer,
  readFeed,
  registerResourceServer,
  selfSign,
} from '../support/resource-server.ts'
import { sql } from '../support/traces.ts'
import { createApp, install, legacyPermissions, type TestApp } from '../support/world.ts'

const seconds = () => Math.floor(Date.now() / 1000)

/** A token of each kind, each on an app of its own. */
const tokensOf = async ({ running, issuer, world }: Scene) => {
  const app = await createApp(running, { name: 'Own' })
  await install(running, world.acme, app)
  const code = await currentCode(running, app, world.ana, { organization_id: world.acme })
  const user = (await exchangeCode(issuer, app, code)).body
  const machine = (await clientCredentials(issuer, app, world.acme)).body
  const old = await createApp(running, { name: 'Own legacy', interface: 'legacy' })
  await install(running, world.acme, old, { permissions: legacyPermissions })
  const legacy = await legacyCode(running, old, world.ana, { organization_id: world.acme })
  const legacyUser = (
    await legacyToken(issuer, old, { grant_type: 'authorization_code', code: legacy.code })
  ).body
  return { app, old, user, machine, legacyUser }
}

const suspend = ({ running, world }: Scene, app: TestApp, suspended: boolean) =>
  running.operator('PATCH', `/organizations/${world.acme}/installs/${app.client_id}`, { suspended })

/** This many more workspaces, with ids of the maximal length. */
const addWorkspaces = ({ stores }: Scene, organizationId: string, count: number) =>
  sql(
    stores,
    `insert into workspaces (id, organization_id, name)
     select 'wksMANY' || lpad(n::text, 13, '0'), $1, 'Many ' || n from generate_series(1, $2) n`,
    [organizationId, count],
  )

await onEachBackend('the workspaces of a token', async (t, scene) => {
  const { running, issuer, world } = scene
  const app = await createApp(running, {
    name: 'Everything',
    permissions: [...vocabulary.current],
  })
  await install(running, world.other, app, {
    permissions: [...vocabulary.current],
  })
  const asker = await registerResourceServer(running)
  await addWorkspaces(scene, world.other, 300)
  const reach = async (count: number, claim: string) => {
    const { status, body } = await clientCredentials(issuer, app, world.other)
    t.equal(status, 200)
    t.equal(body.workspace_ids.length, count)
    t.ok(claim in claimsOf(body.access_token), claim)
    t.ok(body.access_token.length < 8000, `${body.access_token.length} characters`)
    const answer = await introspectAt(issuer, asker, body.access_token)
    t.match(answer.body, { active: true, workspace_ids: body.workspace_ids })
  }
  await reach(301, 'workspaces')
  await sql(
    scene.stores,
    "delete from workspaces where name like 'Many %' and id > 'wksMANY0000000000150'",
  )
  await reach(151, 'workspace_ids')
})

const asking = (t: Test, url: string, server: ResourceServer) => ({
  isActive: async (token: string): Promise<Json> => {
    const { status, body } = await introspectAt(url, server, token)
    t.equal(status, 200)
    t.equal(body.active, true)
    return body
  },
  isInactive: async (token: string, why: string) => {
    const { status, body } = await introspectAt(url, server, token)
    t.equal(status, 200, why)
    t.strictSame(body, { active: false }, why)
  },
})

await onEachBackend('introspection of what apps are given', async (t, scene) => {
  const { running, issuer, world } = scene
  const server = await registerResourceServer(running)
  const { isActive, isInactive } = asking(t, issuer, server)
  const { app, old, user, machine, legacyUser } = await tokensOf(scene)
  const both = [world.sales, world.support].sort()

  t.match(await isActive(user.access_token), {
    kind: 'user',
    interface: 'current',
    iss: issuer,
    sub: world.ana.id,
    client_id: app.client_id,
    organization_id: world.acme,
    scope: 'records:create records:update workspace_members:read',
    permissions: ['records:create', 'records:update', 'workspace_members:read'],
    workspace_ids: both,
    token_type: 'Bearer',
  })
  const installed = await isActive(machine.access_token)
  t.match(installed, { kind: 'install', sub: app.client_id, client_id: app.client_id })
  t.equal(installed.exp - installed.iat, 3600)
  t.strictSame(installed.workspace_ids, [world.sales, world.support, world.finance].sort())
  const legacy = await isActive(legacyUser.access_token)
  t.match(legacy, {
    kind: 'user',
    interface: 'legacy',
    client_id: old.client_id,
    workspace_ids: null,
  })
  t.equal(legacy.exp - legacy.iat, 7200)
  const refreshing = await isActive(user.refresh_token)
  t.match(refreshing, { kind: 'user', sub: world.ana.id, workspace_ids: both })
  t.notOk('exp' in refreshing, 'valid until it is used')

  t.test('a used refresh token is inactive, and introspecting it revokes nothing', async () => {
    const next = (await refresh(issuer, app, user.refresh_token)).body
    await isInactive(user.refresh_token, 'spent')
    await isActive(next.refresh_token)
    t.equal((await refresh(issuer, app, next.refresh_token)).status, 200)
  })

  t.test('the current approval limits tokens that were issued before', async () => {
    await install(running, world.acme, app, {
      permissions: ['records:update'],
      workspace_ids: [world.support],
    })
    t.match(await isActive(user.access_token), {
      permissions: ['records:update'],
      scope: 'records:update',
      workspace_ids: [world.support],
    })
    await running.operator('DELETE', `/workspaces/${world.support}/members/${world.ana.id}`)
    t.strictSame((await isActive(user.access_token)).workspace_ids, [])
    t.strictSame((await isActive(machine.access_token)).workspace_ids, [world.support])
    await running.operator('PUT', `/workspaces/${world.support}/members/${world.ana.id}`, {})
    await install(running, world.acme, app)
  })

  t.test('only a resource server may introspect', async (t) => {
    const wrong: [string, string][] = [
      ['nobody', 'Basic bm9ib2R5OnNlY3JldA=='],
      ['a wrong secret', `Basic ${Buffer.from(`${server.clientId}:wrong`).toString('base64')}`],
      [
        'an app',
        `Basic ${Buffer.from(`${app.client_id}:${app.client_secret}`).toString('base64')}`,
      ],
      ['no secret', `Basic ${Buffer.from(`${server.clientId}:`).toString('base64')}`],
      ['a bearer token', `Bearer ${machine.access_token}`],
    ]
    for (const [who, authorization] of wrong) {
      for (const token of [user.access_token, 'anything', user.refresh_token]) {
        const { status, body } = await introspectAt(issuer, { authorization }, token)
        t.equal(status, 401, who)
        t.equal(body.error, 'invalid_client', who)
      }
      const without = await post(`${issuer}/api/oauth/introspect`, {}, { authorization })
      t.equal(without.status, 401, `${who}, and without a token`)
    }
    const anonymous = await post(`${issuer}/api/oauth/introspect`, { token: user.access_token })
    t.equal(anonymous.status, 401)
    const { authorization } = server
    const empty = await post(`${issuer}/api/oauth/introspect`, {}, { authorization })
    t.match(empty, { status: 400, body: { error: 'invalid_request' } })
  })
})

await onEachBackend(
  'inactive at once, on every instance',
  async (t, scene) => {
    const { running, world } = scene
    const server = await registerResourceServer(running)
    const url = running.urls[1] as string
    const { isActive, isInactive } = asking(t, url, server)
    const { operator } = running

    const ends: [
      string,
      (tokens: Awaited<ReturnType<typeof tokensOf>>) => Promise<unknown>,
      boolean,
    ][] = [
      [
        'uninstall',
        ({ app }) => operator('DELETE', `/organizations/${world.acme}/installs/${app.client_id}`),
        true,
      ],
      ['suspension', ({ app }) => suspend(scene, app, true), true],
      [
        'the app disabled',
        ({ app }) => operator('PATCH', `/apps/${app.client_id}`, { disabled: true }),
        true,
      ],
      ['the app deleted', ({ app }) => operator('DELETE', `/apps/${app.client_id}`), true],
      [
        'the user disabled',
        () => operator('PATCH', `/users/${world.ana.id}`, { disabled: true }),
        false,
      ],
      [
        'the user has left',
        () => operator('DELETE', `/organizations/${world.acme}/members/${world.ana.id}`),
        false,
      ],
    ]
    for (const [name, end, machineToo] of ends) {
      await operator('PATCH', `/users/${world.ana.id}`, { disabled: false })
      await operator('PUT', `/organizations/${world.acme}/members/${world.ana.id}`, {
        role: 'member',
      })
      const tokens = await tokensOf(scene)
      const { user, machine } = tokens
      for (const token of [user.access_token, user.refresh_token, machine.access_token]) {
        await isActive(token)
      }
      await end(tokens)
      await isInactive(user.access_token, name)
      await isInactive(user.refresh_token, name)
      if (machineToo) await isInactive(machine.access_token, name)
      else await isActive(machine.access_token)
    }
  },
  { instances: 2 },
)

await onEachBackend('revocation by clients (RFC 7009)', async (t, scene) => {
  const { running, issuer, world } = scene
  const server = await registerResourceServer(running)
  const { isActive, isInactive } = asking(t, issuer, server)
  const { app, old, user, machine, legacyUser } = await tokensOf(scene)
  const revoke = (by: { client_id: string; client_secret?: string }, token: string) =>
    post(`${issuer}/api/oauth/revoke`, {
      token,
      client_id: by.client_id,
      ...(by.client_secret && { client_secret: by.client_secret }),
    })

  for (const token of [user.access_token, user.refresh_token, machine.access_token]) {
    const answer = await revoke(world.second, token)
    t.equal(answer.status, 200, 'another client gets no information')
    await isActive(token)
  }
  t.equal((await revoke({ ...app, client_secret: 'wrong' }, user.refresh_token)).status, 401)
  t.equal((await revoke({ client_id: app.client_id }, user.refresh_token)).status, 401)
  t.equal((await revoke({ ...app, client_secret: 'wrong' }, '')).status, 401, 'not without a token')
  t.match(await revoke(app, ''), { status: 400, body: { error: 'invalid_request' } })
  t.equal((await revoke(app, 'not a token of ours')).status, 200)
  await isActive(user.refresh_token)

  t.equal((await revoke(app, machine.access_token)).status, 200)
  await isInactive(machine.access_token, 'revoked by itself')
  t.equal((await revoke(app, machine.access_token)).status, 200, 'revoking twice is no error')
  await isActive(user.access_token)
  const another = (await clientCredentials(issuer, app, world.acme)).body
  await isActive(another.access_token)

  const next = (await refresh(issuer, app, user.refresh_token)).body
  t.equal((await revoke(app, next.refresh_token)).status, 200)
  await isInactive(next.access_token, 'of the family')
  await isInactive(user.access_token, 'of the family')
  await isInactive(next.refresh_token, 'the family')
  t.match(await refresh(issuer, app, next.refresh_token), {
    status: 400,
    body: { error: 'invalid_grant' },
  })

  t.equal((await revoke(old, legacyUser.refresh_token)).status, 200)
  await isInactive(legacyUser.access_token, 'legacy')

  const code = await currentCode(running, world.publicApp, world.kim, {
    organization_id: world.acme,
  })
  t.equal((await revoke(world.publicApp, code.code)).status, 200)
  t.equal((await exchangeCode(issuer, world.publicApp, code)).status, 400, 'codes too')

  const origin = 'https://spa.example'
  const fromPage = await post(
    `${issuer}/api/oauth/revoke`,
    { client_id: world.publicApp.client_id, token: 'x' },
    { origin },
  )
  t.equal(fromPage.headers.get('access-control-allow-origin'), origin)
})

await onEachBackend('self-signed tokens and secret keys', async (t, scene) => {
  const { running, issuer, world } = scene
  const server = await registerResourceServer(running)
  const { isActive, isInactive } = asking(t, issuer, server)
  const { client_id: iss, secret, id } = await createKeySet(running, world.acme)
  const token = (claims: Record<string, unknown> = {}) =>
    selfSign(secret, { iss, iat: seconds(), ...claims })

  t.test('returns the claims of the specification', async (t) => {
    const cases: [string, Record<string, unknown>, Record<string, unknown>][] = [
      ['nothing asked for: reading, everywhere', {}, { permissions: [], workspace_ids: null }],
      ['an empty list is nowhere', { workspace_ids: [] }, { workspace_ids: [] }],
      ['a workspace', { workspace_ids: [world.finance] }, { workspace_ids: [world.finance] }],
      [
        'never a foreign or unknown workspace',
        { workspace_ids: [world.foreignWorkspace, 'wks1', world.sales] },
        { workspace_ids: [world.sales] },
      ],
      ['permissions', { permissions: ['records:delete'] }, { permissions: ['records:delete'] }],
      [
        'never beyond the key set',
        { permissions: ['table:create', 'records:create', 'nonsense'] },
        { permissions: ['records:create'], scope: 'records:create' },
      ],
      ['no permissions', { permissions: [] }, { permissions: [] }],
      ['an end', { exp: seconds() + 600 }, { kind: 'self_signed' }],
      ['our audience', { aud: [issuer] }, {}],
    ]
    for (const [name, claims, expected] of cases) {
      const body = await isActive(token(claims))
      t.match(
        body,
        { kind: 'self_signed', interface: 'current', client_id: iss, organization_id: world.acme },
        name,
      )
      for (const [member, value] of Object.entries(expected))
        t.strictSame(body[member], value, name)
      t.equal(body.exp, claims.exp, name)
    }
  })

  t.test('accepts self-signed tokens as libraries write them', async (t) => {
    const now = seconds()
    const accepted: [string, string][] = [
      ['no typ', selfSign(secret, { iss, iat: now }, { alg: 'HS256' })],
      ['a kid', selfSign(secret, { iss, iat: now }, { alg: 'HS256', typ: 'JWT', kid: 'key-1' })],
      ['a kid, no typ', selfSign(secret, { iss, iat: now }, { kid: iss, alg: 'HS256' })],
      ['fractions (RFC 7519 §2)', token({ iat: now - 0.25, nbf: now - 0.5, exp: now + 600.75 })],
      ['an exponent', selfSign(secret, `{"iss":"${iss}","iat":1.5e9}`)],
    ]
    for (const [name, text] of accepted) t.match(await isActive(text), { client_id: iss }, name)
    // RFC 7662 §2.2: iat and exp are integers.
    const answer = await isActive(token({ iat: now - 0.25, exp: now + 600.75 }))
    t.match(answer, { iat: now - 1, exp: now + 600 })
    await isInactive(token({ iat: now - 100.5, exp: now - 0.5 }), 'expired by a fraction')
  })

  t.test('a kid does not select the key set', async () => {
    const other = await createKeySet(running, world.acme)
    const header = { alg: 'HS256', typ: 'JWT', kid: other.client_id }
    await isInactive(selfSign(other.secret, { iss, iat: seconds() }, header), 'signed by kid')
    await isActive(selfSign(secret, { iss, iat: seconds() }, header))
  })

  t.test('hostile self-signed tokens are inactive', async () => {
    const jwks = (await (await fetch(`${issuer}/.well-known/jwks.json`)).json()) as Json
    const issued = (await clientCredentials(issuer, world.confidential, world.acme)).body
      .access_token as string
    const other = await createKeySet(running, world.acme)
    const legacyKeys = await createKeySet(running, world.acme, {
      interface: 'legacy',
      permissions: ['readData'],
    })
    const now = seconds()
    const [head, body, signature] = token().split('.') as [string, string, string]
    const header = (part: Record<string, unknown>) =>
      selfSign(secret, { iss, iat: now }, { alg: 'HS256', typ: 'JWT', ...part })
    const raw = (text: string) => selfSign(secret, text)
    const hostile: [string, string][] = [
      [
        'alg none',
        `${selfSign(secret, { iss, iat: now }, { alg: 'none', typ: 'JWT' }).split('.').slice(0, 2).join('.')}.`,
      ],
      ...['None', 'nOnE', '', 'HS384', 'HS512', 'hs256', 'RS256', 'ES256'].map(
        (alg): [string, string] => [`alg ${alg}`, header({ alg })],
      ),
      ...['at+jwt', 'jwt', 'JOSE', '', null, 5].map((typ): [string, string] => [
        `typ ${typ}`,
        header({ typ }),
      ]),
      ...['', null, 5, ['x'], {}].map((kid): [string, string] => [
        `kid ${JSON.stringify(kid)}`,
        header({ kid }),
      ]),
      ...['jku', 'x5u', 'jwk', 'x5c', 'crit', 'zip', 'b64'].map((name): [string, string] => [
        name,
        header({ [name]: name === 'crit' ? ['exp'] : 'https://evil.example' }),
      ]),
      ['the secret of another', selfSign(other.secret, { iss, iat: now })],
      ['a legacy secret', selfSign(legacyKeys.secret, { iss: legacyKeys.client_id, iat: now })],
      ['an empty key', selfSign('', { iss, iat: now })],
      [
        'its digest as key',
        selfSign(createHash('sha256').update(secret).digest(), { iss, iat: now }),
      ],
      ['the public key as key', selfSign(JSON.stringify(jwks.keys[0]), { iss: issuer, iat: now })],
      [
        'an issued token with HS256',
        selfSign(
          secret,
          JSON.parse(Buffer.from(issued.split('.')[1] as string, 'base64url').toString()),
        ),
      ],
      ...[
        null,
        5,
        ['x'],
        {},
        '',
        '\u0000',
        '__proto__',
        "' or 1=1--",
        'x'.repeat(5000),
        iss.toUpperCase(),
      ].map((bad): [string, string] => [
        `iss ${String(bad).slice(0, 20)}`,
        selfSign(secret, { iss: bad, iat: now }),
      ]),
      ['iat missing', selfSign(secret, { iss })],
      ...[now + 120, now + 120.5, 'now', -1, 1e300, null, '5'].map((iat): [string, string] => [
        `iat ${iat}`,
        selfSign(secret, { iss, iat }),
      ]),
      ...[now - 120, now - 1, 'x', 1.5, -1, 1e300, null, 0].map((exp): [string, string] => [
        `exp ${exp}`,
        token({ exp }),
      ]),
      ...[now + 120, 'x', null].map((nbf): [string, string] => [`nbf ${nbf}`, token({ nbf })]),
      ...['x', 5, null, [5], {}].map((bad): [string, string] => [
        `workspace_ids ${bad}`,
        token({ workspace_ids: bad }),
      ]),
      ...['records:create', 5, null, [5], {}].map((bad): [string, string] => [
        `permissions ${bad}`,
        token({ permissions: bad }),
      ]),
      ['another audience', token({ aud: 'https://other.example' })],
      [
        'a repeated member',
        raw(`{"iss":"${iss}","iat":${now},"permissions":[],"permissions":["records:create"]}`),
      ],
      ['no object', raw('[]')],
      ['deep', raw(`{"iss":"${iss}","iat":${now},"x":${'['.repeat(3000)}${']'.repeat(3000)}}`)],
      ['five parts', `${token()}.x.y`],
      ['detached', `${head}..${signature}`],
      ['trailing dot', `${token()}.`],
      ['padding', `${token()}=`],
      ['white space', ` ${token()}`],
      [
        'a changed body',
        `${head}.${Buffer.from(JSON.stringify({ iss, iat: now, permissions: ['records:create'] })).toString('base64url')}.${signature}`,
      ],
      [
        'not canonical',
        `${head}.${body}.${signature.slice(0, -1)}${signature.at(-1) === 'B' ? 'C' : 'B'}`,
      ],
      ['long', token({ x: 'x'.repeat(20_000) })],
      ['a secret of the current interface itself', secret],
    ]
    for (const [name, bad] of hostile) await isInactive(bad, name)
    await isActive(token())
  })

  t.test('the self-signing key is the secret’s UTF-8 bytes', async () => {
    await isActive(selfSign(Buffer.from(secret, 'utf8'), { iss, iat: seconds() }))
    await isInactive(selfSign(Buffer.from(secret, 'base64'), { iss, iat: seconds() }), 'decoded')
  })

  t.test('a legacy secret key is a credential by itself', async (t) => {
    const legacy = await createKeySet(running, world.acme, {
      interface: 'legacy',
      permissions: ['insertData', 'readData'],
    })
    t.match(await isActive(legacy.secret), {
      kind: 'key_set',
      interface: 'legacy',
      client_id: legacy.client_id,
      organization_id: world.acme,
      permissions: ['readData', 'insertData'],
      workspace_ids: null,
    })
    const path = `/organizations/${world.acme}/key-sets/${legacy.id}`
    const rotated = await running.operator('POST', `${path}/rotate`)
    await isInactive(legacy.secret, 'rotated away')
    await isActive(rotated.body.secret)
    await running.operator('DELETE', path)
    await isInactive(rotated.body.secret, 'deleted')
  })

  t.test('rotation ends every token of the old secret, except during an overlap', async (t) => {
    const path = `/organizations/${world.acme}/key-sets/${id}/rotate`
    const overlapping = await running.operator('POST', path, { retire_others_after_seconds: 600 })
    t.equal(overlapping.status, 200)
    const old = await isActive(token())
    t.ok(old.exp <= seconds() + 600, 'a token without exp lives as long as its secret')
    const fresh = selfSign(overlapping.body.secret, { iss, iat: seconds() })
    await isActive(fresh)
    const last = await running.operator('POST', path)
    await isInactive(token(), 'the first secret')
    await isInactive(fresh, 'the second secret')
    await isActive(selfSign(last.body.secret, { iss, iat: seconds() }))
  })
})

await onEachBackend(
  'the revocation feed',
  async (t, scene) => {
    const { running, world } = scene
    const [first, second] = running.urls as [string, string]
    const server = await registerResourceServer(running)
    const { app, user, machine } = await tokensOf(scene)
    const { operator } = running
    const claims = (token: string): Json =>
      JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString())
    const { grant_id: grantId, install_id: installId } = claims(user.access_token)
    t.match(claims(user.access_token), { app_epoch: 0, user_epoch: 0 })
    t.match(claims(machine.access_token), { install_id: installId, app_epoch: 0 })

    let { cursor } = await readFeed(second, server)
    const news = async () => {
      const page = await readFeed(second, server, cursor, 20)
      t.equal(page.reset, false)
      cursor = page.cursor
      return page.changes
    }
    const member = `/organizations/${world.acme}/members/${world.ana.id}`
    const steps: [string, () => Promise<unknown>, Record<string, unknown>[]][] = [
      [
        'narrowed',
        () =>
          install(running, world.acme, app, {
            permissions: ['records:update'],
            workspace_ids: [world.sales],
          }),
        [
          {
            type: 'install',
            id: installId,
            active: true,
            permissions: ['records:update'],
            workspace_ids: [world.sales],
          },
        ],
      ],
      [
        'suspended',
        () => suspend(scene, app, true),
        [{ type: 'install', id: installId, active: false }],
      ],
      [
        'resumed',
        () => suspend(scene, app, false),
        [{ type: 'install', id: installId, active: true, workspace_ids: [world.sales] }],
      ],
      [
        'an access token revoked',
        () =>
          post(`${first}/api/oauth/revoke`, {
            token: machine.access_token,
            client_id: app.client_id,
            client_secret: app.client_secret,
          }),
        [{ type: 'token', id: claims(machine.access_token).jti, active: false }],
      ],
      [
        'a grant revoked',
        () =>
          post(`${first}/api/oauth/revoke`, {
            token: user.refresh_token,
            client_id: app.client_id,
            client_secret: app.client_secret,
          }),
        [{ type: 'grant', id: grantId, active: false }],
      ],
      [
        'less for the app',
        () => operator('PATCH', `/apps/${app.client_id}`, { permissions: ['records:update'] }),
        [
          {
            type: 'app',
            id: app.client_id,
            active: true,
            permissions: ['records:update'],
            epoch: 0,
          },
        ],
      ],
      [
        'the app disabled',
        () => operator('PATCH', `/apps/${app.client_id}`, { disabled: true }),
        [{ type: 'app', id: app.client_id, active: false, epoch: 1 }],
      ],
      [
        'the user disabled',
        () => operator('PATCH', `/users/${world.ana.id}`, { disabled: true }),
        [{ type: 'user', id: world.ana.id, active: false }],
      ],
      [
        'the user enabled',
        () => operator('PATCH', `/users/${world.ana.id}`, { disabled: false }),
        [{ type: 'user', id: world.ana.id, active: true }],
      ],
      [
        'a workspace left',
        () => operator('DELETE', `/workspaces/${world.sales}/members/${world.ana.id}`),
        [{ type: 'workspace_member', id: world.sales, user_id: world.ana.id, active: false }],
      ],
      [
        'and joined again',
        () => operator('PUT', `/workspaces/${world.sales}/members/${world.ana.id}`, {}),
        [{ type: 'workspace_member', id: world.sales, user_id: world.ana.id, active: true }],
      ],
      [
        'the app uninstalled',
        () => operator('DELETE', `/organizations/${world.acme}/installs/${app.client_id}`),
        [{ type: 'install', id: installId, active: false }],
      ],
    ]
    for (const [name, act, expected] of steps) {
      const waiting = news()
      await act()
      t.match(await waiting, expected, name)
    }

    await operator('DELETE', member)
    const gone = (await news()).filter(({ type }) => type === 'member')
    t.match(gone, [{ type: 'member', id: world.acme, user_id: world.ana.id, active: false }])

    t.test('reading the feed from the start returns every entry again', async (t) => {
      const whole = await readFeed(first, server)
      t.equal(whole.reset, true)
      t.ok(whole.changes.length >= steps.length)
      const unknown = await readFeed(
        first,
        server,
        Buffer.from('5.00000000-0000-0000-0000-000000000000').toString('base64url'),
      )
      t.equal(unknown.reset, true, 'as after a restored backup')
      t.strictSame(unknown.changes, whole.changes)
      for (const change of whole.changes)
        t.ok(change.until > seconds() && change.until < seconds() + 8000)
    })

    t.test('no entry is skipped while many change at once', async (t) => {
      const users = await Promise.all(
        Array.from({ length: 30 }, async (_, at) => {
          const { body } = await operator('POST', '/users', {
            email: `many${at}-${app.client_id}@acme.test`,
            name: 'Many',
          })
          return body.id as string
        }),
      )
      const seen: string[] = []
      let at = (await readFeed(second, server)).cursor
      let done = false
      const reader = (async () => {
        while (!done || seen.length < users.length) {
          const page = await readFeed(second, server, at, 1)
          at = page.cursor
          seen.push(...page.changes.map(({ id }) => id))
        }
      })()
      await Promise.all(users.map((id) => operator('PATCH', `/users/${id}`, { disabled: true })))
      done = true
      await reader
      t.strictSame([...seen].sort(), [...users].sort())
    })

    t.test('a reader leaves no listeners on a kept-alive connection', async (t) => {
      const warnings: string[] = []
      const note = ({ message }: Error) => void warnings.push(message)
      process.on('warning', note)
      t.teardown(() => process.off('warning', note))
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      t.teardown(() => agent.destroy())
      const { authorization } = server
      const url = `${first}/api/oauth/revocations`
      for (let read = 0; read < 20; read++) {
        const requested = get(url, { agent, headers: { authorization } })
        const [answer] = (await once(requested, 'response')) as [IncomingMessage]
        t.equal(requested.reusedSocket, read > 0)
        answer.resume()
        await once(answer, 'end')
      }
      await nextTurn() // Warnings are emitted one turn later.
      t.same(warnings, [])
    })

    t.test('only resource servers may read the feed', async (t) => {
      for (const authorization of ['', 'Basic eDp5', `Bearer ${machine.access_token}`]) {
        const answer = await fetch(`${first}/api/oauth/revocations`, { headers: { authorization } })
        t.equal(answer.status, 401)
        t.equal(((await answer.json()) as Json).error, 'invalid_client')
      }
      const bad = await fetch(`${first}/api/oauth/revocations?wait=-1`, {
        headers: { authorization: server.authorization },
      })
      t.equal(bad.status, 400)
    })
  },
  { instances: 2 },
)
