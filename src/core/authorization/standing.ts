import type { App } from '../clients/app.ts'
import type { FoundSession, SessionKey } from '../people/session.ts'
import type { Sessions } from '../people/sessions.ts'
import type { AppInOrganization, AuthenticatedUser } from './places.ts'

/** What a decision without a page depends on. Read anew for each request. */
export interface RequestStanding {
  app: App
  /** null: no user is signed in */
  signed: AuthenticatedUser | null
  /** The organizations of the signed-in user. */
  places: AppInOrganization[]
}

export interface StandingStore {
  /** One query. null: the app is unknown */
  find(
    clientId: string,
    session: SessionKey | null,
  ): Promise<{ app: App; session: FoundSession | null; places: AppInOrganization[] } | null>
}

/** Reads who has sent an authorization request, and how the app stands with this user. */
export const createStandings = (deps: {
  store: StandingStore
  sessions: Pick<Sessions, 'keyOf' | 'accept'>
}) => ({
  /** @param token of the browser's session; null: none @returns null when the app is unknown */
  find: async (clientId: string, token: string | null): Promise<RequestStanding | null> => {
    const { store, sessions } = deps
    const found = await store.find(clientId, token === null ? null : sessions.keyOf(token))
    if (!found) return null
    const { app, session, places } = found
    if (!session || !sessions.accept(session)) return { app, signed: null, places: [] }
    const { userId, credentialsEpoch, authenticatedAt, methods } = session
    return { app, signed: { userId, credentialsEpoch, authenticatedAt, methods }, places }
  },
})

export type Standings = ReturnType<typeof createStandings>
