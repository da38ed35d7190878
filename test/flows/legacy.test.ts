import t from 'tap'
import { eventually } from '../support/eventually.ts'
import { claimsOf, legacyAuthorizeUrl, legacyCode, legacyToken } from '../support/flows.ts'
import { startLatchkey } from '../support/latchkey.ts'
import { testStores } from '../support/stores.ts'
import { sql } from '../support/traces.ts'
import { createVisitor, pageKind, walk } from '../support/visitor.ts'
import { createWorld, legacyPermissions } from '../support/world.ts'

for (const stores of await testStores()) {
  t.test(`legacy interface (${stores.name})`, async (t) => {
    const running = await startLatchkey(stores)
    t.teardown(async () => {
      await running.stop()
      await stores.drop()
    })
    const { issuer } = running
    const world = await createWorld(running)
    const { legacy, legacyPublic, ana, acme } = world
    const exchange = (code: string, more: Record<string, string> = {}) =>
      legacyToken(issuer, legacy, { grant_type: 'authorization_code', code, ...more })
    const refresh = (token: string, more: Record<string, string> = {}) =>
      legacyToken(issuer, legacy, { grant_type: 'refresh_token', refresh_token: token, ...more })

    t.test('redeems a code, refreshes and downscopes', async (t) => {
      const { code, left } = await legacyCode(running, legacy, ana)
      t.equal(
        `${left.origin}${left.pathname}`,
        legacy.redirect_uri,
        'the first registered URI is the default',
      )
      t.equal(left.searchParams.get('state'), 'the-state')
      const first = await exchange(code)
      t.equal(first.status, 200)
      t.match(first.body, {
        token_type: 'Bearer',
        expires_in: 7200,
        scope: legacyPermissions.join(' '),
        organization_id: acme,
      })
      t.notOk('workspace_ids' in first.body)
      const claims = claimsOf(first.body.access_token)
      t.match(claims, { interface: 'legacy', kind: 'user', sub: ana.id })
      t.equal(claims.exp - claims.iat, 7200)
      const second = await refresh(first.body.refresh_token, { scope: 'readData' })
      t.equal(second.body.scope, 'readData')
      const third = await refresh(second.body.refresh_token)
      t.equal(third.body.scope, legacyPermissions.join(' '))
      t.equal(
        (await refresh(third.body.refresh_token, { scope: 'addFields' })).body.error,
        'invalid_scope',
      )
      t.equal((await refresh(first.body.refresh_token)).body.error, 'invalid_grant')
      t.equal(
        (await refresh(third.body.refresh_token)).body.error,
        'invalid_grant',
        'the family is revoked',
      )
    })

    t.test('a redirect_uri at the exchange must match the one of the code', async (t) => {
      const { code } = await legacyCode(running, legacy, ana)
      t.equal(
        (await exchange(code, { redirect_uri: 'https://app.example/x' })).body.error,
        'invalid_grant',
      )
      t.equal((await exchange(code, { redirect_uri: legacy.redirect_uri })).status, 200)
    })

    t.test('the implicit flow answers in the fragment, without a refresh token', async (t) => {
      const url = legacyAuthorizeUrl(issuer, legacyPublic, { response_type: 'token' })
      const page = await walk(createVisitor(issuer), url, ana)
      t.equal(page.left?.search, '')
      const fragment = new URLSearchParams(page.left?.hash.slice(1))
      t.match(Object.fromEntries(fragment), {
        token_type: 'bearer',
        expires_in: '7200',
        scope: legacyPermissions.join(' '),
        state: 'the-state',
      })
      t.notOk(fragment.has('refresh_token'))
      t.match(claimsOf(fragment.get('access_token') ?? ''), { kind: 'user', interface: 'legacy' })
      await eventually(async () => {
        const text = 'select 1 from installs where client_id = $1 and last_used_at is not null'
        return (await sql(stores, text, [legacyPublic.client_id])).length === 1
      }) // Admins see that it is used.
    })

    t.test(
      'an installed app gets its code without a page, unless force_prompt asks for one',
      async (t) => {
        const visitor = createVisitor(issuer)
        await walk(
          visitor,
          legacyAuthorizeUrl(issuer, legacyPublic, { response_type: 'token' }),
          ana,
        )
        const here = legacyAuthorizeUrl(issuer, legacy, { organization_id: acme })
        const direct = await visitor.fetch(here)
        t.match(direct.headers.get('location') ?? '', /^https:\/\/app\.example\/cb\?code=/)
        for (const value of ['true', 'yes', '1']) {
          t.equal(pageKind(await visitor.get(`${here}&force_prompt=${value}`)), 'decide', value)
        }
        for (const value of ['0', 'false']) {
          const answer = await visitor.fetch(`${here}&force_prompt=${value}`)
          t.match(answer.headers.get('location') ?? '', /code=/, value)
        }
        for (const organization of [world.other, 'org0000']) {
          const page = await visitor.get(
            legacyAuthorizeUrl(issuer, legacy, { organization_id: organization }),
          )
          t.equal(pageKind(page), 'choose-organization')
        }
      },
    )

    t.test('rejects parameters and grants of the current interface', async (t) => {
      const answer = await legacyToken(issuer, world.confidential, {
        grant_type: 'refresh_token',
        refresh_token: 'lkrt_x',
      })
      t.match(answer, { status: 401, body: { error: 'invalid_client' } })
      const foreign = await legacyToken(issuer, legacy, {
        grant_type: 'client_credentials',
        organization_id: acme,
      })
      t.match(foreign, { status: 400, body: { error: 'unsupported_grant_type' } })
    })
  })
}
