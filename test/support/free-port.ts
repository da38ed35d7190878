import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** A port of 127.0.0.1 that was free a moment ago; callers must be ready to try another. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** A port below the ephemeral ones of the system: no other program gets it until it is used, or used again. */
export const lowPort = () => 10_000 + randomInt(20_000)
