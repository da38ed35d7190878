// The grant types of both interfaces, as steps of a token request. The device grant is in `authorization`.
import type { App } from '../clients/app.ts'
import { isFapi } from '../clients/security-profile.ts'
import { isIdShaped } from '../crypto/identifiers.ts'
import { invalidRequest } from '../language/errors.ts'
import type { ReadToken } from './foreign-token.ts'
import type { CodeCheck } from './grant.ts'
import type { RedeemInstall } from './install-token.ts'
import type { Migration } from './migration.ts'
import type { LoadedMigration } from './migration-rules.ts'
import type { Grants } from './redeem.ts'
import type { GrantStore, WithGrant, WithInstall } from './store.ts'
import type { GrantType } from './token-request.ts'

/**
 * Most apps always need a verifier, so a request without one is malformed whatever its code. With other apps the code
 * decides.
 * @throws OAuthError invalid_request
 */
const demandVerifier = (app: App, { codeVerifier, demanded }: CodeCheck) => {
  // RFC 7636 §4.6, FAPI 2.0: a client under the profile gets invalid_grant.
  const isAlways = app.pkceRequired && !isFapi(app)
  if (demanded && isAlways && codeVerifier === undefined)
    throw invalidRequest('code_verifier is missing', 'code_verifier_missing')
}

export const createGrantTypes = (deps: {
  store: Pick<GrantStore, 'loadGrant' | 'loadInstall'>
  grants: Grants
  redeemInstall: RedeemInstall
  migration: Migration
}) => {
  const { store, grants, redeemInstall, migration } = deps

  const ofGrant = (token: ReadToken | null, check: CodeCheck | null): GrantType<WithGrant> => ({
    load: (clientId) => store.loadGrant(clientId, token?.familyId ?? null),
    redeem: async ({ app, loaded, requested, proof }) => {
      if (check) demandVerifier(app, check)
      return grants.redeem({ app, loaded: loaded.grant, token, check, requested, proof })
    },
  })

  return {
    /** RFC 6749 §4.1.3, RFC 7636 §4.5. */
    authorizationCode: (code: string, check: CodeCheck) =>
      ofGrant(grants.read('code', code), check),

    /** RFC 6749 §6. */
    refreshToken: (refreshToken: string) =>
      ofGrant(grants.read('refresh_token', refreshToken), null),

    /** RFC 6749 §4.4: a token of the app itself, in one organization. */
    clientCredentials: (organizationId: string): GrantType<WithInstall> => ({
      load: (clientId) =>
        store.loadInstall(clientId, isIdShaped(organizationId) ? organizationId : '', null),
      redeem: (request) => redeemInstall(request, organizationId),
    }),

    /** RFC 8693: a refresh token of the legacy app that the client succeeds. */
    legacyExchange: (refreshToken: string): GrantType<LoadedMigration> => {
      const token = grants.read('refresh_token', refreshToken)
      return {
        load: (clientId) => migration.load(clientId, token?.familyId ?? null),
        redeem: (request) => migration.redeem(request, token),
      }
    },
  }
}

export type GrantTypes = ReturnType<typeof createGrantTypes>
