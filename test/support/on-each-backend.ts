import tap, { type Test } from 'tap'
import { type Running, startLatchkey } from './latchkey.ts'
import { type StoreSetup, testStores } from './stores.ts'
import { type World, worldIn } from './world.ts'

export interface Scene {
  stores: StoreSetup
  running: Running
  issuer: string
  world: World
}

/**
 * Runs a test on each backend of its file (see backends.ts), with a server of its own and the usual
 * two organizations.
 */
export const onEachBackend = async (
  name: string,
  test: (t: Test, scene: Scene) => Promise<void>,
  options: Parameters<typeof startLatchkey>[1] = {},
): Promise<void> => {
  // One mail server serves the scenes of a file, so each scene needs other addresses.
  const content = options.environment?.SMTP_URL ? 'tables' : 'world'
  for (const stores of await testStores({ content })) {
    void tap.test(`${name} (${stores.name})`, async (t) => {
      const running = await startLatchkey(stores, options)
      t.teardown(async () => {
        await running.stop()
        await stores.drop()
      })
      const world = await worldIn(stores, running)
      await test(t, { stores, running, issuer: running.issuer, world })
    })
  }
}
