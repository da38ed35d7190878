/** The MCP server of the examples: from its address to a call, with the client of the official SDK. */
import { request } from 'node:http'
import type { Test } from 'tap'
import { decide, wordsOf } from '../pages/organization-visit.ts'
import { eventually } from '../support/eventually.ts'
import { claimsOf, clientCredentials } from '../support/flows.ts'
import type { Json } from '../support/latchkey.ts'
import { asksPerson, createMcpClient, type Era, type McpClient } from '../support/mcp-client.ts'
import { startMcpServer } from '../support/mcp-server.ts'
import { onEachBackend, type Scene } from '../support/on-each-backend.ts'
import { introspectAt, registerResourceServer } from '../support/resource-server.ts'
import { createVisitor } from '../support/visitor.ts'
import { createApp, install } from '../support/world.ts'

const eras: Era[] = ['legacy', '2026-07-28']
const permissions = ['records:create', 'records:update']

/** A public app of a program on the user's device. */
const assistant = {
  name: 'Assistant',
  client_type: 'public',
  redirect_uris: ['http://localhost/callback'],
  permissions,
}

/** One that is installed in Acme. */
const createAssistant = async ({ running, world }: Scene) => {
  const app = await createApp(running, assistant)
  await install(running, world.acme, app, { permissions })
  return app
}

const read = async (client: McpClient, name: string, args = {}): Promise<Json> => {
  const { isError, text } = await client.call(name, args)
  if (isError) throw new Error(text)
  return JSON.parse(text)
}

const send = async (url: string, init: RequestInit = {}) => {
  const answer = await fetch(url, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    ...init,
    headers: { 'content-type': 'application/json', accept: '*/*', ...init.headers },
  })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

