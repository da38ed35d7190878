import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

export interface RunningProgram {
  close(): Promise<void>
}

const patienceMs = 5000

/** Stops a program. It exits when its channel closes, also when this process is killed. */
const end = async (child: ChildProcess) => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  if (child.connected) child.disconnect()
  const late = setTimeout(() => child.kill('SIGKILL'), patienceMs)
  await exited
  clearTimeout(late)
}

/**
 * Starts a program of the examples as any user would: as a separate process, configured by its environment.
 * @param name for the error
 * @throws Error when it does not start
 */
export const startProgram = async (
  name: string,
  path: string,
  environment: Readonly<Record<string, string>>,
): Promise<RunningProgram> => {
  const child = fork(path, [], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, ...environment },
  })
  const close = () => end(child)
  const ready = await Promise.race([
    once(child, 'message').then(() => true),
    once(child, 'exit').then(() => false),
  ])
  if (ready) return { close }
  await close()
  throw new Error(`the ${name} did not start`)
}
