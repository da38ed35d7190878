import { once } from 'node:events'
import { createConnection, type Socket } from 'node:net'

/** @returns null if nothing listens */
export async function connectTo(path: string): Promise<Socket | null> {
  const socket = createConnection(path)
  try {
    await once(socket, 'connect')
    return socket
  } catch {
    return null
  }
}

export async function canConnect(path: string): Promise<boolean> {
  const socket = await connectTo(path)
  socket?.destroy()
  return socket !== null
}
