// Nightly, and when src/cli/conform or src/http/testing changes: each hole is tried with all tokens.
/** `latchkey conform` against a data API that forgets one check after the other. */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { createDataApi } from '../../examples/data-api/server.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { holes, startHoledDataApi } from '../support/holed-data-api.ts'
import { testStores } from '../support/stores.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { latchkey, latchkeyProcess } from './latchkey-command.ts'

const folder = await temporaryDirectory('conform')
const file = (name: string) => join(folder, name)
const secret = 'a-secret-of-a-test-with-enough-text'
const redirects = { redirect_uris: ['http://localhost/callback'], client_type: 'confidential' }
const app = { name: 'App', secret, ...redirects }
const keySet = { type: 'key_set', name: 'Script' }
const inOrganization = (organization: string) => [
  { type: 'organization', id: organization, name: organization },
  { type: 'member', organization, user: 'ana', role: 'member' },
  { type: 'workspace', organization, id: `wks-${organization}`, name: 'Sales' },
  { type: 'workspace_member', workspace: `wks-${organization}`, user: 'ana' },
]
const keysIn = (organization: string) => [
  {
    ...{ ...keySet, organization, interface: 'current', permissions: ['records:create'] },
    ...{ client_id: `current-keys-${organization}`, secret: `${secret}-${organization}` },
  },
  {
    ...{ ...keySet, organization, interface: 'legacy', permissions: ['insertData'] },
    ...{ client_id: `legacy-keys-${organization}`, secret: `old-${secret}-${organization}` },
  },
  {
    type: 'install',
    organization,
    client_id: 'board',
    permissions: ['records:create'],
    workspace_ids: null,
  },
  {
    type: 'install',
    organization,
    client_id: 'sheet',
    permissions: ['insertData'],
    workspace_ids: null,
  },
]
const seed = [
  { type: 'user', id: 'ana', email: 'ana@acme.test', name: 'Ana' },
  {
    type: 'app',
    ...app,
    client_id: 'board',
    interface: 'current',
    permissions: ['records:create'],
  },
  { type: 'app', ...app, client_id: 'sheet', interface: 'legacy', permissions: ['insertData'] },
  ...['acme', 'other'].flatMap((one) => [...inOrganization(one), ...keysIn(one)]),
  { type: 'resource_server', client_id: 'data-api', client_secret: secret, name: 'Data API' },
]
await writeFile(file('seed'), seed.map((line) => JSON.stringify(line)).join('\n'))
const { child, said, ended } = latchkeyProcess(['test-server', '--seed', file('seed'), '--json'], {
  LATCHKEY_DATA: folder,
})
t.teardown(async () => {
  child.kill()
  await ended
  await rm(folder, { recursive: true, force: true })
})
await eventually(() => said.stdout.includes('}') || child.exitCode !== null)
t.match(said.stdout, /issuer/, said.stderr)
const { issuer } = JSON.parse(said.stdout) as { issuer: string }

const conform = async (plan: object, ...args: string[]) => {
  await writeFile(file('plan.json'), JSON.stringify(plan))
  const { code, stdout, stderr } = await latchkey(['conform', file('plan.json'), '--json', ...args])
  return {
    code,
    stderr,
    ...(JSON.parse(stdout || '{}') as { tried?: number; findings?: Finding[] }),
  }
}
interface Finding {
  attempt: string
  expected: string
  status: number
  repeat: string
}

