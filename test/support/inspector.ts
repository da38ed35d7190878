import type { Test } from 'tap'
import WebSocket from 'ws'
import { eventually } from './eventually.ts'
import type { ServerProcess } from './server-process.ts'

/** Node options for inspection at run time. */
export const inspected = { NODE_OPTIONS: '--inspect=127.0.0.1:0' }

/** Inspects the heap of a server that was started with `inspected`. */
export const openInspector = async (t: Test, server: ServerProcess) => {
  const address = () => /Debugger listening on (ws:\S+)/.exec(server.log())?.[1]
  await eventually(() => address() !== undefined)
  const socket = new WebSocket(address() as string)
  t.teardown(() => socket.terminate())
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  let last = 0
  const ask = (method: string) =>
    new Promise<Record<string, number>>((resolve) => {
      const id = ++last
      const listen = (data: WebSocket.RawData) => {
        const message = JSON.parse(String(data))
        if (message.id !== id) return
        socket.off('message', listen)
        resolve(message.result ?? {})
      }
      socket.on('message', listen)
      socket.send(JSON.stringify({ id, method }))
    })
  return {
    /** Megabytes in use after a garbage collection. */
    heap: async () => {
      await ask('HeapProfiler.collectGarbage')
      const { usedSize = 0 } = await ask('Runtime.getHeapUsage')
      return usedSize / 1024 / 1024
    },
  }
}
