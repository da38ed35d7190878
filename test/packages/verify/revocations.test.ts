// Runs alone: it replaces Date.now for a while.
/** Feed entries apply from the next verification on. */
import t, { type Test } from 'tap'
import type { Access } from '../../../packages/verify/src/verify.ts'
import { eventually } from '../../support/eventually.ts'
import { keySetAnswer, type Told } from '../../support/scripted-server.ts'
import { createScene, outcomeOf } from './scene.ts'

const legacy = { interface: 'legacy', permissions: ['readData'], workspace_ids: undefined }
const install = { kind: 'install', sub: 'app1', grant_id: undefined }
const asInstalled = { active: true, permissions: ['records:create'], workspace_ids: ['wks2'] }

type Case = [
  what: string,
  token: Record<string, unknown>,
  changes: Told[],
  outcome: string | Partial<Access>,
]

const all = { permissions: ['records:create', 'records:update'], workspaceIds: ['wks1', 'wks2'] }
const connection = { user_id: 'usr1', client_id: 'app1' }
const outside = { type: 'install_member', id: 'ins1', user_id: 'usr1' }
const throughActors = {
  act: { client_id: 'app8', act: { client_id: 'app9' } },
  delegation: [
    { install_id: 'ins8', app_epoch: 0, subject_jti: 'jti8' },
    { install_id: 'ins9', app_epoch: 0, subject_jti: 'jti9' },
  ],
}
const refused = (reason: string) => `token-invalid: ${reason}`

