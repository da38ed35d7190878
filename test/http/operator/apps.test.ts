import { generateKeyPairSync } from 'node:crypto'
import { newApp } from './catalogue.ts'
import { onEveryBackend } from './operator-api.ts'

const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const publicEc = { ...ec.publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig' }
const privateEc = ec.privateKey.export({ format: 'jwk' })
const rsa = (modulusLength: number) =>
  generateKeyPairSync('rsa', { modulusLength }).publicKey.export({ format: 'jwk' })
const ed25519 = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
const x25519 = generateKeyPairSync('x25519').publicKey.export({ format: 'jwk' })
const keys = (...list: object[]) => ({ jwks: { keys: list } })

await onEveryBackend(async (t, api) => {
  const register = (part: Record<string, unknown> = {}) =>
    api.expect(201, 'POST', '/apps', newApp(part))
  const epochOf = async (clientId: string) => {
    const { rows } = await api.database.query<{ families_epoch: number }>(
      'select families_epoch from apps where client_id = $1',
      [clientId],
    )
    return rows[0]?.families_epoch
  }

  t.test('a confidential app is created and read; its secret is shown once', async (t) => {
    const whole = {
      description: 'Makes reports',
      logo_uri: 'https://app.example/logo.png',
      homepage_uri: 'http://localhost:3000/',
      policy_uri: 'https://legal.example/privacy',
      tos_uri: 'https://app.example/terms',
      location: 'https://app.example/run?in=frame',
      kind: 'inside',
      publisher: 'Example Ltd',
      listed: true,
      setup_uri: 'https://app.example/setup?from=latchkey',
      retry_window_seconds: 30,
      redirect_uris: ['https://app.example/b', 'https://app.example/a', 'http://127.0.0.1:9/cb'],
      permissions: ['records:update', 'records:create', 'records:update'],
    }
    const created = await api.call('POST', '/apps', newApp(whole))
    t.equal(created.status, 201)
    const { client_secret, ...app } = created.body
    t.match(client_secret, /^lkcs_/)
    t.equal(created.headers.get('location'), `/api/admin/v1/apps/${app.client_id}`)
    t.match(app, { ...whole, permissions: ['records:create', 'records:update'] })
    t.match(app, { interface: 'current', client_type: 'confidential', disabled: false, jwks: null })
    t.match(app, { openid: false, post_logout_redirect_uris: [] }, 'OpenID is off by default')
    t.same(await api.expect(200, 'GET', `/apps/${app.client_id}`), app)
    const { rows } = await api.database.query<{ digest: Buffer; hint: string }>(
      'select digest, hint from app_secrets where client_id = $1',
      [app.client_id],
    )
    t.equal(rows.length, 1)
    t.ok(api.keyring.digestMatches(client_secret, rows[0]!.digest))
    t.equal(rows[0]?.hint, `…${client_secret.slice(-4)}`)
  })

  t.test('a public app has no secret on either interface', async (t) => {
    for (const [generation, permissions] of [
      ['current', []],
      ['legacy', ['readData']],
    ] as const) {
      const app = await register({ interface: generation, client_type: 'public', permissions })
      t.notOk('client_secret' in app)
      t.same((await api.expect(200, 'GET', `/apps/${app.client_id}/secrets`)).items, [])
    }
    const native = await register({ client_type: 'public', redirect_uris: ['com.example.app:/cb'] })
    t.same(native.redirect_uris, ['com.example.app:/cb'])
  })

  t.test('an app may have no permissions', async (t) => {
    for (const generation of ['legacy', 'current'])
      t.same((await register({ interface: generation, permissions: [] })).permissions, [])
  })

  t.test('every field except the interface and the id can be changed', async (t) => {
    const { client_secret: _, ...app } = await register()
    const path = `/apps/${app.client_id}`
    const patch = {
      name: 'Better reports',
      redirect_uris: ['https://app.example/new'],
      permissions: ['documents:read'],
      description: 'New',
      logo_uri: 'https://app.example/new.png',
      homepage_uri: 'https://app.example/#about',
      policy_uri: 'https://app.example/privacy',
      tos_uri: 'https://app.example/terms',
      location: 'http://127.0.0.1:8080/',
      kind: 'hybrid',
      publisher: 'Example GmbH',
      listed: true,
      setup_uri: 'http://127.0.0.1:8080/setup',
      retry_window_seconds: 60,
      openid: true,
      post_logout_redirect_uris: ['https://app.example/bye', 'https://app.example/'],
      ...keys(publicEc),
    }
    const changed = await api.expect(200, 'PATCH', path, patch)
    t.same(changed, { ...app, ...patch, updated_at: changed.updated_at })
    t.same(await api.expect(200, 'GET', path), changed)
    t.same(await api.expect(200, 'PATCH', path, patch), changed, 'a repetition returns the same')
    t.same(await api.expect(200, 'PATCH', path, {}), changed)
    const none = {
      description: null,
      logo_uri: null,
      homepage_uri: null,
      policy_uri: null,
      tos_uri: null,
      location: null,
      kind: null,
      publisher: null,
      setup_uri: null,
      jwks: null,
    }
    t.match(await api.expect(200, 'PATCH', path, none), none)
    t.equal(await epochOf(app.client_id), 0)
    const { rows } = await api.database.query<{ changed: string[] }>(
      `select detail->'changed' as changed from audit_events
       where client_id = $1 and type = 'app.changed' order by id`,
      [app.client_id],
    )
    t.equal(rows.length, 2)
    t.same(rows[1]?.changed.sort(), Object.keys(none).sort())
    for (const fixed of [{ interface: 'legacy' }, { client_id: 'appOther' }, { families_epoch: 9 }])
      await api.expect(400, 'PATCH', path, fixed)
    t.equal((await api.expect(200, 'GET', path)).interface, 'current')
  })

  t.test('the operator names the apps that may act with its tokens', async (t) => {
    const names = ['app_agent', 'https://agents.example.com/one']
    const app = await register({ may_act: names, reviewed: true })
    t.same(app.may_act, names)
    const path = `/apps/${app.client_id}`
    const { may_act, reviewed } = await api.expect(200, 'PATCH', path, { may_act: names.slice(1) })
    t.same([may_act, reviewed], [names.slice(1), true])
    t.same((await register()).may_act, [])
    for (const [body, pointer] of [
      [{ may_act: ['app_agent', 'app_agent'] }, '/may_act/1'],
      [{ may_act: Array.from({ length: 21 }, (_, n) => `app_${n}`) }, '/may_act'],
    ] as const)
      t.match(await api.call('PATCH', path, body), { status: 400, body: { errors: [{ pointer }] } })
    const legacy = await register({ interface: 'legacy', permissions: ['readData'] })
    const refused = await api.call('PATCH', `/apps/${legacy.client_id}`, { may_act: names })
    t.match(refused, { status: 400, body: { errors: [{ pointer: '/may_act' }] } })
    const { rows } = await api.database.query<{ may_act: string[] }>(
      `select detail->'may_act' as may_act from audit_events
        where client_id = $1 and detail ? 'may_act' order by id`,
      [app.client_id],
    )
    t.same(rows, [{ may_act: names }, { may_act: names.slice(1) }], 'audited')
  })

  t.test('the operator names the owners of an app', async (t) => {
    const person = async (name: string) => {
      const user = { email: `${name}-${Math.random()}@owners.test`, name }
      return (await api.expect(201, 'POST', '/users', user)).id as string
    }
    const [kim, lee, ben] = [await person('kim'), await person('lee'), await person('ben')]
    const { client_secret: _, ...app } = await register({ owners: [lee, kim], reviewed: true })
    const path = `/apps/${app.client_id}`
    t.same(app.owners, [lee, kim], 'in the order of the operator')
    t.same(await api.expect(200, 'GET', path), app)
    t.same((await register()).owners, [])
    const patch = async (owners: string[]) => api.expect(200, 'PATCH', path, { owners })
    t.same((await patch([kim, ben])).owners, [kim, ben])
    const { updated_at } = await patch([kim, ben])
    t.equal((await patch([kim, ben])).updated_at, updated_at, 'a repetition changes nothing')
    t.equal((await api.expect(200, 'PATCH', path, { name: 'Same' })).owners.length, 2)

    await api.expect(200, 'PATCH', `/users/${lee}`, { disabled: true })
    const added = await api.call('PATCH', path, { owners: [kim, lee] })
    t.match(added, { status: 400, body: { errors: [{ pointer: '/owners/1' }] } })
    t.equal(added.body.errors[0].detail, 'is a disabled user')
    await api.expect(200, 'PATCH', `/users/${ben}`, { disabled: true })
    t.same((await patch([ben])).owners, [ben], 'an owner who was disabled later can stay')

    await api.expect(204, 'DELETE', `/users/${ben}`)
    t.same((await api.expect(200, 'GET', path)).owners, [])
    await patch([kim])
    const { rows } = await api.database.query<{ changed: string[] | null; owners: string[] }>(
      `select detail->'changed' as changed, detail->'owners' as owners from audit_events
        where client_id = $1 and detail ? 'owners' order by id`,
      [app.client_id],
    )
    t.same(
      rows.map((row) => row.owners),
      [[lee, kim], [kim, ben], [ben], [kim]],
    )
    t.same(rows[1]?.changed, ['owners'])
    await api.expect(204, 'DELETE', path)
    await api.expect(204, 'DELETE', `/users/${kim}`)
  })

  t.test('owners are changed while their accounts are deleted', async (t) => {
    const create = async () => {
      const user = { email: `race-${Math.random()}@owners.test`, name: 'Race' }
      return (await api.expect(201, 'POST', '/users', user)).id as string
    }
    const { client_id } = await register()
    for (let round = 0; round < 5; round++) {
      const [stays, goes] = [await create(), await create()]
      const answers = await Promise.all([
        api.call('PATCH', `/apps/${client_id}`, { owners: [goes, stays] }),
        api.call('DELETE', `/users/${goes}`),
        api.call('PATCH', `/apps/${client_id}`, { owners: [stays, goes] }),
      ])
      t.equal(answers[1]?.status, 204)
      for (const { status } of answers.slice(1)) t.ok([200, 204, 400].includes(status), `${status}`)
      const { owners } = await api.expect(200, 'GET', `/apps/${client_id}`)
      t.notOk(owners.includes(goes), 'no owner without an account')
    }
  })

  t.test('disabling an app revokes every earlier grant, once', async (t) => {
    const { client_id } = await register()
    const set = (disabled: boolean) => api.expect(200, 'PATCH', `/apps/${client_id}`, { disabled })
    for (const [disabled, epoch] of [
      [true, 1],
      [true, 1],
      [false, 1],
      [true, 2],
    ] as const) {
      t.equal((await set(disabled)).disabled, disabled)
      t.equal(await epochOf(client_id), epoch)
    }
  })

  t.test('a change of the client type revokes grants, secrets and keys', async (t) => {
    const app = await register(keys(publicEc))
    const path = `/apps/${app.client_id}`
    const asPublic = await api.expect(200, 'PATCH', path, { client_type: 'public' })
    t.match(asPublic, { client_type: 'public', jwks: null })
    t.equal(await epochOf(app.client_id), 1)
    t.same((await api.expect(200, 'GET', `${path}/secrets`)).items, [])
    const refused = await api.call('POST', `${path}/secrets`, {})
    t.match(refused, {
      status: 409,
      body: { type: 'urn:latchkey:problem:public-app-has-no-secrets' },
    })
    await api.expect(200, 'PATCH', path, { client_type: 'confidential', disabled: true })
    t.equal(await epochOf(app.client_id), 2, 'once for both reasons')
    t.same((await api.expect(200, 'GET', `${path}/secrets`)).items, [], 'no old secret is restored')
    const made = await api.expect(201, 'POST', `${path}/secrets`)
    t.not(made.client_secret, app.client_secret)
  })

  t.test('redirect URIs must fit the new client type of an app', async (t) => {
    const uris = ['com.example.app:/cb']
    const { client_id } = await register({ client_type: 'public', redirect_uris: uris })
    const path = `/apps/${client_id}`
    const refused = await api.call('PATCH', path, { client_type: 'confidential' })
    t.match(refused, { status: 400, body: { errors: [{ pointer: '/redirect_uris/0' }] } })
    t.match(await api.expect(200, 'GET', path), { client_type: 'public', redirect_uris: uris })
    const both = { client_type: 'confidential', redirect_uris: ['https://app.example/cb'] }
    await api.expect(200, 'PATCH', path, both)
  })

  t.test('deleting an app deletes its secrets and installs', async (t) => {
    const { client_id } = await register()
    const { id } = await api.expect(201, 'POST', '/organizations', { name: 'Acme' })
    const install = `/organizations/${id}/installs/${client_id}`
    await api.expect(201, 'PUT', install, { permissions: [], workspace_ids: null })
    await api.expect(204, 'DELETE', `/apps/${client_id}`)
    for (const path of [`/apps/${client_id}`, `/apps/${client_id}/secrets`, install])
      await api.expect(404, 'GET', path)
    for (const method of ['DELETE', 'PATCH']) await api.expect(404, method, `/apps/${client_id}`)
    t.same((await api.expect(200, 'GET', `/organizations/${id}/installs`)).items, [])
  })

  const publicClient = { client_type: 'public' }
  const accepted: [what: string, part: Record<string, unknown>][] = [
    ['an RSA key', keys(rsa(2048))],
    ['an Ed25519 key', keys(ed25519)],
    ['keys of several kinds', keys(publicEc, ed25519, { ...rsa(2048), alg: 'PS256' })],
    [
      '20 redirect URIs',
      { redirect_uris: Array.from({ length: 20 }, (_, n) => `https://a.test/${n}`) },
    ],
    ['a redirect URI with a query', { redirect_uris: ['https://a.test/cb?a=1'] }],
    ['localhost', { redirect_uris: ['http://localhost:8080/cb'] }],
    ['OpenID', { openid: true, post_logout_redirect_uris: ['http://127.0.0.1:9/bye?a=1'] }],
    [
      'a private scheme as post-logout redirect URI',
      { client_type: 'public', post_logout_redirect_uris: ['com.example.app:/bye'] },
    ],
  ]
  for (const [what, part] of accepted) {
    t.test(`an app may have ${what}`, async (t) => {
      const app = await register(part)
      t.match(await api.expect(200, 'GET', `/apps/${app.client_id}`), part)
    })
  }

  const refused: [part: Record<string, unknown>, pointer: string][] = [
    [{ redirect_uris: [] }, '/redirect_uris'],
    [
      { redirect_uris: Array.from({ length: 201 }, (_, n) => `https://a.test/${n}`) },
      '/redirect_uris',
    ],
    [
      { redirect_uris: Array.from({ length: 2000 }, (_, n) => `https://a.test/${n}`) },
      '/redirect_uris',
    ],
    [{ redirect_uris: ['https://a.test/', 'https://a.test/'] }, '/redirect_uris/1'],
    [{ redirect_uris: [`https://a.test/${'a'.repeat(10_000)}`] }, '/redirect_uris/0'],
    [{ redirect_uris: ['https://a.test/', '/cb'] }, '/redirect_uris/1'],
    [{ redirect_uris: [''] }, '/redirect_uris/0'],
    [{ redirect_uris: ['https://a.test/#'] }, '/redirect_uris/0'],
    [{ redirect_uris: ['https://a.test/cb#x'] }, '/redirect_uris/0'],
    [{ redirect_uris: ['https://*.a.test/cb'] }, '/redirect_uris/0'],
    [{ redirect_uris: ['https://user:pw@a.test/cb'] }, '/redirect_uris/0'],
    [{ redirect_uris: ['http://a.test/cb'] }, '/redirect_uris/0'],
    [{ redirect_uris: ['https://a.test/\r\nX: y'] }, '/redirect_uris/0'],
    [{ redirect_uris: ['https://a.test/\u0000'] }, '/redirect_uris/0'],
    [{ redirect_uris: ['https://ä.test/'] }, '/redirect_uris/0'],
    [{ redirect_uris: ['javascript:alert(1)//'], ...publicClient }, '/redirect_uris/0'],
    [{ redirect_uris: ['JaVaScRiPt:alert(1)'], ...publicClient }, '/redirect_uris/0'],
    [{ redirect_uris: ['\u0001javascript:alert(1)'], ...publicClient }, '/redirect_uris/0'],
    [{ redirect_uris: ['data:text/html,x'], ...publicClient }, '/redirect_uris/0'],
    [{ redirect_uris: ['vbscript:x'], ...publicClient }, '/redirect_uris/0'],
    [{ redirect_uris: ['file:///etc/passwd'], ...publicClient }, '/redirect_uris/0'],
    [{ redirect_uris: ['blob:https://a.test/x'], ...publicClient }, '/redirect_uris/0'],
    [{ redirect_uris: ['com.example.app:/cb'] }, '/redirect_uris/0'],
    [
      { post_logout_redirect_uris: ['https://a.test/', 'http://a.test/'] },
      '/post_logout_redirect_uris/1',
    ],
    [{ post_logout_redirect_uris: ['https://a.test/#x'] }, '/post_logout_redirect_uris/0'],
    [{ post_logout_redirect_uris: ['com.example.app:/bye'] }, '/post_logout_redirect_uris/0'],
    [
      { post_logout_redirect_uris: ['javascript:alert(1)'], ...publicClient },
      '/post_logout_redirect_uris/0',
    ],
    [
      { post_logout_redirect_uris: Array(2).fill('https://a.test/') },
      '/post_logout_redirect_uris/1',
    ],
    [
      { post_logout_redirect_uris: Array.from({ length: 201 }, (_, n) => `https://a.test/${n}`) },
      '/post_logout_redirect_uris',
    ],
    [{ openid: 'yes' }, '/openid'],
    [{ openid: true, interface: 'legacy', permissions: [] }, '/openid'],
    [
      { post_logout_redirect_uris: ['https://a.test/'], interface: 'legacy', permissions: [] },
      '/post_logout_redirect_uris',
    ],
    [{ permissions: ['readData'] }, '/permissions/0'],
    [{ permissions: ['records:create', 'records:everything'] }, '/permissions/1'],
    [{ interface: 'legacy', permissions: ['records:create'] }, '/permissions/0'],
    [{ interface: 'both' }, '/interface'],
    [{ client_type: 'secret' }, '/client_type'],
    [{ name: 'a\u202e' }, '/name'],
    [{ description: 'a\u2067' }, '/description'],
    [{ description: 'x'.repeat(1001) }, '/description'],
    [{ logo_uri: 'http://a.test/logo.png' }, '/logo_uri'],
    [{ logo_uri: 'javascript:alert(1)' }, '/logo_uri'],
    [{ logo_uri: 'https://a.test/logo.svg' }, '/logo_uri'],
    [{ logo_uri: 'https://a.test/logo.%53vG?size=1#x' }, '/logo_uri'],
    [{ logo_uri: 'https://a.test/logo.svgz' }, '/logo_uri'],
    [{ logo_uri: 'data:image/png;base64,AA==' }, '/logo_uri'],
    [{ logo_uri: 'https://a.test/"onerror=' }, '/logo_uri'],
    [{ homepage_uri: 'https://u:p@a.test/' }, '/homepage_uri'],
    [{ homepage_uri: 'a.test' }, '/homepage_uri'],
    [{ policy_uri: 'javascript:alert(1)' }, '/policy_uri'],
    [{ policy_uri: 'http://localhost:3000/' }, '/policy_uri'],
    [{ tos_uri: 'https://u:p@a.test/' }, '/tos_uri'],
    [{ homepage_uri: `https://a.test/${'a'.repeat(2000)}` }, '/homepage_uri'],
    [{ location: 'app.example' }, '/location'],
    [{ location: '/start' }, '/location'],
    [{ location: 'http://a.test/' }, '/location'],
    [{ location: 'https://u:p@a.test/' }, '/location'],
    [{ location: 'javascript:alert(1)' }, '/location'],
    [{ location: `https://a.test/${'a'.repeat(2000)}` }, '/location'],
    [{ kind: 'frame' }, '/kind'],
    [{ publisher: '' }, '/publisher'],
    [{ publisher: 'A\u200bB' }, '/publisher'],
    [{ publisher: 'x'.repeat(101) }, '/publisher'],
    [{ setup_uri: 'http://a.test/setup' }, '/setup_uri'],
    [{ setup_uri: 'com.example.app:/setup' }, '/setup_uri'],
    [{ setup_uri: 'https://a.test/setup#part' }, '/setup_uri'],
    [{ setup_uri: 'https://u:p@a.test/setup' }, '/setup_uri'],
    [{ setup_uri: 'javascript:alert(1)' }, '/setup_uri'],
    [{ setup_uri: `https://a.test/${'a'.repeat(2000)}` }, '/setup_uri'],
    [{ setup_uri: 'https://a.test/setup', client_type: 'public' }, '/setup_uri'],
    [{ setup_uri: 'https://a.test/setup', interface: 'legacy', permissions: [] }, '/setup_uri'],
    [{ access_token_seconds: 59 }, '/access_token_seconds'],
    [{ access_token_seconds: 3601 }, '/access_token_seconds'],
    [{ access_token_seconds: 90.5 }, '/access_token_seconds'],
    [{ access_token_seconds: 7201, interface: 'legacy', permissions: [] }, '/access_token_seconds'],
    [{ id_token_signed_response_alg: 'none' }, '/id_token_signed_response_alg'],
    [{ id_token_signed_response_alg: 'HS256' }, '/id_token_signed_response_alg'],
    [
      { id_token_signed_response_alg: 'RS256', interface: 'legacy', permissions: [] },
      '/id_token_signed_response_alg',
    ],
    [{ pkce_required: false }, '/pkce_required'],
    [{ pkce_required: false, openid: true, client_type: 'public' }, '/pkce_required'],
    [{ pkce_required: false, interface: 'legacy', permissions: [] }, '/pkce_required'],
    [{ owners: ['usrNone'] }, '/owners/0'],
    [{ owners: Array.from({ length: 21 }, (_, n) => `usr${n}`) }, '/owners'],
    [{ owners: ['usrA', 'usrA'] }, '/owners/1'],
    [{ owners: null }, '/owners'],
    [{ retry_window_seconds: 61 }, '/retry_window_seconds'],
    [{ retry_window_seconds: -1 }, '/retry_window_seconds'],
    [{ retry_window_seconds: 0.5 }, '/retry_window_seconds'],
    [{ retry_window_seconds: '5' }, '/retry_window_seconds'],
    [keys(), '/jwks/keys'],
    [keys(...Array(11).fill(publicEc)), '/jwks/keys'],
    [keys(privateEc), '/jwks/keys/0/d'],
    [keys(publicEc, { kty: 'oct', k: 'c2VjcmV0' }), '/jwks/keys/1/k'],
    [keys({ kty: 'oct' }), '/jwks/keys/0/kty'],
    [keys(x25519), '/jwks/keys/0'],
    [keys(rsa(1024)), '/jwks/keys/0/n'],
    [keys({ ...publicEc, x: 'AAAA' }), '/jwks/keys/0'],
    [keys({ ...publicEc, y: undefined }), '/jwks/keys/0'],
    [keys({ ...publicEc, alg: 'RS256' }), '/jwks/keys/0'],
    [keys({ ...publicEc, alg: 'HS256' }), '/jwks/keys/0/alg'],
    [keys({ ...publicEc, alg: 'none' }), '/jwks/keys/0/alg'],
    [keys({ ...publicEc, use: 'enc' }), '/jwks/keys/0/use'],
    [keys({ ...publicEc, key_ops: ['sign'] }), '/jwks/keys/0/key_ops'],
    [keys({ ...publicEc, kid: 'a\u0000' }), '/jwks/keys/0/kid'],
    [keys({ ...publicEc, x5u: 'https://a.test/' }), '/jwks/keys/0/x5u'],
    [{ ...keys(publicEc), ...publicClient }, '/jwks'],
    [{ ...keys(publicEc), interface: 'legacy', permissions: [] }, '/jwks'],
  ]
  t.test('an invalid field is refused with its pointer, and nothing is stored', async (t) => {
    const count = async () =>
      (await api.database.query<{ n: number }>('select count(*)::integer as n from apps')).rows
    const before = await count()
    const { client_id } = await register()
    const app = await api.expect(200, 'GET', `/apps/${client_id}`)
    for (const [part, pointer] of refused) {
      const what = JSON.stringify(part).slice(0, 80)
      const { status, body } = await api.call('POST', '/apps', newApp(part))
      t.equal(status, 400, what)
      const pointers = body.errors.map((fault: { pointer: string }) => fault.pointer)
      t.ok(pointers.includes(pointer), `${what}: ${pointers} has ${pointer}`)
      if ('interface' in part) continue
      const patched = await api.call('PATCH', `/apps/${client_id}`, part)
      t.equal(patched.status, 400, `PATCH ${what}`)
    }
    t.same(await api.expect(200, 'GET', `/apps/${client_id}`), app)
    t.equal((await count())[0]?.n, before[0]!.n + 1)
  })
})
