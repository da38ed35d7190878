import { limitHeapGrowth } from '#dist/app/v8-flags.js'
import { environmentOf, operations, serve } from '../protocol.ts'

const { databaseUrl, redisUrl, masterKey } = environmentOf()
// As the `serve` command does: the rest is loaded afterwards.
const allLoaded = limitHeapGrowth()
const [{ createLatchkey }, { readConfig }, { createLogger }] = await Promise.all([
  import('#dist/app/app.js'),
  import('#dist/config/config.js'),
  import('#dist/app/log.js'),
])
let latchkey: Awaited<ReturnType<typeof createLatchkey>>

await serve({
  operations,
  start: async () => {
    latchkey = await createLatchkey(
      readConfig({
        PORT: '0',
        ISSUER: 'http://127.0.0.1:3000',
        DATABASE_URL: databaseUrl,
        REDIS_URL: redisUrl,
        LATCHKEY_MASTER_KEY: masterKey,
        LATCHKEY_OPERATOR_TOKEN: 'operator-token-of-the-benchmark',
        LIMIT_GRANTS: '1000000',
      }),
      createLogger('info'),
    )
    await latchkey.listen()
    allLoaded()
    const address = latchkey.server.server.address()
    return typeof address === 'object' && address ? address.port : 0
  },
  prepare: async () => {
    throw new Error('another process prepares the requests')
  },
  stop: () => latchkey.close(),
})
