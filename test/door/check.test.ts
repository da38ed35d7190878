/** The answers of the door to checks, with a scripted server. */
import { createRemoteJWKSet, jwtVerify } from 'jose'
import t from 'tap'
import { eventually } from '../support/eventually.ts'
import { rawRequest, sendRaw } from '../support/raw-http.ts'
import { audience, resourceServer } from '../support/scripted-server.ts'
import { question, startDoor } from './start-door.ts'

t.test('a valid token passes, and the answer says who acts', async (t) => {
  const { server, url, check, ask } = await startDoor(t)
  const { status, headers, body } = await check(server.token())
  t.equal(status, 200)
  t.equal(body, '')
  t.match(headers, {
    'x-latchkey-kind': 'user',
    'x-latchkey-organization': 'org1',
    'x-latchkey-client': 'app1',
    'x-latchkey-user': 'usr1',
    'x-latchkey-permissions': 'records:create',
    'x-latchkey-workspaces': 'wks1',
    'cache-control': 'no-store',
  })
  const keys = createRemoteJWKSet(new URL(`${url}/.well-known/jwks.json`))
  const assertion = await jwtVerify(headers['x-latchkey-assertion'] ?? '', keys, {
    issuer: 'urn:latchkey:door',
    audience,
    typ: 'latchkey-door+jwt',
    requiredClaims: ['iat', 'exp'],
  })
  t.match(assertion.payload, {
    sub: 'usr1',
    interface: 'current',
    kind: 'user',
    client_id: 'app1',
    organization_id: 'org1',
    permissions: ['records:create'],
    workspace_ids: ['wks1'],
  })
  t.equal(Number(assertion.payload.exp) - Number(assertion.payload.iat), 60)
  const head = await ask(question, ['Authorization', `Bearer ${server.token()}`], 'HEAD')
  t.match(head, { status: 200, body: '', headers: { 'x-latchkey-user': 'usr1' } })
})

t.test('every header about an access is always there', async (t) => {
  const { server, check } = await startDoor(t)
  const token = server.token({ kind: 'install', sub: 'app1', permissions: [], workspace_ids: [] })
  const { status, headers } = await check(token)
  t.equal(status, 200)
  for (const name of ['user', 'permissions', 'workspaces'])
    t.equal(headers[`x-latchkey-${name}`], '', name)
})

t.test('a refusal has a challenge, and a status that each proxy knows', async (t) => {
  const { server, check, ask, log } = await startDoor(t)
  const none = await ask(question)
  t.match(none, { status: 401, headers: { 'www-authenticate': 'Bearer' } })
  t.match(JSON.parse(none.body), { error: 'invalid_token' })
  const [header, payload] = server.token().split('.')
  const bad = await check(`${header}.${payload}.${server.token().split('.')[2]}`)
  t.match(bad, { status: 401, headers: { 'www-authenticate': /^Bearer error="invalid_token"/ } })
  const expired = await check(server.token({ exp: 1 }))
  t.equal(expired.status, 401)
  t.notMatch(expired.body, 'expired"', 'the caller does not learn the reason')
  const scope = await check(server.token(), `${question}&permission=records:delete`)
  t.match(scope, {
    status: 403,
    headers: { 'www-authenticate': /error="insufficient_scope".*scope="records:delete"/ },
  })
  const refusals = log.filter(({ message }) => message === 'refused')
  t.match(
    refusals.map(({ about }) => about.reason),
    ['missing', 'signature', 'expired', 'permission'],
  )
  t.equal(refusals[0]?.about.reqId, none.headers['x-request-id'])
  t.notMatch(JSON.stringify(log), payload, 'no token is logged')
  for (const { headers } of [none, bad, expired, scope])
    t.notOk(Object.keys(headers).some((name) => name.startsWith('x-latchkey')))
})