const cases: Case[] = [
  ['grant', {}, [{ type: 'grant', id: 'grn1' }], refused('grant_revoked')],
  ['another grant', {}, [{ type: 'grant', id: 'grn2' }], all],
  [
    'connection',
    {},
    [{ type: 'connection', id: 'org1', ...connection, epoch: 1, active: true }],
    refused('grant_revoked'),
  ],
  [
    'connection, created afterwards',
    { connection_epoch: 1 },
    [{ type: 'connection', id: 'org1', ...connection, epoch: 1, active: true }],
    all,
  ],
  [
    'connection of another app',
    {},
    [{ type: 'connection', id: 'org1', ...connection, client_id: 'app2', epoch: 1, active: true }],
    all,
  ],
  [
    'workspace whose id is used again: not for earlier tokens',
    { iat: 1_000_000 },
    [{ type: 'workspace', id: 'wks1', active: true, since: 1_000_001 }],
    { workspaceIds: ['wks2'] },
  ],
  [
    'workspace whose id is used again: for later tokens',
    {},
    [{ type: 'workspace', id: 'wks1', active: true, since: 1_000_001 }],
    all,
  ],
  ['token', { jti: 'j1' }, [{ type: 'token', id: 'j1' }], refused('token_revoked')],
  ['another token', { jti: 'j1' }, [{ type: 'token', id: 'j2' }], all],

  ['install', {}, [{ type: 'install', id: 'ins1' }], refused('install_inactive')],
  [
    'install, install token',
    install,
    [{ type: 'install', id: 'ins1' }],
    refused('install_inactive'),
  ],
  ['install, legacy', legacy, [{ type: 'install', id: 'ins1' }], refused('install_inactive')],
  ['a token without an install', { install_id: undefined }, [{ type: 'install', id: 'ins1' }], all],
  [
    'install narrowed',
    {},
    [{ type: 'install', id: 'ins1', ...asInstalled }],
    { permissions: ['records:create'], workspaceIds: ['wks2'] },
  ],
  [
    'install narrowed, install token',
    install,
    [{ type: 'install', id: 'ins1', ...asInstalled }],
    { permissions: ['records:create'], workspaceIds: ['wks2'] },
  ],
  [
    'install narrowed, legacy: there are no workspaces to remove',
    { ...legacy, permissions: ['readData', 'insertData'] },
    [{ type: 'install', id: 'ins1', ...asInstalled, permissions: ['readData'] }],
    { permissions: ['readData'], workspaceIds: null },
  ],
  [
    'install widened: a token gains nothing',
    { permissions: ['records:create'], workspace_ids: ['wks1'] },
    [
      {
        type: 'install',
        id: 'ins1',
        active: true,
        permissions: ['records:create', 'records:delete'],
        workspace_ids: null,
      },
    ],
    { permissions: ['records:create'], workspaceIds: ['wks1'] },
  ],
  [
    'install suspended and resumed',
    {},
    [
      { type: 'install', id: 'ins1' },
      { type: 'install', id: 'ins1', ...asInstalled },
    ],
    { permissions: ['records:create'], workspaceIds: ['wks2'] },
  ],

  ['app', {}, [{ type: 'app', id: 'app1', permissions: [], epoch: 0 }], refused('app_inactive')],
  [
    'app inactive: later entries make no difference',
    {},
    [{ type: 'app', id: 'app1', epoch: 0 }],
    refused('app_inactive'),
  ],
  [
    'app narrowed',
    {},
    [{ type: 'app', id: 'app1', active: true, permissions: ['records:update'], epoch: 0 }],
    { permissions: ['records:update'] },
  ],
  [
    'app and install narrowed',
    {},
    [
      { type: 'app', id: 'app1', active: true, permissions: ['records:update'], epoch: 0 },
      { type: 'install', id: 'ins1', ...asInstalled },
    ],
    { permissions: [], workspaceIds: ['wks2'] },
  ],
  [
    'app of a later epoch',
    { app_epoch: 1 },
    [{ type: 'app', id: 'app1', active: true, permissions: all.permissions, epoch: 2 }],
    refused('app_inactive'),
  ],
  [
    'app of the same epoch',
    { app_epoch: 2 },
    [{ type: 'app', id: 'app1', active: true, permissions: all.permissions, epoch: 2 }],
    all,
  ],
  [
    'app of the first epoch, an earlier token',
    { app_epoch: undefined },
    [{ type: 'app', id: 'app1', active: true, permissions: all.permissions, epoch: 1 }],
    refused('app_inactive'),
  ],

  ['user', {}, [{ type: 'user', id: 'usr1', epoch: 0 }], refused('user_inactive')],
  ['user, of an install token', install, [{ type: 'user', id: 'app1', epoch: 9 }], all],
  [
    'user of a later epoch',
    {},
    [{ type: 'user', id: 'usr1', active: true, epoch: 1 }],
    refused('user_inactive'),
  ],
  [
    'user of the same epoch',
    { user_epoch: 1 },
    [{ type: 'user', id: 'usr1', active: true, epoch: 1 }],
    all,
  ],

  ['member', {}, [{ type: 'member', id: 'org1', user_id: 'usr1' }], refused('not_a_member')],
  ['member elsewhere', {}, [{ type: 'member', id: 'org2', user_id: 'usr1' }], all],
  ['another member', {}, [{ type: 'member', id: 'org1', user_id: 'usr2' }], all],
  ['member, of an install token', install, [{ type: 'member', id: 'org1', user_id: 'app1' }], all],
  [
    'member who left and rejoined',
    {},
    [
      { type: 'member', id: 'org1', user_id: 'usr1' },
      { type: 'member', id: 'org1', user_id: 'usr1', active: true },
    ],
    all,
  ],

  ['outside the audience', {}, [outside], refused('not_in_audience')],
  ['outside the audience, legacy', legacy, [outside], refused('not_in_audience')],
  ['outside the audience of another install', {}, [{ ...outside, id: 'ins2' }], all],
  ['another user outside the audience', {}, [{ ...outside, user_id: 'usr2' }], all],
  ['outside the audience, a token without an install', { install_id: undefined }, [outside], all],
  [
    'outside the audience, of an install token',
    install,
    [outside, { ...outside, user_id: 'app1' }],
    all,
  ],
  ['outside the audience and inside again', {}, [outside, { ...outside, active: true }], all],
  [
    'inside the audience and outside again',
    {},
    [{ ...outside, active: true }, outside],
    refused('not_in_audience'),
  ],
  [
    'outside the audience of an actor',
    throughActors,
    [{ ...outside, id: 'ins8' }],
    refused('not_in_audience'),
  ],
  [
    'outside the audience of an earlier actor',
    throughActors,
    [{ ...outside, id: 'ins9' }],
    refused('not_in_audience'),
  ],
  [
    'outside the audience of an actor and inside again',
    throughActors,
    [
      { ...outside, id: 'ins9' },
      { ...outside, id: 'ins9', active: true },
    ],
    all,
  ],

  [
    'workspace member',
    {},
    [{ type: 'workspace_member', id: 'wks1', user_id: 'usr1' }],
    { workspaceIds: ['wks2'] },
  ],
  ['another workspace member', {}, [{ type: 'workspace_member', id: 'wks1', user_id: 'u' }], all],
  [
    'workspace member, of an install token',
    install,
    [{ type: 'workspace_member', id: 'wks1', user_id: 'app1' }],
    all,
  ],
  ['workspace', {}, [{ type: 'workspace', id: 'wks1' }], { workspaceIds: ['wks2'] }],
  [
    'workspace, install token',
    install,
    [{ type: 'workspace', id: 'wks2' }],
    { workspaceIds: ['wks1'] },
  ],
  ['workspace, legacy', legacy, [{ type: 'workspace', id: 'wks1' }], { workspaceIds: null }],
  ['organization', {}, [{ type: 'organization', id: 'org1' }], refused('organization_inactive')],
  [
    'organization, install token',
    install,
    [{ type: 'organization', id: 'org1' }],
    refused('organization_inactive'),
  ],
  ['another organization', {}, [{ type: 'organization', id: 'org2' }], all],

  ['a type of a later version', {}, [{ type: 'planet', id: 'usr1', until: 'later' }], all],
  ['a name of every object', {}, [{ type: 'constructor', id: 'usr1' }], all],
]

