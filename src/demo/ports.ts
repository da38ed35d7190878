import { createServer } from 'node:net'

const host = '127.0.0.1'
const tries = 50

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })

/**
 * The first free pair of neighbouring ports from this one on: server and demo client.
 * @throws Error when there is none among the next hundred
 */
export const freePair = async (from: number): Promise<number> => {
  for (let port = from; port < from + 2 * tries && port < 65_535; port += 2) {
    const [first, second] = await Promise.all([isFree(port), isFree(port + 1)])
    if (first && second) return port
  }
  throw new Error(`no two neighbouring ports are free from ${from} on: choose others with --port`)
}
