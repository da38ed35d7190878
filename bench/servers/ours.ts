import { createLatchkey } from '#dist/app.js'
import { readConfig } from '#dist/config.js'
import { keepHeapSmall } from '#dist/heap.js'
import { createLogger } from '#dist/log.js'
import { environmentOf, operations, serve } from '../protocol.ts'

const { databaseUrl, redisUrl, masterKey } = environmentOf()
keepHeapSmall()
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
      }),
      createLogger('info'),
    )
    await latchkey.listen()
    const address = latchkey.server.server.address()
    return typeof address === 'object' && address ? address.port : 0
  },
  prepare: async () => {
    throw new Error('its requests are made by another process')
  },
  stop: () => latchkey.close(),
})
