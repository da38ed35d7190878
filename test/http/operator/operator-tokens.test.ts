import { operatorPermissions } from '../../../src/core/credentials/operator-permissions.ts'
import {
  everythingStored,
  fillStock,
  idsIn,
  type Operation,
  operations,
  pathOf,
} from './catalogue.ts'
import { type Answer, type Json, onEveryBackend, onOneBackend } from './operator-api.ts'

const forbidden = 'urn:latchkey:problem:forbidden'
const template = (path: string) => path.replace(/\{\w+\}/g, '{}').replace(/\?.*/, '')
const nameOf = ({ method, path }: Operation) => `${method} ${path}`

/** Of the operations without an organization in the path: those for tokens that are limited to organizations. */
const forLimitedTokens = new Set([
  'GET /apps',
  'GET /apps/{app}',
  'GET /apps/{app}/keys',
  'GET /apps/{app}/permissions',
  'GET /apps/{app}/redirect-uris',
  'GET /apps/{legacyApp}/twin',
  'GET /app-changes',
  'GET /app-changes/{appChange}',
  'GET /app-reviews',
  'GET /app-reviews/{appReview}',
  'GET /client-hosts',
  'GET /client-hosts/{clientHost}',
  'GET /organizations',
  'GET /permissions',
  'GET /search?q=Acme',
  'GET /permissions/{interface}/{permission}',
  'GET /audit',
  'GET /stops/{stop}',
  'GET /audit-streams',
  ...['GET', 'PUT', 'DELETE'].map((method) => `${method} /audit-streams/{auditStream}`),
  'POST /audit-streams/{auditStream}/test',
  'POST /tokens/inspect',
  'POST /users',
  'POST /import',
  'POST /batch',
  'POST /tokens/simulate',
])

const hasOrganization = (operation: Operation) =>
  idsIn(operation).some((name) => name === 'organization' || name === 'workspace')