t.test('each change applies, whether read at the start or later', async (t) => {
  for (const [what, part, changes, outcome] of cases) {
    const check = async (verifying: Promise<Access>, when: string) => {
      if (typeof outcome === 'string') t.equal(await outcomeOf(verifying), outcome, what + when)
      else t.match(await verifying, outcome, what + when)
    }
    const told = await createScene(t, {}, (server) => server.tell(...changes))
    await check(told.verifier.verify(told.server.token(part)), ', told before')

    const { server, verifier } = await createScene(t)
    const token = server.token(part)
    await verifier.verify(token)
    // The last entry applies after all earlier ones.
    const last = server.token({ grant_id: 'last', organization_id: 'another' })
    await verifier.verify(last)
    server.tell(...changes, { type: 'grant', id: 'last' })
    await eventually(
      async () => (await outcomeOf(verifier.verify(last))) === refused('grant_revoked'),
    )
    await check(verifier.verify(token), ', told later')
    await told.verifier.close()
    await verifier.close()
  }
})

t.test('a new start of the feed replaces everything', async (t) => {
  const { server, verifier } = await createScene(t, {}, (one) =>
    one.tell({ type: 'grant', id: 'g1' }),
  )
  const [first, second] = [server.token({ grant_id: 'g1' }), server.token({ grant_id: 'g2' })]
  t.equal(await outcomeOf(verifier.verify(first)), refused('grant_revoked'))
  t.equal(await outcomeOf(verifier.verify(second)), 'user')
  server.reset({ type: 'grant', id: 'g2' })
  await eventually(async () => (await outcomeOf(verifier.verify(first))) === 'user')
  t.equal(await outcomeOf(verifier.verify(second)), refused('grant_revoked'))
})

