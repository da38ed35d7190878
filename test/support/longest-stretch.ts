/** Milliseconds of CPU: of this thread, before Node 24 of this process. */
const cpu = () => {
  const own = process as { threadCpuUsage?: () => NodeJS.CpuUsage }
  const { user, system } = own.threadCpuUsage?.() ?? process.cpuUsage()
  return (user + system) / 1000
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

const stretchOnce = async (work: () => unknown): Promise<number> => {
  let [last, longest, isDone] = [cpu(), 0, false]
  const measure = () => {
    const now = cpu()
    longest = Math.max(longest, now - last)
    last = now
  }
  const run = async () => {
    await nextTurn()
    try {
      await work()
    } catch {
      // A refusal takes its time as well.
    }
    isDone = true
  }
  const running = run()
  while (!isDone) {
    await nextTurn()
    measure()
  }
  await running
  return longest
}

/**
 * The longest time for which work holds the event loop, in milliseconds of CPU: the best of three, unless the first is
 * within the bound.
 */
export const longestStretch = async (work: () => unknown, bound: number): Promise<number> => {
  let best = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < 3 && best > bound; attempt += 1)
    best = Math.min(best, await stretchOnce(work))
  return best
}