await onEachBackend('an MCP server', async (t, scene) => {
  const { issuer, running, world } = scene
  const { acme, ana, kim, sales, support, confidential, foreignWorkspace } = world
  const url = await startMcpServer(t, scene)
  const newPerson = () => ({ visitor: createVisitor(issuer), answers: ana })

  const connected = async (t: Test, era: Era = '2026-07-28') => {
    const app = await createAssistant(scene)
    const person = newPerson()
    const client = await createMcpClient(t, { url, client: { id: app.client_id }, era })
    t.ok(await asksPerson(client.connect()), 'the person is asked first')
    const answer = await client.authorize(person)
    t.equal(answer.get('iss'), issuer)
    await client.reconnect()
    return { app, person, client }
  }

  for (const era of eras) {
    t.test(`a client that knows the address connects, reads and writes (${era})`, async (t) => {
      const { client, person } = await connected(t, era)
      const [first] = client.opened
      t.equal(first?.origin, issuer, 'found through the metadata')
      t.match(Object.fromEntries(first?.searchParams ?? []), {
        redirect_uri: client.redirectUri,
        resource: url,
        scope: 'records:create',
      })
      t.same((await client.tools()).toSorted(), [
        'create_record',
        'list_tables',
        'list_workspaces',
        'read_records',
        'update_record',
      ])
      const workspaces = await read(client, 'list_workspaces')
      t.same(workspaces.map(({ id }: Json) => id).toSorted(), [sales, support].toSorted())
      const [table] = await read(client, 'list_tables', { workspaceId: sales })
      const text = table.fields.find(({ type }: Json) => type === 'Single-line Text')
      const fields = (val: string) => [{ fieldId: text.id, value: { val } }]
      const made = await read(client, 'create_record', { tableId: table.id, fields: fields('One') })

      const change = { recordId: made.id, fields: fields('Two') }
      t.ok(await asksPerson(client.call('update_record', change)), 'a further permission')
      t.equal(client.opened.length, 2)
      t.match(client.opened[1]?.searchParams.get('scope'), permissions.join(' '))
      await client.authorize(person)
      t.match(await client.call('update_record', change), { isError: false, text: /Two/ })
      t.equal(client.tokens()?.scope, permissions.join(' '))
      const page = await read(client, 'read_records', { tableId: table.id, first: 100 })
      t.ok(page.edges.some(({ node }: Json) => node.id === made.id))
    })
  }

  t.test('an expired token is refreshed without the person', async (t) => {
    const { client } = await connected(t)
    const before = client.tokens()?.refresh_token
    client.loseAccessToken()
    t.match(await client.call('list_workspaces'), { isError: false })
    t.not(client.tokens()?.refresh_token, before)
    t.equal(client.opened.length, 1)
  })

  t.test('an uninstall ends the connection', async (t) => {
    const { app, client } = await connected(t)
    t.match(await client.call('list_workspaces'), { isError: false })
    await running.operator('DELETE', `/organizations/${acme}/installs/${app.client_id}`)
    await eventually(() => asksPerson(client.call('list_workspaces')))
    t.equal(client.tokens(), undefined, 'the refresh token is refused as well')
    t.equal(client.opened.length, 2)
  })

  t.test('a permission that the person does not allow is not asked for in circles', async (t) => {
    const { client, person } = await connected(t)
    const change = { recordId: `${sales}|rec1`, fields: [] }
    t.ok(await asksPerson(client.call('update_record', change)))
    const answers = { ...person.answers, permissions: ['records:create'] }
    await client.authorize({ ...person, answers })
    t.equal(client.tokens()?.scope, 'records:create')
    t.match(await client.call('list_workspaces'), { isError: false })
    t.ok(await asksPerson(client.call('update_record', change)), 'only when a tool needs it')
  })

  t.test('a tool needs more than the admin has installed', async (t) => {
    const person = { visitor: createVisitor(issuer), answers: kim }
    const app = await createApp(running, { ...assistant, name: 'Scribe' })
    const client = await createMcpClient(t, {
      url,
      client: { id: app.client_id },
      era: '2026-07-28',
    })
    t.ok(await asksPerson(client.connect()))
    t.notMatch(wordsOf(await person.visitor.get(client.opened[0] as URL)), 'have not approved')
    await client.authorize(person)
    await client.reconnect()
    const change = { recordId: `${sales}|rec1`, fields: [] }
    t.ok(await asksPerson(client.call('update_record', change)))
    const narrow = wordsOf(await person.visitor.get(client.opened[1] as URL))
    t.match(narrow, 'which the admins of Acme have not approved: Update records. An admin can')
    const apps = await person.visitor.get(`/organizations/${acme}/apps`)
    const about = { client_id: app.client_id }
    t.match(wordsOf(await decide(person.visitor, apps, 'widen', about)), 'may do more now')
    const wide = wordsOf(await person.visitor.get(client.opened[1] as URL))
    t.notMatch(wide, 'have not approved')
    await client.authorize(person)
    t.equal(client.tokens()?.scope, permissions.join(' '))
    t.match(await client.call('update_record', change), { text: 'there is no such record' })
  })

  t.test('objects out of reach look like missing ones', async (t) => {
    const { client } = await connected(t)
    const missing = await client.call('list_tables', { workspaceId: 'wksUnknown' })
    t.match(missing, { isError: true, text: 'there is no such workspace' })
    for (const workspaceId of [foreignWorkspace, world.finance])
      t.same(await client.call('list_tables', { workspaceId }), missing)
  })

  t.test('a request without a token learns where to get one (RFC 9728 §5.1)', async (t) => {
    const { status, headers } = await send(url)
    t.equal(status, 401)
    const challenge = headers.get('www-authenticate') ?? ''
    t.notMatch(challenge, 'error=')
    const address = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? ''
    t.equal(address, url.replace('/mcp', '/.well-known/oauth-protected-resource/mcp'))
    t.match(await (await fetch(address)).json(), {
      resource: url,
      authorization_servers: [issuer],
      scopes_supported: ['records:create'],
    })
    const forged = await send(url, { headers: { authorization: 'Bearer e30.e30.e30' } })
    t.equal(forged.status, 401)
    t.match(forged.headers.get('www-authenticate'), 'error="invalid_token"')
  })

  t.test('a tool without its permission is refused before it runs', async (t) => {
    const { body } = await clientCredentials(issuer, confidential, acme, {
      scope: 'records:create',
      resource: url,
    })
    const params = { name: 'update_record', arguments: { recordId: 'x', fields: [] } }
    const answer = await send(url, {
      headers: {
        authorization: `Bearer ${body.access_token}`,
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    })
    t.equal(answer.status, 403)
    const challenge = answer.headers.get('www-authenticate') ?? ''
    t.match(challenge, 'error="insufficient_scope"')
    t.match(challenge, 'scope="records:update records:create"', 'with the granted ones')
    t.match(challenge, 'resource_metadata=')
  })

  t.test(
    'a token for another resource is refused, and one for this server elsewhere',
    async (t) => {
      const tokenFor = async (more: Record<string, string>) =>
        (await clientCredentials(issuer, confidential, acme, more)).body.access_token as string
      const headersOf = (token: string) => ({
        authorization: `Bearer ${token}`,
        accept: 'application/json, text/event-stream',
      })
      const other = await send(url, { headers: headersOf(await tokenFor({})) })
      t.equal(other.status, 401)
      t.match(other.headers.get('www-authenticate'), 'error="invalid_token"')
      const own = await tokenFor({ resource: url })
      t.equal(claimsOf(own).aud, url)
      t.equal((await send(url, { headers: headersOf(own) })).status, 200)
      const dataApi = await registerResourceServer(running)
      t.match((await introspectAt(issuer, dataApi, own)).body, { active: false })
    },
  )

  t.test('pages of other sites, and other names of this server, are refused', async (t) => {
    const foreign = await send(url, { headers: { origin: 'https://evil.example' } })
    t.equal(foreign.status, 403)
    t.equal(foreign.headers.get('access-control-allow-origin'), null)
    const { port } = new URL(url)
    const inspector = await send(url, { headers: { origin: 'http://localhost:6274' } })
    t.equal(inspector.status, 401)
    t.equal(inspector.headers.get('access-control-allow-origin'), 'http://localhost:6274')
    const rebound = await new Promise<number>((resolve, reject) => {
      const headers = { host: `evil.example:${port}` }
      request({ host: '127.0.0.1', port, path: '/mcp', method: 'POST', headers })
        .once('response', (response) => resolve(response.resume().statusCode ?? 0))
        .once('error', reject)
        .end()
    })
    t.equal(rebound, 403)
  })
})
