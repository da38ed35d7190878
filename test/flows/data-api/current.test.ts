/**
 * The current interface of the data API: every operation, with every kind of token, in every place.
 */
import { randomBytes } from 'node:crypto'
import * as oauth from 'oauth4webapi'
import { proofAlgorithms } from '../../../packages/verify/src/rules/dpop-proof.ts'
import { ask, type Question, startDataApi } from '../../support/data-api.ts'
import { createHolder, hashOf } from '../../support/dpop.ts'
import { currentCode, exchangeCode } from '../../support/flows.ts'
import type { Json } from '../../support/latchkey.ts'
import { onEachBackend } from '../../support/on-each-backend.ts'
import { registerResourceServer } from '../../support/resource-server.ts'
import {
  currentPermissions,
  installedApp,
  legacyKeys,
  type MakeToken,
  selfSigner,
} from './tokens.ts'

/** The tables and rows that operations use, all in one workspace. */
interface Ids {
  workspace: string
  table: string
  field: string
  dropdown: string
  record: string
}

const byId = (query: string) => (ids: Ids) => ({ query, variables: { ...ids } })

const operations: [name: string, needed: string | null, question: (ids: Ids) => Question][] = [
  [
    'tables',
    null,
    ({ workspace }) => ({
      query: 'query ($workspace: ID!) { tables(workspaceId: $workspace) { id name } }',
      variables: { workspace },
    }),
  ],
  ['table', null, byId('query ($table: ID!) { table(tableId: $table) { id fields { id } } }')],
  ['record', null, byId('query ($record: ID!) { record(recordId: $record) { id } }')],
  ['views', null, byId('query ($table: ID!) { views(tableId: $table) { id name } }')],
  [
    'templates',
    'documents:read',
    byId('query ($table: ID!) { templates(tableId: $table) { path } }'),
  ],
  [
    'documents',
    'documents:read',
    byId('query ($record: ID!) { documents(recordId: $record) { content } }'),
  ],
  [
    'updateFieldChoices',
    'table:modify',
    byId(`mutation ($table: ID!, $dropdown: ID!) {
      updateFieldChoices(tableId: $table, fieldId: $dropdown, choices: ["To do", "Done"]) { id }
    }`),
  ],
  [
    'recordsConnection',
    null,
    ({ table }) => ({
      query: 'query ($table: ID!) { recordsConnection(tableId: $table) { edges { node { id } } } }',
      variables: { table },
    }),
  ],
  [
    'workspaceMembers',
    'workspace_members:read',
    ({ workspace }) => ({
      query: 'query ($id: ID!) { workspaceMembers(workspaceId: $id) { id name email } }',
      variables: { id: workspace },
    }),
  ],
  [
    'createRecord',
    'records:create',
    ({ table, field }) => ({
      query: `mutation ($table: ID!, $fields: [FieldValueInput!]!) {
        createRecord(tableId: $table, fields: $fields) { id }
      }`,
      variables: { table, fields: [{ fieldId: field, value: { val: 'New' } }] },
    }),
  ],
  [
    'updateRecord',
    'records:update',
    ({ record, field }) => ({
      query: `mutation ($record: ID!, $fields: [FieldValueInput!]!) {
        updateRecord(recordId: $record, fields: $fields) { id fields { value } }
      }`,
      variables: { record, fields: [{ fieldId: field, value: { val: 'Changed' } }] },
    }),
  ],
  [
    'deleteRecord',
    'records:delete',
    ({ record }) => ({
      query: 'mutation ($record: ID!) { deleteRecord(recordId: $record) }',
      variables: { record },
    }),
  ],
  [
    'createTable',
    'table:create',
    ({ workspace }) => ({
      query: `mutation ($id: ID!) {
        createTable(workspaceId: $id, name: "Made", fields: [{name: "Name", type: "Single-line Text"}]) {
          id
        }
      }`,
      variables: { id: workspace },
    }),
  ],
]