for (const generation of ['current', 'legacy'] as const) {
  const permission = generation === 'current' ? 'records:create' : 'insertData'
  const api = await startHoledDataApi({
    ...{ issuer, audience: issuer, organization: 'acme', workspace: 'wks-acme', permission },
    ...{ interface: generation, credentials: `data-api:${secret}` },
  })
  t.teardown(api.stop)
  const request = {
    ...{ name: 'create', method: 'POST', url: api.url, needs: [permission] },
    ...{ allowed: [200], refused: [401] },
  }
  const plan = {
    ...{ server: issuer, audience: issuer, interface: generation, organization: 'acme' },
    ...{ workspaces: { inside: 'wks-acme', outside: 'wks-other' }, requests: [request] },
  }

  t.test(`the ${generation} interface`, async (t) => {
    const safe = await conform(plan)
    t.same(safe.findings, [], 'no false alarm')
    t.equal(safe.code, 0)

    await t.test('each hole is found', async (t) => {
      const ofCurrent = /workspace|proof|bound|self-signed/
      const planted = holes.filter((hole) => generation === 'current' || !ofCurrent.test(hole))
      for (const hole of planted) {
        api.forget(hole)
        const { code, findings = [] } = await conform(plan)
        t.equal(code, 1, hole)
        t.ok(findings.length > 0 && findings.every(({ expected }) => expected === 'refused'), hole)
      }
      api.forget()
    })
  })

  if (generation === 'current')
    t.test('what it writes', async (t) => {
      api.forget('audience')
      const files = ['--junit', file('j.xml'), '--markdown', file('m.md')]
      const { tried, findings = [] } = await conform(plan, ...files)
      const titles = ['a user token for another audience', 'an install token for another audience']
      t.same(
        findings.map(({ attempt }) => attempt),
        titles,
      )
      const junit = await readFile(file('j.xml'), 'utf8')
      t.match(junit, `tests="${tried}" failures="2"`)
      const markdown = await readFile(file('m.md'), 'utf8')
      for (const title of titles) t.ok(junit.includes(title) && markdown.includes(title), title)
      const [, url = '', authorization = ''] =
        /^curl -i -X POST '(.+?)' -H 'authorization: (.+?)'$/.exec(findings[0]?.repeat ?? '') ?? []
      t.equal(
        (await fetch(url, { method: 'POST', headers: { authorization } })).status,
        200,
        'repeats',
      )
      api.forget()
    })

  t.test(`wrong refusals (${generation})`, async (t) => {
    api.refuse()
    const { code, findings = [] } = await conform(plan)
    t.equal(code, 1)
    t.ok(findings.length > 1 && findings.every(({ expected }) => expected === 'let in'))
  })
}

t.test('the data API of the examples', async (t) => {
  const [stores] = await testStores({ only: 'embedded' })
  if (!stores) throw new Error('there is no store')
  t.teardown(() => stores.drop())
  const ids = { acme: 'wks-acme', other: 'wks-other' }
  const organizations = Object.entries(ids).map(([id, workspace]) => ({
    ...{
      id,
      name: id,
      members: [{ userId: 'ana', name: 'Ana', email: 'ana@acme.test', role: 'member' }],
    },
    workspaces: [{ id: workspace, name: 'Sales', memberIds: ['ana'] }],
  }))
  const url = `http://127.0.0.1:${await freePort()}`
  const server = await createDataApi({
    ...{ url, databaseUrl: stores.databaseUrl, platform: { organizations } },
    verifier: {
      ...{ issuer, audience: issuer },
      resourceServer: { clientId: 'data-api', clientSecret: secret },
    },
  })
  t.teardown(() => server.close())
  await server.listen({ port: Number(new URL(url).port), host: '127.0.0.1' })
  const request = (name: string, query: string, needs: string[]) => ({
    ...{ name, needs, method: 'POST', url: `${url}/graphql`, allowed: [200], refused: [401, 403] },
    ...{ headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query }) },
  })
  const members = '{ workspaceMembers(workspaceId: "{workspace}") { id } }'
  const field = '{ name: "a", type: "Number" }'
  const create = `mutation { createTable(workspaceId: "{workspace}", name: "x", fields: [${field}]) { id } }`
  const { findings, code } = await conform({
    ...{ server: issuer, audience: issuer, interface: 'current', organization: 'acme' },
    workspaces: { inside: ids.acme, outside: ids.other },
    requests: [
      request('members', members, ['workspace_members:read']),
      {
        ...request('members elsewhere', members, ['workspace_members:read']),
        workspace: 'outside',
      },
      request('create a table', create, ['table:create']),
    ],
  })
  t.same(findings, [], 'no finding')
  t.equal(code, 0)
})

t.test('what cannot be tried', async (t) => {
  const request = {
    name: 'x',
    method: 'GET',
    url: 'http://127.0.0.1:9/',
    allowed: [200],
    refused: [401],
  }
  const workspaces = { inside: 'a', outside: 'b' }
  const plan = {
    server: issuer,
    audience: issuer,
    interface: 'current',
    organization: 'acme',
    workspaces,
  }
  const wrong = async (content: object, code: number, words: RegExp) => {
    const answer = await conform(content)
    t.equal(answer.code, code, answer.stderr)
    t.match(answer.stderr, words)
  }
  await wrong(
    { ...plan, requests: [request] },
    5,
    /data API at http:\/\/127\.0\.0\.1:9 does not answer/,
  )
  await wrong(
    { ...plan, requests: [request], server: 'http://127.0.0.1:9' },
    5,
    /test server .+ does not answer/,
  )
  await wrong({ ...plan, requests: [] }, 2, /\/requests must not have fewer/)
  await wrong(
    { ...plan, requests: [{ ...request, extra: 1 }] },
    2,
    /\/requests\/0\/extra is unknown/,
  )
  await wrong({ ...plan, requests: [{ ...request, refused: [200] }] }, 2, /allowed and refused/)
  t.equal((await latchkey(['conform', file('absent')])).code, 2)
})
