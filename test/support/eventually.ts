/**
 * Milliseconds; far more than the slowest machine needs, so that a hanging test names its
 * condition.
 */
const timeLimit = 300_000

/** Waits until the condition holds, and fails if it never does. */
export const eventually = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  const began = performance.now()
  while (!(await isSo())) {
    if (performance.now() - began > timeLimit) throw new Error(`it never came to be so: ${isSo}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
