/** Milliseconds; many times what the slowest machine needs. A test that hangs shall say on what. */
const timeLimit = 300_000

/** Waits until it is so, and fails when it never is. */
export const eventually = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  const began = performance.now()
  while (!(await isSo())) {
    if (performance.now() - began > timeLimit) throw new Error(`it never came to be so: ${isSo}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
