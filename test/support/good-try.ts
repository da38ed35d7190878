/**
 * Verdicts on times. Other load on the machine makes a try worse, never better: one good try of a few is enough, and
 * where other programs keep the processors busy, bad tries say nothing about the server.
 */
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'

export interface Try {
  good: boolean
  words: string
}

const tries = 4
/** After so many disturbed tries there is no verdict. */
const mostDisturbed = 2
/**
 * Of all processors: used by other programs while the server rests, or by other machines of the host during a try. And
 * milliseconds for which this process stood still at rest: not every host tells what it takes.
 */
const disturbing = { used: 0.25, stolen: 0.05, stalled: 50 }
const rest = 2000 // ms
const ticksPerSecond = 100

const read = (path: string) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // Not Linux: every try counts.
  }
}

/** Ticks since the start of the machine, by proc(5). */
const machineTicks = () => {
  const [user = 0, nice = 0, system = 0, , , irq = 0, soft = 0, stolen = 0] = read('/proc/stat')
    .split('\n', 1)
    .join()
    .split(/\s+/)
    .slice(1)
    .map(Number)
  return { used: user + nice + system + irq + soft, stolen }
}

const processTicks = (pid: number | undefined) => {
  const fields = read(`/proc/${pid}/stat`).split(') ')[1]?.split(' ') ?? []
  return Number(fields[11] ?? 0) + Number(fields[12] ?? 0)
}

/** @returns the shares of all processors since the call that others used, and that the machine did not get */
const watchOthers = (server: number | undefined) => {
  const own = () => processTicks(server) + processTicks(process.pid)
  const began = { at: performance.now(), own: own(), ...machineTicks() }
  return () => {
    const { used, stolen } = machineTicks()
    const ticks = ((performance.now() - began.at) / 1000) * ticksPerSecond * availableParallelism()
    return {
      used: (used - began.used - (own() - began.own)) / ticks,
      stolen: (stolen - began.stolen) / ticks,
    }
  }
}

/** @returns the longest time in milliseconds for which this process, which rests, got no processor */
const longestStall = async (duration: number): Promise<number> => {
  const resolution = 10
  const delays = monitorEventLoopDelay({ resolution })
  delays.enable()
  await sleep(duration)
  delays.disable()
  return Math.max(0, Math.round(delays.max / 1e6) - resolution)
}

/**
 * Passes with the first good try, and fails when there is none. Without a verdict it says so.
 * @param server process id of the server, whose own work disturbs nothing
 */
export const oneGoodTry = async (
  t: Test,
  name: string,
  server: number | undefined,
  attempt: (turn: number) => Promise<Try>,
): Promise<void> => {
  const seen: string[] = []
  let disturbed = 0
  while (seen.length < tries && disturbed < mostDisturbed) {
    const during = watchOthers(server)
    const { good, words } = await attempt(seen.length + 1)
    const { stolen } = during()
    t.comment(`${name}: ${words}`)
    if (good) return void t.pass(name)
    const resting = watchOthers(server)
    const stalled = await longestStall(rest)
    const { used } = resting()
    if (used > disturbing.used || stolen > disturbing.stolen || stalled > disturbing.stalled)
      disturbed++
    const percent = [used, stolen].map((share) => Math.round(share * 100))
    seen.push(
      `${words}; others use ${percent[0]} % at rest, ${percent[1]} % were stolen, a stall of ${stalled} ms`,
    )
  }
  const all = `${name}\n${seen.join('\n')}`
  if (disturbed < mostDisturbed) t.fail(all)
  else t.comment(`NOT JUDGED, the machine is busy with other programs: ${all}`)
}