t.test('a start in several responses applies when it is complete', async (t) => {
  const { server, verifier } = await createScene(t, {}, (one) =>
    one.tell({ type: 'grant', id: 'g1' }),
  )
  const first = server.token({ grant_id: 'g1' })
  const second = server.token({ grant_id: 'g2' })
  t.equal(await outcomeOf(verifier.verify(first)), refused('grant_revoked'))
  t.equal(await outcomeOf(verifier.verify(second)), 'user')

  const until = 9_999_999_999
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const pages = [
    { reset: true, more: true, changes: [{ type: 'grant', id: 'g2', active: false, until }] },
    { reset: false, more: true, changes: [] },
    { reset: false, more: false, changes: [{ type: 'grant', id: 'g3', active: false, until }] },
  ]
  let page = 0
  server.script = async ({ path }) => {
    if (path !== '/api/oauth/revocations') return null
    if (page === 2) await held
    if (page === pages.length) return new Promise(() => {})
    return { body: { cursor: `p${page}`, ...pages[page++] } }
  }
  server.tell({ type: 'grant', id: 'unheard' })
  await eventually(() => page === 2)
  t.equal(
    await outcomeOf(verifier.verify(first)),
    refused('grant_revoked'),
    'the old state applies',
  )
  t.equal(await outcomeOf(verifier.verify(second)), 'user', 'the new one does not yet')
  release()
  await eventually(async () => (await outcomeOf(verifier.verify(second))) !== 'user')
  t.equal(await outcomeOf(verifier.verify(first)), 'user')
  t.equal(
    await outcomeOf(verifier.verify(server.token({ grant_id: 'g3' }))),
    refused('grant_revoked'),
  )
})

t.test('an entry is dropped only when it can no longer affect a token', async (t) => {
  let time = 2_000_000_000
  const { server, verifier } = await createScene(t, { now: () => time * 1000 })
  const tell = async (id: string) => {
    const token = server.token({ grant_id: id, iat: time, exp: time + 1000 })
    server.tell({ type: 'grant', id, until: time + 1000 })
    await eventually(async () => (await outcomeOf(verifier.verify(token))) !== 'user')
    return token
  }
  const first = await tell('g1')
  time += 1029
  await tell('g2')
  t.equal(
    await outcomeOf(verifier.verify(first)),
    refused('grant_revoked'),
    'tolerated, not revived',
  )
})

/** The system clock, with this offset. */
const setClock = (t: Test) => {
  const { now } = Date
  const clock = { ahead: 0 }
  Date.now = () => now() + clock.ahead * 1000
  t.teardown(() => {
    Date.now = now
  })
  return clock
}

t.test('a clock that is temporarily fast drops nothing', async (t) => {
  const clock = setClock(t)
  const { server, verifier } = await createScene(t)
  const end = Math.floor(Date.now() / 1000) + 1000
  const tell = async (id: string, exp: number) => {
    const token = server.token({ grant_id: id, exp })
    server.tell({ type: 'grant', id, until: exp })
    await eventually(
      async () => (await outcomeOf(verifier.verify(token))) === refused('grant_revoked'),
    )
    return token
  }
  const first = await tell('g1', end)
  clock.ahead = 7200
  t.equal(await outcomeOf(verifier.verify(first)), refused('expired'))
  await tell('g2', end + 7200)
  await tell('g3', end + 7200)
  clock.ahead = 0
  t.equal(await outcomeOf(verifier.verify(first)), refused('grant_revoked'))
  await tell('g4', end)
  t.equal(await outcomeOf(verifier.verify(first)), refused('grant_revoked'))
})

