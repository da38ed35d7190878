/**
 * An attacker in a process of its own, so that its work does not delay the measurements of the
 * test. It reads the variables `PORT` and `ATTACK`, reports its start on standard error, and prints
 * its statistics at the end. `start-attacker.ts` starts it.
 */
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Attack {
  /**
   * `flood` writes again and again, ignoring responses; `ask` waits for each response before the
   * next request; `reset` writes once and resets the connection; `drip` sends one byte of the
   * payload per second; `hold` writes once and then idles.
   */
  kind: 'flood' | 'ask' | 'reset' | 'drip' | 'hold'
  payload: string
  connections: number
  /** Over all connections. */
  bytesPerSecond: number
  seconds: number
  /** Whether it reads the responses. */
  reads: boolean
}

export interface AttackTally {
  sent: number
  received: number
  answers: number
  opened: number
  closed: number
  statuses: Record<string, number>
}

const tick = 20 // ms
const address = '127.0.0.1'
/** Milliseconds between writing and resetting, while the server works. */
const beforeReset = 30
const reconnectAfter = 50

/** Bytes that may be sent now: a bucket that fills with time. */
const createBudget = (perSecond: number) => {
  let [left, at] = [perSecond / 10, performance.now()]
  return {
    take: (bytes: number) => {
      const now = performance.now()
      left = Math.min(perSecond / 10 + bytes, left + ((now - at) / 1000) * perSecond)
      at = now
      if (left < bytes) return false
      left -= bytes
      return true
    },
  }
}

const run = async (port: number, attack: Attack) => {
  const { kind, payload, connections, bytesPerSecond, seconds, reads } = attack
  const budget = createBudget(bytesPerSecond)
  const tally: AttackTally = {
    sent: 0,
    received: 0,
    answers: 0,
    opened: 0,
    closed: 0,
    statuses: {},
  }
  const end = performance.now() + seconds * 1000
  const isOver = () => performance.now() > end
  const open = new Set<Socket>()

  const enter = async () => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: address })
    open.add(socket)
    tally.opened++
    socket.on('error', () => undefined)
    socket.once('close', () => {
      open.delete(socket)
      tally.closed++
    })
    if (reads) {
      socket.on('data', (chunk: Buffer) => {
        tally.received += chunk.length
        for (const [, status = ''] of chunk.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3}) /g)) {
          tally.answers++
          tally.statuses[status] = (tally.statuses[status] ?? 0) + 1
        }
      })
    } else socket.pause()
    await new Promise<void>((resolve) => {
      socket.once('connect', resolve)
      socket.once('close', () => resolve())
    })
    return socket
  }

  const write = async (socket: Socket, text: string) => {
    while (!isOver() && !socket.destroyed && !budget.take(text.length)) await sleep(tick)
    if (isOver() || socket.destroyed) return
    tally.sent += text.length
    socket.write(text)
  }

  const nextAnswer = (socket: Socket) => {
    const before = tally.answers
    return new Promise<void>((resolve) => {
      const check = () => {
        if (tally.answers === before) return
        socket.off('data', check)
        resolve()
      }
      socket.on('data', check)
      socket.once('close', () => resolve())
    })
  }

  const steps: Record<Attack['kind'], (socket: Socket) => Promise<void>> = {
    flood: async (socket) => {
      while (!isOver() && !socket.destroyed) {
        await write(socket, payload)
        if (socket.writableLength > 1 << 20) await sleep(tick) // The server does not read.
      }
    },
    ask: async (socket) => {
      while (!isOver() && !socket.destroyed) {
        const answered = nextAnswer(socket)
        await write(socket, payload)
        await answered
      }
    },
    reset: async (socket) => {
      await write(socket, payload)
      await sleep(beforeReset)
      socket.resetAndDestroy()
    },
    drip: async (socket) => {
      for (const byte of payload) {
        if (isOver() || socket.destroyed) return
        await write(socket, byte)
        await sleep(1000)
      }
    },
    hold: async (socket) => {
      await write(socket, payload)
      while (!isOver() && !socket.destroyed) await sleep(tick)
    },
  }

  const attackOnce = async () => {
    while (!isOver()) {
      const socket = await enter()
      await steps[kind](socket)
      if (!isOver()) await sleep(kind === 'reset' ? 0 : reconnectAfter)
    }
  }
  void Promise.all(Array.from({ length: connections }, attackOnce))
  await sleep(seconds * 1000)
  for (const socket of open) socket.destroy()
  return tally
}

const { PORT, ATTACK } = process.env
if (PORT && ATTACK) {
  process.stderr.write('begins\n')
  const tally = await run(Number(PORT), JSON.parse(ATTACK))
  process.stdout.write(JSON.stringify(tally), () => process.exit())
}
