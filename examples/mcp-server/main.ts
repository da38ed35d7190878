import { createMcpServer, path } from './server.ts'
import { readSettings } from './settings.ts'

const { host, port, ...options } = readSettings(process.env)
const server = await createMcpServer(options)
server.listen(port, host, () => {
  console.log(`MCP server  ${options.url}${path}`)
  // As a child process it reports when it is ready, and exits with its parent.
  process.send?.('ready')
})

const end = () => {
  server.close()
  server.closeAllConnections()
  if (process.connected) process.disconnect()
}
for (const signal of ['SIGINT', 'SIGTERM', 'disconnect'])
  process.once(signal as NodeJS.Signals, end)
