import { once } from 'node:events'
import type { Test } from 'tap'
import { createMcpServer, path } from '../../examples/mcp-server/server.ts'
import { platformOf } from './data-api.ts'
import { freePort } from './free-port.ts'
import type { Scene } from './on-each-backend.ts'
import { registerResourceServer } from './resource-server.ts'

/** The MCP server of the examples, started beside a server. @returns its address */
export const startMcpServer = async (t: Test, scene: Scene): Promise<string> => {
  const { issuer, running, stores } = scene
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const resource = `${url}${path}`
  const resourceServer = await registerResourceServer(running, { resource: [resource] })
  const server = await createMcpServer({
    url,
    databaseUrl: stores.databaseUrl,
    platform: platformOf(scene),
    verifier: { issuer, audience: resource, resourceServer },
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(async () => {
    server.close()
    server.closeAllConnections()
  })
  return resource
}
