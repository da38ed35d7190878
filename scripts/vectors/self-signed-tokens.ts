import { createHmac } from 'node:crypto'
import { feedOf } from './revocations.ts'
import {
  type Expected,
  type ExpectedAccess,
  insufficient,
  invalid,
  type Theme,
  unavailable,
} from './vector.ts'
import { encode, issuedAt, now, vector } from './world.ts'

/** The secret of the key set `kcl_north`, and of the legacy key set in the same organization. */
export const keySetSecret = 'lkks_secret_of_the_key_set_of_north'
const secret = keySetSecret
const claims = { iss: 'kcl_north', iat: issuedAt }

const self = (
  part: Record<string, unknown> = {},
  header: Record<string, unknown> = {},
  key = secret,
) => {
  const input = `${encode({ alg: 'HS256', typ: 'JWT', ...header })}.${encode({ ...claims, ...part })}`
  return `${input}.${createHmac('sha256', key).update(input).digest('base64url')}`
}

/** The server's answers (RFC 7662). */
const known = {
  active: true,
  kind: 'self_signed',
  interface: 'current',
  iss: 'kcl_north',
  sub: 'kcl_north',
  client_id: 'kcl_north',
  organization_id: 'org_north',
  scope: 'records:create',
  permissions: ['records:create'],
  workspace_ids: null as string[] | null,
  iat: issuedAt,
}
const knownSecret = {
  ...known,
  kind: 'key_set',
  interface: 'legacy',
  iss: 'https://auth.example.com',
  scope: 'readData',
  permissions: ['readData'],
}

const access: ExpectedAccess = {
  kind: 'self_signed',
  interface: 'current',
  organizationId: 'org_north',
  clientId: 'kcl_north',
  permissions: ['records:create'],
  workspaceIds: null,
}
const secretAccess: ExpectedAccess = {
  ...access,
  kind: 'key_set',
  interface: 'legacy',
  permissions: ['readData'],
}
const allows = (given: ExpectedAccess, part: Partial<ExpectedAccess> = {}): Expected => ({
  ok: true,
  access: { ...given, ...part },
})

const requested = (name: string, credential: string, answer: unknown, expect: Expected) =>
  vector(name, { introspection: answer, credential, expect })
/** The server must not be asked. */
const refused = (name: string, credential: string, reason = 'claims') =>
  vector(name, { credential, expect: invalid(reason) })
const inactive = (name: string, credential: string) =>
  requested(name, credential, { active: false }, invalid('inactive'))

