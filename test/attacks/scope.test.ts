import {
  claimsOf,
  clientCredentials,
  currentCode,
  exchangeCode,
  legacyCode,
  legacyToken,
  refresh,
} from '../support/flows.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { signedIn } from '../support/signed-in.ts'
import { amounts } from '../support/traces.ts'
import { createApp, currentPermissions, install, legacyPermissions } from '../support/world.ts'

await onEachBackend('scope and workspaces', async (t, { running, issuer, world, stores }) => {
  const { confidential, publicApp, legacy, ana, acme, other } = world
  const { sales, support, finance, foreignWorkspace } = world
  const visitor = await signedIn(issuer, ana)
  const grant = await currentCode(running, confidential, ana, {}, visitor)
  const waiting = await currentCode(running, confidential, ana, {}, visitor)
  let token = (await exchangeCode(issuer, confidential, grant)).body.refresh_token as string
  const old = await legacyCode(running, legacy, ana, {}, visitor)
  const oldFields = { grant_type: 'authorization_code', code: old.code }

  const scopes = [
    [...currentPermissions, 'records:delete'].join(' '),
    'records:delete',
    'unknown',
    'RECORDS:CREATE',
    'Records:Create',
    'records:create\trecords:update',
    'records:create\nrecords:update',
    'records:create\r\nrecords:update',
    'records:create,records:update',
    'records:create;records:update',
    'records:create\u00a0records:update',
    'records:create+records:update',
    'records:create%20records:update',
    '"records:create"',
    'records:create\\',
    'records:*',
    '*',
    ' ',
    '  ',
    '\t',
    '\0',
    'records:create\0',
    'records:create\u200b',
    'readData',
    'openid',
    'offline_access readData',
    'access',
    '__proto__',
    'constructor',
    Array.from({ length: 5000 }, (_, at) => `s${at}`).join(' '),
    `records:create ${'x'.repeat(5000)}`,
  ]
  const workspaces = [
    finance,
    foreignWorkspace,
    `${sales} ${finance}`,
    `${sales} ${foreignWorkspace}`,
    `${sales} wks00000000000000000`,
    `${sales}|tbl1`,
    'wks',
    '*',
    'all',
    'null',
    '[]',
    `["${sales}"]`,
    `${sales},${support}`,
    `${sales}\t${support}`,
    `${sales}\n`,
    `${sales}\0`,
    sales.toUpperCase(),
    sales.toLowerCase(),
    sales.slice(0, -1),
    `${sales}x`,
    `../${sales}`,
    ' ',
    '__proto__',
    acme,
    Array.from({ length: 2000 }, (_, at) => `wks${at}`).join(' '),
  ]
  const invalidScope = { status: 400, body: { error: 'invalid_scope' } }

  t.test(
    'SCP-01 SCP-02 SCP-03 SCP-09 rejects more scope than approved, and an empty scope',
    async (t) => {
      const before = await amounts(stores)
      for (const scope of scopes) {
        const label = JSON.stringify(scope).slice(0, 50)
        t.match(await exchangeCode(issuer, confidential, waiting, { scope }), invalidScope, label)
        t.match(await refresh(issuer, confidential, token, { scope }), invalidScope, label)
        t.match(await clientCredentials(issuer, confidential, acme, { scope }), invalidScope, label)
      }
      const legacyScopes = [
        'records:create',
        'READDATA',
        'updateData',
        'readData updateData',
        'readData,insertData',
        ' ',
        '\0',
        '*',
      ]
      for (const scope of legacyScopes)
        t.match(await legacyToken(issuer, legacy, { ...oldFields, scope }), invalidScope, scope)
      t.same(await amounts(stores), before, 'nothing was consumed')
    },
  )

  t.test('SCP-05 SCP-07 rejects invalid and foreign workspaces', async (t) => {
    for (const workspace_ids of workspaces) {
      const label = JSON.stringify(workspace_ids).slice(0, 50)
      const more = { workspace_ids }
      t.match(await exchangeCode(issuer, confidential, waiting, more), invalidScope, label)
      t.match(await refresh(issuer, confidential, token, more), invalidScope, label)
      if (workspace_ids.includes(finance)) continue // The app itself has access to it.
      t.match(await clientCredentials(issuer, confidential, acme, more), invalidScope, label)
    }
  })

  t.test(
    'SCP-08 RFT-06 the response states the token’s scope, and narrowing does not stick',
    async (t) => {
      const all = currentPermissions.join(' ')
      const asks: [Record<string, string>, string, string[]][] = [
        [{ scope: 'records:update' }, 'records:update', [sales, support]],
        [{}, all, [sales, support]],
        [{ workspace_ids: support }, all, [support]],
        [
          { scope: 'records:update  records:create records:update ' },
          'records:create records:update',
          [sales, support],
        ],
        [{ workspace_ids: `${support} ${sales} ${support}` }, all, [sales, support]],
        [{ scope: '', workspace_ids: '' }, all, [sales, support]],
      ]
      for (const [more, scope, ids] of asks) {
        const answer = await refresh(issuer, confidential, token, more)
        t.equal(answer.status, 200)
        token = answer.body.refresh_token
        const claims = claimsOf(answer.body.access_token)
        t.equal(answer.body.scope, scope)
        t.same(answer.body.workspace_ids.toSorted(), ids.toSorted())
        t.equal(claims.scope, scope)
        t.same(claims.permissions.join(' '), scope)
        t.same(claims.workspace_ids, answer.body.workspace_ids)
        t.equal(claims.exp - claims.iat, answer.body.expires_in)
        t.equal(claims.organization_id, answer.body.organization_id)
      }
      const own = await exchangeCode(issuer, confidential, waiting)
      t.equal(own.status, 200, 'the code is valid after all refusals')
      const legacyAnswer = await legacyToken(issuer, legacy, { ...oldFields, scope: 'readData' })
      t.match(legacyAnswer.body, { scope: 'readData', expires_in: 7200 })
      const legacyClaims = claimsOf(legacyAnswer.body.access_token)
      t.match(legacyClaims, { scope: 'readData', permissions: ['readData'], interface: 'legacy' })
      t.equal(legacyClaims.exp - legacyClaims.iat, 7200)
      const wide = await legacyToken(issuer, legacy, {
        grant_type: 'refresh_token',
        refresh_token: legacyAnswer.body.refresh_token,
      })
      t.equal(wide.body.scope, legacyPermissions.join(' '))
    },
  )

  t.test(
    'SCP-01 a permission that the organization removes is missing in the next token',
    async (t) => {
      const app = await createApp(running, { name: 'Shrinking' })
      await install(running, acme, app)
      const own = await currentCode(running, app, ana, {}, visitor)
      const first = (await exchangeCode(issuer, app, own)).body
      await install(running, acme, app, { permissions: ['records:create'], workspace_ids: [sales] })
      const more = { scope: 'records:update' }
      t.match(await refresh(issuer, app, first.refresh_token, more), invalidScope)
      const less = await refresh(issuer, app, first.refresh_token)
      t.match(less.body, { scope: 'records:create', workspace_ids: [sales] })
      await running.operator('PATCH', `/apps/${app.client_id}`, { permissions: [] })
      const none = await refresh(issuer, app, less.body.refresh_token)
      t.match(none.body, { scope: '', workspace_ids: [sales] })
      t.same(claimsOf(none.body.access_token).permissions, [])
      await running.operator('DELETE', `/workspaces/${sales}/members/${ana.id}`)
      const nowhere = await refresh(issuer, app, none.body.refresh_token)
      t.same(nowhere.body.workspace_ids, [], 'an empty list means no workspace, not all')
      t.same(claimsOf(nowhere.body.access_token).workspace_ids, [])
      await running.operator('PUT', `/workspaces/${sales}/members/${ana.id}`)
    },
  )

  t.test('CCG-01 CCG-02 requires a valid organization_id', async (t) => {
    for (const organization_id of [undefined, '', ['', ''], [acme, acme], [acme, other]]) {
      const answer = await clientCredentials(issuer, confidential, acme, {
        organization_id: organization_id as string,
      })
      t.match(answer, { status: 400, body: { error: 'invalid_request' } }, String(organization_id))
    }
    const bodies = new Set<string>()
    const unknown = [
      other,
      'org0000000000000000000',
      "' or 1=1--",
      '\0',
      `${acme}\0`,
      `${acme} `,
      acme.toUpperCase(),
      acme.toLowerCase(),
      `${acme},${other}`,
      '*',
      '%',
      '__proto__',
      sales,
      'x'.repeat(10_000),
      "x'; select pg_sleep(5); --",
    ]
    for (const organizationId of unknown) {
      const { status, body } = await clientCredentials(issuer, confidential, organizationId)
      t.match({ status, body }, { status: 400, body: { error: 'invalid_grant' } }, organizationId)
      bodies.add(JSON.stringify(body))
    }
    t.equal(bodies.size, 1)
  })

  t.test(
    'CCG-04 CCG-05 CCG-06 CCG-07 an app gets the installed permissions, without a refresh token',
    async (t) => {
      const open = await clientCredentials(issuer, publicApp, acme)
      t.match(open, { status: 400, body: { error: 'unauthorized_client' } })
      const withSecret = await clientCredentials(issuer, publicApp, acme, { client_secret: 'x' })
      t.match(withSecret, { status: 401, body: { error: 'invalid_client' } })
      const { status, body, headers } = await clientCredentials(issuer, confidential, acme)
      t.equal(status, 200)
      t.same(Object.keys(body).toSorted(), [
        'access_token',
        'expires_in',
        'organization_id',
        'scope',
        'token_type',
        'workspace_ids',
      ])
      t.equal(body.token_type, 'Bearer')
      t.equal(headers.get('cache-control'), 'no-store')
      const claims = claimsOf(body.access_token)
      t.match(claims, { kind: 'install', sub: confidential.client_id, organization_id: acme })
      const set = await running.operator('POST', `/organizations/${acme}/key-sets`, {
        name: 'Own',
        interface: 'current',
        permissions: ['records:create'],
      })
      for (const organizationId of [acme, other]) {
        const app = {
          client_id: set.body.client_id,
          client_secret: set.body.secret,
          redirect_uri: '',
        }
        const answer = await clientCredentials(issuer, app, organizationId)
        t.match(
          answer,
          { status: 401, body: { error: 'invalid_client' } },
          'a key set is not an app',
        )
      }
    },
  )
})