t.test('a clock that was fast from the start causes a new read of the feed', async (t) => {
  const clock = setClock(t)
  clock.ahead = 7200
  const { server, verifier } = await createScene(t)
  const beginnings = () =>
    server.seen.filter(
      ({ path, query }) => path === '/api/oauth/revocations' && !query.has('cursor'),
    ).length
  t.equal(await outcomeOf(verifier.verify(server.token())), 'user')
  t.equal(beginnings(), 1)
  clock.ahead = 0
  server.tell({ type: 'grant', id: 'g1' })
  await eventually(() => beginnings() === 2)
  const turns = server.count('/api/oauth/revocations')
  server.tell({ type: 'grant', id: 'g2' })
  await eventually(() => server.count('/api/oauth/revocations') > turns + 1)
  t.equal(beginnings(), 2, 'once')
})

t.test('a changed key set is introspected again at once', async (t) => {
  const { server, verifier } = await createScene(t, { introspectionCache: { active: 60 } })
  server.known.set('lkks_secret', keySetAnswer())
  server.known.set('lkks_another', keySetAnswer({ client_id: 'kcl2' }))
  await verifier.verify(server.token())
  for (const one of ['lkks_secret', 'lkks_another', 'lkks_secret', 'lkks_another'])
    await verifier.verify(one)
  t.equal(server.count('/api/oauth/introspect'), 2)
  server.known.clear()
  server.tell({ type: 'key_set', id: 'kcl1', active: true })
  await eventually(
    async () => (await outcomeOf(verifier.verify('lkks_secret'))) === refused('inactive'),
  )
  t.equal(await outcomeOf(verifier.verify('lkks_another')), 'key_set', 'the other one is cached')
  server.tell({ type: 'organization', id: 'org1' })
  await eventually(
    async () =>
      (await outcomeOf(verifier.verify('lkks_another'))) === refused('organization_inactive'),
  )
})

t.test('a response that was under way during a change is not cached', async (t) => {
  const { server, verifier } = await createScene(t, { introspectionCache: { active: 60 } })
  const signal = server.token({ grant_id: 'signal' })
  await verifier.verify(signal)
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  server.script = async ({ path }) => {
    if (path !== '/api/oauth/introspect') return null
    await held
    return { body: keySetAnswer() }
  }
  const early = verifier.verify('lkks_secret')
  await eventually(() => server.count('/api/oauth/introspect') === 1)
  server.tell({ type: 'key_set', id: 'kcl1', active: false }, { type: 'grant', id: 'signal' })
  await eventually(async () => (await outcomeOf(verifier.verify(signal))) !== 'user')
  server.script = null
  t.equal(
    await outcomeOf(verifier.verify('lkks_secret')),
    refused('inactive'),
    'it is introspected again',
  )
  release()
  await early
  await eventually(
    async () => (await outcomeOf(verifier.verify('lkks_secret'))) === refused('inactive'),
  )
})

t.test('handles many changes and many tokens at once', async (t) => {
  const { server, verifier } = await createScene(t)
  const tokens = Array.from({ length: 500 }, (_, at) => server.token({ grant_id: `g${at}` }))
  const outcomes = () => Promise.all(tokens.map((token) => outcomeOf(verifier.verify(token))))
  t.same([...new Set(await outcomes())], ['user'])
  for (let at = 0; at < 500; at += 2) server.tell({ type: 'grant', id: `g${at}` })
  await eventually(async () => (await outcomes())[498] === refused('grant_revoked'))
  t.same(
    await outcomes(),
    tokens.map((_, at) => (at % 2 === 0 ? refused('grant_revoked') : 'user')),
  )
})

t.test('a feed about some organizations makes the tokens of others invalid', async (t) => {
  const { server, verifier } = await createScene(t)
  const own = server.token()
  const foreign = server.token({ organization_id: 'org2' })
  t.match(await verifier.verify(foreign), { organizationId: 'org2' })
  server.serve('org1')
  await eventually(
    async () => (await outcomeOf(verifier.verify(foreign))) === refused('organization_not_served'),
  )
  t.match(await verifier.verify(own), { organizationId: 'org1' })
  t.equal(
    await outcomeOf(verifier.verify(server.token({ organization_id: 'org3' }))),
    refused('organization_not_served'),
  )
})
