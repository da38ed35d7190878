/**
 * Attacks on the Operator API and the organization pages by callers without the right to use them.
 */
import { clientCredentials, currentCode, exchangeCode } from '../support/flows.ts'
import { operatorToken } from '../support/latchkey.ts'
import { onEachBackend } from '../support/on-each-backend.ts'
import { createKeySet, selfSign } from '../support/resource-server.ts'
import { signedIn } from '../support/signed-in.ts'
import { dumpStores } from '../support/traces.ts'
import { createVisitor } from '../support/visitor.ts'
import { install } from '../support/world.ts'

type Call = [method: string, path: string, body?: unknown]

await onEachBackend('administration', async (t, { running, issuer, world, stores }) => {
  const { operator } = running
  const { acme, other, ana, kim, confidential, second } = world
  await install(running, other, second)
  const foreign = await createKeySet(running, other)
  const own = await createKeySet(running, acme)
  const admin = await signedIn(issuer, kim)
  const member = await signedIn(issuer, ana)
  const api = `${issuer}/api/admin/v1`
  const json = { 'content-type': 'application/json' }

  const tables = ['organizations', 'apps', 'app_secrets', 'installs', 'key_sets', 'key_set_secrets']
  const kept = [...tables, 'members', 'users', 'resource_servers', 'operator_tokens']
  /** All rows that administration can change, without last-used times, which are written later. */
  const everything = async () =>
    (await dumpStores(stores))
      .split('\n')
      .filter((line) => kept.some((table) => line.startsWith(`${table} `)))
      .map((line) => line.replaceAll(/"\d{4}-\d\d-\d\d [^"]*"/g, ''))
      .sort()
      .join('\n')

  /** The same calls for another organization's objects and for ids that do not exist. */
  const crossing = (keySet: string, app: string, person: string): Call[] => [
    ['GET', `/organizations/${acme}/key-sets/${keySet}`],
    ['PATCH', `/organizations/${acme}/key-sets/${keySet}`, { name: 'Mine' }],
    ['POST', `/organizations/${acme}/key-sets/${keySet}/rotate`, {}],
    ['DELETE', `/organizations/${acme}/key-sets/${keySet}`],
    ['GET', `/organizations/${other}/installs/${app}`],
    ['PATCH', `/organizations/${other}/installs/${app}`, { suspended: true }],
    ['DELETE', `/organizations/${other}/installs/${app}`],
    ['DELETE', `/organizations/${other}/installs/${app}/users/${person}`],
    ['GET', `/organizations/${other}/members/${person}`],
    ['DELETE', `/organizations/${other}/members/${person}`],
  ]

  t.test('ADM-01 objects of another organization answer like unknown ids', async (t) => {
    const before = await everything()
    // The detail names the kind of the missing object: an operator may know it.
    const told = async ([method, path, body]: Call) => {
      const { status, body: problem } = await operator(method, path, body)
      return JSON.stringify([status, problem.type, problem.title])
    }
    const foreigners = crossing(foreign.id, confidential.client_id, ana.id)
    const unknownIds = crossing('kst000000', 'app000000', 'usr000000')
    for (const [at, call] of foreigners.entries()) {
      const answer = await told(call)
      t.match(answer, /^\[404,/, `${call[0]} ${call[1]}`)
      t.equal(answer, await told(unknownIds[at] as Call), 'the same as for an unknown id')
    }
    for (const path of [
      `/organizations/${other}/apps`,
      `/organizations/${other}/apps/${second.client_id}`,
      `/organizations/${other}/keys`,
      `/organizations/${other}/keys/${foreign.id}`,
      `/organizations/${acme}/keys/${foreign.id}`,
      `/organizations/${other}/activity`,
    ])
      t.equal((await admin.fetch(`${issuer}${path}`)).status, 404, path)
    t.equal(await everything(), before, 'nothing has changed')
  })

  t.test('ADM-02 only an operator token opens the Operator API', async (t) => {
    const grant = await currentCode(running, confidential, ana, {}, member)
    const user = (await exchangeCode(issuer, confidential, grant)).body
    const machine = (await clientCredentials(issuer, confidential, acme)).body
    const signed = selfSign(own.secret, { iss: own.client_id, iat: Math.floor(Date.now() / 1000) })
    const before = await everything()
    const basic = (id: string, secret: string) =>
      `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
    const credentials: Record<string, string> = {
      'a user’s access token': `Bearer ${user.access_token}`,
      'a refresh token': `Bearer ${user.refresh_token}`,
      'an install token': `Bearer ${machine.access_token}`,
      'a self-signed token': `Bearer ${signed}`,
      'a key set’s secret': `Bearer ${own.secret}`,
      'an app’s secret': `Bearer ${confidential.client_secret}`,
      'an app': basic(confidential.client_id, confidential.client_secret),
      'the operator token as a password': basic('operator', operatorToken),
      nothing: '',
    }
    const calls: Call[] = [
      ['GET', '/users'],
      ['GET', '/audit'],
      ['POST', '/apps', { name: 'Mine' }],
      ['POST', '/organizations', { name: 'Mine' }],
      ['POST', '/resource-servers', { name: 'Mine' }],
      ['POST', '/signing-keys/rotate', {}],
      ['PATCH', `/apps/${confidential.client_id}`, { permissions: [] }],
      ['DELETE', `/organizations/${acme}/installs/${confidential.client_id}`],
      ['POST', `/organizations/${acme}/key-sets/${own.id}/rotate`, {}],
      ['PUT', `/organizations/${acme}/members/${ana.id}`, { role: 'admin' }],
    ]
    for (const [who, authorization] of Object.entries(credentials)) {
      for (const [method, path, body] of calls) {
        const answer = await fetch(`${api}${path}`, {
          method,
          headers: { ...(authorization && { authorization }), ...(body !== undefined && json) },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        })
        t.equal(answer.status, 401, `${who}: ${method} ${path}`)
        await answer.arrayBuffer()
      }
    }
    for (const visitor of [admin, member])
      t.equal(
        (await visitor.fetch(`${api}/users`)).status,
        401,
        'a session does not open the Operator API',
      )
    for (const path of ['apps', 'keys', 'activity']) {
      const url = `${issuer}/organizations/${acme}/${path}`
      t.equal((await member.fetch(url)).status, 404, `a member: ${path}`)
      t.equal((await createVisitor(issuer).fetch(url)).status, 303, `no session: ${path}`)
    }
    t.equal(await everything(), before, 'nothing has changed')
  })

  t.test('ADM-03 rejects fields that cannot be set', async (t) => {
    const before = await everything()
    const app = `/apps/${confidential.client_id}`
    const keySet = `/organizations/${acme}/key-sets/${own.id}`
    const membership = `/organizations/${acme}/members/${ana.id}`
    const installed = `/organizations/${acme}/installs/${confidential.client_id}`
    const bodies: [string, string, string][] = [
      ...['organization_id', 'id', 'client_id', 'secret', 'created_by', 'interface'].map(
        (field): [string, string, string] => ['PATCH', keySet, `{"${field}":"${other}"}`],
      ),
      ['PATCH', keySet, '{"permissions":["readData"]}'],
      ...['client_id', 'interface', 'families_epoch', 'client_secret', 'public', 'trusted'].map(
        (field): [string, string, string] => ['PATCH', app, `{"${field}":"x"}`],
      ),
      ['PATCH', app, '{"__proto__":{"disabled":true}}'],
      ['PATCH', app, '{"constructor":{"prototype":{"disabled":true}}}'],
      ['PATCH', app, '{"permissions":["admin"]}'],
      ['PUT', membership, '{"role":"owner"}'],
      ['PUT', membership, `{"role":"member","organization_id":"${other}"}`],
      ['PUT', installed, '{"permissions":["records:delete"],"workspace_ids":null}'],
      ['PUT', installed, `{"permissions":[],"workspace_ids":["${world.foreignWorkspace}"]}`],
      ['PUT', installed, '{"permissions":[]}'],
      ['PATCH', installed, '{"id":"ins1"}'],
      ['PATCH', `/users/${ana.id}`, '{"credentials_epoch":9}'],
      ['PATCH', `/users/${ana.id}`, '{"role":"operator"}'],
    ]
    for (const [method, path, body] of bodies) {
      const headers = { authorization: `Bearer ${operatorToken}`, ...json }
      const answer = await fetch(`${api}${path}`, { method, headers, body })
      t.equal(answer.status, 400, `${method} ${path} ${body}`)
      await answer.arrayBuffer()
    }
    t.equal(await everything(), before, 'nothing has changed')
    t.equal(({} as Record<string, unknown>).disabled, undefined)
  })

  t.test('ADM-04 rejects invalid redirect URIs', async (t) => {
    const before = await everything()
    const bad: unknown[] = [
      ...['/cb', 'cb', '//a.example/cb', 'https:/cb', 'https:///cb', '', ' ', 'https://'],
      ...['https://*.a.example/cb', 'https://a.example/*', 'https://a.*/cb'],
      ...['https://user@a.example/cb', 'https://user:pw@a.example/cb', 'https://@a.example/cb'],
      ...['https://a.example/cb#', 'https://a.example/cb#x', 'http://a.example/cb'],
      ...['http://localhost.a.example/cb', 'http://10.0.0.1/cb', 'javascript:alert(1)'],
      ...['https://a.example/cb\r\nX: y', 'https://a.example/\tcb', 'https://a.example/ cb'],
      ...['https://a.example/\0', 'https://ä.example/cb', 'https://a.example/cb\\', 'data:,x'],
      `https://a.example/${'x'.repeat(10_000)}`,
      null,
      5,
      {},
    ]
    const lists: unknown[] = [
      ...bad.map((one) => [one]),
      ...bad.map((one) => ['https://a.example/ok', one]),
      [],
      'https://a.example/cb',
      ['https://a.example/cb', 'https://a.example/cb'],
      Array.from({ length: 2000 }, (_, at) => `https://a.example/${at}`),
    ]
    for (const redirect_uris of lists) {
      const label = JSON.stringify(redirect_uris).slice(0, 60)
      const body = {
        name: 'Hostile',
        interface: 'current',
        client_type: 'confidential',
        permissions: [],
        redirect_uris,
      }
      t.ok([400, 413].includes((await operator('POST', '/apps', body)).status), label)
      const path = `/apps/${confidential.client_id}`
      t.ok([400, 413].includes((await operator('PATCH', path, { redirect_uris })).status), label)
    }
    t.equal(await everything(), before, 'nothing is stored')
  })

  t.test('ADM-05 a browser session cannot be used by another site', async (t) => {
    const before = await everything()
    const authorization = `Bearer ${operatorToken}`
    const text = JSON.stringify({ name: 'Planted' })
    const evil = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']
    for (const type of types) {
      const headers = { 'content-type': type, ...evil }
      const withSession = await admin.fetch(`${api}/organizations`, {
        method: 'POST',
        headers,
        body: text,
      })
      t.equal(withSession.status, 401, 'a session is not a credential of the Operator API')
      const withToken = await fetch(`${api}/organizations`, {
        method: 'POST',
        headers: { ...headers, authorization },
        body: text,
      })
      t.equal(withToken.status, 415, type)
      t.equal(withToken.headers.get('access-control-allow-origin'), null)
    }
    const fields = {
      decision: 'create',
      interface: 'current',
      name: 'Planted',
      workspace_ids: '*',
      key_set_id: own.id,
      client_id: confidential.client_id,
    }
    const page = await admin.get(`/organizations/${acme}/keys/new`)
    const token = page.dom.querySelector('input[name="_csrf"]')?.getAttribute('value') ?? ''
    const elsewhere = await (await signedIn(issuer, kim)).get(`/organizations/${acme}/keys/new`)
    const foreignToken =
      elsewhere.dom.querySelector('input[name="_csrf"]')?.getAttribute('value') ?? ''
    const attempts: [string, Record<string, string>, Record<string, string>][] = [
      ['no field', fields, {}],
      ['an empty field', { ...fields, _csrf: '' }, {}],
      ['another session’s field', { ...fields, _csrf: foreignToken }, {}],
      ['another origin', { ...fields, _csrf: token }, { origin: 'https://evil.example' }],
      [
        'no origin',
        { ...fields, _csrf: token },
        { origin: 'null', 'sec-fetch-site': 'cross-site' },
      ],
    ]
    for (const decision of ['create', 'rotate', 'delete', 'uninstall']) {
      for (const [what, body, headers] of attempts) {
        const part = decision === 'uninstall' ? 'apps' : 'keys'
        const answer = await admin.fetch(`${issuer}/organizations/${acme}/${part}`, {
          method: 'POST',
          headers,
          body: new URLSearchParams({ ...body, decision }),
        })
        t.equal(answer.status, 403, `${decision}: ${what}`)
      }
    }
    t.equal(await everything(), before, 'nothing has changed')
  })
})
