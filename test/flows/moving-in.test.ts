/** What an import takes over from an earlier server, over HTTP and on both kinds of stores. */
import { createHash, randomBytes } from 'node:crypto'
import t from 'tap'
import { eventually } from '../support/eventually.ts'
import { claimsOf, legacyToken, post, refresh } from '../support/flows.ts'
import { hashedPassword, hashes, keycloakHashes } from '../support/foreign-hashes.ts'
import { importLines as importInto } from '../support/import-lines.ts'
import { type Json, startLatchkey } from '../support/latchkey.ts'
import { introspectAt, registerResourceServer } from '../support/resource-server.ts'
import { signedIn } from '../support/signed-in.ts'
import { testStores } from '../support/stores.ts'
import { createVisitor, walk } from '../support/visitor.ts'
import { createApp, createWorld, install, type TestApp } from '../support/world.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const parallel = 20
const token = () => `old-${randomBytes(20).toString('hex')}`
const permissions = ['records:create', 'records:update']

for (const stores of await testStores()) {
  t.test(`moving in (${stores.name})`, async (t) => {
    const running = await startLatchkey(stores, {
      instances: 2,
      environment: { GRANTS_PER_USER_AND_APP: '3', LIMIT_CLIENT_FAILURES: '5' },
    })
    t.teardown(async () => {
      await running.stop()
      await stores.drop()
    })
    const { acme, other, ana, kim, zoe, sales, confidential, second, publicApp, legacy } =
      await createWorld(running)
    for (const app of [confidential, second, publicApp]) await install(running, acme, app)
    await install(running, acme, legacy, { permissions: ['readData', 'insertData'] })
    const url = (at = 0) => running.urls[at % running.urls.length] as string

    const importLines = (lines: readonly object[], bearer?: string) =>
      importInto(url(), lines, bearer)
    const imported = async (line: object, status: string, detail?: RegExp) => {
      const [answer] = await importLines([line])
      t.equal(answer?.status, status, `${JSON.stringify(line)} ${answer?.detail}`)
      if (detail) t.match(answer?.detail, detail)
    }
    const grantLine = (app: TestApp, more: object) => ({
      type: 'grant',
      client_id: app.client_id,
      user: ana.id,
      organization: acme,
      permissions,
      workspace_ids: null,
      ...more,
    })
    const takeOver = async (app: TestApp, more: Record<string, unknown> = {}) => {
      const refresh_token = token()
      await imported(grantLine(app, { refresh_token, ...more }), 'created')
      return refresh_token
    }
    const events = async (type: string) =>
      (await running.operator('GET', `/audit?type=${type}&limit=200`)).body.items as Json[]
    const freshApp = async (part: Record<string, unknown> = {}) => {
      const app = await createApp(running, part)
      await install(running, acme, app)
      return app
    }

    t.test('an old refresh token works once, and its family is ours', async (t) => {
      const app = await freshApp()
      const old = await takeOver(app, {
        source: 'doorkeeper',
        permissions: [...permissions, 'documents:read'],
      })
      await imported(
        grantLine(app, { refresh_token_sha256: sha256(old).toUpperCase() }),
        'unchanged',
      )
      t.equal((await refresh(url(), { ...app, client_secret: 'wrong' }, old)).status, 401)
      t.equal((await refresh(url(), second, old)).body.error, 'invalid_grant', 'foreign client')
      t.equal(
        (await refresh(url(), app, old, { scope: 'table:create' })).body.error,
        'invalid_scope',
      )
      t.equal((await refresh(url(), app, token())).body.error, 'invalid_grant')
      const first = await refresh(url(), app, old)
      t.match(first, { status: 200, body: { scope: permissions.join(' '), organization_id: acme } })
      t.match(claimsOf(first.body.access_token), { sub: ana.id, permissions })
      t.match(first.body.refresh_token, /^lkrt_/)
      const next = await refresh(url(1), app, first.body.refresh_token)
      t.equal(next.status, 200)
      const taken = async () =>
        (await events('grant.taken_over')).filter(({ client_id }) => client_id === app.client_id)
      await eventually(async () => (await taken()).length > 0)
      t.match(await taken(), [{ user_id: ana.id, detail: { source: 'doorkeeper' } }])
      t.match(await refresh(url(1), app, old), { status: 400, body: { error: 'invalid_grant' } })
      t.equal((await refresh(url(), app, next.body.refresh_token)).status, 400, 'the family ended')
      await imported(grantLine(app, { refresh_token: old }), 'unchanged')
      t.equal((await refresh(url(), app, old)).status, 400, 'not revived')
    })

    for (const retry_window_seconds of [0, 30])
      t.test(`${parallel} at once, retry window ${retry_window_seconds}`, async (t) => {
        const app = await freshApp()
        await running.operator('PATCH', `/apps/${app.client_id}`, { retry_window_seconds })
        const old = await takeOver(app)
        const answers = await Promise.all(
          Array.from({ length: parallel }, (_, at) => refresh(url(at), app, old)),
        )
        const won = answers.filter(({ status }) => status === 200)
        t.equal(won.length, retry_window_seconds > 0 ? parallel : 1)
        t.equal(new Set(won.map(({ body }) => body.refresh_token)).size, 1)
        const after = await refresh(url(), app, won[0]?.body.refresh_token)
        t.equal(after.status, retry_window_seconds > 0 ? 200 : 400)
      })

    t.test('an import again beside uses lets one win', async (t) => {
      const app = await freshApp()
      const old = await takeOver(app)
      const [answers] = await Promise.all([
        Promise.all(Array.from({ length: parallel }, (_, at) => refresh(url(at), app, old))),
        ...Array.from({ length: 5 }, () =>
          imported(grantLine(app, { refresh_token: old }), 'unchanged'),
        ),
      ])
      t.equal(answers.filter(({ status }) => status === 200).length, 1)
    })

    t.test('the legacy interface and public apps', async (t) => {
      const line = { permissions: ['readData', 'deleteData'] }
      const old = await takeOver(legacy, line)
      t.equal((await refresh(url(), legacy, old)).status, 401, 'the other interface')
      const fields = { grant_type: 'refresh_token', refresh_token: old }
      t.match(await legacyToken(url(), legacy, fields), {
        status: 200,
        body: { scope: 'readData' },
      })
      t.equal((await legacyToken(url(), legacy, fields)).status, 400)
      const ofPublic = await takeOver(publicApp, { workspace_ids: [sales, 'wks-gone'] })
      t.match((await refresh(url(), publicApp, ofPublic)).body, { workspace_ids: [sales] })
    })

    t.test('revocation, introspection, expiry, disabled users', async (t) => {
      const app = await freshApp()
      const api = await registerResourceServer(running)
      const [revoked, live] = [await takeOver(app), await takeOver(app)]
      const active = async (text: string) => (await introspectAt(url(), api, text)).body.active
      t.match((await introspectAt(url(), api, live)).body, {
        active: true,
        sub: ana.id,
        permissions,
      })
      t.notOk(await active(token()))
      const credentials = { client_id: app.client_id, client_secret: app.client_secret }
      const revoke = (text: string, by = credentials) =>
        post(`${url()}/api/oauth/revoke`, { token: text, ...by })
      t.equal((await revoke(revoked)).status, 200)
      t.notOk(await active(revoked))
      t.equal((await refresh(url(), app, revoked)).status, 400)
      const foreign = { client_id: second.client_id, client_secret: second.client_secret }
      await revoke(live, foreign)
      t.ok(await active(live))

      const expires_at = new Date(Date.now() + 3000).toISOString()
      const brief = await takeOver(app, { expires_at })
      const answer = await refresh(url(), app, brief)
      t.ok(answer.body.expires_in <= 3 && answer.body.authorization_expires_in <= 3)
      await eventually(async () => !(await active(answer.body.refresh_token)))
      t.equal((await refresh(url(), app, answer.body.refresh_token)).status, 400)

      await running.operator('PATCH', `/users/${ana.id}`, { disabled: true })
      t.equal((await refresh(url(), app, live)).status, 400)
      await running.operator('PATCH', `/users/${ana.id}`, { disabled: false })
      t.equal((await refresh(url(), app, live)).status, 400, 'ended for good')
    })

    t.test('a grant past expires_at is in no list', async (t) => {
      const app = await freshApp({ name: 'Brief Guest' })
      const visitor = await signedIn(running.issuer, ana)
      const isListed = async () => (await visitor.get('/account/apps')).text.includes('Brief Guest')
      await takeOver(app, { expires_at: new Date(Date.now() + 4000).toISOString() })
      t.ok(await isListed())
      await eventually(async () => !(await isListed()))
    })

    t.test('a grant that the earlier server ended since its import', async (t) => {
      const app = await freshApp()
      const at = (day: number) => ({ issued_at: `2024-01-0${day}T00:00:00Z` })
      const ended = (refresh_token: string, more = {}) =>
        grantLine(app, { refresh_token, expires_at: new Date(0).toISOString(), ...more })
      const [unused, used, gone] = [await takeOver(app, at(1)), await takeOver(app), token()]
      const next = (await refresh(url(), app, used)).body.refresh_token
      await imported(ended(used), 'unchanged')
      await imported(ended(gone, { user: 'nobody' }), 'unchanged')
      await imported(ended(unused, { user: kim.id }), 'refused', /belongs to another/)
      await takeOver(app, at(2))
      const revoked = async () =>
        (await events('grant.revoked')).filter(({ client_id }) => client_id === app.client_id)
      t.same(await revoked(), [])
      const lines = [
        ended(unused),
        ended(unused),
        grantLine(app, { refresh_token: gone, ...at(3) }),
      ]
      t.same(
        (await importLines(lines)).map(({ status }) => status),
        ['updated', 'unchanged', 'created'],
        'it counts for the bound no more',
      )
      t.match(await revoked(), [{ user_id: ana.id, actor: { kind: 'operator' } }])
      t.equal((await revoked()).length, 1)
      t.equal((await refresh(url(), app, unused)).status, 400)
      await imported(grantLine(app, { refresh_token: unused }), 'unchanged')
      t.equal((await refresh(url(), app, unused)).status, 400, 'not revived')
      t.equal((await refresh(url(), app, next)).status, 200, 'a used one lives on')

      for (let time = 0; time < 5; time++) {
        const one = await freshApp()
        const old = await takeOver(one)
        const line = grantLine(one, { refresh_token: old, expires_at: new Date(0).toISOString() })
        const [answer, [imported]] = await Promise.all([
          refresh(url(1), one, old),
          importLines([line]),
        ])
        t.equal(answer.status === 200, imported?.status === 'unchanged', 'one of both wins')
        if (answer.status === 200)
          t.equal((await refresh(url(), one, answer.body.refresh_token)).status, 200)
      }
    })

    t.test('the bound of grants, and lines that are refused', async (t) => {
      const app = await freshApp()
      const at = (day: number) => ({ issued_at: `2024-01-0${day}T00:00:00Z` })
      const unknown = await takeOver(app)
      const [second, third] = [await takeOver(app, at(2)), await takeOver(app, at(3))]
      t.equal((await refresh(url(), app, third)).status, 200)
      await takeOver(app, at(1))
      t.equal((await refresh(url(), app, unknown)).status, 400, 'the oldest was replaced')
      await imported(grantLine(app, { refresh_token: token() }), 'refused', /GRANTS_PER/)
      await takeOver(app, at(4))
      await takeOver(app, at(5))
      t.equal((await refresh(url(), app, second)).status, 400)
      await imported(grantLine(app, { refresh_token: token(), ...at(4) }), 'refused', /GRANTS_PER/)
      const old = await takeOver(confidential)
      const refusals: [object, RegExp][] = [
        [{ refresh_token: old, user: kim.id }, /belongs to another/],
        [{ refresh_token: token(), user: zoe.id }, /unknown/],
        [{ refresh_token: token(), organization: other }, /unknown/],
        [{ refresh_token: token(), client_id: 'nothing' }, /unknown/],
        [{ refresh_token: `lkrt_${token()}` }, /form of a token/],
        [{}, /required/],
        [{ refresh_token: old, refresh_token_sha256: sha256(old) }, /only one/],
      ]
      for (const [more, detail] of refusals)
        await imported(grantLine(confidential, more), 'refused', detail)
      const workspaces = { refresh_token: token(), workspace_ids: [sales] }
      await imported(grantLine(legacy, workspaces), 'refused', /legacy/)
    })

    t.test('uninstalling ends them; a consent is not asked again', async (t) => {
      const app = await freshApp()
      const old = await takeOver(app)
      const consent = (given: string[], workspace_ids: string[] | null = null) => {
        const { type: _, ...line } = grantLine(app, { permissions: given, workspace_ids })
        return { type: 'consent', ...line, source: 'django' }
      }
      await imported(consent(permissions), 'created')
      await imported(consent(permissions), 'unchanged')
      t.match(await events('consent.taken_over'), [
        { user_id: ana.id, detail: { source: 'django' } },
      ])
      const visitor = createVisitor(running.issuer)
      await walk(visitor, `${running.issuer}/account/apps`, ana)
      const silent = async (scope: string) => {
        const query = new URLSearchParams({
          client_id: app.client_id,
          redirect_uri: app.redirect_uri,
          organization_id: acme,
          code_challenge: 'x'.repeat(43),
          prompt: 'none',
          scope,
        })
        const page = await walk(visitor, `${running.issuer}/authorize?${query}`, ana)
        return page.left?.searchParams.get('error') ?? 'ok'
      }
      t.equal(await silent(permissions.join(' ')), 'ok')
      t.not(await silent('records:create workspace_members:read'), 'ok')
      await imported(consent(['records:create']), 'updated')
      t.not(await silent(permissions.join(' ')), 'ok')
      const disconnected = `/organizations/${acme}/installs/${app.client_id}/users/${ana.id}`
      t.equal((await running.operator('DELETE', disconnected)).status, 204)
      await imported(consent(['records:create']), 'unchanged')
      await imported(consent([]), 'refused', /changed here/)
      t.equal((await refresh(url(), app, old)).status, 400)

      const another = await takeOver(app)
      await running.operator('DELETE', `/organizations/${acme}/installs/${app.client_id}`)
      await install(running, acme, app)
      t.equal((await refresh(url(), app, another)).status, 400)
    })

    t.test('passwords of the earlier server sign in, and are renewed', async (t) => {
      const some = [hashes['passlib bcrypt 2b'], hashes['django pbkdf2_sha256'], keycloakHashes[3]]
      for (const [at, password_hash] of some.entries()) {
        const user = { type: 'user', id: `hashed-${at}`, email: `hashed${at}@acme.test`, name: 'H' }
        await imported({ ...user, password_hash }, 'created')
        for (const password of ['wrong wrong wrong', hashedPassword, hashedPassword]) {
          const answers = { email: user.email, password }
          const page = await walk(
            createVisitor(running.issuer),
            `${running.issuer}/account/apps`,
            answers,
          )
          t.equal(page.url.pathname, password === hashedPassword ? '/account/apps' : '/login')
        }
        await imported({ ...user, password_hash }, 'unchanged')
        await imported({ ...user, password_hash: hashes['django scrypt'] }, 'updated')
        const changed = { password: 'another horse battery staple' }
        t.equal((await running.operator('PATCH', `/users/${user.id}`, changed)).status, 200)
        await imported({ ...user, password_hash }, 'unchanged')
        const other = { password_hash: hashes['argon2-cffi ID'], name: 'I' }
        await imported({ ...user, ...other }, 'refused', /changed here/)
      }
      const both = {
        type: 'user',
        id: 'both',
        email: 'both@acme.test',
        name: 'B',
        password: hashedPassword,
      }
      await imported({ ...both, password_hash: hashes['django argon2'] }, 'refused', /only one/)
      await imported({ ...both, password: undefined, password_hash: hashes.sha256 }, 'refused')
    })

    t.test('secrets: each form, applied once, limits', async (t) => {
      const line = (client_id: string, more: object) => ({
        ...{
          type: 'app',
          client_id,
          name: 'Old',
          interface: 'current',
          client_type: 'confidential',
        },
        ...{ redirect_uris: ['https://old.example/cb'], permissions },
        ...more,
      })
      const secretWorks = async (client_id: string, client_secret: string, at = 0) => {
        const app = { client_id, client_secret, redirect_uri: '' }
        const { body, status } = await refresh(url(at), app, 'none')
        return body.error === 'invalid_grant' ? true : status
      }
      for (const [at, secret_hash] of [...Object.values(hashes), ...keycloakHashes].entries()) {
        const id = `old.app~${at}`
        await imported(line(id, { secret_hash }), 'created')
        t.equal(await secretWorks(id, 'wrong'), 401)
        const all = await Promise.all(
          Array.from({ length: 8 }, (_, one) => secretWorks(id, hashedPassword, one)),
        )
        t.same(new Set(all), new Set([true]), String(secret_hash))
        await imported(line(id, { secret_hash }), 'unchanged')
        t.equal(await secretWorks(id, hashedPassword), true)
      }
      const id = 'plain'
      await imported(line(id, { secret: 'first-secret' }), 'created')
      t.equal(await secretWorks(id, 'first-secret'), true)
      await imported(line(id, { secret: 'second-secret' }), 'updated')
      t.equal(await secretWorks(id, 'first-secret'), 401)
      t.equal(await secretWorks(id, 'second-secret'), true)
      await imported(line(id, { secret: 'first-secret' }), 'unchanged')
      t.equal((await running.operator('POST', `/apps/${id}/secrets`, {})).status, 201)
      await imported(line(id, { secret: 'second-secret' }), 'unchanged')
      await imported(line(id, { secret: 'third-secret', name: 'New' }), 'refused', /changed here/)
      t.equal(
        (await running.operator('GET', `/apps/${id}`)).body.name,
        'Old',
        'nothing else was changed',
      )
      await imported(line('p', { secret: 'x', secret_hash: hashes.sha256 }), 'refused', /only one/)
      await imported(line('p', { secret: 'x', client_type: 'public' }), 'refused', /public/)
      await imported(line('..', {}), 'refused')

      await imported(line('flooded', { secret_hash: hashes['passlib bcrypt 2b'] }), 'created')
      const flood = await Promise.all(
        Array.from({ length: 15 }, (_, at) => secretWorks('flooded', `wrong ${at}`, at)),
      )
      t.equal(flood.filter((status) => status === 401).length, 5)
      t.equal(flood.filter((status) => status === 429).length, 10)
    })

    t.test('lines with a source do not undo what was changed here', async (t) => {
      const app = (client_id: string, more: object = {}) => ({
        ...{ type: 'app', client_id, name: 'Old', interface: 'current', client_type: 'public' },
        ...{ redirect_uris: ['https://old.example/cb'], permissions, source: 'old', ...more },
      })
      const install = (client_id: string, more: object = {}) => ({
        ...{ type: 'install', organization: acme, client_id, permissions, workspace_ids: null },
        ...{ source: 'old', ...more },
      })
      const narrow = { permissions: ['records:create'] }
      const name = async (id: string) => (await running.operator('GET', `/apps/${id}`)).body.name
      const at = (id: string) => `/organizations/${acme}/installs/${id}`

      for (const status of ['created', 'unchanged']) {
        await imported(app('stays'), status)
        await imported(install('stays'), status)
      }
      for (const [more, status] of [
        [{ name: 'New' }, 'updated'],
        [{}, 'updated'],
      ] as const)
        await imported(app('stays', more), status)
      await imported(install('stays', narrow), 'updated')
      await imported(install('stays'), 'updated')

      await running.operator('PATCH', '/apps/stays', { name: 'Here' })
      await running.operator('PUT', at('stays'), { ...narrow, workspace_ids: null })
      await imported(app('stays'), 'unchanged')
      await imported(app('stays', { name: 'There' }), 'refused', /app was changed here/)
      await imported(app('stays', { name: 'Here' }), 'unchanged')
      t.equal(await name('stays'), 'Here')
      await imported(install('stays'), 'unchanged')
      const wider = { permissions: [...permissions, 'records:delete'] }
      await imported(install('stays', { permissions: [] }), 'refused', /install was changed here/)
      t.match((await running.operator('GET', at('stays'))).body, narrow)
      await imported(app('stays', { ...wider, source: undefined }), 'updated')
      t.equal(await name('stays'), 'Old', 'without a source, a line decides')

      await imported(app('goes'), 'created')
      await imported(install('goes'), 'created')
      t.equal((await running.operator('DELETE', at('goes'))).status, 204)
      await imported(install('goes'), 'unchanged')
      await imported(install('goes', narrow), 'refused')
      t.equal((await running.operator('GET', at('goes'))).status, 404, 'not installed again')
      t.equal((await running.operator('DELETE', '/apps/goes')).status, 204)
      await imported(app('goes'), 'unchanged')
      await imported(app('goes', { name: 'New' }), 'refused')
      t.equal((await running.operator('GET', '/apps/goes')).status, 404)
    })

    t.test('each line needs its own right, and no other', async (t) => {
      const app = await freshApp()
      const lines = {
        'installs:write': grantLine(app, { refresh_token: token() }),
        'key_sets:write': {
          ...{
            type: 'key_set',
            client_id: 'rights',
            organization: acme,
            interface: 'legacy',
            name: 'R',
          },
          ...{ permissions: [], secret: 'a-secret-of-rights' },
        },
        'keys:write': { type: 'verification_key', jwk: {}, until: '2099-01-01T00:00:00Z' },
        'apps:write': { type: 'app', client_id: 'rights-app' },
      }
      for (const [right, line] of Object.entries(lines)) {
        const made = await running.operator('POST', '/operator-tokens', {
          name: right,
          permissions: [right],
        })
        const answers = await importLines(Object.values(lines), made.body.token)
        const isOwn = (at: number) => Object.values(lines)[at] === line
        for (const [at, { detail }] of answers.entries())
          t.equal(/does not have the permission/.test(detail ?? ''), !isOwn(at), `${right} ${at}`)
      }
      const bound = await running.operator('POST', '/operator-tokens', {
        ...{
          name: 'bound',
          permissions: ['installs:write', 'keys:write'],
          organization_ids: [other],
        },
      })
      const own = await importLines(
        [lines['installs:write'], lines['keys:write']],
        bound.body.token,
      )
      t.same(
        own.map(({ status }) => status),
        ['refused', 'refused'],
      )
    })

    t.test('key sets and verification keys', async (t) => {
      const api = await registerResourceServer(running)
      const line = (client_id: string, more: object) => ({
        ...{ type: 'key_set', client_id, organization: acme, interface: 'legacy', name: 'Old' },
        ...{ permissions: ['readData'], ...more },
      })
      const active = async (text: string) => (await introspectAt(url(), api, text)).body
      for (const [at, given] of ['secret', 'secret_hash'].entries()) {
        const secret = `a-legacy-secret-${at}`
        const value = given === 'secret' ? secret : `sha256:${sha256(secret)}`
        await imported(line(`old-keys-${at}`, { [given]: value }), 'created')
        for (let time = 0; time < 2; time++)
          t.match(await active(secret), { active: true, kind: 'key_set', organization_id: acme })
        await imported(line(`old-keys-${at}`, { [given]: value }), 'unchanged')
        await imported(line(`old-keys-${at}`, { [given]: value, name: 'New' }), 'updated')
      }
      const refusals = [
        { secret_hash: hashes['passlib bcrypt 2b'] },
        { interface: 'current', permissions, secret_hash: hashes.sha256 },
        { secret: 'too-short' },
        { secret: 'eyJhbGciOiJub25lIn0.eyJpc3MiOiJ4In0.c2ln' },
        {},
      ]
      for (const more of refusals) await imported(line('refused', more), 'refused')
      await imported(line(confidential.client_id, { secret: 'a-legacy-secret-9' }), 'refused')

      const jwk = (kid: string) => ({
        ...{
          kty: 'EC',
          crv: 'P-256',
          kid,
          d: 'c2VjcmV0',
          x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
        },
        y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
      })
      const key = { type: 'verification_key', jwk: jwk('old-1'), until: '2099-01-01T00:00:00Z' }
      await imported(key, 'created')
      await imported(key, 'unchanged')
      await imported({ ...key, until: '2098-01-01T00:00:00Z' }, 'updated')
      const { keys } = (await (await fetch(`${url()}/.well-known/jwks.json`)).json()) as Json
      const [{ kid }] = keys
      for (const more of [
        { jwk: jwk(kid) },
        { jwk: { ...jwk('old-1'), use: 'sig' } },
        { jwk: { kty: 'oct', kid: 'o', k: 'c2VjcmV0' } },
        { jwk: { ...jwk('x'), kid: undefined } },
        { until: '2000-01-01T00:00:00Z' },
        { until: undefined },
      ])
        await imported({ ...key, ...more }, 'refused')
    })
  })
}
