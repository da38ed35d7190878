// Loaded into a server process: reports each turn of its event loop that used much CPU of its thread, on standard error.
import { readFileSync } from 'node:fs'

const least = 20 // ms
/** Milliseconds of CPU of this thread; on systems without proc(5) of the process. */
const cpu = () => {
  try {
    return (
      Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(' ')[0]) / 1e6
    )
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
}

let last = cpu()
// A timer of one millisecond runs once in each turn that takes longer.
setInterval(() => {
  const now = cpu()
  if (now - last > least) process.stderr.write(`turn of ${Math.round(now - last)} ms\n`)
  last = now
}, 1).unref()
