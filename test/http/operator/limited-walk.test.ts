/** A token for one organization at every operation of the OpenAPI document, with ids of another one. */

import { fillStock, operations as known, type Stock, versionReader } from './catalogue.ts'
import { idOf, type Operation, operationsIn } from './description.ts'
import { onEveryBackend } from './operator-api.ts'

/** Ids of these are the platform's: tokens for single organizations read them all, or none. */
const sharedIds = new Set(['client_id', 'interface', 'name', 'host', 'review_id', 'change_id'])
const idLike = /(^|_)(ids?|users?|clients?|owners|organizations?|workspaces?)$/

const template = (path: string) => path.replace(/\{\w+\}/g, '{}').replace(/\?.*/, '')
const nameOf = ({ method, path }: Operation) => `${method} ${path}`

await onEveryBackend(async (t, api) => {
  const operations = operationsIn((await api.send('GET', '/openapi.json')).body)
  const bodyOf = (operation: Operation) =>
    known.find(
      ({ method, path }) =>
        method === operation.method && template(path) === template(operation.path),
    )?.body

  const limitedTo = async (organization: string): Promise<string> => {
    const draft = { name: 'T', permissions: ['*'], organization_ids: [organization] }
    return (await api.expect(201, 'POST', '/operator-tokens', draft)).token
  }
  const callWith = (token: string, { method }: Operation, path: string, body?: unknown) =>
    api.send(method, path, {
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  /** The stock with its people, key sets and tokens in `other`, and words that no other organization has. */
  const foreignStock = async (): Promise<Stock & { words: string[] }> => {
    const stock = await fillStock(api)
    const { user, stranger, organization, workspace, keySet, scimToken } = stock
    const words = [organization, user, stranger, workspace, keySet, scimToken]
    for (const [at, id] of [user, stranger].entries()) {
      const names = { name: `Zarathustra ${words.length}`, email: `${user}.${at}@foreign.test` }
      await api.expect(200, 'PATCH', `/users/${id}`, names)
      words.push(names.name, names.email.toLowerCase())
    }
    await api.expect(200, 'PATCH', `/organizations/${organization}`, { name: `Foreign ${user}` })
    return { ...stock, words }
  }
  const pathWith = (operation: Operation, stock: Stock, foreign: Stock, names: Set<string>) =>
    operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      idOf(names.has(name) ? foreign : stock, operation.path, name),
    )
  const idsIn = ({ path }: Operation) =>
    [...path.matchAll(/\{(\w+)\}/g)]
      .map(([, name]) => name as string)
      .filter((name) => !sharedIds.has(name))

  // The id of a workspace is unique, so the platform cannot choose one that exists.
  const denied = '/organizations/{organization_id}/installs/{client_id}/denied/{user_id}'
  const conflicting: Record<string, RegExp> = {
    'PUT /organizations/{organization_id}/workspaces/{workspace_id} with workspace_id': /^409$/,
    // Nobody is denied the app, whoever the user is.
    [`DELETE ${denied} with user_id`]: /^204$/,
  }
  const versionStored = await versionReader(api)
  const unknownStock = new Proxy({} as Stock, { get: () => 'usrNone' })

  t.test('each id of another organization in a path is refused and changes nothing', async (t) => {
    const [stock, foreign] = [await fillStock(api), await foreignStock()]
    const token = await limitedTo(stock.organization)
    let tried = 0
    const before = await versionStored()
    for (const operation of operations) {
      const ids = idsIn(operation)
      for (const names of [...ids.map((id) => [id]), ...(ids.length > 1 ? [ids] : [])]) {
        const path = pathWith(operation, stock, foreign, new Set(names))
        const { status, body } = await callWith(token, operation, path, bodyOf(operation))
        const what = `${nameOf(operation)} with ${names}`
        t.match(status, conflicting[what] ?? /^40[34]$/, `${what}: ${status}`)
        const unknown = pathWith(operation, stock, unknownStock, new Set(names))
        if (conflicting[what] === undefined)
          t.equal((await callWith(token, operation, unknown, bodyOf(operation))).status, status)
        const said = JSON.stringify(body)
        for (const word of foreign.words) t.notOk(said.includes(word), what)
        tried++
      }
    }
    t.equal(await versionStored(), before, 'nothing changed')
    t.ok(tried > 80, `${tried} paths`)
  })

  t.test('each id of another organization in a body is refused and changes nothing', async (t) => {
    const [stock, foreign] = [await fillStock(api), await foreignStock()]
    const token = await limitedTo(stock.organization)
    const foreignValues: Record<string, unknown[]> = {
      id: [foreign.webhook],
      user_id: [foreign.user, foreign.stranger],
      organization_id: [foreign.organization],
      workspace_ids: [[foreign.workspace], [stock.workspace, foreign.workspace]],
      organization_ids: [[foreign.organization], [stock.organization, foreign.organization]],
      owners: [[foreign.user]],
      client_id: [foreign.keySet],
      client_ids: [],
      ai_clients: [],
      worth: [],
    }
    const bases: Record<string, object> = {
      '/tokens/simulate': { client_id: stock.app, organization_id: stock.organization },
    }
    let tried = 0
    for (const operation of operations) {
      const fields = Object.keys(operation.body?.properties ?? {}).filter((one) => idLike.test(one))
      for (const field of fields) {
        const values = foreignValues[field]
        if (!values) throw new Error(`no foreign value for ${field} of ${nameOf(operation)}`)
        for (const value of values) {
          const body = { ...bodyOf(operation), ...bases[operation.path], [field]: value }
          const path = pathWith(operation, stock, foreign, new Set())
          const before = await versionStored()
          const answer = await callWith(token, operation, path, body)
          const { status } = answer
          // A preview also answers for what is refused, as if the workspace did not exist.
          if (operation.path.endsWith('/preview')) t.match(answer.body, { people: 0, families: 0 })
          else t.ok([400, 403, 404].includes(status), `${nameOf(operation)} ${field}: ${status}`)
          t.equal(await versionStored(), before, `${nameOf(operation)} ${field}`)
          tried++
        }
      }
    }
    t.ok(tried > 15, `${tried} bodies`)
  })

  t.test('what a limited token reads discloses nothing of another organization', async (t) => {
    const [stock, foreign] = [await fillStock(api), await foreignStock()]
    const token = await limitedTo(stock.organization)
    let taken = 0
    for (const operation of operations.filter(({ method }) => method === 'GET')) {
      const path = pathWith(operation, stock, foreign, new Set())
      for (const query of ['', '?limit=200', `?organization_id=${stock.organization}`]) {
        const { status, body } = await callWith(token, operation, path + query)
        if (status === 200) taken++
        const said = JSON.stringify(body)
        for (const word of foreign.words)
          t.notOk(said.includes(word), `${nameOf(operation)}${query}: ${word}`)
      }
    }
    t.ok(taken > 40, `${taken} answers`)
  })
})
