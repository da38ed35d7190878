import type { ClientRequest, Clients } from '../clients/authenticate.ts'
import type { GrantStore, WithGrant } from './store.ts'

/**
 * Loads and authenticates the client of a request, with one query.
 * @param familyId of the grant to load with it, when that is the client's own; null: none
 * @throws OAuthError invalid_client, invalid_request for a foreign or opaque origin
 */
export type AuthenticateClient = (
  request: ClientRequest,
  familyId?: string | null,
) => Promise<WithGrant>

/** Used outside of token requests, and for token requests that are refused before they have a grant type. */
export const createAuthenticateClient =
  (deps: { store: Pick<GrantStore, 'loadGrant'>; clients: Clients }): AuthenticateClient =>
  async (request, familyId = null) =>
    deps.clients.authenticate(
      await deps.store.loadGrant(request.credentials.clientId, familyId),
      request,
    )
