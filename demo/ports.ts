import { createServer } from 'node:net'

const host = '127.0.0.1'
const tries = 50

/** Server, demo client, data API, framed apps, two for the examples with an address, and MCP server. */
export const portsNeeded = 7

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })

/** The ports in use among those of a demo that starts here. */
const takenFrom = async (first: number): Promise<number[]> => {
  const ports = Array.from({ length: portsNeeded }, (_, at) => first + at)
  const free = await Promise.all(ports.map(isFree))
  return ports.filter((_, at) => !free[at])
}

export interface Ports {
  /** The first of seven free consecutive ports. */
  first: number
  /** Why they are not the wanted ones: the ports of those that are in use; empty if they are. */
  taken: number[]
}

/**
 * Finds seven free consecutive ports, starting at this one.
 * @throws Error when none are found nearby
 */
export const freePorts = async (from: number): Promise<Ports> => {
  let taken: number[] = []
  for (let tried = 0; tried < tries; tried++) {
    const first = from + tried * portsNeeded
    if (first + portsNeeded > 65_536) break
    const here = await takenFrom(first)
    if (here.length === 0) return { first, taken }
    if (tried === 0) taken = here
  }
  throw new Error(
    `no ${portsNeeded} neighbouring ports are free from ${from} on: choose others with --port`,
  )
}