await onEachBackend('each operation of the current interface', async (t, scene) => {
  const { running, world } = scene
  const api = await startDataApi(t, scene, await registerResourceServer(running))
  const { make: acme } = await selfSigner(scene, world.acme)
  const { make: other } = await selfSigner(scene, world.other)
  const { user, machine } = await installedApp(scene)
  const makers: [string, MakeToken][] = [
    ['a user token', user],
    ['an install token', machine],
    ['a self-signed token', acme],
  ]

  /** The contents of a workspace, with one new record, as its organization sees them. */
  const idsIn = async (workspace: string, owner: MakeToken): Promise<Ids> => {
    const token = await owner(currentPermissions)
    const query = `{ tables(workspaceId: "${workspace}") { id fields { id type } } }`
    const { value } = await ask(api, { query }, token)
    const [{ id: table, fields }] = value
    const { id: dropdown } = fields.find(({ type }: Json) => type === 'Dropdown')
    const create = `mutation { createRecord(tableId: "${table}", fields: []) { id } }`
    const { id: record } = (await ask(api, { query: create }, token)).value
    return { workspace, table, field: fields[0].id, dropdown, record }
  }
  const unknown = (): Ids => {
    const random = () => randomBytes(12).toString('hex')
    const workspace = `wks${random()}`
    const id = (prefix: string) => `${workspace}|${prefix}${random()}`
    return {
      workspace,
      table: id('tbl'),
      field: id('fld'),
      dropdown: id('fld'),
      record: id('rec'),
    }
  }

  for (const [kind, make] of makers) {
    t.test(`every operation works with ${kind}`, async (t) => {
      const token = await make(currentPermissions, [world.sales])
      for (const [name, needed, question] of operations) {
        const here = await idsIn(world.sales, acme)
        if (needed) {
          const rest = currentPermissions.filter((one) => one !== needed)
          const refused = await ask(api, question(here), await make(rest, [world.sales]))
          t.equal(refused.status, 403, `${name}: status`)
          t.equal(refused.code, 'insufficient_scope', `${name} without ${needed}`)
          t.match(refused.headers.get('www-authenticate'), `scope="${needed}"`, name)
        }

        const answers = []
        for (const there of [
          unknown(),
          await idsIn(world.support, acme),
          await idsIn(world.foreignWorkspace, other),
          { ...here, table: 'nonsense', record: 'nonsense', workspace: 'nonsense' },
        ])
          answers.push(await ask(api, question(there), token))
        const [first] = answers
        t.equal(first?.code, 'not-found', `${name}: unknown`)
        t.equal(first?.status, 200, name)
        for (const answer of answers)
          t.same(answer.body, first?.body, `${name}: out of reach is like unknown`)

        const done = await ask(api, question(here), token)
        t.equal(done.code, null, `${name}: with everything it takes`)
        t.ok(done.value, name)
      }

      const { value: reached } = await ask(api, { query: '{ workspaces { id } }' }, token)
      t.same(reached, [{ id: world.sales }], 'workspaces that the token reaches')
      const { value: all } = await ask(
        api,
        { query: '{ workspaces { id } }' },
        await make(currentPermissions),
      )
      t.equal(
        all.length,
        kind === 'a user token' ? 2 : 3,
        'a user token reaches the user’s workspaces',
      )
    })
  }

  t.test('an empty workspace list reaches none, a missing list reaches all', async (t) => {
    const query = '{ workspaces { id } }'
    t.same((await ask(api, { query }, await acme([], []))).value, [])
    t.equal((await ask(api, { query }, await acme([]))).value.length, 3)
  })

  t.test('permissions for the whole organization', async (t) => {
    const operations = {
      'teams:read': '{ teams { name members { name } } }',
      'rootTable:create':
        'mutation { createRootTable(name: "Prices", fields: [{name: "Name", type: "Number"}]) { id } }',
    }
    for (const [kind, make] of makers)
      for (const [permission, query] of Object.entries(operations)) {
        const rest = currentPermissions.filter((one) => one !== permission)
        t.equal((await ask(api, { query }, await make(rest))).code, 'insufficient_scope', kind)
        const done = await ask(api, { query }, await make([permission]))
        t.equal(done.code, null, `${permission}: ${kind}`)
        t.ok(done.value)
      }
    const { value } = await ask(api, { query: '{ organization { id name } }' }, await acme([]))
    t.same(value, { id: world.acme, name: 'Acme' })
  })

  t.test('tables of the organization are for tokens of all workspaces', async (t) => {
    const query = '{ tables { id workspaceId } }'
    const { value: seen } = await ask(api, { query }, await acme([]))
    t.ok(seen.length > 0)
    for (const { id, workspaceId } of seen) {
      t.match(id, new RegExp(`^${world.acme}\\|tbl`))
      t.equal(workspaceId, null)
    }
    const all = [world.sales, world.support, world.finance]
    t.same((await ask(api, { query }, await machine([], all))).value, seen)
    const narrow = await acme([], [world.sales])
    t.same((await ask(api, { query }, narrow)).value, [])
    const one = 'query ($id: ID!) { table(tableId: $id) { id } }'
    const hidden = await ask(api, { query: one, variables: { id: seen[0].id } }, narrow)
    const unknown = { id: `${world.acme}|tbl${'0'.repeat(24)}` }
    t.equal(hidden.code, 'not-found')
    t.same(hidden.body, (await ask(api, { query: one, variables: unknown }, narrow)).body)
  })

  t.test('a private view is shown to its user only', async (t) => {
    const { table } = await idsIn(world.sales, acme)
    const query = 'query ($table: ID!) { views(tableId: $table) { name private filter } }'
    const viewsOf = async (make: MakeToken) =>
      (await ask(api, { query, variables: { table } }, await make([]))).value
    const names = async (make: MakeToken) => (await viewsOf(make)).map(({ name }: Json) => name)
    for (const [kind, make] of makers) t.same(await names(make), ['Open'], kind)
    const { user: kim } = await installedApp(scene, 'kim')
    t.same(await names(kim), ['Mine', 'Open'])

    const [{ filter }] = await viewsOf(acme)
    const connection = `query ($table: ID!, $filter: JSON) {
      recordsConnection(tableId: $table, filter: $filter) { totalCount }
    }`
    const found = await ask(
      api,
      { query: connection, variables: { table, filter } },
      await acme([]),
    )
    t.ok(found.value.totalCount > 0, 'its filter can be used as it is')
  })

  t.test('a field of another table or workspace is unknown', async (t) => {
    const [here, there] = [await idsIn(world.sales, acme), await idsIn(world.support, acme)]
    const token = await acme(currentPermissions)
    const [, , createRecord] = operations.find(([name]) => name === 'createRecord') ?? []
    const posing = `${here.workspace}|${there.field.split('|')[1]}`
    for (const field of [there.field, posing]) {
      const { code } = await ask(api, createRecord!({ ...here, field }), token)
      t.equal(code, 'not-found')
    }
  })

  t.test('a bound token needs a proof for each request', async (t) => {
    const { publicApp, ana } = scene.world
    const [holder, thief] = [await createHolder(), await createHolder()]
    const grant = await currentCode(scene.running, publicApp, ana)
    const proof = await holder.posts(`${scene.issuer}/api/oauth/token`)
    const { access_token: token } = (await exchangeCode(scene.issuer, publicApp, grant, {}, proof))
      .body
    const endpoint = `${api.url}/graphql`
    const query = '{ one: workspaces { id } two: workspaces { id } }'
    const send = async (dpop: string, body: unknown = { query }) => {
      const headers = { authorization: `DPoP ${token}`, dpop, 'content-type': 'application/json' }
      return fetch(endpoint, { method: 'POST', headers, body: JSON.stringify(body) })
    }
    const proven = (by = holder, claims: Record<string, unknown> = {}) =>
      by.prove(endpoint, { ath: hashOf(token), ...claims })
    const once = await proven()
    const answer = await send(once)
    t.equal(answer.status, 200)
    const { one, two } = ((await answer.json()) as Json).data
    t.ok(one.length > 0)
    t.same(one, two, 'one proof covers all fields of its request')
    const several = await send(await proven(), [{ query }, { query }])
    t.ok(
      ((await several.json()) as Json[]).every(({ errors }) => !errors),
      'and all operations',
    )

    const again = await send(once)
    t.equal(again.status, 401)
    t.match(again.headers.get('www-authenticate'), /^DPoP .*error="invalid_dpop_proof"/)
    t.equal((await send(await proven(thief))).status, 401)
    t.equal((await send(await proven(holder, { htu: scene.issuer }))).status, 401)
    const asBearer = await ask(api, { query }, token)
    t.equal(asBearer.status, 401)
    t.match(asBearer.headers.get('www-authenticate'), /^DPoP .*error="invalid_token"/)
    const late = await send(await proven(holder, { iat: 0 }))
    const nonce = late.headers.get('dpop-nonce')
    t.match(late.headers.get('access-control-expose-headers'), 'DPoP-Nonce')
    t.equal((await send(await proven(holder, { iat: 0, nonce }))).status, 200)
  })

  t.test('a request without a valid token gets a challenge that names the metadata', async (t) => {
    const query = '{ workspaces { id } }'
    const metadata = `${api.url}/.well-known/oauth-protected-resource/graphql`
    const none = await ask(api, { query })
    t.equal(none.status, 401)
    t.equal(
      none.headers.get('www-authenticate'),
      `Bearer realm="data", resource_metadata="${metadata}", ` +
        `DPoP realm="data", resource_metadata="${metadata}", algs="${proofAlgorithms.join(' ')}"`,
    )
    const legacy = await legacyKeys(scene, world.acme)(['readData'])
    const secretKey = 'secretKey' in legacy ? legacy.secretKey : ''
    for (const bad of ['nonsense', 'x'.repeat(7900), secretKey, `${await acme([])}x`]) {
      const refused = await ask(api, { query }, bad)
      t.equal(refused.status, 401)
      t.equal(refused.code, 'invalid_token')
      t.match(refused.headers.get('www-authenticate'), 'error="invalid_token"')
    }
    const inVariable = await ask(api, { query, variables: { accessToken: await acme([]) } })
    t.equal(inVariable.status, 401, 'the token is read from the header only')
  })

  t.test('an app finds the server from the API address alone (RFC 9728)', async (t) => {
    const resource = new URL(`${api.url}/graphql`)
    const { headers } = await ask(api, { query: '{ workspaces { id } }' })
    const [, told] = /resource_metadata="([^"]+)"/.exec(headers.get('www-authenticate') ?? '') ?? []

    // §3.1: the library inserts the well-known path between the host and the resource path.
    const found = await oauth.resourceDiscoveryRequest(resource, {
      [oauth.allowInsecureRequests]: true,
    })
    t.equal(found.url, told, 'also at the URL of the challenge')
    t.equal(found.headers.get('access-control-allow-origin'), '*')
    // §3.3: the library must reject a `resource` that differs from the requested address.
    const metadata = await oauth.processResourceDiscoveryResponse(resource, found)
    const needed = new Set(currentPermissions)
    t.match(metadata, {
      authorization_servers: [scene.issuer],
      bearer_methods_supported: ['header'],
      dpop_signing_alg_values_supported: proofAlgorithms,
      dpop_bound_access_tokens_required: false,
    })
    t.same(new Set(metadata.scopes_supported), needed, 'every permission of the operations')

    const [server = ''] = metadata.authorization_servers ?? []
    const discovered = await fetch(`${server}/.well-known/oauth-authorization-server`)
    t.match(await discovered.json(), { issuer: server })
    const other = await fetch(`${api.url}/.well-known/oauth-protected-resource`)
    t.equal(other.status, 404, 'no other resource exists')
  })
})
