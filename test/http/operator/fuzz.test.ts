/**
 * The Operator API against its own description: a seeded generator fills the schema of every
 * operation. No input causes a server error, and a refused call changes nothing. The night makes many more rounds.
 */
import { effort, isNight } from '../../support/property.ts'
import { fillStock, type Stock, versionReader } from './catalogue.ts'
import { type Operation, operationsIn, pathsOf } from './description.ts'
import { createGenerator, type Generator, valid } from './generator.ts'
import { type Answer, onOneBackend } from './operator-api.ts'

const rounds = isNight ? 6 * effort : 1
const problemType = 'application/problem+json; charset=utf-8'
const seed = 20_260_503

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
  const versionStored = await versionReader(api)
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
    const versions = [await versionStored()]
    await send(names, names.path, { name: 'Another' })
    versions.push(await versionStored())
    for (const path of paths) {
      await send({ ...names, method: 'DELETE', body: null }, path, null)
      versions.push(await versionStored())
    }
    t.equal(new Set(versions).size, 4)
  })

  let unchanged: Promise<Stock> | undefined
  for (const operation of operations) {
    t.test(`${operation.method} ${operation.path}`, async (t) => {
      const isRead = operation.method === 'GET'
      if (isRead) unchanged ??= fillStock(api)
      const stock = await (isRead ? unchanged! : fillStock(api))
      const counts = { refused: 0, taken: 0 }
      for (let round = 0; operation.body && round < rounds; round++) {
        const [path = ''] = pathsOf(make, operation, stock)
        const body = valid(make, operation.body)
        const answer = await send(operation, path, body)
        check(answer, `${operation.method} ${path} ${JSON.stringify(body).slice(0, 300)}`)
        // What the schema allows is accepted, or conflicts with stored data.
        t.match(answer.status, /^(200|201|202|204|400|404|409)$/)
      }
      let before = await versionStored()
      const changed = async () => {
        const after = await versionStored()
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

  t.test('the log has no server error', async (t) => {
    const lines = api.logged().split('\n').filter(Boolean)
    t.same(
      lines.filter((line) => (JSON.parse(line) as { level: number }).level >= 50),
      [],
    )
  })
})
