import { readFileSync } from 'node:fs'

/** Milliseconds in which the main thread ran, and in which it was ready to run without a core (Linux). */
const schedule = () => {
  try {
    const [ran, waited] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(
      ' ',
    )
    return { ran: Number(ran) / 1e6, waited: Number(waited) / 1e6 }
  } catch {
    return { ran: Number.NaN, waited: Number.NaN }
  }
}

const shortest = 4
const most = 10

/** Between two turns of the event loop. Times in ms; NaN where the system does not tell them. */
export interface Gap {
  /** Of performance.now(). */
  began: number
  ms: number
  /** In which the thread ran, and in which it was ready and had no core. */
  cpuMs: number
  waitedMs: number
}

/** Finds the longest times between two turns of the event loop by a timer of a millisecond. */
export const observeGaps = () => {
  let gaps: Gap[] = []
  let last = performance.now()
  let before = schedule()
  const look = () => {
    const now = performance.now()
    const scheduled = schedule()
    if (now - last >= shortest) {
      const cpuMs = scheduled.ran - before.ran
      gaps.push({ began: last, ms: now - last, cpuMs, waitedMs: scheduled.waited - before.waited })
      if (gaps.length > 10 * most) gaps = longestOf(gaps)
    }
    last = now
    before = scheduled
  }
  const timer = setInterval(look, 1)
  return () => {
    clearInterval(timer)
    return longestOf(gaps)
  }
}

const ranFor = ({ cpuMs, ms }: Gap) => (Number.isNaN(cpuMs) ? ms : cpuMs)
const longestOf = (gaps: readonly Gap[]) =>
  gaps.toSorted((a, b) => ranFor(b) - ranFor(a)).slice(0, most)
