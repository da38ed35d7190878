import t from 'tap'
import { type AccessTokenSubject, claimsOf } from '../../../src/core/tokens/access-token-claims.ts'

const context = {
  issuer: 'https://auth.example',
  audience: 'https://api.example',
  issuedAt: 1000,
  jti: 'j',
  jkt: null,
}
const common = { clientId: 'app1', organizationId: 'org1', accessTokenSeconds: null, reachId: null }
const always = {
  iss: 'https://auth.example',
  aud: 'https://api.example',
  client_id: 'app1',
  organization_id: 'org1',
  iat: 1000,
  jti: 'j',
}

t.test('the claims of an access token (RFC 9068 §2.2)', async (t) => {
  const cases: [string, AccessTokenSubject, Record<string, unknown>][] = [
    [
      'a user, current',
      {
        ...common,
        kind: 'user',
        interface: 'current',
        userId: 'usr1',
        grantId: 'g1',
        installId: 'ins1',
        appEpoch: 2,
        userEpoch: 3,
        permissions: ['records:create', 'records:update'],
        openidScopes: [],
        workspaceIds: ['wks1'],
      },
      {
        ...always,
        sub: 'usr1',
        exp: 4600,
        scope: 'records:create records:update',
        permissions: ['records:create', 'records:update'],
        interface: 'current',
        kind: 'user',
        workspace_ids: ['wks1'],
        grant_id: 'g1',
        install_id: 'ins1',
        app_epoch: 2,
        user_epoch: 3,
      },
    ],
    [
      'a user, legacy: no workspaces',
      {
        ...common,
        kind: 'user',
        interface: 'legacy',
        userId: 'usr1',
        grantId: 'g1',
        installId: 'ins1',
        appEpoch: 2,
        userEpoch: 3,
        permissions: ['readData'],
        openidScopes: [],
        workspaceIds: null,
      },
      {
        ...always,
        sub: 'usr1',
        exp: 8200,
        scope: 'readData',
        permissions: ['readData'],
        interface: 'legacy',
        kind: 'user',
        grant_id: 'g1',
        install_id: 'ins1',
        app_epoch: 2,
        user_epoch: 3,
      },
    ],
    [
      'a user who shares their identity: in scope only',
      {
        ...common,
        kind: 'user',
        interface: 'current',
        userId: 'usr1',
        grantId: 'g1',
        installId: 'ins1',
        appEpoch: 2,
        userEpoch: 3,
        permissions: ['records:create'],
        openidScopes: ['openid', 'email'],
        workspaceIds: [],
      },
      {
        ...always,
        sub: 'usr1',
        exp: 4600,
        scope: 'openid email records:create',
        permissions: ['records:create'],
        interface: 'current',
        kind: 'user',
        workspace_ids: [],
        grant_id: 'g1',
        install_id: 'ins1',
        app_epoch: 2,
        user_epoch: 3,
      },
    ],
    [
      'the app itself, reading only, without workspaces',
      {
        ...common,
        kind: 'install',
        interface: 'current',
        installId: 'ins1',
        appEpoch: 2,
        permissions: [],
        openidScopes: [],
        workspaceIds: [],
      },
      {
        ...always,
        sub: 'app1',
        exp: 4600,
        scope: '',
        permissions: [],
        interface: 'current',
        kind: 'install',
        workspace_ids: [],
        install_id: 'ins1',
        app_epoch: 2,
      },
    ],
    [
      'the app itself, through two others',
      {
        ...common,
        kind: 'install',
        interface: 'current',
        installId: 'ins1',
        appEpoch: 2,
        permissions: [],
        openidScopes: [],
        workspaceIds: [],
        delegated: {
          notAfter: 2000,
          actors: [
            { clientId: 'app3', installId: 'ins3', appEpoch: 0, subjectJti: 'j2' },
            { clientId: 'app2', installId: 'ins2', appEpoch: 1, subjectJti: 'j1' },
          ],
        },
      },
      {
        ...always,
        sub: 'app1',
        exp: 4600,
        scope: '',
        permissions: [],
        interface: 'current',
        kind: 'install',
        workspace_ids: [],
        install_id: 'ins1',
        app_epoch: 2,
        act: { client_id: 'app3', act: { client_id: 'app2' } },
        delegation: [
          { install_id: 'ins3', app_epoch: 0, subject_jti: 'j2' },
          { install_id: 'ins2', app_epoch: 1, subject_jti: 'j1' },
        ],
      },
    ],
  ]
  for (const [what, subject, claims] of cases) {
    const lifetime = subject.interface === 'legacy' ? 7200 : 3600
    t.same(claimsOf(subject, { ...context, lifetime }), claims, what)
  }
})

t.test('a token lists its workspaces, or leaves them to introspection', async (t) => {
  const subject = {
    ...common,
    kind: 'install' as const,
    interface: 'current' as const,
    installId: 'ins1',
    appEpoch: 0,
    permissions: [],
    openidScopes: [],
    workspaceIds: ['wks1'],
  }
  const claimsFor = (reach: Partial<AccessTokenSubject>) =>
    claimsOf({ ...subject, ...reach } as AccessTokenSubject, { ...context, lifetime: 3600 })
  const listed = claimsFor({})
  t.same(listed.workspace_ids, ['wks1'])
  t.notOk('workspaces' in listed)
  const open = claimsFor({ isOpen: true })
  t.equal(open.workspaces, 'introspect')
  t.notOk('workspace_ids' in open || 'reach_id' in open)
  t.match(claimsFor({ isOpen: true, reachId: 'r1' }), { workspaces: 'introspect', reach_id: 'r1' })
})
