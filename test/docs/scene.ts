import type { Test } from 'tap'
import { startLatchkey } from '../support/latchkey.ts'
import type { Scene } from '../support/on-each-backend.ts'
import { storesNamed } from '../support/open-stores.ts'
import { createWorld } from '../support/world.ts'

/** A server on fresh embedded stores, with the usual two organizations. */
export const startScene = async (t: Test, environment = {}): Promise<Scene> => {
  const stores = await storesNamed('embedded')
  if (!stores) throw new Error('there is no packaged Postgres here')
  const running = await startLatchkey(stores, { environment })
  t.teardown(async () => {
    await running.stop()
    await stores.drop()
  })
  return { stores, running, issuer: running.issuer, world: await createWorld(running) }
}
