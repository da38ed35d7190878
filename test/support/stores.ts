import { type BackendName, backendsOf } from './backends.ts'
import { askBackends, askDatabase, release } from './keeper/client.ts'
import type { Content } from './keeper/protocol.ts'
import type { World } from './world.ts'

/** The file that runs now; a batch runs several. */
const testFile = () => process.argv[1] ?? ''

/** One backend for one test, until dropped. */
export interface StoreSetup {
  /** `embedded`: the packaged Postgres alone. `servers`: Postgres over TCP, and Redis. */
  name: BackendName
  databaseUrl: string
  redisUrl: string | null
  /** What `content: 'world'` has put into the database, or null (see worldIn). */
  world: World | null
  drop(): Promise<void>
}

/**
 * Each backend that this test file runs on (see backends.ts), with a fresh database.
 * @param only this one alone; none where it is not installed
 * @param content what the databases begin with: our tables; nothing, for tests of the migrations; or a world, for `worldIn`
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
  content = 'tables',
}: {
  only?: BackendName
  content?: Content
} = {}): Promise<StoreSetup[]> {
  const { available, warnings } = await askBackends()
  for (const warning of warnings) console.error(`\n*** NOT TESTED: ${warning} ***\n`)
  if (available.length === 0) throw new Error('no Postgres is installed to test with')
  const chosen = only
    ? available.filter((name) => name === only)
    : backendsOf(testFile(), available)
  return Promise.all(chosen.map((name) => setUp(name, content)))
}

async function setUp(name: BackendName, content: Content): Promise<StoreSetup> {
  const { id, databaseUrl, redisUrl, world } = await askDatabase(name, content)
  return { name, databaseUrl, redisUrl, world, drop: () => release(id) }
}
