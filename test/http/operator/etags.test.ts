import { fillStock, idsIn, operations, pathOf } from './catalogue.ts'
import { onEveryBackend } from './operator-api.ts'

const atOnce = 30

await onEveryBackend(async (t, api) => {
  const authorization = `Bearer ${api.token}`
  const callIf = (
    method: string,
    path: string,
    conditions: Record<string, string>,
    body?: unknown,
  ) =>
    api.send(method, path, {
      headers: {
        authorization,
        ...conditions,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const tagOf = async (path: string) => (await api.call('GET', path)).headers.get('etag') ?? ''

  /** Deletions of whole collections are not about one resource. */
  const unconditional = new Set([
    'DELETE /users/{user}/sessions',
    'DELETE /users/{user}/passkeys',
    // It revokes all grants, those without a consent as well.
    'DELETE /organizations/{organization}/installs/{app}/users/{user}',
    // A denial has no content: it is there or not.
    'PUT /organizations/{organization}/installs/{app}/denied/{user}',
    'DELETE /organizations/{organization}/installs/{app}/denied/{user}',
  ])
  const conditional = operations.filter(
    ({ method, path }) =>
      ['PUT', 'PATCH', 'DELETE'].includes(method) && !unconditional.has(`${method} ${path}`),
  )

  t.test('every change of a resource honours If-Match with the ETag of the resource', async (t) => {
    t.ok(conditional.length > 25)
    for (const operation of conditional) {
      const stock = await fillStock(api)
      const what = `${operation.method} ${operation.path}`
      const body = operation.body?.email
        ? { ...operation.body, email: `x${stock.user}@acme.test`.toLowerCase() }
        : operation.body
      const isTwin = operation.path.endsWith('/twin')
      const known = isTwin && body ? { ...body, client_id: stock.app } : body
      const other = await callIf(
        operation.method,
        pathOf(operation, stock),
        { 'if-match': '"other"' },
        known,
      )
      // The twin and the permission do not exist yet.
      const isMissing = other.status === 404 && operation.method !== 'PUT'
      t.ok(other.status === 412 || isMissing, `${what}: ${other.status}`)
      if (other.status === 412) t.match(other.body, { title: 'Precondition Failed', status: 412 })
      const weak = await callIf(
        operation.method,
        pathOf(operation, stock),
        { 'if-match': 'x' },
        body,
      )
      t.equal(weak.status, 400, `${what}: a header that cannot be read`)
      const path = pathOf(operation, stock)
      const read = await api.call('GET', path)
      if (read.status !== 200 || idsIn(operation).length === 0) continue
      const etag = read.headers.get('etag') ?? ''
      t.match(etag, /^"[\w-]{22}"$/, path)
      t.equal(await tagOf(path), etag, 'it stays while the resource stays')
      const answer = await callIf(operation.method, path, { 'if-match': `"a", ${etag}` }, body)
      t.ok(answer.status < 300, `${operation.method} ${operation.path}: ${answer.status}`)
      if (answer.status === 204) continue
      const changed = answer.headers.get('etag')
      t.equal(await tagOf(path), changed, operation.path)
      const isSame = JSON.stringify(answer.body) === JSON.stringify(read.body)
      if (!isSame) t.not(changed, etag, operation.path)
    }
  })

  t.test('of many changes of one version, one is made', async (t) => {
    const { user, organization, workspace, app, keySet, webhook } = await fillStock(api)
    const changes: [path: string, body: (at: number) => object][] = [
      [`/organizations/${organization}`, (at) => ({ name: `Name ${at}` })],
      [`/workspaces/${workspace}`, (at) => ({ name: `Name ${at}` })],
      [`/users/${user}`, (at) => ({ name: `Name ${at}` })],
      [`/apps/${app}`, (at) => ({ name: `Name ${at}` })],
      [`/organizations/${organization}/installs/${app}`, () => ({ suspended: true })],
      [`/organizations/${organization}/key-sets/${keySet}`, (at) => ({ name: `Name ${at}` })],
      [`/webhooks/${webhook}`, (at) => ({ description: `Text ${at}` })],
    ]
    for (const [path, body] of changes) {
      const etag = await tagOf(path)
      const answers = await Promise.all(
        Array.from({ length: atOnce }, (_, at) =>
          callIf('PATCH', path, { 'if-match': etag }, body(at)),
        ),
      )
      const statuses = answers.map(({ status }) => status).sort()
      t.same(statuses, [200, ...Array(atOnce - 1).fill(412)], path)
      const [won] = answers.filter(({ status }) => status === 200)
      t.same((await api.call('GET', path)).body, won?.body)
    }
  })

  t.test('a new password is a new version', async (t) => {
    const { user } = await fillStock(api)
    const path = `/users/${user}`
    const etag = await tagOf(path)
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        callIf('PATCH', path, { 'if-match': etag }, { password: `battery staple ${at}` }),
      ),
    )
    t.same(answers.map(({ status }) => status).sort(), [200, ...Array(9).fill(412)])
    t.not(await tagOf(path), etag)
  })

  t.test('of many deletions of one version, one is made', async (t) => {
    const { organization } = await fillStock(api)
    const path = `/organizations/${organization}`
    const etag = await tagOf(path)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => callIf('DELETE', path, { 'if-match': etag })),
    )
    t.same(answers.map(({ status }) => status).sort(), [204, ...Array(9).fill(404)])
  })

  t.test(
    'a long header that cannot be read is refused, and does not stop the server',
    async (t) => {
      const { organization } = await fillStock(api)
      const path = `/organizations/${organization}`
      const hostile = { 'if-match': `"a"${' '.repeat(12_000)}x` }
      t.equal((await callIf('PATCH', path, hostile, { name: 'A' })).status, 400)
      const many = { 'if-match': `${'"a" , '.repeat(1_000)}${await tagOf(path)}` }
      t.equal((await callIf('PATCH', path, many, { name: 'A' })).status, 200)
    },
  )

  t.test('If-None-Match: * creates only, and If-Match: * changes only', async (t) => {
    const path = '/organizations/conditional'
    const [create, change] = [{ 'if-none-match': '*' }, { 'if-match': '*' }]
    t.equal((await callIf('PUT', path, change, { name: 'A' })).status, 412)
    t.equal((await api.call('GET', path)).status, 404, 'nothing was created')
    t.equal((await callIf('PUT', path, create, { name: 'A' })).status, 201)
    t.equal((await callIf('PUT', path, create, { name: 'B' })).status, 412)
    t.equal((await callIf('PUT', path, change, { name: 'C' })).status, 200)
    const etag = await tagOf(path)
    const weak = { 'if-match': `W/${etag}` }
    t.equal((await callIf('PUT', path, weak, { name: 'D' })).status, 412, 'If-Match is strong')
    const none = { 'if-none-match': `W/${etag}` }
    t.equal((await callIf('PUT', path, none, { name: 'D' })).status, 412)
    t.equal((await callIf('DELETE', path, { 'if-match': '"other"' })).status, 412)
    t.equal((await callIf('DELETE', path, { 'if-match': etag })).status, 204)
    t.equal((await callIf('DELETE', path, { 'if-match': '*' })).status, 404)
  })

  t.test('a secret and a last use are no part of a version', async (t) => {
    const created = await api.call('POST', '/operator-tokens', {
      name: 'Used',
      permissions: ['apps:read'],
    })
    const etag = created.headers.get('etag') ?? ''
    const used = { authorization: `Bearer ${created.body.token}` }
    t.equal((await api.send('GET', '/apps', { headers: used })).status, 200)
    const path = `/operator-tokens/${created.body.id}`
    t.equal((await callIf('DELETE', path, { 'if-match': etag })).status, 204)
  })
})
