import t from 'tap'
import {
  openidNow,
  openidScopes,
  openidScopesIn,
  readScope,
  scopeText,
} from '../../../src/core/clients/openid.ts'
import { narrowedTo } from '../../../src/core/grants/approval.ts'
import { OAuthError } from '../../../src/core/language/errors.ts'
import {
  contextClass,
  contextClasses,
  methodReferences,
} from '../../../src/core/people/sign-in-method.ts'

const app = { interface: 'current' as const, openid: true, permissions: [] }
const reasonOf = (work: () => unknown) => {
  try {
    return work()
  } catch (error) {
    if (error instanceof OAuthError && error.code === 'invalid_scope') return error.reason
    throw error
  }
}

t.test('permissions and identity scopes are separated', async (t) => {
  const cases: [string, string | undefined, unknown][] = [
    ['not sent', undefined, null],
    ['permissions only', 'records:create', { permissions: ['records:create'], openidScopes: [] }],
    ['identity only', 'openid', { permissions: [], openidScopes: ['openid'] }],
    [
      'both, in any order',
      'email records:update openid records:create profile openid',
      {
        permissions: ['records:create', 'records:update'],
        openidScopes: ['openid', 'profile', 'email'],
      },
    ],
    [
      'Core §5.4 and §11: scopes without a meaning here are left out',
      'openid address phone offline_access',
      { permissions: [], openidScopes: ['openid'] },
    ],
    ['profile without openid', 'profile', 'openid_missing'],
    ['email without openid', 'email records:create', 'openid_missing'],
    ['Core §11: offline_access alone is no narrowing', 'offline_access', null],
    [
      'offline_access without openid',
      'records:create offline_access',
      { permissions: ['records:create'], openidScopes: [] },
    ],
    ['offline_access does not stand for openid', 'profile offline_access', 'openid_missing'],
    ['another spelling of offline_access', 'OFFLINE_ACCESS', 'unknown_permission'],
    ['a permission that there is not', 'openid records:all', 'unknown_permission'],
    ['of the other interface', 'openid readData', 'unknown_permission'],
    ['another spelling', 'OpenID', 'unknown_permission'],
    ['a foreign character', 'openid "email"', 'malformed'],
    ['blank', ' ', 'malformed'],
  ]
  for (const [what, value, expected] of cases)
    t.same(
      reasonOf(() => readScope(app, value)),
      expected,
      what,
    )
})

t.test('which apps cannot ask for identity', async (t) => {
  const plain = { interface: 'current' as const, openid: false, permissions: [] }
  const legacy = { interface: 'legacy' as const, openid: false, permissions: [] }
  t.equal(
    reasonOf(() => readScope(plain, 'openid')),
    'openid_not_allowed',
  )
  t.equal(
    reasonOf(() => readScope(plain, 'email')),
    'openid_not_allowed',
  )
  t.equal(
    reasonOf(() => readScope(plain, 'offline_access')),
    null,
  )
  t.equal(
    reasonOf(() => readScope(legacy, 'offline_access')),
    'unknown_permission',
  )
  t.equal(
    reasonOf(() => readScope(legacy, 'openid')),
    'unknown_permission',
  )
  t.same(readScope(legacy, 'readData'), { permissions: ['readData'], openidScopes: [] })
})

t.test('the granted scope never exceeds what was requested, allowed and approved', async (t) => {
  const may = { ...app, permissions: ['records:create'] }
  const approval = {
    installPermissions: ['records:create'],
    installWorkspaceIds: null,
    presentWorkspaceIds: [],
  }
  const grant = {
    permissions: ['records:create'],
    workspaceIds: null,
    openidScopes: ['openid' as const, 'email' as const],
  }
  const narrowed = (scope: string | undefined, by: typeof may | object = {}) =>
    reasonOf(
      () =>
        narrowedTo({ ...may, ...by }, approval, grant, { scope, workspaceIds: undefined })
          .openidScopes,
    )
  t.same(narrowed(undefined), ['openid', 'email'])
  t.same(narrowed('openid'), ['openid'])
  t.same(narrowed('records:create'), [], 'left out')
  t.equal(narrowed('openid profile'), 'openid_not_approved')
  t.same(narrowed(undefined, { openid: false }), [], 'the operator has removed the permission')
  t.equal(narrowed('openid', { openid: false }), 'openid_not_allowed')
  const forItself = reasonOf(() =>
    narrowedTo(may, approval, null, { scope: 'openid', workspaceIds: undefined }),
  )
  t.equal(forItself, 'openid_not_approved', 'client_credentials has no user')
})

t.test('scope in answers and tokens', async (t) => {
  t.equal(scopeText([], ['records:create', 'records:update']), 'records:create records:update')
  t.equal(scopeText(['openid', 'email'], ['records:create']), 'openid email records:create')
  t.equal(scopeText([], []), '')
  t.same(openidScopesIn('openid email records:create'), ['openid', 'email'])
  t.same(openidScopesIn('records:create'), [])
  t.same(openidScopesIn(''), [])
  t.same(openidNow({ openid: true }, openidScopes), ['openid', 'profile', 'email'])
  t.same(openidNow({ openid: false }, openidScopes), [])
})

t.test('amr uses registered values (RFC 8176)', async (t) => {
  t.same(methodReferences(['password']), ['pwd'])
  t.same(methodReferences(['passkey']), ['pop', 'user'])
  t.same(methodReferences(['passkey', 'password']), ['pwd', 'pop', 'user', 'mfa'])
  t.same(methodReferences(['oidc']), [], 'the methods of the provider are unknown')
  t.same(methodReferences(['oidc', 'passkey']), ['pop', 'user'])
  t.equal(contextClass(['password']), 'urn:latchkey:acr:password')
  t.equal(contextClass(['oidc']), 'urn:latchkey:acr:provider')
  t.equal(contextClass(['oidc', 'passkey']), 'phr')
  t.equal(contextClass([]), '0', 'a session that does not say how')
  for (const methods of [['password'], ['oidc'], ['passkey']] as const)
    t.ok(contextClasses.includes(contextClass(methods)), 'each is in the metadata')
  t.equal(contextClass(['password', 'passkey']), 'phr')
})
