import { invalid, type Theme } from './vector.ts'
import {
  accepted,
  alteredToken,
  currentInstall,
  currentUser,
  tokenOf,
  type UserSubject,
  vector,
} from './world.ts'

const refused = (name: string, claims: Record<string, unknown>, reason = 'claims') =>
  vector(name, { credential: alteredToken(claims), expect: invalid(reason) })

const allowed = (
  name: string,
  claims: Record<string, unknown>,
  header: Record<string, unknown> = {},
) => vector(name, { credential: alteredToken(claims, header), expect: accepted(currentUser) })

const variant = (name: string, changes: Partial<UserSubject>) =>
  vector(name, {
    credential: tokenOf({ ...currentUser, ...changes }),
    expect: accepted({ ...currentUser, ...changes }),
  })

/** Tokens as the server issues them for the current interface, and those that lack what it always writes. */
export const currentTokens = (): Theme => ({
  file: 'current-tokens',
  vectors: [
    variant('a user token of the current interface', {}),
    vector('an install token of the current interface', {
      credential: tokenOf(currentInstall),
      expect: accepted(currentInstall),
    }),
    variant('a user token without permissions, which may read', { permissions: [] }),
    variant('a user token that reaches no workspace', { workspaceIds: [] }),
    variant('a user token with a permission of the platform', { permissions: ['invoices:send'] }),
    variant('a user token of an app with a shorter lifetime', { accessTokenSeconds: 600 }),
    variant('a user token with OpenID scopes, which are no permissions', {
      openidScopes: ['openid', 'email'],
    }),
    allowed('a list of audiences that contains ours', {
      aud: ['https://files.example.com', 'https://api.example.com'],
    }),
    allowed('a list of audiences with ours alone', { aud: ['https://api.example.com'] }),
    allowed('the long form of the type', {}, { typ: 'application/at+jwt' }),
    allowed('the type in capital letters', {}, { typ: 'AT+JWT' }),
    allowed('an unknown header parameter', {}, { note: 'later version' }),
    allowed('an unknown claim', { note: { nested: [{ deeply: true }] } }),
    allowed('a token of an earlier version without epochs', {
      app_epoch: undefined,
      user_epoch: undefined,
    }),
    allowed('a user token of an earlier version without an install', { install_id: undefined }),
    allowed('nbf at the time of issue', { nbf: 1_999_999_940 }),

    refused('another issuer', { iss: 'https://auth.example.net' }, 'issuer'),
    refused('another audience', { aud: 'https://files.example.com' }, 'audience'),
    refused('no jti', { jti: undefined }),
    refused('no client_id', { client_id: undefined }),
    refused('no organization_id', { organization_id: undefined }),
    refused('an empty organization_id', { organization_id: '' }),
    refused('no permissions', { permissions: undefined }),
    refused('permissions as text', { permissions: 'records:create' }),
    refused('permissions that are no texts', { permissions: [1] }),
    refused('no interface', { interface: undefined }),
    refused('an unknown interface', { interface: 'next' }),
    refused('no kind', { kind: undefined }),
    refused('the kind of a self-signed token, which is never issued', { kind: 'self_signed' }),
    refused('a user token without a user', { sub: undefined }),
    refused('a user token without a grant', { grant_id: undefined }),
    refused('an install token that names a user', { kind: 'install' }),
    refused('an install token without an install', {
      kind: 'install',
      sub: 'app_board',
      install_id: undefined,
    }),
    refused('no workspaces, which must not mean all', { workspace_ids: undefined }),
    refused('null as workspaces, which must not mean all', { workspace_ids: null }),
    refused('workspaces as text', { workspace_ids: 'wks_plan' }),
    refused('an epoch as text', { app_epoch: '9' }),
    refused('an epoch below zero', { user_epoch: -1 }),
  ],
})
