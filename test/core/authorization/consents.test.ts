import t from 'tap'
import type { Step } from '../../../src/core/authorization/consent-steps.ts'
import { createConsents } from '../../../src/core/authorization/consents.ts'
import type {
  AppInOrganization,
  AuthenticatedUser,
  Pending,
} from '../../../src/core/authorization/places.ts'
import type { ConsentAnswer } from '../../../src/core/authorization/requests.ts'
import { createStandings } from '../../../src/core/authorization/standing.ts'
import type { App } from '../../../src/core/clients/app.ts'
import { createTargets } from '../../../src/core/clients/targets.ts'
import { onEachStores } from '../../support/open-stores.ts'
import { sql } from '../../support/traces.ts'

// Kim is an admin of Acme; Ana is a member of Acme and of the other organization; Ole has no
// organization.
const world = `
  insert into users (id, email, name) values
    ('kim', 'kim@acme.test', 'Kim'), ('ana', 'ana@acme.test', 'Ana'), ('eve', 'eve@acme.test', 'Eve'),
    ('ole', 'ole@acme.test', 'Ole'), ('ivy', 'ivy@acme.test', 'Ivy'), ('joe', 'joe@acme.test', 'Joe');
  insert into organizations (id, name) values ('acme', 'Acme'), ('other', 'Other');
  insert into members (organization_id, user_id, role) values
    ('acme', 'kim', 'admin'), ('acme', 'ana', 'member'), ('acme', 'eve', 'member'),
    ('acme', 'ivy', 'member'), ('acme', 'joe', 'member'), ('other', 'ana', 'member');
  insert into workspaces (id, organization_id, name) values
    ('sales', 'acme', 'Sales'), ('support', 'acme', 'Support'), ('finance', 'acme', 'Finance'),
    ('elsewhere', 'other', 'Elsewhere');
  insert into workspace_members (workspace_id, user_id) values
    ('sales', 'ana'), ('support', 'ana'), ('sales', 'eve'), ('support', 'eve'), ('elsewhere', 'ana'),
    ('sales', 'ivy'), ('support', 'ivy'), ('sales', 'joe'), ('support', 'joe');
  insert into apps (client_id, name, interface, client_type, redirect_uris, permissions) values
    ('app', 'App', 'current', 'confidential', '{}', '{records:create,records:update,records:delete}'),
    ('fresh', 'Fresh', 'current', 'confidential', '{}', '{records:create}'),
    ('asleep', 'Asleep', 'current', 'confidential', '{}', '{records:create}'),
    ('native', 'Native', 'current', 'public', '{}', '{records:create}'),
    ('legacy', 'Legacy', 'legacy', 'confidential', '{}', '{readData,insertData}');
  insert into installs (id, organization_id, client_id, permissions, workspace_ids, installed_by, suspended_at)
  values
    ('i-app', 'acme', 'app', '{records:create,records:update}', null, 'kim', null),
    ('i-asleep', 'acme', 'asleep', '{records:create}', null, null, now()),
    ('i-native', 'acme', 'native', '{records:create}', '{sales,finance}', 'kim', null),
    ('i-legacy', 'acme', 'legacy', '{readData}', null, null, null);
  insert into installs (id, organization_id, client_id, permissions, ended_at) values
    ('i-ended', 'acme', 'fresh', '{records:create}', now());`

// Eve has approved one permission of two, in Sales only.
const remembered = `
  insert into consents (user_id, organization_id, client_id, install_id, offered, permissions, workspace_ids)
  values
    ('eve', 'acme', 'app', 'i-app', '{records:create,records:update}', '{records:create}', '{sales}'),
    ('eve', 'acme', 'native', 'i-native', '{records:create}', '{records:create}', null),
    ('eve', 'acme', 'fresh', 'i-ended', '{records:create}', '{records:create}', null),
    ('eve', 'acme', 'legacy', 'i-legacy', '{readData}', '{readData}', null);
  insert into apps (client_id, name, interface, client_type, redirect_uris, permissions, openid) values
    ('wiki', 'Wiki', 'current', 'confidential', '{}', '{}', true);
  insert into installs (id, organization_id, client_id, permissions) values ('i-wiki', 'acme', 'wiki', '{}');
  insert into consents (user_id, organization_id, client_id, install_id, offered, permissions, openid_scopes)
  values ('eve', 'acme', 'wiki', 'i-wiki', '{}', '{}', '{openid,email}');`

