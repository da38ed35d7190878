import { createSessions } from '#dist/core/people/sessions.js'
import type { Database } from '#dist/stores/postgres/connection/database.js'
import { createSessionStore } from '#dist/stores/postgres/people/sessions.js'

/** The sessions of a server, as far as the benchmark needs them. */
export const sessionsOf = (database: Database) => {
  const sessions = createSessions({
    store: createSessionStore(database),
    audit: { record: () => undefined, close: async () => undefined },
  })
  return {
    keyOf: sessions.keyOf,
    /** Signs a user in. @returns the token of the session */
    open: (id: string) =>
      sessions.open(
        {
          user: { id, email: '', name: '', credentialsEpoch: 0, sessionsEpoch: 0 },
          authenticatedAt: Date.now(),
          methods: ['password'],
          passkeyIds: [],
        },
        { actor: { kind: 'user', id }, address: null, requestId: null },
      ),
  }
}