/** Tokens that key sets sign themselves, which only the server can verify, and secrets of legacy key sets. */
export const selfSignedTokens = (): Theme => ({
  file: 'self-signed-tokens',
  vectors: [
    requested(
      'a self-signed token for all workspaces',
      self({ permissions: ['records:create'] }),
      known,
      allows(access),
    ),
    requested(
      'a self-signed token without permissions, which may read',
      self(),
      { ...known, permissions: [], scope: '' },
      allows(access, { permissions: [] }),
    ),
    requested(
      'a self-signed token with exp',
      self({ exp: now + 60 }),
      { ...known, exp: now + 60 },
      allows(access, { expiresAt: now + 60 }),
    ),
    requested(
      'a self-signed token for one workspace',
      self({ workspace_ids: ['wks_plan'] }),
      { ...known, workspace_ids: ['wks_plan'] },
      allows(access, { workspaceIds: ['wks_plan'] }),
    ),
    requested(
      'a self-signed token for no workspace',
      self({ workspace_ids: [] }),
      { ...known, workspace_ids: [] },
      allows(access, { workspaceIds: [] }),
    ),
    requested(
      'a self-signed token without typ',
      self({}, { typ: undefined }),
      known,
      allows(access),
    ),
    requested(
      'a self-signed token with a kid, as some libraries write',
      self({}, { kid: 'x' }),
      known,
      allows(access),
    ),
    requested(
      'a self-signed token with a fraction in iat',
      self({ iat: issuedAt + 0.5 }),
      known,
      allows(access),
    ),
    inactive('a self-signed token with a wrong or rotated secret', self({}, {}, 'lkks_other')),
    inactive('a self-signed token of an unknown key set', self({ iss: 'kcl_unknown' })),
    inactive(
      'a self-signed token within the tolerance after exp, which the server does not grant',
      self({ exp: now - 1 }),
    ),
    refused('a self-signed token 30 seconds after exp', self({ exp: now - 30 })),
    refused('a self-signed token without iss', self({ iss: undefined })),
    refused(
      'a self-signed token with the issuer of the server',
      self({ iss: 'https://auth.example.com' }),
    ),
    refused('a self-signed token with a list as iss', self({ iss: ['kcl_north'] })),
    refused('a self-signed token with NUL in iss', self({ iss: 'kcl_north\0' })),
    refused('a self-signed token with a long iss', self({ iss: 'k'.repeat(129) })),
    refused('a self-signed token without iat', self({ iat: undefined })),
    refused('a self-signed token with iat as text', self({ iat: String(issuedAt) })),
    refused('a self-signed token with exp as text', self({ exp: String(now + 60) })),
    refused('a self-signed token with null as exp', self({ exp: null })),
    refused('a self-signed token with the type of an issued one', self({}, { typ: 'at+jwt' })),
    refused('a self-signed token with a short signature', self().replace(/[^.]+$/, 'AAAA')),
    refused(
      'a self-signed token with a claim twice',
      `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode('{"iss":"kcl_north","iat":1,"iat":2}')}.${'A'.repeat(43)}`,
    ),
    refused('a self-signed token with jku', self({}, { jku: 'https://evil.example' }), 'header'),
    requested('the secret of a legacy key set', secret, knownSecret, allows(secretAccess)),
    requested(
      'a replaced secret with an expiry',
      secret,
      { ...knownSecret, exp: now + 60 },
      allows(secretAccess, { expiresAt: now + 60 }),
    ),
    inactive('an unknown secret', 'lkks_unknown'),
    inactive('an unknown secret of another form', 'a.secret:of/an+earlier~server'),
    refused('the prefix of a secret in capital letters', 'LKKS_secret', 'malformed'),
    refused('the prefix of a secret alone', 'lkks_', 'malformed'),
    refused('a secret with a space', 'lkks_a b', 'malformed'),
    refused('a secret with a line break', 'lkks_a\n', 'malformed'),
    refused('a secret with a letter that is not ASCII', 'lkks_é', 'malformed'),
    vector('a secret in the variable secretKey', {
      introspection: knownSecret,
      credential: { variables: { secretKey: secret } },
      expect: allows(secretAccess),
    }),
    vector('a self-signed token of a deleted organization', {
      feed: feedOf({ type: 'organization', id: 'org_north' }),
      introspection: known,
      credential: self(),
      expect: invalid('organization_inactive'),
    }),
    vector('a self-signed token for any workspace of its organization', {
      request: {
        requires: { interface: 'current', organization: 'org_north', workspace: 'wks_any' },
      },
      introspection: known,
      credential: self(),
      expect: allows(access),
    }),
    vector('a self-signed token for all workspaces, at another organization', {
      request: {
        requires: { interface: 'current', organization: 'org_south', workspace: 'wks_any' },
      },
      introspection: known,
      credential: self(),
      expect: insufficient('organization'),
    }),
    vector('a legacy secret at the current interface', {
      request: { requires: { interface: 'current', organization: 'org_north' } },
      introspection: knownSecret,
      credential: secret,
      expect: invalid('interface'),
    }),
  ],
})

/** Answers of introspection that are broken, or about something else. */
export const introspectionAnswers = (): Theme => ({
  file: 'introspection',
  vectors: [
    requested(
      'an answer about a user token, such as a refresh token',
      self(),
      { ...known, kind: 'user' },
      invalid('inactive'),
    ),
    requested(
      'an answer about a secret for a self-signed token',
      self(),
      knownSecret,
      invalid('inactive'),
    ),
    requested(
      'an answer about a self-signed token for a secret',
      secret,
      known,
      invalid('inactive'),
    ),
    requested(
      'members of an inactive answer, which do not count',
      self(),
      { ...known, active: false },
      invalid('inactive'),
    ),
    ...Object.entries({
      'a self-signed token of the legacy interface': { ...known, interface: 'legacy' },
      'an answer without a client': { ...known, client_id: undefined },
      'an answer about another key set': { ...known, client_id: 'kcl_south' },
      'an answer with an empty organization': { ...known, organization_id: '' },
      'an answer with permissions as text': { ...known, permissions: 'records:create' },
      'an answer without workspaces, which must not mean all': {
        ...known,
        workspace_ids: undefined,
      },
      'an answer with exp as text': { ...known, exp: '9999999999' },
      'an answer with "true" as active': { ...known, active: 'true' },
      'an answer with 1 as active': { ...known, active: 1 },
      'an answer without active': { ...known, active: undefined },
      'an answer without kind': { ...known, kind: undefined },
      'an answer that is a list': [known],
      'an answer that is not JSON': 'hello',
    }).map(([name, answer]) => requested(name, self(), answer, unavailable('bad_answer'))),
    ...(
      [
        [401, 'refused'],
        [403, 'refused'],
        [429, 'bad_answer'],
        [500, 'bad_answer'],
        [503, 'bad_answer'],
        [302, 'bad_answer'],
      ] as const
    ).map(([introspection, reason]) =>
      vector(`introspection with status ${introspection}`, {
        status: { introspection },
        introspection: known,
        credential: self(),
        expect: unavailable(reason),
      }),
    ),
  ],
})
