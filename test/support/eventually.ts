/** Waits until it is so; the time is the test runner's to limit. */
export const eventually = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 5))
}
