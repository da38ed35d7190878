import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Observation } from './observing.ts'
import type { Shares } from './profiling.ts'
import type { Operation, Order, Report, Shot } from './protocol.ts'
import type { About } from './server-description.ts'

/** A server under test in a separate process. */
export interface Child {
  port: number
  /** Milliseconds from the first line of our code until the server listens, without the start of Node. */
  startMs: number
  operations: Operation[]
  about: About | null
  prepare(operation: Operation, count: number): Promise<Shot[]>
  /** CPU in µs since process start, memory in bytes. */
  usage(): Promise<{ cpuMicros: number; rss: number }>
  /** Samples the process until its shares are asked for. */
  profile(): Promise<void>
  shares(): Promise<Shares>
  /** Observes its event loop until the observation is asked for. */
  observe(): Promise<void>
  observation(): Promise<Observation | null>
  pause(): void
  resume(): void
  stop(): Promise<void>
}

type Of<Type extends Report['type']> = Extract<Report, { type: Type }>

const next = <Type extends Report['type']>(child: ChildProcess, type: Type): Promise<Of<Type>> =>
  new Promise((resolve, reject) => {
    const onMessage = (report: Report) => {
      if (report.type === 'failed') done(() => reject(new Error(report.message)))
      else if (report.type === type) done(() => resolve(report as Of<Type>))
    }
    const onExit = () =>
      done(() => reject(new Error(`the server exited before it reported ${type}`)))
    const done = (settle: () => void) => {
      child.off('message', onMessage)
      child.off('exit', onExit)
      settle()
    }
    child.on('message', onMessage)
    child.on('exit', onExit)
  })

/**
 * @param script file below `servers/`, without its extension
 * @param execArgv options of Node
 */
export const startChild = async (
  script: string,
  env: NodeJS.ProcessEnv,
  execArgv: string[] = [],
): Promise<Child> => {
  const file = fileURLToPath(new URL(`./servers/${script}.js`, import.meta.url))
  const child = fork(file, [], {
    env: { ...process.env, ...env, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization: 'advanced',
    execArgv: ['--expose-gc', ...execArgv],
  })
  const ask = (order: Order) => child.send(order)
  const { port, startMs, operations, about } = await next(child, 'listening')
  return {
    port,
    startMs,
    operations,
    about,
    prepare: async (operation, count) => {
      ask({ type: 'prepare', operation, count })
      return (await next(child, 'prepared')).shots
    },
    usage: async () => {
      ask({ type: 'usage' })
      const { cpuMicros, rss } = await next(child, 'usage')
      return { cpuMicros, rss }
    },
    profile: async () => {
      ask({ type: 'profile' })
      await next(child, 'profiling')
    },
    shares: async () => {
      ask({ type: 'shares' })
      return (await next(child, 'shares')).shares
    },
    observe: async () => {
      ask({ type: 'observe' })
      await next(child, 'observing')
    },
    observation: async () => {
      ask({ type: 'observation' })
      return (await next(child, 'observation')).observation
    },
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    stop: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      ask({ type: 'stop' })
      const timer = setTimeout(() => child.kill('SIGKILL'), 5000)
      await ended
      clearTimeout(timer)
    },
  }
}
