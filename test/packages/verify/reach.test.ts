/** A data API with an incomplete check must fail, and must not open another organization. */
import fastify, { type FastifyRequest } from 'fastify'
import t, { type Test } from 'tap'
import {
  latchkeyVerify,
  type RouteRequirement,
} from '../../../packages/verify/src/fastify/fastify.ts'
import {
  authorize,
  InsufficientScope,
  type Requirement,
} from '../../../packages/verify/src/verify.ts'
import { keySetAnswer, type ScriptedServer } from '../../support/scripted-server.ts'
import { createScene } from './scene.ts'

const legacy = { interface: 'legacy', permissions: ['readData'], workspace_ids: undefined }

/** One credential of each kind; those that reach all workspaces have no list of them. */
const credentials: [kind: string, reachesAll: boolean, make: (server: ScriptedServer) => string][] =
  [
    ['a user token', false, (server) => server.token()],
    [
      'an install token',
      false,
      (server) => server.token({ kind: 'install', sub: 'app1', grant_id: undefined }),
    ],
    ['a legacy token', true, (server) => server.token(legacy)],
    [
      'a legacy secret',
      true,
      (server) => {
        server.known.set('lkks_secret', keySetAnswer())
        return 'lkks_secret'
      },
    ],
  ]

/** Values in the place of an id, none of them valid. */
const noIds: unknown[] = [
  undefined,
  null,
  '',
  0,
  1,
  true,
  ['org1'],
  { toString: () => 'org1' },
  new String('org1'),
  Symbol('org1'),
]

const show = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value))

t.test('JWT-17 a token reaches workspaces of its own organization only', async (t) => {
  const { server, verifier } = await createScene(t)
  for (const [kind, reachesAll, make] of credentials) {
    const access = await verifier.verify(make(server))
    t.ok(access.reaches('org1', 'wks1'), kind)
    t.equal(access.reaches('org1', 'wks9'), reachesAll, `${kind}: a workspace that is not listed`)
    for (const organization of ['org2', 'ORG1', 'org1 ', 'org', '*', '__proto__', 'constructor'])
      t.notOk(access.reaches(organization, 'wks1'), `${kind}: ${organization}`)
    t.notOk(access.reaches('wks1', 'org1'), `${kind}: arguments in the wrong order`)
  }
})

t.test('JWT-17 reaches throws without an organization or a workspace', async (t) => {
  const { server, verifier } = await createScene(t)
  for (const [kind, , make] of credentials) {
    const access = await verifier.verify(make(server))
    const reaches = access.reaches as (...ids: unknown[]) => boolean
    const says = { name: 'TypeError', message: /access\.reaches\(organizationId, workspaceId\)/ }
    // @ts-expect-error one argument was enough once
    t.throws(() => access.reaches('wks1'), says, `${kind}: the old form`)
    t.throws(() => reaches(), says, kind)
    for (const none of noIds) {
      t.throws(() => reaches(none, 'wks1'), says, `${kind}: organization ${show(none)}`)
      t.throws(() => reaches('org1', none), says, `${kind}: workspace ${show(none)}`)
    }
    t.throws(() => ['wks1', 'wks2'].filter(reaches), says, `${kind}: as a callback`)
    t.throws(() => reaches('org-secret'), { message: /^(?!.*org-secret)/ }, 'ids are not repeated')
  }
})

t.test('JWT-17 workspaces that the feed leaves belong to one organization', async (t) => {
  const { server, verifier } = await createScene(t)
  const token = server.token({ workspace_ids: ['wks1', 'wks2'] })
  await verifier.verify(token)
  server.tell({
    type: 'install',
    id: 'ins1',
    active: true,
    permissions: ['records:create', 'records:update'],
    workspace_ids: null,
  })
  server.tell({ type: 'workspace', id: 'wks2' })
  await t.test('narrowed', async (t) => {
    let access = await verifier.verify(token)
    while (access.reaches('org1', 'wks2')) {
      await new Promise((resolve) => setTimeout(resolve, 10))
      access = await verifier.verify(token)
    }
    t.ok(access.reaches('org1', 'wks1'))
    t.notOk(access.reaches('org2', 'wks1'), 'null in the feed means all of this organization')
  })
})

t.test('JWT-17 authorize refuses an incomplete requirement before it verifies', async (t) => {
  const { server, verifier } = await createScene(t)
  const complete = { interface: 'current', organization: 'org1' } as const
  const cases: [what: string, requirement: unknown][] = [
    ['none', undefined],
    ['null', null],
    ['an empty one', {}],
    ['no interface', { organization: 'org1' }],
    ['an unknown interface', { ...complete, interface: 'both' }],
    ['no organization', { interface: 'current' }],
    ['the old form', { interface: 'current', workspace: 'wks1' }],
    ['an inherited organization', Object.create(complete)],
    ...noIds.map((none): [string, unknown] => [
      `organization ${show(none)}`,
      { ...complete, organization: none },
    ]),
    ...noIds.map((none): [string, unknown] => [
      `workspace ${show(none)}`,
      { ...complete, workspace: none },
    ]),
    ['permissions that are undefined', { ...complete, permissions: undefined }],
    ['permissions as text', { ...complete, permissions: 'records:delete' }],
    ['an undefined permission', { ...complete, permissions: [undefined] }],
    ['a respelt workspace', { ...complete, workspaceId: 'wks3' }],
    ['a respelt permission', { ...complete, permission: 'records:delete' }],
  ]
  for (const [what, requirement] of cases)
    for (const credential of [server.token(), null])
      await t.rejects(
        authorize(verifier, credential, requirement as Requirement),
        { name: 'TypeError', message: /interface, organization, permissions\?, workspace\?/ },
        what,
      )
  // @ts-expect-error the organization is required
  await t.rejects(authorize(verifier, server.token(), { interface: 'current' }), TypeError)
  // @ts-expect-error the interface is required
  await t.rejects(authorize(verifier, server.token(), { organization: 'org1' }), TypeError)
})

