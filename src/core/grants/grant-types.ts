// The grant types of both interfaces, as steps of a token request. The device grant is in `authorization`.
import { isIdShaped } from '../crypto/identifiers.ts'
import type { CodeCheck } from './grant.ts'
import type { Migration } from './migration.ts'
import type { LoadedMigration } from './migration-rules.ts'
import type { Grants, Presented } from './redeem.ts'
import type { GrantStore, LoadedClient, LoadedGrant, LoadedInstall } from './store.ts'
import type { GrantType } from './token-request.ts'

export type WithGrant = LoadedClient & { grant: LoadedGrant | null }
export type WithInstall = LoadedClient & { install: LoadedInstall | null }

export interface GrantTypes {
  /** The client alone, for a request that cannot be read. */
  loadClient(clientId: string): Promise<WithGrant | null>
  /** RFC 6749 §4.1.3, RFC 7636 §4.5. */
  authorizationCode(code: string, check: CodeCheck): GrantType<WithGrant>
  /** RFC 6749 §6. */
  refreshToken(refreshToken: string): GrantType<WithGrant>
  /** RFC 6749 §4.4: a token of the app itself, in one organization. */
  clientCredentials(organizationId: string): GrantType<WithInstall>
  /** RFC 8693: a refresh token of the legacy app that the client succeeds. */
  legacyExchange(refreshToken: string): GrantType<LoadedMigration>
}

export const createGrantTypes = (deps: {
  store: Pick<GrantStore, 'loadGrant' | 'loadInstall'>
  grants: Grants
  migration: Migration
}): GrantTypes => {
  const { store, grants, migration } = deps

  const redeeming = (presented: Presented, check: CodeCheck | null): GrantType<WithGrant> => ({
    load: (clientId) => store.loadGrant(clientId, presented.token?.familyId ?? null),
    redeem: ({ app, loaded, asked, proof }) =>
      grants.redeem(app, loaded.grant, presented, asked, check, proof),
  })

  return {
    loadClient: (clientId) => store.loadGrant(clientId, null),

    authorizationCode: (code, check) => redeeming(grants.read('code', code), check),

    refreshToken: (refreshToken) => redeeming(grants.read('refresh_token', refreshToken), null),

    clientCredentials: (organizationId) => ({
      load: (clientId) =>
        store.loadInstall(clientId, isIdShaped(organizationId) ? organizationId : ''),
      redeem: async ({ app, loaded, asked, proof }) => {
        const subject = grants.forInstall(app, organizationId, loaded.install, asked)
        if (proof) await proof.use()
        return { subject, refreshToken: null, signIn: null }
      },
    }),

    legacyExchange: (refreshToken) => {
      const presented = grants.read('refresh_token', refreshToken)
      return {
        load: (clientId) => migration.load(clientId, presented.token?.familyId ?? null),
        redeem: ({ app, loaded, asked, proof, cause }) =>
          migration.redeem(app, loaded, presented, asked, cause, proof),
      }
    },
  }
}
