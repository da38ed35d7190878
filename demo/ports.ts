import { createServer } from 'node:net'

const host = '127.0.0.1'
const tries = 50

/** Server, demo client, data API and framed apps. The last two are for the examples with an address. */
export const portsNeeded = 6

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })

/**
 * Finds six free consecutive ports, starting at this one, and returns the first.
 * @throws Error when none are found nearby
 */
export const freePorts = async (from: number): Promise<number> => {
  for (let tried = 0; tried < tries; tried++) {
    const first = from + tried * portsNeeded
    if (first + portsNeeded > 65_536) break
    const ports = Array.from({ length: portsNeeded }, (_, at) => first + at)
    if ((await Promise.all(ports.map(isFree))).every(Boolean)) return first
  }
  throw new Error(
    `no ${portsNeeded} neighbouring ports are free from ${from} on: choose others with --port`,
  )
}
