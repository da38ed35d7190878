/**
 * What every operation of the Operator API must refuse. By day each operation gets a part of the ids, tokens and bodies,
 * another one than its neighbours; at night it gets all.
 */
import { request as httpRequest } from 'node:http'
import { faults } from '../../../src/words/en/faults.ts'
import { byDay } from '../../support/property.ts'
import { fillStock, idsIn, type Operation, operations, pathOf, versionReader } from './catalogue.ts'
import { type Answer, onOneBackend } from './operator-api.ts'

const problemType = 'application/problem+json; charset=utf-8'
const json = { 'content-type': 'application/json' }

/** Values that every field of every operation refuses. */
const wrongForAll = [
  {},
  { a: 1 },
  [[]],
  [1],
  -1,
  1.5,
  'x\u0000y',
  '\ud800',
  'x\u202e',
  'x'.repeat(20_000),
]

/** Values that single fields refuse as well. */
const wrongFor: Record<string, unknown[]> = {
  name: [null, '', ' ', 1, true, [], 'x'.repeat(101)],
  email: [null, '', 'x', 1, true, [], "' OR 1=1--"],
  password: [null, '', 'short', 1, true, []],
  disabled: [null, '', 'true', 0, 1, []],
  suspended: [null, '', 'true', 0, 1, []],
  resource: ['', 1, true, [], ['relative'], ['urn:acme:files#part'], [null], 'urn:acme:files'],
  role: [null, '', 'owner', 1, true, []],
  interface: [null, '', 'Current', 1, true, []],
  client_type: [null, '', 'Public', 1, true, []],
  redirect_uris: [null, '', 1, true, [], ['x'], [''], [null], 'https://app.example/cb'],
  permissions: [null, '', 1, true, ['x'], [null], 'records:create', ['__proto__']],
  workspace_ids: ['', 1, true, ['wksNone'], [null], [''], ['pg_sleep(5)'], ['\u0000']],
  description: [1, true, []],
  logo_uri: ['', 1, true, [], 'http://a.test/'],
  accent: ['', 1, true, [], 'blue', '#fff', '#3355cc;}', '3355cc', '#3355cg'],
  homepage_uri: ['', 1, true, [], '//a.test/'],
  policy_uri: ['', 1, true, [], '//a.test/', 'http://127.0.0.1/', 'javascript:alert(1)'],
  tos_uri: ['', 1, true, [], 'http://a.test/', 'data:text/html,x'],
  location: ['', 1, true, [], '//a.test/', 'http://a.test/', 'ftp://a.test/'],
  kind: ['', 1, true, [], 'Inside', 'none'],
  publisher: ['', ' ', 1, true, [], 'A\u202eB'],
  listed: [null, '', 'true', 0, 1, []],
  setup_uri: ['', 1, true, [], '//a.test/', 'http://a.test/', 'https://a.test/#part'],
  jwks_uri: ['', 1, true, [], 'x', 'http://a.test/', 'https://10.0.0.1/', 'https://u:p@a.test/'],
  workloads: [
    null,
    '',
    [{}],
    [{ issuer: 'https://a.test' }],
    [{ issuer: 'a', subject: 'b' }],
    [{ issuer: 'https://10.0.0.1', subject: 'b' }],
    [{ issuer: 'https://a.test', subject: 1 }],
    [{ issuer: 'https://a.test', subject: 'b', jwks_uri: 'http://a.test/' }],
  ],
  jwks: ['', 1, true, [], { keys: [] }, { keys: [{}] }, { keys: 'x' }, { keys: [[[]]] }],
  id_token_signed_response_alg: [null, '', 'HS256', 'none', 1, true, []],
  require_pushed_authorization_requests: [null, '', 'true', 0, 1, []],
  security_profile: [null, '', 'fapi', 'FAPI2', 2, true, []],
  pkce_required: [null, '', 'true', 0, 1, []],
  access_token_seconds: ['', '600', 59, 0, -1, 3601, 1e21, 60.5, true, []],
  owners: [null, '', 1, true, [''], [null], ['usrNone'], ['a b'], [['x']], 'usrNone'],
  retry_window_seconds: [null, '', '1', 61, 1e21, true, []],
  url: [
    null,
    '',
    1,
    true,
    [],
    'x',
    'http://hooks.example/',
    'https://10.0.0.1/',
    'ftp://x.example',
  ],
  client_id: ['', 1, true, [], "' or 1=1--"],
  events: ['', 1, true, [], ['install.approved'], [null], ['__proto__'], 'install.created'],
  groups: [null, '', 'Roles', 1, true, []],
  end_tokens: [null, '', 'true', 1, []],
  organization_ids: ['', 1, true, [], ['orgNone'], [null], ['\u0000']],
  expires_at: [
    '',
    1,
    true,
    [],
    'tomorrow',
    '9999-12-31T23:59:60Z',
    '2020-01-01T00:00:00Z',
    '2999-13-01T00:00:00Z',
  ],
  redirect_uri: [null, '', 1, true, [], 'x', 'http://app.example/'],
  permission: [null, '', 1, true, [], 'x', '__proto__'],
  key: [null, '', 1, true, [], { kty: 'EC' }, { kty: 'oct', k: 'x' }],
  retire_others_after_seconds: [null, '', '1', 1e21, 2 ** 53, true, []],
}

