import { createDataApi } from './server.ts'
import { readSettings } from './settings.ts'

const settings = await readSettings(process.env)
const server = await createDataApi({
  ...settings,
  logger: { level: process.env.LOG_LEVEL ?? 'warn' },
})
await server.listen({ host: settings.host, port: settings.port })
console.log(`Data API  ${settings.url}/graphql`)

// As a child process it reports when it is ready, and exits with its parent.
process.send?.('ready')
const end = async () => {
  await server.close()
  if (process.connected) process.disconnect()
}
for (const signal of ['SIGINT', 'SIGTERM', 'disconnect'])
  process.once(signal as NodeJS.Signals, () => void end())
