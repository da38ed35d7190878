import { pino } from 'pino'
import type { Test } from 'tap'
import { openStores, type Stores } from '../../src/app/stores.ts'
import { readConfig } from '../../src/config/config.ts'
import { masterKey } from './latchkey.ts'
import { type StoreSetup, testStores } from './stores.ts'

/** All stores of one instance, as a server opens them. */
export const openTestStores = (
  setup: Pick<StoreSetup, 'databaseUrl' | 'redisUrl'>,
  environment: NodeJS.ProcessEnv = {},
): Promise<Stores> =>
  openStores(
    readConfig({
      DATABASE_URL: setup.databaseUrl,
      ...(setup.redisUrl && { REDIS_URL: setup.redisUrl }),
      LATCHKEY_MASTER_KEY: masterKey,
      STORE_TIMEOUT_MS: '30000',
      ...environment,
    }),
    pino({ level: 'silent' }),
  )

/** A test on each kind of store, with fresh ones opened. */
export const onEachStores = async (
  t: Test,
  name: string,
  test: (t: Test, stores: Stores, setup: StoreSetup) => Promise<void>,
): Promise<void> => {
  for (const setup of await testStores()) {
    void t.test(`${name} (${setup.name})`, async (t) => {
      const stores = await openTestStores(setup)
      t.teardown(async () => {
        await stores.close()
        await setup.drop()
      })
      await test(t, stores, setup)
    })
  }
}

/** The backend of this name alone; null if it is not installed. */
export const storesNamed = async (name: StoreSetup['name']): Promise<StoreSetup | null> => {
  const [setup] = await testStores({ only: name })
  return setup ?? null
}
