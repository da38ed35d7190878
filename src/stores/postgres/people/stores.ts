import type { Database } from '../connection/database.ts'
import { createIdentityStore } from './identities.ts'
import { createOldSpellings } from './old-spellings.ts'
import { createPasskeyStore } from './passkeys.ts'
import { createPeopleStore } from './people.ts'
import { createSessionStore } from './sessions.ts'
import { createUserStore } from './users.ts'

export const peopleStores = (database: Database) => ({
  identities: createIdentityStore(database),
  oldSpellings: createOldSpellings(database),
  passkeys: createPasskeyStore(database),
  people: createPeopleStore(database),
  sessions: createSessionStore(database),
  users: createUserStore(database),
})
