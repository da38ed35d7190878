import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { familyBytes, familyMicros, familyOf } from './process-usage.ts'

/** A program of others that serves, observed from outside. */
export interface ForeignServer {
  /** CPU in µs since its start and resident memory in bytes, with its child processes. */
  usage(): { cpuMicros: number; rss: number }
  stop(): Promise<void>
}

const patience = 180_000
const keptOutput = 4000

const answers = (url: string) =>
  fetch(url).then(
    (answer) => answer.ok,
    () => false,
  )

/**
 * Starts a program and waits until an address answers. It can be observed on Linux only.
 * @throws Error with the last output of the program if it exits or does not answer
 */
export const startForeign = async (
  command: string,
  args: string[],
  env: NodeJS.ProcessEnv,
  readyUrl: string,
): Promise<ForeignServer> => {
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output = (output + chunk).slice(-keptOutput)
    })
  let isEnded = false
  const ended = new Promise<void>((resolve) => {
    const end = () => {
      isEnded = true
      resolve()
    }
    child.once('error', end)
    child.once('close', end)
  })
  // Scripts like Keycloak's run the server as their child, and forward only SIGTERM.
  const kill = () => {
    for (const pid of child.pid === undefined ? [] : familyOf(child.pid)) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {} // the process has exited meanwhile
    }
  }
  // The benchmark has died.
  process.once('disconnect', kill)
  const stop = async () => {
    child.kill('SIGTERM')
    const timer = setTimeout(kill, 15_000)
    await ended
    clearTimeout(timer)
    process.off('disconnect', kill)
  }
  for (const began = performance.now(); !(await answers(readyUrl)); await sleep(50)) {
    if (!isEnded && performance.now() - began < patience) continue
    await stop()
    throw new Error(`${command} ${args.join(' ')} did not become ready: ${output}`)
  }
  const pid = child.pid as number
  return { usage: () => ({ cpuMicros: familyMicros(pid), rss: familyBytes(pid) }), stop }
}

/** Runs a program to its end. @returns its last output @throws Error with its last output if it fails */
export const runForeign = async (command: string, args: string[], env: NodeJS.ProcessEnv) => {
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output = (output + chunk).slice(-keptOutput)
    })
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} exited with ${code}: ${output}`)
  return output
}