t.test('a question checks interface, permissions, organization and workspace', async (t) => {
  const { server, check } = await startDoor(t)
  const token = server.token()
  const legacy = server.token({ interface: 'legacy', workspace_ids: undefined })
  const cases: [token: string, query: string, status: number][] = [
    [token, 'interface=current', 200],
    [token, 'interface=legacy', 401],
    [legacy, 'interface=legacy', 200],
    [legacy, 'interface=current', 401],
    [token, 'interface=current&permission=records:create', 200],
    [token, 'interface=current&permission=records%3Acreate', 200],
    [token, 'interface=current&permission=records:create+records:delete', 403],
    [token, 'interface=current&permission=records:create%20records:create', 200],
    [token, 'interface=current&organization=org1', 200],
    [token, 'interface=current&organization=org2', 403],
    [token, 'interface=current&organization=org1&workspace=wks1', 200],
    [token, 'interface=current&organization=org1&workspace=wks9', 403],
    [token, 'interface=current&organization=org2&workspace=wks1', 403],
    [token, 'workspace=wks1&organization=org1&permission=records:create&interface=current', 200],
  ]
  for (const [one, query, status] of cases)
    t.equal((await check(one, `/check?${query}`)).status, status, query)
})

t.test('a mistake in the question refuses, and never means “no requirement”', async (t) => {
  const { server, check, log } = await startDoor(t)
  const token = server.token()
  const faulty: [query: string, said: RegExp][] = [
    ['', /interface is missing/],
    ['permission=records:create', /interface must be/],
    ['interface=', /interface is empty/],
    ['interface', /interface is empty/],
    ['interface=both', /interface must be/],
    ['Interface=current', /none of interface/],
    ['interface=current&interface=current', /interface is repeated/],
    ['interface=current&permission=a&permission=b', /permission is repeated/],
    ['interface=current&organization=org1&organization=org2', /organization is repeated/],
    ['interface=current&permissions=records:delete', /none of interface/],
    ['interface=current&organisation=org2', /none of interface/],
    ['interface=current&workspace_id=wks9', /none of interface/],
    ['interface=current&__proto__=x', /none of interface/],
    ['interface=current&', /none of interface/],
    ['interface=current&&organization=org1', /none of interface/],
    ['interface=current&organization=', /organization is empty/],
    ['interface=current&organization', /organization is empty/],
    ['interface=current&permission=', /permission is empty/],
    ['interface=current&permission=+', /permission must be/],
    ['interface=current&permission=records:create++records:create', /permission must be/],
    ['interface=current&permission=records:create,records:update', /permission must be/],
    ['interface=current&permission=$perm', /permission must be/],
    ['interface=current&organization=%zz', /organization is not percent-encoded/],
    ['interface=current&organization=%ff', /organization is not percent-encoded/],
    ['interface=current&organization=org1%0d%0aX-Latchkey-User:%20usr2', /organization must be/],
    ['interface=current&organization=org1%00', /organization must be/],
    ['interface=current&organization=%C3%B6rg', /organization must be/],
    [`interface=current&organization=${'o'.repeat(201)}`, /organization must be/],
    ['interface=current&workspace=wks1', /workspace needs organization/],
    ['interface=current&organization=org1&workspace=', /workspace is empty/],
    ['interface=current?permission=records:delete', /interface must be/],
  ]
  for (const [query, said] of faulty) {
    const { status, body, headers } = await check(token, `/check?${query}`)
    t.equal(status, 400, query)
    t.match(JSON.parse(body).error_description, said, query)
    t.notOk(headers['x-latchkey-kind'], query)
  }
  t.equal(log.filter(({ level }) => level === 'warn').length, faulty.length, 'each is a warning')
  t.notMatch(JSON.stringify(log), /usr2|records:delete/, 'the log does not repeat what was sent')
})

t.test('two credentials are refused, whichever of them is valid', async (t) => {
  const { server, ask } = await startDoor(t)
  const good = `Bearer ${server.token()}`
  const repeated: string[][] = [
    ['Authorization', good, 'Authorization', 'Bearer x'],
    ['Authorization', 'Bearer x', 'authorization', good],
    ['Authorization', good, 'AUTHORIZATION', good],
    ['Authorization', `${good}, ${good}`],
    ['Authorization', `${good},Bearer x`],
  ]
  for (const headers of repeated) t.equal((await ask(question, headers)).status, 401)
})

