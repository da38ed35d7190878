import { type BackendName, backendsOf } from './backends.ts'
import { askBackends, askDatabase, release } from './keeper/client.ts'

/** The file that runs now; a batch runs several. */
const testFile = () => process.argv[1] ?? ''

/** One backend for one test, until dropped. */
export interface StoreSetup {
  /** `embedded`: the packaged Postgres alone. `servers`: Postgres over TCP, and Redis. */
  name: BackendName
  databaseUrl: string
  redisUrl: string | null
  drop(): Promise<void>
}

/**
 * Each backend that this test file runs on (see backends.ts), with a fresh database.
 * @param only this one alone; none where it is not installed
 * @param empty without our tables: for tests of the migrations
 *
 * ```ts
 * for (const stores of await testStores()) {
 *   t.test(`a code is good once (${stores.name})`, async (t) => { … })
 *   t.teardown(() => stores.drop())
 * }
 * ```
 */
export async function testStores({
  only,
  empty = false,
}: {
  only?: BackendName
  empty?: boolean
} = {}): Promise<StoreSetup[]> {
  const { available, warnings } = await askBackends()
  for (const warning of warnings) console.error(`\n*** NOT TESTED: ${warning} ***\n`)
  if (available.length === 0) throw new Error('no Postgres is installed to test with')
  const chosen = only
    ? available.filter((name) => name === only)
    : backendsOf(testFile(), available)
  return Promise.all(chosen.map((name) => setUp(name, empty)))
}

async function setUp(name: BackendName, empty: boolean): Promise<StoreSetup> {
  const { id, databaseUrl, redisUrl } = await askDatabase(name, empty)
  return { name, databaseUrl, redisUrl, drop: () => release(id) }
}