await onOneBackend(async (t, api) => {
  const document: Json = (await api.send('GET', '/openapi.json')).body
  const described = new Map<string, Json>()
  for (const [path, methods] of Object.entries<Json>(document.paths))
    for (const [method, operation] of Object.entries<Json>(methods))
      described.set(`${method.toUpperCase()} ${template(path)}`, operation)
  const permissionsOf = ({ method, path }: Operation): string[] => {
    const operation = described.get(`${method} /api/admin/v1${template(path)}`)
    return [operation?.['x-permission'], operation?.['x-also-permission']].filter(Boolean)
  }

  const makeToken = async (rights: Record<string, unknown>): Promise<string> =>
    (await api.expect(201, 'POST', '/operator-tokens', { name: 'T', ...rights })).token
  const callWith = (token: string, method: string, path: string, body?: unknown): Promise<Answer> =>
    api.send(method, path, {
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const withoutRequest = ({ status, body }: Answer) => {
    const { request_id: _, ...problem } = body
    return { status, ...problem }
  }

  t.test('every operation of the document is tried here', async (t) => {
    const tried = operations.map(({ method, path }) => `${method} /api/admin/v1${template(path)}`)
    t.same([...described.keys()].sort(), [...new Set(tried)].sort())
    for (const [name, operation] of described) {
      const right = operation['x-permission']
      const said = right === undefined ? 'Any token may call it.' : `Permission: \`${right}\`.`
      t.match(operation.description, said, name)
      t.ok(operation.responses['403'], name)
    }
  })

  t.test('an operation is refused without its permission, and changes nothing', async (t) => {
    const stock = await fillStock(api)
    const tokens = new Map<string, string>()
    for (const missing of ['*', ...operatorPermissions]) {
      const permissions = operatorPermissions.filter((one) => one !== missing)
      tokens.set(missing, await makeToken({ permissions }))
    }
    const before = await everythingStored(api)
    const needed = operations.flatMap((operation) =>
      permissionsOf(operation).map((permission) => ({ operation, permission })),
    )
    for (const { operation, permission } of needed) {
      const token = tokens.get(permission) as string
      const answer = await callWith(
        token,
        operation.method,
        pathOf(operation, stock),
        operation.body,
      )
      t.match(
        answer.body,
        { status: 403, type: forbidden, title: 'Forbidden', permission },
        nameOf(operation),
      )
      t.equal(answer.headers.get('content-type'), 'application/problem+json; charset=utf-8')
      if (operation.method !== 'GET') continue
      const headers = { authorization: `Bearer ${token}` }
      const head = await fetch(api.url + pathOf(operation, stock), { method: 'HEAD', headers })
      t.equal(head.status, 403, 'HEAD')
    }
    t.equal(await everythingStored(api), before, 'nothing changed')
  })

  t.test('an operation is allowed with its permissions alone', async (t) => {
    const stock = await fillStock(api)
    const tokens = new Map<string, string>()
    for (const operation of operations) {
      const permissions = permissionsOf(operation)
      const some = permissions.length === 0 ? ['audit:read'] : permissions
      if (!tokens.has(permissions.join()))
        tokens.set(permissions.join(), await makeToken({ permissions: some }))
    }
    for (const operation of operations) {
      const { method, path, body } = operation
      const token = tokens.get(permissionsOf(operation).join()) as string
      const answer = await callWith(token, method, pathOf(operation, stock), body)
      t.notOk([401, 403].includes(answer.status), `${method} ${path}: ${answer.status}`)
    }
  })

  t.test('a permission to write does not include the one to read', async (t) => {
    const token = await makeToken({ permissions: ['organizations:write'] })
    t.equal((await callWith(token, 'GET', '/organizations')).body.permission, 'organizations:read')
    t.equal((await callWith(token, 'POST', '/organizations', { name: 'New' })).status, 201)
  })

  t.test('a token without rights learns whether a path exists, and its methods', async (t) => {
    const token = await makeToken({ permissions: ['audit:read'] })
    t.equal((await callWith(token, 'GET', '/nothing')).status, 404)
    t.equal((await callWith(token, 'PUT', '/users')).status, 405)
  })

  t.test('other organizations answer a limited token like unknown ones', async (t) => {
    const stock = await fillStock(api)
    const token = await makeToken({ permissions: ['*'], organization_ids: [stock.other] })
    const before = await everythingStored(api)
    for (const operation of operations.filter(hasOrganization)) {
      const call = async (others: Record<string, string>) =>
        withoutRequest(
          await callWith(token, operation.method, pathOf(operation, stock, others), operation.body),
        )
      const answer = await call({})
      t.equal(answer.status, 404, nameOf(operation))
      t.same(answer, await call({ organization: 'orgNone', workspace: 'wksNone' }))
    }
    t.equal(await everythingStored(api), before, 'nothing changed')
  })

  t.test('a limited token changes nothing outside of its organizations', async (t) => {
    const stock = await fillStock(api)
    const token = await makeToken({ permissions: ['*'], organization_ids: [stock.organization] })
    const before = await everythingStored(api)
    for (const operation of operations.filter((one) => !hasOrganization(one))) {
      const { method, body } = operation
      const answer = await callWith(token, method, pathOf(operation, stock), body)
      if (forLimitedTokens.has(nameOf(operation))) continue
      t.match(
        answer.body,
        { status: 403, type: forbidden, permission: permissionsOf(operation)[0] },
        nameOf(operation),
      )
    }
    t.equal(await everythingStored(api), before, 'nothing changed')
  })

  t.test('a limited token may do everything in its organizations', async (t) => {
    const stock = await fillStock(api)
    const token = await makeToken({
      permissions: ['*'],
      organization_ids: [stock.other, stock.organization],
    })
    for (const operation of operations.filter(hasOrganization)) {
      const { method, body } = operation
      const answer = await callWith(token, method, pathOf(operation, stock), body)
      t.ok([200, 201, 204].includes(answer.status), `${nameOf(operation)}: ${answer.status}`)
    }
  })

  t.test('a limited token lists its organizations only, page by page', async (t) => {
    const stocks = [await fillStock(api), await fillStock(api)]
    const own = stocks.map(({ organization }) => organization)
    const token = await makeToken({ permissions: ['organizations:read'], organization_ids: own })
    const first = (await callWith(token, 'GET', '/organizations?limit=1')).body
    const rest = (await callWith(token, 'GET', `/organizations?limit=5&cursor=${first.next}`)).body
    t.same(
      [...first.items, ...rest.items].map(({ id }: Json) => id),
      own,
    )
    t.equal(rest.next, null)
  })

  t.test('a limited token reads the audit trail of its organizations only', async (t) => {
    const { organization, other } = await fillStock(api)
    const token = await makeToken({
      permissions: ['audit:read'],
      organization_ids: [organization],
    })
    const all = await callWith(token, 'GET', '/audit')
    t.match(all.body, { status: 403, permission: 'audit:read', detail: /organization_id/ })
    const own = await callWith(token, 'GET', `/audit?organization_id=${organization}`)
    t.ok(own.body.items.length > 0)
    t.ok(own.body.items.every((event: Json) => event.organization_id === organization))
    const foreign = await callWith(token, 'GET', `/audit?organization_id=${other}`)
    const unknown = await callWith(token, 'GET', '/audit?organization_id=orgNone')
    t.equal(foreign.status, 404)
    t.same(withoutRequest(foreign), withoutRequest(unknown))
  })

  t.test('a limited token explains and simulates tokens of its organizations only', async (t) => {
    const stock = await fillStock(api)
    const draft = { name: 'Export', interface: 'legacy', permissions: ['readData'] }
    const { secret } = await api.expect(
      201,
      'POST',
      `/organizations/${stock.organization}/key-sets`,
      draft,
    )
    const simulation = { client_id: stock.app, organization_id: stock.organization }
    const permissions = ['tokens:inspect']
    const own = await makeToken({ permissions, organization_ids: [stock.organization] })
    const foreign = await makeToken({ permissions, organization_ids: [stock.other] })
    const inspect = async (token: string, text: string) =>
      (await callWith(token, 'POST', '/tokens/inspect', { token: text })).body
    t.match(await inspect(own, secret), { token: { organization_id: stock.organization } })
    t.same(await inspect(foreign, secret), await inspect(foreign, 'no token'))
    t.equal((await callWith(own, 'POST', '/tokens/simulate', simulation)).status, 200)
    t.equal((await callWith(foreign, 'POST', '/tokens/simulate', simulation)).status, 404)
  })
})

await onEveryBackend(async (t, api) => {
  const statusWith = async (token: string, path = '/users') =>
    (await api.send('GET', path, { headers: { authorization: `Bearer ${token}` } })).status
  const make = (body: Record<string, unknown> = {}) =>
    api.expect(201, 'POST', '/operator-tokens', { name: 'CI', permissions: ['*'], ...body })
  const listed = async (id: string) =>
    (await api.expect(200, 'GET', '/operator-tokens?limit=200')).items.find(
      (one: Json) => one.id === id,
    )

  t.test('an operator token is created, listed and deleted', async (t) => {
    const organization = await api.expect(201, 'POST', '/organizations', { name: 'Acme' })
    const rights = {
      permissions: ['organizations:read', 'organizations:read'],
      organization_ids: [organization.id, organization.id],
      expires_at: '2999-01-31T12:00:00+01:00',
    }
    const { token, ...created } = await make(rights)
    t.match(created, {
      id: /^opt\w+$/,
      name: 'CI',
      permissions: ['organizations:read'],
      organization_ids: [organization.id],
      hint: `…${token.slice(-4)}`,
      last_used_at: null,
      expires_at: '2999-01-31T11:00:00.000Z',
    })
    t.same(await listed(created.id), created)
    t.equal(await statusWith(token, '/organizations'), 200)
    t.match((await listed(created.id)).last_used_at, /^\d{4}-/)
    const path = `/operator-tokens/${created.id}`
    await api.expect(204, 'DELETE', path)
    t.equal(await statusWith(token, '/organizations'), 401)
    t.equal(await listed(created.id), undefined)
    await api.expect(404, 'DELETE', path)
  })

  t.test('a token with all rights is told from one that an earlier version refuses', async (t) => {
    const { id } = await api.expect(201, 'POST', '/organizations', { name: 'Acme' })
    const all = await make({ permissions: ['audit:read', '*'] })
    t.same(all.permissions, ['*'])
    t.match(all.token, /^lkop_/)
    t.match((await make({ permissions: ['audit:read'] })).token, /^lkol_/)
    t.match((await make({ organization_ids: [id] })).token, /^lkol_/)
  })

  t.test('a token is valid until it expires', async (t) => {
    const expires_at = new Date(Date.now() + 3600_000).toISOString()
    const { id, token } = await make({ expires_at })
    t.equal(await statusWith(token), 200)
    await api.database.query(
      "update operator_tokens set expires_at = now() - interval '1 second' where id = $1",
      [id],
    )
    t.equal(await statusWith(token), 401)
  })

  t.test('a token that reaches nothing is not created', async (t) => {
    const pointers = async (body: object) =>
      (
        await api.expect(400, 'POST', '/operator-tokens', {
          name: 'CI',
          permissions: ['*'],
          ...body,
        })
      ).errors.map(({ pointer }: Json) => pointer)
    t.same(await pointers({ expires_at: '2020-01-01T00:00:00Z' }), ['/expires_at'])
    t.same(await pointers({ organization_ids: ['orgNone'] }), ['/organization_ids'])
    t.same(await pointers({ organization_ids: [] }), ['/organization_ids'])
    t.same(await pointers({ permissions: [] }), ['/permissions'])
    t.same(await pointers({ name: '\u202e' }), ['/name'])
  })

  t.test('a token whose organization is deleted reaches nothing', async (t) => {
    const { id } = await api.expect(201, 'POST', '/organizations', { name: 'Acme' })
    const { token } = await make({ permissions: ['organizations:read'], organization_ids: [id] })
    await api.expect(204, 'DELETE', `/organizations/${id}`)
    const headers = { authorization: `Bearer ${token}` }
    t.same((await api.send('GET', '/organizations', { headers })).body, { items: [], next: null })
    t.equal(await statusWith(token, `/organizations/${id}`), 404)
  })

  t.test('of many concurrent deletions one succeeds, and no later use does', async (t) => {
    const { id, token } = await make()
    const uses = Array.from({ length: 10 }, () => statusWith(token))
    const deletions = await Promise.all(
      Array.from({ length: 10 }, () => api.call('DELETE', `/operator-tokens/${id}`)),
    )
    t.same(deletions.map(({ status }) => status).sort(), [204, ...Array(9).fill(404)])
    t.equal(await statusWith(token), 401)
    for (const status of await Promise.all(uses)) t.match(String(status), /^(200|401)$/)
    const { items } = await api.expect(200, 'GET', '/audit?type=operator_token.deleted&limit=200')
    t.equal(items.filter((event: Json) => event.detail.operator_token_id === id).length, 1)
  })

  t.test('the audit trail names the token that made a change', async (t) => {
    const { id, token } = await make({ permissions: ['organizations:write'] })
    const created = await api.send('POST', '/organizations', {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Acme' }),
    })
    const audit = async (query: string) =>
      (await api.expect(200, 'GET', `/audit?${query}`)).items as Json[]
    t.match(await audit(`actor_id=${id}`), [
      {
        type: 'organization.created',
        actor: { kind: 'operator', id },
        organization_id: created.body.id,
      },
    ])
    const [event] = await audit('type=operator_token.created&limit=1')
    t.match(event.detail, {
      operator_token_id: id,
      permissions: ['organizations:write'],
      organization_ids: null,
      expires_at: null,
    })
    t.notMatch(JSON.stringify(event), token)
  })

  t.test('other text is no token', async (t) => {
    for (const text of ['', 'lkop_', 'lkol_', 'lkop_\u0000', `lkol_${'a'.repeat(10_000)}`])
      t.equal(await api.operatorTokens.verify(text), null)
  })
})