t.test('headers of the client decide nothing', async (t) => {
  const { server, ask } = await startDoor(t)
  const forged = [
    ...['X-Latchkey-User', 'usr9', 'X-Latchkey-Kind', 'install', 'X-Latchkey-Workspaces', '*'],
    ...['X-HTTP-Method-Override', 'POST', 'X-Original-URL', '/health/live', 'Cookie', 'token=x'],
  ]
  t.equal((await ask(question, forged)).status, 401)
  const { headers } = await ask(question, ['Authorization', `Bearer ${server.token()}`, ...forged])
  t.match(headers, { 'x-latchkey-user': 'usr1', 'x-latchkey-workspaces': 'wks1' })
  t.equal((await ask(`${question}&access_token=${server.token()}`)).status, 400)
})

t.test('other paths never answer 200', async (t) => {
  const { server, ask, url } = await startDoor(t)
  const headers = ['Authorization', `Bearer ${server.token()}`]
  for (const path of [
    '/',
    '//check',
    '/check/',
    '/CHECK',
    '/check;a',
    '/%63heck',
    '/metrics',
    '/x',
  ])
    t.equal((await ask(`${path}?interface=current`, headers)).status, 404, path)
  t.match(await ask('/health/ready', [], 'POST'), { status: 405 })
  const raw = await sendRaw(url, rawRequest(url, `GET http://other.example${question}`, []))
  t.same(raw.statuses, [404], 'an absolute address is no path')
})

t.test('the method of a check decides nothing', async (t) => {
  const { server, ask } = await startDoor(t)
  const headers = ['Authorization', `Bearer ${server.token()}`]
  for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND', 'TRACE']) {
    const permission = `${question}&permission=records:delete`
    t.equal((await ask(question, [], method)).status, 401, method)
    t.equal((await ask(permission, headers, method)).status, 403, method)
    const { status, headers: answered } = await ask(question, headers, method)
    t.match([status, answered['x-latchkey-user']], [200, 'usr1'], method)
  }
})

t.test('the body of a check is not read as another check', async (t) => {
  const { server, url } = await startDoor(t)
  const token = server.token()
  const inner = `GET ${question} HTTP/1.1\r\nHost: door\r\nAuthorization: Bearer ${token}\r\n\r\n`
  const lines = ['Content-Length: 4', 'Transfer-Encoding: chunked']
  const head = (more: string[]) =>
    [`GET ${question} HTTP/1.1`, 'Host: door', ...more, '', ''].join('\r\n')
  t.same((await sendRaw(url, `${head(lines)}0\r\n\r\n${inner}`)).statuses, [400])
  const length = [`Content-Length: ${inner.length}`]
  const { statuses, closed } = await sendRaw(url, head(length) + inner)
  t.same({ statuses, closed }, { statuses: [401], closed: true })
})

t.test('long lists are replaced by a mark that names nothing', async (t) => {
  const { server, check, url } = await startDoor(t)
  const workspaces = Array.from({ length: 400 }, (_, at) => `wks${String(at).padStart(16, '0')}`)
  const permissions = Array.from({ length: 100 }, (_, at) => `records:of-table-${at}-create`)
  const token = server.token({ workspace_ids: workspaces, permissions })
  const { status, headers } = await check(token)
  t.equal(status, 200)
  t.equal(headers['x-latchkey-workspaces'], '?')
  t.equal(headers['x-latchkey-permissions'], '?')
  t.ok(JSON.stringify(headers).length < 12 * 1024)
  const keys = createRemoteJWKSet(new URL(`${url}/.well-known/jwks.json`))
  const { payload } = await jwtVerify(headers['x-latchkey-assertion'] ?? '', keys)
  t.match(payload, {
    permissions: [],
    workspace_ids: [],
    unlisted: ['permissions', 'workspace_ids'],
  })
  const one = `${question}&organization=org1&workspace=${workspaces[399]}`
  t.equal((await check(token, one)).status, 200, 'the door still knows the whole list')
  t.equal((await check(token, `${one}0`)).status, 403)
})

t.test('all workspaces are `*`, which is never an abbreviation', async (t) => {
  const { server, check } = await startDoor(t)
  const legacy = server.token({ interface: 'legacy', workspace_ids: undefined })
  const all = await check(legacy, '/check?interface=legacy')
  t.match(all, { status: 200, headers: { 'x-latchkey-workspaces': '*' } })
})

