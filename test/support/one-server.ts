import type { Test } from 'tap'
import { startLatchkey } from './latchkey.ts'
import { testStores } from './stores.ts'

/** A server on the first kind of stores, for tests that do not depend on the stores. */
export const startOneServer = async (t: Pick<Test, 'teardown'>) => {
  const [stores, ...others] = await testStores()
  if (!stores) throw new Error('there is no store to test with')
  const running = await startLatchkey(stores)
  t.teardown(async () => {
    await running.stop()
    await Promise.all([stores, ...others].map((one) => one.drop()))
  })
  return { stores, running }
}
