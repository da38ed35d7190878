import type { RegisteredApp } from '../clients/apps.ts'
import { hasAllowedScheme, withQuery } from '../clients/redirect-uri.ts'
import { isClientIdShaped } from '../crypto/identifiers.ts'
import { invalidRequest } from '../language/errors.ts'
import type { IdTokens } from '../tokens/id-tokens.ts'

/** An app's request to sign its user out (OpenID Connect RP-Initiated Logout 1.0 §2). */
export type EndSessionRequest = Record<
  'idTokenHint' | 'clientId' | 'postLogoutRedirectUri' | 'state',
  string | undefined
>

export interface SignOut {
  /** The requesting app; null: unknown. */
  app: RegisteredApp | null
  /** The user of the app's ID token; null: none was sent. */
  userId: string | null
  /** The registered URI to return to; null: stay on this page. */
  returnTo: string | null
}

const longestState = 4096

export const createEndSession = (deps: {
  store: { byId(clientId: string): Promise<RegisteredApp | null> }
  readIdTokenHint: IdTokens['readHint']
}) => {
  const { store, readIdTokenHint } = deps

  const findApp = async (clientId: string) => {
    const app = isClientIdShaped(clientId) ? await store.byId(clientId) : null
    if (!app?.openid || app.disabled)
      throw invalidRequest('the client is unknown', 'client_unknown')
    return app
  }

  return {
    /** @throws OAuthError invalid_request for an unknown app or an unregistered URI */
    read: async (request: EndSessionRequest): Promise<SignOut> => {
      const { idTokenHint, clientId, postLogoutRedirectUri, state } = request
      // An expired ID token is accepted. An unreadable one counts as none, and the user is asked.
      const hint = idTokenHint === undefined ? null : readIdTokenHint(idTokenHint)
      if (hint && clientId !== undefined && hint.clientId !== clientId)
        throw invalidRequest('the ID token was issued to another client', 'foreign_id_token')
      if (state !== undefined && state.length > longestState)
        throw invalidRequest('state is too long', 'state_too_long')
      const named = hint?.clientId ?? clientId
      const app = named === undefined ? null : await findApp(named)
      const userId = hint?.userId ?? null
      // Without an app the URI cannot be checked. It is ignored, because an error would leave the user signed in.
      if (app === null || postLogoutRedirectUri === undefined)
        return { app, userId, returnTo: null }
      const isRegistered = app.postLogoutRedirectUris.includes(postLogoutRedirectUri)
      if (!isRegistered || !hasAllowedScheme(postLogoutRedirectUri))
        throw invalidRequest(
          'post_logout_redirect_uri is not registered for this client',
          'redirect_uri_unregistered',
        )
      const returnTo =
        state === undefined ? postLogoutRedirectUri : withQuery(postLogoutRedirectUri, { state })
      return { app, userId, returnTo }
    },
  }
}

export type EndSession = ReturnType<typeof createEndSession>
