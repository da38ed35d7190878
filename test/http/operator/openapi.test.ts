import { operatorPermissions } from '../../../src/core/credentials/operator-permissions.ts'
import { vocabulary } from '../../../src/core/language/permissions.ts'
import { faults } from '../../../src/words/en/faults.ts'
import { operations } from './catalogue.ts'
import { resolved } from './generator.ts'
import { type Json, onOneBackend } from './operator-api.ts'

const template = (path: string) => path.replace(/\{\w+\}/g, '{}').replace(/\?.*/, '')

await onOneBackend(async (t, api) => {
  const answer = await api.send('GET', '/openapi.json')
  const document: Json = answer.body
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods as Json).map(([method, operation]) => ({
      key: `${method.toUpperCase()} ${template(path)}`,
      path,
      operation: operation as Json,
    })),
  )

  t.test('the description is OpenAPI 3.1, public and not cached', async (t) => {
    t.equal(answer.status, 200)
    t.match(answer.headers.get('content-type'), 'application/json')
    t.equal(answer.headers.get('cache-control'), 'no-store')
    t.match(document.openapi, /^3\.1\./)
    t.ok(document.info.title && document.info.version)
    t.same(document.security, [{ operatorToken: [] }])
    t.match(document.components.securitySchemes.operatorToken, { type: 'http', scheme: 'bearer' })
  })

  t.test('each rule of a field is one that pages can say', async (t) => {
    const rules = [...JSON.stringify(document).matchAll(/"x-reason":"(\w+)"/g)].map(
      ([, one]) => one,
    )
    t.ok(rules.length > 20)
    t.same(
      rules.filter((one) => !Object.hasOwn(faults, String(one))),
      [],
    )
  })

  t.test('the description contains exactly the existing operations', async (t) => {
    t.same(
      described.map(({ key }) => key).sort(),
      operations.map(({ method, path }) => `${method} /api/admin/v1${template(path)}`).sort(),
    )
  })

  t.test('every operation has a summary and its responses', async (t) => {
    const ids = described.map(({ operation }) => operation.operationId)
    t.equal(new Set(ids).size, ids.length)
    for (const { key, path, operation } of described) {
      t.ok(operation.summary && operation.operationId && operation.tags.length === 1, key)
      const right = operation['x-permission']
      // These answer by the rights of the token.
      if (['search', 'import', 'sendBatch'].includes(operation.operationId))
        t.equal(right, undefined)
      else t.ok([...operatorPermissions, '*'].includes(right), key)
      const statuses = Object.keys(operation.responses)
      // A call that may create its resource answers 201 as well.
      const taken = statuses.filter((status) => status.startsWith('2')).join(' ')
      t.match(taken, /^(200|201|202|204|200 201)$/, key)
      for (const status of ['400', '401', '403', '500', '503']) t.ok(statuses.includes(status), key)
      const isOwnId = /^PUT .*\/(users|organizations)\/\{\}$/.test(key)
      if (path.includes('{') && !isOwnId) t.ok(statuses.includes('404'), key)
      if (operation.requestBody)
        t.ok(
          ['413', '415'].every((one) => statuses.includes(one)),
          key,
        )
      for (const [status, response] of Object.entries<Json>(operation.responses)) {
        t.ok(response.description, `${key} ${status}`)
        const json =
          operation.operationId === 'import' ? 'application/x-ndjson' : 'application/json'
        const type = status.startsWith('2') ? json : 'application/problem+json'
        t.same(Object.keys(response.content ?? {}), status === '204' ? [] : [type], key)
      }
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      const parameters = (operation.parameters ?? []).filter((one: Json) => one.in === 'path')
      t.same(
        parameters.map((one: Json) => one.name),
        named,
        key,
      )
    }
  })

  t.test('ids in paths and cursors have patterns that a generator can use', async (t) => {
    for (const name of ['a', 'b'])
      await api.expect(201, 'POST', '/users', { email: `${name}@acme.test`, name })
    const users = await api.expect(200, 'GET', '/users?limit=1')
    for (const { key, operation } of described)
      for (const { in: where, name, schema } of resolved(document, operation.parameters ?? [])) {
        if (where === 'path' && schema.enum === undefined) {
          t.ok(schema.pattern, `${key} ${name}`)
          const pattern = new RegExp(schema.pattern, 'u')
          t.ok(pattern.test('Aa0_-') || pattern.test('wksAa0_-'), `${key} ${name}`)
        }
        if (name === 'cursor') {
          const pattern = new RegExp(schema.pattern, 'u')
          t.match(users.next, pattern, key)
          t.match('1732500000000000', pattern)
        }
      }
  })

  t.test('no pattern needs a feature that other languages lack', async (t) => {
    const parts: Json[] = []
    const collect = (part: unknown): void => {
      if (typeof part !== 'object' || part === null) return
      parts.push(part as Json)
      Object.values(part).forEach(collect)
    }
    collect(document)
    const patterns = parts.map(({ pattern }) => pattern).filter((one) => typeof one === 'string')
    t.ok(new Set(patterns).size > 10)
    for (const pattern of patterns) {
      t.notMatch(pattern, /\\p|\\u\{|\\ud[89a-f]|\(\?<|\\[ck]\{/, pattern)
      t.ok(new RegExp(pattern, 'u'), pattern)
    }
    t.notOk(parts.some((part) => 'x-pattern' in part))
    const conditions = described.flatMap(({ operation }) =>
      (operation.parameters ?? []).filter((one: Json) => one.in === 'header'),
    )
    for (const { name, schema } of conditions) {
      const pattern = new RegExp(schema.pattern, 'u')
      for (const good of ['*', '"a"', 'W/"a", "b"']) t.match(good, pattern, name)
      for (const bad of ['', 'a', '"a', '*, "a"']) t.notMatch(bad, pattern, name)
    }
  })

  t.test('other methods of every path answer 405 with the allowed ones', async (t) => {
    // `/apps/import` is also a path of `/apps/{client_id}`.
    const shapeOf = (path: string) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/{}]+')}$`)
    const methodsOf = (path: string) =>
      Object.entries<Json>(document.paths)
        .filter(([other]) => other === path || shapeOf(other).test(path))
        .flatMap(([, methods]) => Object.keys(methods).map((method) => method.toUpperCase()))
    for (const path of Object.keys(document.paths)) {
      const described = [...new Set(methodsOf(path))]
      const allowed = described.includes('GET') ? [...described, 'HEAD'] : described
      const url = path.replace('/api/admin/v1', '').replaceAll(/\{\w+\}/g, 'current')
      const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter(
        (method) => !allowed.includes(method),
      )
      for (const method of others) {
        const answer = await api.call(method, url)
        t.equal(answer.status, 405, `${method} ${path}`)
        t.equal(answer.headers.get('allow'), allowed.sort().join(', '))
        t.match(answer.body, { status: 405, title: 'Method Not Allowed' })
      }
    }
  })

  t.test('a resource answers HEAD as GET, without the content', async (t) => {
    const headers = { authorization: `Bearer ${api.token}` }
    const ask = (method: string, path: string) => fetch(`${api.url}${path}`, { method, headers })
    for (const path of [
      '/users?limit=1',
      '/permissions',
      '/signing-keys',
      '/permissions/current/teams:read',
    ]) {
      const [get, head] = [await ask('GET', path), await ask('HEAD', path)]
      t.equal(head.status, 200, path)
      t.equal(head.headers.get('etag'), get.headers.get('etag'), path)
      t.ok(await get.text(), path)
      t.equal(await head.text(), '', path)
    }
    t.ok((await ask('HEAD', '/permissions/current/teams:read')).headers.get('etag'))
    t.equal((await ask('HEAD', '/users/usrNone')).status, 404)
  })

  t.test('bodies allow no extra fields, and are optional without required fields', async (t) => {
    for (const { key, operation } of described) {
      if (!operation.requestBody) continue
      const { schema } = operation.requestBody.content['application/json']
      t.equal(schema.additionalProperties, false, key)
      t.equal(operation.requestBody.required, (schema.required ?? []).length > 0, key)
    }
  })

  t.test(
    'every body and parameter with permissions refers to the names of the catalogue',
    async (t) => {
      const reference = { $ref: '#/components/schemas/PermissionName' }
      const named = described.flatMap(({ key, operation }) => {
        const text = JSON.stringify([operation.parameters, operation.requestBody])
        t.notMatch(text, '"title":"PermissionName"', key)
        return text.includes(reference.$ref) ? [operation.operationId] : []
      })
      t.same(named.sort(), [
        'addAppPermission',
        'changeApp',
        'changeInstall',
        'changeKeySet',
        'changeResourceServer',
        'createKeySet',
        'decideAppReview',
        'importAppDocument',
        'previewInstall',
        'putClientHost',
        'putInstall',
        'putPermission',
        'putTwin',
        'readPermission',
        'registerApp',
        'registerResourceServer',
        'removeAppPermission',
        'removePermission',
      ])
      const { properties } =
        document.paths['/api/admin/v1/apps'].post.requestBody.content['application/json'].schema
      t.same(properties.permissions.items, reference)
    },
  )

  t.test('the names are those of the catalogue at this moment, as examples', async (t) => {
    const names = async () => {
      const { body } = await api.send('GET', '/openapi.json')
      return body.components.schemas.PermissionName as Json
    }
    const before = await names()
    t.equal(before.type, 'string')
    t.equal(before.enum, undefined, 'later names are no error for a generated client')
    t.same(before['x-interfaces'], vocabulary)
    t.same(before.examples, [...vocabulary.current, ...vocabulary.legacy])

    const own = '/permissions/legacy/export.all'
    await api.expect(201, 'PUT', own, { sentence: 'Export everything', group: 'read' })
    const { examples, 'x-interfaces': lists } = await names()
    t.same(lists, { ...vocabulary, legacy: [...vocabulary.legacy, 'export.all'] })
    t.same(examples, [...vocabulary.current, ...vocabulary.legacy, 'export.all'])
    t.ok(examples.every((one: string) => new RegExp(before.pattern, 'u').test(one)))

    const both = '/permissions/current/export.all'
    await api.expect(201, 'PUT', both, { sentence: 'Export everything', group: 'read' })
    const shared = (await names()).examples.filter((one: string) => one === 'export.all')
    t.equal(shared.length, 1, 'a name of both interfaces is listed once')

    await api.expect(204, 'DELETE', own)
    await api.expect(204, 'DELETE', both)
    t.same(await names(), before)
  })

  t.test('every reference resolves', async (t) => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)]
    t.ok(references.length > 0)
    for (const [, reference] of references) {
      const name = reference?.replace('#/components/schemas/', '') as string
      t.ok(document.components.schemas[name], name)
    }
  })

  t.test('schema names of responses match the responses', async (t) => {
    const created = await api.expect(201, 'POST', '/organizations', { name: 'Acme' })
    const schema = document.components.schemas.Organization
    t.same(Object.keys(created).sort(), Object.keys(schema.properties).sort())
  })
})