const hostileIds = [
  "' OR 1=1--",
  '1; select pg_sleep(5)--',
  'pg_sleep(5)',
  '\u0000',
  'a\u0000b',
  'ä',
  '🌻',
  'a b',
  'a/b',
  'a.b',
  '%',
  '*',
  'x'.repeat(129),
  'x'.repeat(5000),
]

const otherTypes = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/xml',
  'nonsense',
]

const deepWorkload = `{"issuer":"https://a.test","claims":{"a":${'['.repeat(14_000)}${']'.repeat(14_000)}}}`

const required = ({ body = {}, optional = [] }: Operation) =>
  Object.keys(body).filter((field) => !optional.includes(field))

const wrongValues = ({ nullable = [], taken = [] }: Operation, field: string) =>
  [...wrongForAll, ...(wrongFor[field] ?? [])].filter(
    (value) =>
      (value !== null || !nullable.includes(field)) && !taken.includes(JSON.stringify(value)),
  )

/** Bodies that the operation must refuse, with the reason. */
const wrongBodies = (operation: Operation): [why: string, body: string][] => {
  const { body } = operation
  if (!body) return []
  const text = JSON.stringify
  const withRaw = (member: string) =>
    text(body).replace(/\}$/, `${text(body) === '{}' ? '' : ','}${member}}`)
  return [
    ...[null, [], [body], 'text', 1, true].map((one): [string, string] => [text(one), text(one)]),
    ...['{', '}', '{"a":}', 'undefined', '\u0000', '[['.repeat(10_000)].map(
      (raw): [string, string] => [`raw ${raw.slice(0, 10)}`, raw],
    ),
    ['deep', '['.repeat(30_000) + ']'.repeat(30_000)],
    ['deep in a field', withRaw(`"x":${'['.repeat(20_000)}${']'.repeat(20_000)}`)],
    ...('workloads' in body
      ? [
          ['deep in a claim', withRaw(`"workloads":[${deepWorkload},${deepWorkload}]`)] as [
            string,
            string,
          ],
        ]
      : []),
    ['__proto__', withRaw('"__proto__":{"disabled":true}')],
    ['constructor', withRaw('"constructor":{"prototype":{"x":1}}')],
    ...[
      'id',
      'organization_id',
      'secret',
      'client_secret',
      'families_epoch',
      'created_at',
      'toString',
      '',
      '\u0000',
    ]
      // The id of a new webhook may be chosen.
      .filter(
        (field) =>
          !Object.hasOwn(body, field) && (field !== 'id' || operation.path !== '/webhooks'),
      )
      .map((field): [string, string] => [`extra ${text(field)}`, text({ ...body, [field]: 'x' })]),
    ...required(operation).map((field): [string, string] => [
      `without ${field}`,
      text({ ...body, [field]: undefined }),
    ]),
    ...Object.keys(body).flatMap((field) =>
      wrongValues(operation, field).map((value): [string, string] => [
        `${field} ${text(value).slice(0, 30)}`,
        text({ ...body, [field]: value }),
      ]),
    ),
    ...Object.keys(body).map((field): [string, string] => [
      `${field} infinite`,
      text({ ...body, [field]: 0 }).replace(`"${field}":0`, `"${field}":1e999`),
    ]),
  ]
}

