/**
 * The Operator API against its own description: a seeded generator fills the schema of every
 * operation. No input causes a server error, and a refused call changes nothing.
 */

import { effort } from '../../support/property.ts'
import { fillStock, type Stock, versionStored } from './catalogue.ts'
import { createGenerator, type Generator, resolved, valid } from './generator.ts'
import { type Answer, type Json, onOneBackend } from './operator-api.ts'

const prefix = '/api/admin/v1'
const rounds = 6 * effort
const problemType = 'application/problem+json; charset=utf-8'
const seed = 20_260_503

interface Operation {
  method: string
  path: string
  parameters: { name: string; in: string; schema: Json }[]
  body: Json | null
}

/** Replacements for the ids in the path, by parameter name. */
const stockNames: Record<string, keyof Stock> = {
  user_id: 'user',
  organization_id: 'organization',
  workspace_id: 'workspace',
  client_id: 'app',
  secret_id: 'appSecret',
  key_set_id: 'keySet',
  webhook_id: 'webhook',
  operator_token_id: 'operatorToken',
  redirect_uri_id: 'redirectUri',
  key_id: 'appKey',
  scim_token_id: 'scimToken',
  review_id: 'appReview',
  change_id: 'appChange',
  delivery_id: 'delivery',
  host: 'clientHost',
  interface: 'interface',
  name: 'permission',
}

const idOf = (stock: Stock, path: string, name: string) => {
  if (path.includes('/resource-servers/')) return stock.resourceServer
  const known = stockNames[name]
  if (!known) throw new Error(`the stock has nothing for ${name} of ${path}`)
  return stock[known]
}

const operationsIn = (document: Json): Operation[] =>
  Object.entries<Json>(resolved(document, document.paths)).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, { parameters = [], requestBody }]) => ({
      method: method.toUpperCase(),
      path: path.replace(prefix, ''),
      parameters,
      body: requestBody?.content['application/json'].schema ?? null,
    })),
  )

/** Paths of one request each: the stock's own ids, foreign ids, hostile ids. */
const pathsOf = (make: Generator, operation: Operation, stock: Stock): string[] => {
  const own = (name: string) => idOf(stock, operation.path, name)
  const strangers = [
    ...Object.values(stock),
    'none',
    '__proto__',
    'constructor',
    encodeURIComponent(Buffer.from(make.hostile().slice(0, 60)).toString()),
  ]
  const fill = (replace: (name: string) => string) =>
    operation.path.replace(/\{(\w+)\}/g, (_, name: string) => replace(name))
  return [
    fill(own),
    fill((name) => (make.chance(0.5) ? own(name) : make.pick(strangers))),
    fill(() => make.pick(strangers)),
  ]
}

const queryOf = (make: Generator, { parameters }: Operation) => {
  const pairs = parameters
    .filter((one) => one.in === 'query' && make.chance(0.5))
    .map(({ name, schema }) => [
      name,
      String(make.chance(0.4) ? valid(make, schema) : make.hostile()),
    ])
  if (make.chance(0.15)) pairs.push([make.hostile().slice(0, 20), make.hostile()])
  if (make.chance(0.1) && pairs[0]) pairs.push(pairs[0]) // Repeated.
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs as [string, string][])}`
}

const isRefusal = ({ status }: Answer) => status >= 400

await onOneBackend(async (t, api) => {
  const document = (await api.send('GET', '/openapi.json')).body
  const operations = operationsIn(document)
  const make = createGenerator(seed)
  const headers = { authorization: `Bearer ${api.token}`, 'content-type': 'application/json' }

  const send = (operation: Operation, path: string, body: unknown) =>
    api.send(operation.method, path, {
      headers: operation.body ? headers : { authorization: headers.authorization },
      ...(operation.body && { body: JSON.stringify(body) }),
    })

  const check = (answer: Answer, what: string) => {
    const { status, body } = answer
    if (status >= 500) t.fail(`${status}: ${what}`, { body })
    if (!isRefusal(answer)) return
    const said = answer.headers.get('content-type')
    if (said !== problemType || body.status !== status || !body.request_id)
      t.fail(`${status} is not a problem document: ${what}`, { said, body })
  }

  t.test('every operation is reached', async (t) => {
    t.ok(operations.length > 45)
    for (const { method, path } of operations) t.match(`${method} ${path}`, /^[A-Z]+ \//)
  })

  t.test('each kind of change gives another version', async (t) => {
    const { user, operatorToken } = await fillStock(api)
    const paths = [`/users/${user}`, `/operator-tokens/${operatorToken}`]
    const names = { method: 'PATCH', path: paths[0] as string, parameters: [], body: {} }
    const versions = [await versionStored(api)]
    await send(names, names.path, { name: 'Another' })
    versions.push(await versionStored(api))
    for (const path of paths) {
      await send({ ...names, method: 'DELETE', body: null }, path, null)
      versions.push(await versionStored(api))
    }
    t.equal(new Set(versions).size, 4)
  })

  for (const operation of operations) {
    t.test(`${operation.method} ${operation.path}`, async (t) => {
      const stock = await fillStock(api)
      const counts = { refused: 0, taken: 0 }
      const isRead = operation.method === 'GET'
      let before = await versionStored(api)
      const changed = async () => {
        const after = await versionStored(api)
        const same = after === before
        before = after
        return !same
      }
      for (let round = 0; round < rounds; round++) {
        for (const path of pathsOf(make, operation, stock)) {
          const url = path + queryOf(make, operation)
          const body = operation.body && make.broken(operation.body)
          const answer = await send(operation, url, body)
          check(answer, `${operation.method} ${url} ${JSON.stringify(body)?.slice(0, 300)}`)
          counts[isRefusal(answer) ? 'refused' : 'taken']++
          if (!isRead && (await changed()) && isRefusal(answer))
            t.fail('a refused call changed something', { url, body })
        }
      }
      t.notOk(isRead && (await changed()), 'reading changes nothing')
      t.pass(`${counts.refused} refused, ${counts.taken} taken`)
    })
  }

  t.test('a body that the schema allows is accepted or conflicts with stored data', async (t) => {
    const tried = operations.filter(({ body }) => body !== null)
    for (const operation of tried) {
      const stock = await fillStock(api)
      for (let round = 0; round < rounds; round++) {
        const [path = ''] = pathsOf(make, operation, stock)
        const body = valid(make, operation.body)
        const answer = await send(operation, path, body)
        check(answer, `${operation.method} ${path} ${JSON.stringify(body).slice(0, 300)}`)
        t.match(answer.status, /^(200|201|204|400|404|409)$/)
      }
    }
  })

  t.test('the log has no server error', async (t) => {
    const lines = api.logged().split('\n').filter(Boolean)
    t.same(
      lines.filter((line) => (JSON.parse(line) as { level: number }).level >= 50),
      [],
    )
  })
})