t.test('JWT-17 authorize refuses another organization, whatever the token reaches', async (t) => {
  const { server, verifier } = await createScene(t)
  for (const [kind, reachesAll, make] of credentials) {
    const credential = make(server)
    const requirement = { interface: reachesAll ? 'legacy' : 'current' } as const
    const ask = (rest: Omit<Requirement, 'interface'>) =>
      authorize(verifier, credential, { ...requirement, ...rest })
    t.ok(await ask({ organization: 'org1', workspace: 'wks1' }), kind)
    const foreign = new InsufficientScope('organization')
    await t.rejects(ask({ organization: 'org2' }), foreign, kind)
    await t.rejects(ask({ organization: 'org2', workspace: 'wks1' }), foreign, kind)
    await t.rejects(ask({ organization: async () => 'org2' }), foreign, kind)
  }
})

t.test('an id can be looked up after the token is verified', async (t) => {
  const { server, verifier } = await createScene(t)
  const own: Requirement = {
    interface: 'current',
    organization: ({ access }) => access.organizationId,
  }
  t.match(await authorize(verifier, server.token(), own), { organizationId: 'org1' })
  const workspace = async () => 'wks3'
  const outside = authorize(verifier, server.token(), { ...own, workspace })
  await t.rejects(outside, new InsufficientScope('workspace'))
  for (const none of noIds) {
    const found = (() => none) as () => string
    const isOfRequest = none === null || none === '' || Array.isArray(none)
    for (const name of ['organization', 'workspace'] as const)
      await t.rejects(
        authorize(verifier, server.token(), { ...own, [name]: found }),
        isOfRequest ? new InsufficientScope(name) : TypeError,
      )
  }
  let requested = 0
  const count = () => `org${++requested}`
  await t.rejects(authorize(verifier, 'x.y', { ...own, organization: count }))
  t.equal(requested, 0, 'a refused token causes no lookup')
})

const createApi = async (t: Test) => {
  const scene = await createScene(t)
  const api = fastify()
  t.teardown(() => api.close())
  await api.register(latchkeyVerify, { verifier: scene.verifier })
  const get = (url: string) =>
    api.inject({ url, headers: { authorization: `Bearer ${scene.server.token()}` } })
  return { ...scene, api, get }
}

t.test('JWT-17 a route without an organization cannot be defined', async (t) => {
  const { api } = await createApi(t)
  const organization = 'org1'
  const cases: [what: string, requirement: unknown][] = [
    ['nothing', undefined],
    ['an empty requirement', {}],
    ['the old form', { workspace: 'wks1' }],
    ['an undefined organization', { organization: undefined }],
    ['an undefined workspace', { organization, workspace: undefined }],
    ['a respelt workspace', { organization, workspaceId: 'wks1' }],
    ['another place for the token, without the interface', { organization, token: () => null }],
    ['an undefined place for the token', { organization, token: undefined }],
  ]
  for (const [what, requirement] of cases)
    t.throws(() => api.requireToken(requirement as RouteRequirement), TypeError, what)
  // @ts-expect-error the requirement is required
  t.throws(() => api.requireToken(), TypeError)
  // @ts-expect-error the organization is required
  t.throws(() => api.requireToken({ workspace: 'wks1' }), TypeError)
  // @ts-expect-error the interface is required when the token is elsewhere
  t.throws(() => api.requireToken({ organization, token: () => null }), TypeError)
})

t.test('JWT-17 a request without an organization or workspace is refused', async (t) => {
  const { api, get } = await createApi(t)
  const named =
    (name: string) =>
    ({ request }: { request: FastifyRequest }) =>
      (request.query as Record<string, string | string[]>)[name] ?? null
  api.get(
    '/records',
    {
      preHandler: api.requireToken({
        organization: named('organization'),
        workspace: named('workspace'),
      }),
    },
    async () => 'reached',
  )
  t.equal((await get('/records?organization=org1&workspace=wks1')).body, 'reached')
  const refused = [
    '',
    '?organization=org1',
    '?workspace=wks1',
    '?organization=&workspace=wks1',
    '?organization=org1&workspace=',
    '?organization=org1&organization=org2&workspace=wks1',
    '?organization[]=org1&workspace=wks1',
    '?organization=org2&workspace=wks1',
    '?organization=org1&workspace=wks3',
    '?organization=__proto__&workspace=wks1',
  ]
  for (const query of refused) {
    const answer = await get(`/records${query}`)
    t.equal(answer.statusCode, 403, query)
    t.equal(answer.json().error, 'insufficient_scope')
  }
  t.equal((await api.inject('/records')).statusCode, 401, 'first of all a token')
})

t.test('a route can require the token’s own organization', async (t) => {
  const { api, get } = await createApi(t)
  const preHandler = api.requireToken({ organization: ({ access }) => access.organizationId })
  api.get('/mine', { preHandler }, async ({ access }) => access?.organizationId)
  t.equal((await get('/mine')).body, 'org1')
})