await onOneBackend(async (t, api) => {
  const stock = await fillStock(api)
  const versionStored = await versionReader(api)
  const authorization = `Bearer ${api.token}`
  const isProblem = ({ status, body, headers }: Answer) =>
    headers.get('content-type') === problemType &&
    headers.get('cache-control') === 'no-store' &&
    body.status === status &&
    typeof body.type === 'string' &&
    typeof body.title === 'string' &&
    typeof body.detail === 'string'

  for (const [nth, operation] of operations.entries()) {
    const { method } = operation
    const what = `${method} ${operation.path}`

    t.test(`${what} requires an operator token`, async (t) => {
      const before = await versionStored()
      const wrong: Record<string, string>[] = [
        { authorization: '' },
        { authorization: 'Bearer' },
        { authorization: 'Bearer ' },
        { authorization: 'Bearer wrong' },
        { authorization: `Bearer ${api.token}x` },
        { authorization: `Bearer ${api.token.slice(0, -1)}` },
        { authorization: `Bearer ${api.token} ${api.token}` },
        { authorization: `Basic ${Buffer.from(`operator:${api.token}`).toString('base64')}` },
        { authorization: api.token },
        { authorization: `Bearer ${'x'.repeat(8000)}` },
        { authorization: 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.' },
        { 'x-authorization': `Bearer ${api.token}` },
        { cookie: `token=${api.token}` },
      ]
      for (const some of [{}, ...byDay(wrong, 8, nth)]) {
        const answer = await api.send(method, pathOf(operation, stock), {
          headers: { ...some, ...(operation.body && json) },
          ...(operation.body && { body: JSON.stringify(operation.body) }),
        })
        t.equal(answer.status, 401, JSON.stringify(some).slice(0, 60))
        t.ok(isProblem(answer))
        t.match(answer.headers.get('www-authenticate'), /^Bearer realm=/)
      }
      const inQuery = await api.send(
        method,
        `${pathOf(operation, stock)}?access_token=${api.token}`,
      )
      t.equal(inQuery.status, 401)
      t.equal(await versionStored(), before, 'nothing changed')
    })

    t.test(`${what} does not find malformed or unknown ids`, async (t) => {
      const before = await versionStored()
      for (const name of idsIn(operation)) {
        const isChosen = name === operation.chosen
        const unknown = [...(isChosen ? [] : ['none']), 'x'.repeat(100)]
        for (const id of [...byDay(hostileIds, 8, nth), ...unknown]) {
          const path = pathOf(operation, stock, { [name]: encodeURIComponent(id) })
          const answer = await api.call(method, path, operation.body)
          const isAbsent = name === operation.unknown && /^[\w-]{1,128}$/.test(id)
          const status = isAbsent ? 204 : id.length > 200 ? 414 : isChosen ? 400 : 404
          t.equal(answer.status, status, `${name} ${JSON.stringify(id.slice(0, 20))}`)
          if (!isAbsent) t.ok(isProblem(answer))
        }
        const path = pathOf(operation, stock, { [name]: '%ff' })
        t.equal((await api.call(method, path, operation.body)).status, 400)
      }
      t.equal(await versionStored(), before, 'nothing changed')
    })

    if (!operation.body) continue

    t.test(`${what} refuses every invalid body and changes nothing`, async (t) => {
      const before = await versionStored()
      for (const [why, body] of byDay(wrongBodies(operation), 12, nth)) {
        const headers = { authorization, ...json }
        const answer = await api.send(method, pathOf(operation, stock), { headers, body })
        t.equal(answer.status, 400, why)
        t.ok(isProblem(answer), why)
        if (answer.body.errors)
          for (const { pointer, detail, reason } of answer.body.errors)
            t.ok(/^(\/|$)/.test(pointer) && detail && Object.hasOwn(faults, reason), why)
      }
      t.equal(await versionStored(), before, 'nothing changed')
    })

    t.test(`${what} accepts JSON of limited size only`, async (t) => {
      const before = await versionStored()
      const path = pathOf(operation, stock)
      const body = JSON.stringify(operation.body)
      for (const type of byDay(otherTypes, 15, nth)) {
        const headers = { authorization, 'content-type': type, origin: 'https://evil.example' }
        const answer = await api.send(method, path, { headers, body })
        t.equal(answer.status, 415, type)
        t.ok(isProblem(answer))
      }
      const large = `${body.slice(0, -1)}${' '.repeat(path === '/batch' ? 2 ** 21 : 2 ** 16)}}`
      const answer = await api.send(method, path, {
        headers: { authorization, ...json },
        body: large,
      })
      t.equal(answer.status, 413)
      t.ok(isProblem(answer))
      t.equal(await versionStored(), before, 'nothing changed')
    })
  }

  t.test('an object of another owner is not found', async (t) => {
    const before = await versionStored()
    const foreign: [method: string, path: string, body?: unknown][] = [
      ['GET', `/organizations/${stock.other}/key-sets/${stock.keySet}`],
      ['PATCH', `/organizations/${stock.other}/key-sets/${stock.keySet}`, { name: 'Mine' }],
      ['DELETE', `/organizations/${stock.other}/key-sets/${stock.keySet}`],
      ['POST', `/organizations/${stock.other}/key-sets/${stock.keySet}/rotate`, {}],
      ['GET', `/organizations/${stock.other}/installs/${stock.app}`],
      ['PATCH', `/organizations/${stock.other}/installs/${stock.app}`, { suspended: true }],
      ['DELETE', `/organizations/${stock.other}/installs/${stock.app}`],
      ['DELETE', `/organizations/${stock.other}/installs/${stock.app}/users/${stock.user}`],
      [
        'DELETE',
        `/organizations/${stock.organization}/installs/${stock.app}/users/${stock.stranger}`,
      ],
      ['GET', `/organizations/${stock.other}/members/${stock.user}`],
      ['DELETE', `/organizations/${stock.other}/members/${stock.user}`],
      ['DELETE', `/workspaces/${stock.otherWorkspace}/members/${stock.user}`],
      ['DELETE', `/apps/${stock.otherApp}/secrets/${stock.appSecret}`],
      ['DELETE', `/apps/${stock.app}/secrets/${stock.otherAppSecret}`],
      // An id of another kind.
      ['GET', `/users/${stock.organization}`],
      ['GET', `/apps/${stock.keySet}`],
      ['DELETE', `/resource-servers/${stock.app}`],
    ]
    for (const [method, path, body] of foreign)
      t.equal((await api.call(method, path, body)).status, 404, `${method} ${path}`)
    t.equal(await versionStored(), before, 'nothing changed')
  })

  t.test('filters of the audit trail accept ids only', async (t) => {
    for (const field of [
      'organization_id',
      'client_id',
      'actor_id',
      'type',
      'request_id',
      'from',
      'to',
    ])
      for (const value of ['', '\u0000', "' or 1=1--", '\ud7ff', 'x'.repeat(256), '1 2'])
        t.equal((await api.call('GET', `/audit?${field}=${encodeURIComponent(value)}`)).status, 400)
    for (const email of ['', '\u0000', 'x', "'@'"])
      t.equal((await api.call('GET', `/users?email=${encodeURIComponent(email)}`)).status, 400)
  })

  t.test('an unknown path gives operators a problem document', async (t) => {
    for (const [method, path, allow = null] of [
      ['GET', '/nothing'],
      ['GET', '/'],
      ['GET', ''],
      ['PUT', '/users', 'GET, HEAD, POST'],
      ['DELETE', '/users', 'GET, HEAD, POST'],
      ['PATCH', '/openapi.json', 'GET, HEAD'],
      ['GET', '/users/a/b'],
    ] as const) {
      const answer = await api.call(method, path)
      t.equal(answer.status, allow === null ? 404 : 405, `${method} ${path}`)
      t.equal(answer.headers.get('allow'), allow)
      t.ok(isProblem(answer))
      t.equal((await api.send(method, path)).status, 401)
    }
  })

  t.test('refuses a body that is not UTF-8 or shorter than its Content-Length', async (t) => {
    const send = (headers: Record<string, string | number>, body: Buffer) =>
      new Promise<number>((resolve) => {
        const request = httpRequest(
          `${api.url}/organizations`,
          { method: 'POST', headers: { authorization, ...json, ...headers } },
          (response) => resolve(response.resume().statusCode ?? 0),
        )
        request.on('error', () => resolve(400))
        request.end(body)
      })
    const before = await versionStored()
    t.equal(await send({}, Buffer.from([0x7b, 0xff, 0x7d])), 400)
    t.equal(await send({ 'content-encoding': 'gzip' }, Buffer.from([0x1f, 0x8b])), 400)
    t.equal(await versionStored(), before)
  })

  t.test('the log has no server error', async (t) => {
    const lines = api
      .logged()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { level: number })
    t.same(
      lines.filter(({ level }) => level >= 50),
      [],
    )
  })
})
