import { type Expected, insufficient, invalid, type Requirement, type Theme } from './vector.ts'
import { accepted, currentUser, tokenOf, vector } from './world.ts'

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
