import t from 'tap'
import type { App } from '../../../src/core/clients/app.ts'
import { defaultSettings } from '../../../src/core/clients/app-settings.ts'
import {
  type Person,
  type SimulationInput,
  simulate,
} from '../../../src/core/inspection/simulation-rules.ts'
import { vocabulary } from '../../../src/core/language/permissions.ts'

const app: App = {
  ...defaultSettings,
  clientId: 'app1',
  name: 'App',
  interface: 'current',
  clientType: 'confidential',
  redirectUris: [],
  permissions: ['records:create', 'records:update', 'records:delete', 'teams:read'],
  logoDigest: null,
  admitted: false,
  familiesEpoch: 0,
}
const install = {
  permissions: ['records:create', 'records:update', 'teams:read'],
  workspaceIds: ['w1', 'w2', 'w3'],
  paused: null,
  keptOut: null,
}
const consent = {
  offered: ['records:create', 'records:update'],
  permissions: ['records:create'],
  workspaceIds: ['w1', 'w3', 'w4'],
  offeredWorkspaceIds: null,
  openidScopes: [],
}
const person: Person = { isDisabled: false, isMember: true, consent }
const situation: SimulationInput = {
  app,
  lifetime: 3600,
  install,
  person,
  workspaces: ['w1', 'w2', 'w3', 'w4'].map((id) => ({ id, name: id, isMember: id !== 'w3' })),
}
const everything = { scope: undefined, workspaceIds: undefined }
const run = (
  part: Partial<SimulationInput> = {},
  requested: Partial<typeof everything> | object = {},
) =>
  simulate(
    { ...situation, ...part },
    { ...everything, ...requested },
    vocabulary[part.app?.interface ?? 'current'],
  )

t.test(
  'a simulation for a user gives the approved permissions, and reasons for the missing ones',
  async (t) => {
    const result = run()
    t.same(result.obstacles, [])
    t.same(result.token, {
      permissions: ['records:create'],
      workspaceIds: ['w1'],
      openidScopes: [],
    })
    const why = Object.fromEntries(result.permissions.map((one) => [one.permission, one.because]))
    t.match(why, {
      'records:create': 'granted',
      'records:update': 'withheld_by_user',
      'records:delete': 'not_approved_by_admin',
      'teams:read': 'consent_missing',
      'documents:read': 'not_asked_by_app',
    })
    t.same(
      result.workspaces?.map(({ because }) => because),
      ['granted', 'withheld_by_user', 'not_a_member', 'not_approved_by_admin'],
    )
    t.equal(result.wouldAskAgain, true, 'teams:read was approved after the user was asked')
  },
)

t.test('a workspace that was never offered is not reported as withheld', async (t) => {
  const said = { ...consent, workspaceIds: ['w1'] }
  const approved = { ...install, permissions: said.offered }
  const requested = (offeredWorkspaceIds: string[] | null) =>
    run({
      install: approved,
      person: { ...person, consent: { ...said, offeredWorkspaceIds } },
    })
  const [part, all] = [requested(['w1']), requested(null)]
  t.equal(part.workspaces?.[1]?.because, 'consent_missing')
  t.equal(part.wouldAskAgain, true)
  t.equal(all.workspaces?.[1]?.because, 'withheld_by_user')
  t.equal(all.wouldAskAgain, false)
})

t.test('a simulation for the app itself depends on the install alone', async (t) => {
  const result = run({ person: null })
  t.same(result.token, {
    permissions: install.permissions,
    workspaceIds: ['w1', 'w2', 'w3'],
    openidScopes: [],
  })
  t.equal(result.wouldAskAgain, false)
})

t.test('a simulated request may ask for less, or for too much', async (t) => {
  const less = run({ person: null }, { scope: 'teams:read', workspaceIds: 'w2' })
  t.same(less.token, { permissions: ['teams:read'], workspaceIds: ['w2'], openidScopes: [] })
  t.equal(less.permissions[0]?.because, 'left_out_by_request')
  t.equal(less.workspaces?.[0]?.because, 'left_out_by_request')
  const cases: [string, object][] = [
    ['permission_not_approved', { scope: 'records:delete' }],
    ['workspace_not_approved', { workspaceIds: 'w2' }],
    ['unknown_permission', { scope: 'readData' }],
    ['malformed', { scope: ' ' }],
    ['malformed', { workspaceIds: '' }],
  ]
  for (const [reason, requested] of cases) {
    const { obstacles, token } = run({}, requested)
    t.same(obstacles, [reason], JSON.stringify(requested))
    t.equal(token, null)
  }
})

t.test('reasons for no token are listed in order', async (t) => {
  const cases: [string[], Partial<SimulationInput>][] = [
    [['app_disabled'], { app: { ...app, disabled: true } }],
    [['public_client'], { app: { ...app, clientType: 'public' }, person: null }],
    [['legacy_interface'], { app: { ...app, interface: 'legacy' }, person: null }],
    [['user_disabled'], { person: { ...person, isDisabled: true } }],
    [['user_left'], { person: { ...person, isMember: false } }],
    [['not_installed'], { install: null }],
    [['denied'], { install: { ...install, keptOut: 'denied' } }],
    [['install_suspended'], { install: { ...install, paused: 'install_suspended' } }],
    [['consent_missing'], { person: { ...person, consent: null } }],
    [
      ['app_disabled', 'user_left', 'not_installed'],
      { app: { ...app, disabled: true }, install: null, person: { ...person, isMember: false } },
    ],
  ]
  for (const [obstacles, part] of cases) {
    const result = run(part)
    t.same(result.obstacles, obstacles)
    t.equal(result.token, null)
  }
})

t.test('the legacy interface has no workspaces', async (t) => {
  const legacy = { ...app, interface: 'legacy', permissions: ['readData'] } as const
  const approved = { ...install, permissions: ['readData'] }
  const said = { ...consent, offered: ['readData'], permissions: ['readData'] }
  const result = run({
    app: { ...legacy, permissions: [...legacy.permissions] },
    install: approved,
    person: { ...person, consent: said },
  })
  t.same(result.token, { permissions: ['readData'], workspaceIds: null, openidScopes: [] })
  t.equal(result.workspaces, null)
})