t.test('an id that no header can carry refuses the request', async (t) => {
  const { server, check, log } = await startDoor(t)
  const strange = ['ö', 'a\r\nX-Latchkey-User: usr2', 'a b', '\u0000', '日本']
  for (const id of strange) {
    const { status, headers } = await check(server.token({ organization_id: id }))
    t.equal(status, 500)
    t.notOk(headers['x-latchkey-user'])
  }
  const inList = await check(server.token({ workspace_ids: ['wks1', 'wks2 wks3'] }))
  t.equal(inList.status, 500, 'one id cannot look like two')
  t.equal(log.filter(({ level }) => level === 'error').length, strange.length + 1)
})

t.test('a revocation ends the token, and what is remembered about it', async (t) => {
  const { server, check } = await startDoor(t)
  const token = server.token({ jti: 'j1' })
  t.equal((await check(token)).status, 200)
  server.tell({ type: 'token', id: 'j1' })
  await eventually(async () => (await check(token)).status === 401)
})

t.test('without the server the door refuses with 503', async (t) => {
  const { server, check, ask, log } = await startDoor(t, {}, (one) => one.stop())
  const { status, headers, body } = await check('lkks_a-secret', '/check?interface=legacy')
  t.equal(status, 503)
  t.equal(headers['retry-after'], '1')
  t.match(JSON.parse(body), { error: 'temporarily_unavailable' })
  t.match(await check(server.token()), { status: 503, headers: { 'retry-after': '1' } })
  t.equal((await ask('/health/ready')).status, 503)
  t.equal((await ask('/health/live')).status, 200)
  const failures = log.filter(({ message }) => message.includes('the server does not answer'))
  t.match(failures[0], { level: 'warn' })
  const messages = new Set(failures.map(({ message }) => message))
  t.equal(messages.size, failures.length, 'each is logged once, not with each retry')
  await server.start()
  await eventually(async () => (await ask('/health/ready')).status === 200)
  t.equal((await check(server.token())).status, 200)
})

t.test('old news of revocations refuse, if the operator wants it so', async (t) => {
  const { server, check, ask } = await startDoor(t, { maxRevocationAge: 2 })
  const token = server.token()
  t.equal((await check(token)).status, 200)
  await server.stop()
  await eventually(async () => (await check(token)).status === 503)
  t.equal((await ask('/health/ready')).status, 503)
})

t.test('metrics count outcomes, and are not on the port of the proxy', async (t) => {
  const { server, check, ask, metricsUrl } = await startDoor(t)
  await check(server.token())
  await check(server.token())
  await check('nonsense')
  await check(server.token(), '/check')
  const text = await (await fetch(`${metricsUrl}/metrics`)).text()
  t.match(text, 'latchkey_door_checks_total{outcome="allowed",reason=""} 2')
  t.match(text, 'latchkey_door_checks_total{outcome="invalid",reason="malformed"} 1')
  t.match(text, 'latchkey_door_checks_total{outcome="misconfigured",reason="question"} 1')
  t.match(text, 'latchkey_door_check_duration_seconds_count{outcome="allowed"} 2')
  t.match(text, 'latchkey_door_ready 1')
  t.match(text, 'process_cpu_seconds_total')
  t.equal((await ask('/metrics')).status, 404)
  t.equal((await fetch(`${metricsUrl}/check?interface=current`)).status, 404)
})

t.test('a closing door answers what has arrived, and reports it', async (t) => {
  const { server, check, ask, door } = await startDoor(t, { shutdownDrain: 500 })
  const draining = door.drain()
  const checked = await check(server.token())
  t.match(checked, { status: 200, headers: { connection: 'close' } })
  t.match(await ask('/health/ready'), { status: 503, body: '{"status":"closing"}' })
  await draining
  await door.close()
  await t.rejects(check(server.token()))
})

t.test('doors with the same secret have the same key, others have not', async (t) => {
  const keyOf = async ({ ask }: Awaited<ReturnType<typeof startDoor>>) =>
    JSON.parse((await ask('/.well-known/jwks.json')).body).keys[0]
  const one = await keyOf(await startDoor(t))
  const same = await keyOf(await startDoor(t))
  const secret = { ...resourceServer, clientSecret: 'lkrs_another' }
  const other = await keyOf(await startDoor(t, { resourceServer: secret }))
  t.same(one, same)
  t.not(one.kid, other.kid)
  t.same(
    Object.keys(one).sort(),
    ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'],
    'only public parts',
  )
})
