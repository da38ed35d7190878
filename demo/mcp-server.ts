import { existsSync } from 'node:fs'
import { type RunningProgram, startProgram } from './child-program.ts'
import { mcpServerProgram } from './locations.ts'

export interface McpServerOptions {
  issuer: string
  url: string
  /** The address of the data API's database, which must be running with its data. */
  databaseUrl: string
  resourceServer: { clientId: string; clientSecret: string }
}

export const hasMcpServer = () => existsSync(mcpServerProgram)

/** Starts the MCP server of the examples. @throws Error when it does not start */
export const startMcpServer = async (options: McpServerOptions): Promise<RunningProgram> => {
  const { issuer, url, databaseUrl, resourceServer } = options
  const { hostname, port } = new URL(url)
  return startProgram('MCP server', mcpServerProgram, {
    LATCHKEY_ISSUER: issuer,
    LATCHKEY_RESOURCE_SERVER_ID: resourceServer.clientId,
    LATCHKEY_RESOURCE_SERVER_SECRET: resourceServer.clientSecret,
    DATABASE_URL: databaseUrl,
    PUBLIC_URL: url,
    HOST: hostname,
    PORT: port,
  })
}
