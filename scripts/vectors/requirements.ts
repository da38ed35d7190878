import {
  type Expected,
  insufficient,
  insufficientSignIn,
  invalid,
  type Requirement,
  type Theme,
} from './vector.ts'
import {
  accepted,
  alteredToken,
  currentInstall,
  currentUser,
  now,
  tokenOf,
  type UserSubject,
  vector,
} from './world.ts'

const token = tokenOf(currentUser)

const required = (
  name: string,
  requires: Partial<Requirement>,
  expect: Expected = accepted(currentUser),
) =>
  vector(name, {
    request: { requires: { interface: 'current', organization: 'org_north', ...requires } },
    credential: token,
    expect,
  })

/** Signed in with a passkey, ten minutes ago. */
const withPasskey: UserSubject = {
  ...currentUser,
  authentication: { authenticatedAt: now - 600, contextClass: 'phr' },
}

const demanding = (
  name: string,
  requires: Pick<Requirement, 'acr' | 'maxAge'> & Partial<Requirement>,
  expect: Expected = accepted(withPasskey),
  credential = tokenOf(withPasskey),
) =>
  vector(name, {
    request: { requires: { interface: 'current', organization: 'org_north', ...requires } },
    credential,
    expect,
  })

/** Demands on the sign-in of the user (RFC 9470). */
const signIns = () => [
  vector('a token that states its sign-in', {
    credential: tokenOf(withPasskey),
    expect: accepted(withPasskey),
  }),
  vector('the time of the sign-in as text', {
    credential: alteredToken({ auth_time: `${now}` }),
    expect: invalid('claims'),
  }),
  vector('the class of the sign-in as a list', {
    credential: alteredToken({ acr: ['phr'] }),
    expect: invalid('claims'),
  }),
  demanding('the class of the sign-in', { acr: ['phr'] }),
  demanding('one of two classes', { acr: ['urn:example:other', 'phr'] }),
  demanding('another class', { acr: ['urn:example:other'] }, insufficientSignIn('acr')),
  demanding('a beginning of the class', { acr: ['ph'] }, insufficientSignIn('acr')),
  demanding('a sign-in at the maximum age', { maxAge: 600 }),
  demanding('a sign-in above the maximum age', { maxAge: 599 }, insufficientSignIn('max_age')),
  demanding(
    'the class, above the maximum age',
    { acr: ['phr'], maxAge: 60 },
    insufficientSignIn('max_age'),
  ),
  demanding('a class of an unknown sign-in', { acr: ['phr'] }, insufficientSignIn('acr'), token),
  demanding(
    'a maximum age of an unknown sign-in',
    { maxAge: 1_000_000_000 },
    insufficientSignIn('max_age'),
    token,
  ),
  demanding(
    'the sign-in of an app that acts for itself',
    { maxAge: 600 },
    insufficientSignIn('no_user'),
    tokenOf(currentInstall),
  ),
  demanding(
    'another class at another organization',
    { acr: ['urn:example:other'], organization: 'org_south' },
    insufficient('organization'),
  ),
]

const shown = (
  name: string,
  authorization: string | string[],
  expect: Expected = accepted(currentUser),
) =>
  vector(name, {
    request: { method: 'GET', url: 'https://data.example.com/graphql' },
    credential: { headers: { authorization } },
    expect,
  })

/** What requests need, and where they carry their token. */
export const requirements = (): Theme => ({
  file: 'requirements',
  vectors: [
    required('reading, which needs no permission', {}),
    required('a permission of the token', { permissions: ['records:create'] }),
    required('all permissions of the token', { permissions: ['records:update', 'records:create'] }),
    required(
      'a permission that the token lacks',
      { permissions: ['records:delete'] },
      insufficient('permission'),
    ),
    required(
      'one of two permissions is lacking',
      { permissions: ['records:create', 'records:delete'] },
      insufficient('permission'),
    ),
    required(
      'a beginning of a permission',
      { permissions: ['records'] },
      insufficient('permission'),
    ),
    required(
      'a permission in capital letters',
      { permissions: ['RECORDS:CREATE'] },
      insufficient('permission'),
    ),
    required(
      'data of another organization',
      { organization: 'org_south' },
      insufficient('organization'),
    ),
    required(
      'an organization in capital letters',
      { organization: 'ORG_NORTH' },
      insufficient('organization'),
    ),
    required(
      'an organization with a Cyrillic letter',
      { organization: 'оrg_north' },
      insufficient('organization'),
    ),
    required('a workspace of the token', { workspace: 'wks_sales' }),
    required('another workspace', { workspace: 'wks_other' }, insufficient('workspace')),
    required(
      'a workspace of the token, said to be of another organization',
      { organization: 'org_south', workspace: 'wks_sales' },
      insufficient('organization'),
    ),
    required(
      'a lacking permission at another organization',
      { permissions: ['records:delete'], organization: 'org_south' },
      insufficient('permission'),
    ),
    ...signIns(),
    vector('a request without a credential', {
      request: { requires: { interface: 'current', organization: 'org_north' } },
      credential: null,
      expect: invalid('missing'),
    }),
    shown('a bearer token in the header', `Bearer ${token}`),
    shown('the scheme in lower case', `bearer ${token}`),
    shown('two spaces after the scheme', `Bearer  ${token}`),
    shown('the header twice', [`Bearer ${token}`, `Bearer ${token}`], invalid('two_credentials')),
    shown('two tokens in one header', `Bearer ${token}, Bearer ${token}`, invalid('malformed')),
    shown('a scheme without a token', 'Bearer', invalid('malformed')),
    shown('another scheme', 'Basic dXNlcjpwYXNzd29yZA==', invalid('missing')),
    shown('a token without a scheme', token, invalid('missing')),
    shown('a scheme that begins with the right one', `BearerX ${token}`, invalid('missing')),
  ],
})