const identity = { nonce: 'n', maxAge: null, expectedUser: null }

const began = Date.now() + 60_000 // after everything was installed
const signed = (userId: string): AuthenticatedUser => ({
  userId,
  credentialsEpoch: 0,
  authenticatedAt: began + 1,
  methods: ['password'],
})
const requested = (app: App, part: Partial<Pending>): Pending => ({
  interface: app.interface,
  clientId: app.clientId,
  redirectUri: 'https://app.example/cb',
  responseType: 'code',
  state: null,
  permissions: null,
  workspaceIds: null,
  organizationHint: null,
  loginHint: null,
  prompts: [],
  codeChallenge: null,
  webMessage: null,
  createdAt: began,
  ...part,
})

await onEachStores(t, 'the next step', async (t, stores, setup) => {
  await sql(setup, world)
  await sql(setup, remembered)
  const consents = createConsents(
    stores.consents,
    createTargets({ store: stores.resourceServers, defaultAudience: 'https://auth.example' }),
    { find: () => null },
    () => began + 5,
  )
  const next = async (clientId: string, userId: string | null, part: Partial<Pending>) => {
    const app = (await consents.findApp(clientId)) as App
    return consents.next(requested(app, part), app, userId ? signed(userId) : null)
  }
  const ids = (step: Step) =>
    'workspaces' in step && step.workspaces.map((one) => one.id).toSorted()
  const hint = { organizationHint: 'acme' }
  const choose = { kind: 'choose_organization' }
  const consent = { kind: 'consent' }
  const approved = (part: object) => ({ kind: 'answered', answer: { kind: 'approved', ...part } })
  const refused = (error: string) => ({ kind: 'answered', answer: { kind: 'refused', error } })

  const cases: [string, string, string | null, Partial<Pending>, object][] = [
    ['nobody is signed in', 'app', null, {}, { kind: 'sign_in' }],
    ['signed in, and signs in again', 'app', 'ana', { ...hint, prompts: ['login'] }, consent],
    [
      'the sign-in is older than the request that demands one',
      'app',
      'ana',
      { prompts: ['login'], createdAt: began + 10 },
      { kind: 'sign_in' },
    ],
    [
      'a request that has not started',
      'app',
      'ana',
      { prompts: ['login'], createdAt: undefined as never },
      { kind: 'sign_in' },
    ],

    ['two organizations', 'app', 'ana', {}, { ...choose, hintRefused: false }],
    ['none at all', 'app', 'ole', {}, { ...choose, memberships: [] }],
    ['one is no choice', 'app', 'kim', {}, consent],
    ['unless a choice is asked for', 'app', 'kim', { prompts: ['select_account'] }, choose],
    [
      'the named organization',
      'app',
      'ana',
      hint,
      { ...consent, membership: { organizationId: 'acme' } },
    ],
    [
      'a foreign organization was named',
      'app',
      'kim',
      { organizationHint: 'other' },
      { ...choose, hintRefused: true },
    ],
    [
      'an unknown organization was named',
      'app',
      'kim',
      { organizationHint: '\0' },
      { ...choose, hintRefused: true },
    ],
    ['chosen on the page', 'app', 'ana', { organizationId: 'acme' }, consent],
    [
      'the choice on the page has priority',
      'app',
      'ana',
      { organizationId: 'acme', organizationHint: 'other' },
      consent,
    ],

    [
      'not installed, an admin',
      'fresh',
      'kim',
      {},
      { kind: 'install', offered: ['records:create'] },
    ],
    [
      'not installed, a member',
      'fresh',
      'ana',
      hint,
      { kind: 'ask_admin', admins: ['Kim'], offered: ['records:create'] },
    ],
    [
      'no admin there',
      'app',
      'ana',
      { organizationHint: 'other' },
      { kind: 'ask_admin', admins: [] },
    ],
    ['a consent of an ended install is none', 'fresh', 'eve', {}, { kind: 'ask_admin' }],
    ['suspended', 'asleep', 'kim', {}, { kind: 'paused', reason: 'install_suspended' }],

    [
      'a first consent: the requested and approved permissions',
      'app',
      'ana',
      hint,
      {
        ...consent,
        offered: ['records:create', 'records:update'],
        before: null,
        workspaceTotal: 3,
        canSwitch: true,
      },
    ],
    [
      'less is asked for',
      'app',
      'ana',
      { ...hint, permissions: ['records:update'] },
      { offered: ['records:update'] },
    ],
    [
      'only approved permissions are requested',
      'app',
      'ana',
      { ...hint, permissions: ['records:delete'] },
      { ...consent, offered: [] },
    ],

    [
      'a remembered consent: the ticked permissions, without a page',
      'app',
      'eve',
      {},
      approved({
        permissions: ['records:create'],
        workspaceIds: ['sales'],
        installId: 'i-app',
        userId: 'eve',
      }),
    ],
    [
      'less than before',
      'app',
      'eve',
      { permissions: ['records:update'] },
      approved({ permissions: [] }),
    ],
    [
      'one of those workspaces',
      'app',
      'eve',
      { workspaceIds: ['sales'] },
      approved({ workspaceIds: ['sales'] }),
    ],
    ['another workspace by name is new', 'app', 'eve', { workspaceIds: ['support'] }, consent],
    [
      'the user must be asked',
      'app',
      'eve',
      { prompts: ['consent'] },
      { ...consent, before: { permissions: ['records:create'] } },
    ],
    [
      'the receiver is not verified',
      'native',
      'eve',
      { redirectUri: 'com.example.app:/cb' },
      consent,
    ],
    ['nor on loopback', 'native', 'eve', { redirectUri: 'http://127.0.0.1:5000/cb' }, consent],
    [
      'a platform page verifies the origin that frames it',
      'native',
      'eve',
      {
        redirectUri: 'http://127.0.0.1:5000/cb',
        webMessage: { origin: 'http://127.0.0.1:5000', platform: 'https://platform.example' },
      },
      approved({ workspaceIds: null }),
    ],
    [
      'a page that asks for itself is not verified',
      'native',
      'eve',
      {
        redirectUri: 'http://127.0.0.1:5000/cb',
        webMessage: { origin: 'http://127.0.0.1:5000', platform: null },
      },
      consent,
    ],
    ['a claimed https address', 'native', 'eve', {}, approved({ workspaceIds: null })],

    [
      'a workspace of which the user is not a member',
      'app',
      'ana',
      { ...hint, workspaceIds: ['finance'] },
      refused('invalid_scope'),
    ],
    [
      'a foreign workspace',
      'app',
      'ana',
      { ...hint, workspaceIds: ['elsewhere'] },
      refused('invalid_scope'),
    ],
    [
      'a workspace that was not approved',
      'native',
      'ana',
      { ...hint, workspaceIds: ['support'] },
      refused('invalid_scope'),
    ],
    [
      'an unknown workspace',
      'app',
      'ana',
      { ...hint, workspaceIds: ['sales', 'none'] },
      refused('invalid_scope'),
    ],

    [
      'legacy, named and approved there',
      'legacy',
      'ana',
      hint,
      approved({ permissions: ['readData'], workspaceIds: null }),
    ],
    ['legacy, not named', 'legacy', 'kim', {}, consent],
    ['legacy, to be asked', 'legacy', 'ana', { ...hint, prompts: ['consent'] }, consent],
    [
      'legacy, approved only after the request',
      'legacy',
      'ana',
      { ...hint, createdAt: 1 },
      consent,
    ],
    ['legacy, remembered', 'legacy', 'eve', {}, approved({ permissions: ['readData'] })],
    ['current, named and approved there', 'app', 'ana', hint, consent],

    [
      'the user agreed to share their identity',
      'wiki',
      'eve',
      { openid: { ...identity, scopes: ['openid'] } },
      approved({
        openidScopes: ['openid'],
        signIn: {
          nonce: 'n',
          authenticatedAt: Math.floor((began + 1) / 1000),
          methods: ['password'],
        },
      }),
    ],
    [
      'a further identity scope is new',
      'wiki',
      'eve',
      { openid: { ...identity, scopes: ['openid', 'profile'] } },
      {
        ...consent,
        openidScopes: ['openid', 'profile'],
        before: { openidScopes: ['openid', 'email'] },
      },
    ],
    ['no request about it', 'wiki', 'eve', {}, approved({ openidScopes: [], signIn: null })],
    [
      'an app that lost its OpenID permission',
      'app',
      'eve',
      { openid: { ...identity, scopes: ['openid'] } },
      approved({ openidScopes: [] }),
    ],
    [
      'a sign-in that is too old',
      'wiki',
      'eve',
      { createdAt: began + 10_000, openid: { ...identity, scopes: ['openid'], maxAge: 5 } },
      { kind: 'sign_in' },
    ],
    [
      'before any page, at this time',
      'wiki',
      'eve',
      { createdAt: undefined as never, openid: { ...identity, scopes: ['openid'], maxAge: 0 } },
      { kind: 'sign_in' },
    ],
    [
      'the expected user signed in for this request',
      'wiki',
      'eve',
      { openid: { ...identity, scopes: ['openid'], expectedUser: 'ana' } },
      refused('login_required'),
    ],
  ]
  t.test('is one of these', async (t) => {
    for (const [what, clientId, userId, part, expected] of cases)
      t.match(await next(clientId, userId, part), expected, what)
  })

  t.test('a decision without a page is the same, read in one query', async (t) => {
    await sql(
      setup,
      `insert into sessions (id, lineage_hash, token_hash, user_id, credentials_epoch, sessions_epoch,
         methods, passkey_ids, authenticated_at, expires_at)
       select id, id, id, id, 0, 0, '{password}', '{}', $1, now() + interval '1 hour' from users`,
      [began + 1],
    )
    const sessions = {
      keyOf: (token: string) => ({ lineageHash: token, tokenHash: token, idle: 0 }),
      accept: () => true,
    }
    const standings = createStandings({ store: stores.standings, sessions })
    // Which page an organization without the app needs depends on the user's role, which is read for the page.
    const pageOf = ({ kind }: { kind: string }) => (kind === 'install' ? 'ask_admin' : kind)
    const answerOf = (step: Step<AppInOrganization>) => {
      if (step.kind !== 'answered') return null
      const { grantId, connectionEpoch, ...answer } = { ...step.answer } as Partial<ConsentAnswer>
      return answer
    }
    for (const [what, clientId, userId, part] of cases) {
      const standing = await standings.find(clientId, userId)
      if (!standing) throw new Error(`no app ${clientId}`)
      const decided = await consents.decide(requested(standing.app, part), standing)
      const step = await next(clientId, userId, part)
      t.equal(decided.kind, pageOf(step), what)
      t.same(answerOf(decided), answerOf(step), what)
    }
  })

  t.test('a consent offers the workspaces that a token can reach', async (t) => {
    t.same(ids(await next('app', 'ana', hint)), ['sales', 'support'])
    t.same(ids(await next('native', 'ana', hint)), ['sales'])
    t.same(ids(await next('app', 'ana', { ...hint, workspaceIds: ['support'] })), ['support'])
    t.same(ids(await next('app', 'kim', {})), [], 'an admin who is a member of none')
    t.same(ids(await next('fresh', 'kim', {})), ['finance', 'sales', 'support'], 'an install: all')
    t.same(ids(await next('legacy', 'kim', {})), [])
  })

  const origin = { actor: { kind: 'user', id: 'ana' }, address: null, requestId: null } as const
  const both = ['records:create', 'records:update']

  t.test('an approval is a limit only where a box was unticked', async (t) => {
    const app = (await consents.findApp('app')) as App
    const yes = async (part: Partial<Pending>, permissions: string[], workspaceIds: string[]) => {
      const request = requested(app, { ...hint, prompts: ['consent'], ...part })
      const step = await consents.next(request, app, signed('ana'))
      if (step.kind !== 'consent') throw new Error(step.kind)
      const asking = { request, app, signed: signed('ana') }
      return consents.approve(step, asking, { permissions, workspaceIds }, origin)
    }
    t.match(await yes({}, both, ['sales', 'support']), { permissions: both, workspaceIds: null })
    t.match(await yes({}, ['records:update'], ['support']), {
      permissions: ['records:update'],
      workspaceIds: ['support'],
    })
    t.match(
      await next('app', 'ana', hint),
      approved({ workspaceIds: ['support'] }),
      'is remembered',
    )
    const sales = { workspaceIds: ['sales'] }
    t.match(
      await yes(sales, both, ['sales']),
      { workspaceIds: ['sales'] },
      'the requested permissions',
    )
    t.match(await yes({}, [], []), { permissions: [], workspaceIds: [] })
    t.equal(await yes({}, ['records:delete'], ['sales']), null, 'not on the page')
    t.equal(await yes({}, both, ['finance']), null, 'not on the page')
    t.equal(await yes(sales, both, ['support']), null, 'not requested')
  })

  t.test(
    'workspaces that were never offered are asked for, others are not asked twice',
    async (t) => {
      const app = (await consents.findApp('app')) as App
      const stepOf = (part: Partial<Pending>) =>
        consents.next(requested(app, part), app, signed('ivy'))
      const yes = async (part: Partial<Pending>, workspaceIds: string[], permissions = both) => {
        const step = await stepOf(part)
        if (step.kind !== 'consent') throw new Error(step.kind)
        const ticked = { permissions, workspaceIds }
        return consents.approve(
          step,
          { request: requested(app, part), app, signed: signed('ivy') },
          ticked,
          origin,
        )
      }
      const [sales, support] = [{ workspaceIds: ['sales'] }, { workspaceIds: ['support'] }]
      const again = { prompts: ['consent' as const] }
      t.match(await yes(sales, ['sales']), sales)
      t.match(await stepOf({}), consent, 'everything is more')
      t.match(await yes(support, ['support']), support)
      for (const part of [sales, support])
        t.match(await stepOf(part), approved(part), 'neither is asked for twice')
      t.match(await stepOf({}), consent, 'everything is still more')

      await yes({}, ['sales'])
      t.match(await stepOf({}), approved(sales), 'offered and unticked')
      t.match(await stepOf(support), consent, 'by name it is new')
      await yes(again, ['sales', 'support'])
      await yes({ ...sales, ...again }, ['sales'])
      t.match(
        await stepOf({}),
        approved({ workspaceIds: null }),
        'fewer permissions revoke nothing',
      )
      await yes({ workspaceIds: ['sales', 'support'], ...again }, ['support'])
      t.match(await stepOf({}), approved(support), 'the last answer')
    },
  )

  t.test('approving more in one workspace does not approve it in another', async (t) => {
    const app = (await consents.findApp('app')) as App
    const stepOf = (part: Partial<Pending>) =>
      consents.next(requested(app, part), app, signed('joe'))
    const yes = async (workspace: string, permissions: string[]) => {
      const part = { workspaceIds: [workspace], permissions }
      const step = await stepOf(part)
      if (step.kind !== 'consent') throw new Error(step.kind)
      const ticked = { permissions, workspaceIds: [workspace] }
      await consents.approve(
        step,
        { request: requested(app, part), app, signed: signed('joe') },
        ticked,
        origin,
      )
    }
    await yes('sales', ['records:create'])
    await yes('support', both)
    t.match(await stepOf({ workspaceIds: ['sales'] }), consent)
    t.match(await stepOf({ workspaceIds: ['support'] }), approved({ permissions: both }))
  })

  t.test('a request to the admins is stored once', async (t) => {
    const app = (await consents.findApp('fresh')) as App
    const step = await next('fresh', 'ana', hint)
    if (step.kind !== 'ask_admin') throw new Error(step.kind)
    t.equal(step.membership.requestedAt, null)
    for (let i = 0; i < 3; i++)
      await consents.askAdmins({ step, app, signed: signed('ana'), reason: 'reports' }, origin)
    t.match(await next('fresh', 'ana', hint), { membership: { requestedAt: Date } })
    const rows = await sql(setup, 'select permissions, reason from install_requests')
    t.same(rows, [{ permissions: ['records:create'], reason: 'reports' }])
  })
})
