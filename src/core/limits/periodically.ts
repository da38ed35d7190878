/** Work that is done again and again, at most once at a time. */
export interface Periodic {
  /** Begins a round now, unless one is under way. */
  begin(): void
  /** Begins no further round. Resolves when the one under way has ended. */
  close(): Promise<void>
}

/** @param every milliseconds between two beginnings; a round that takes longer is not interrupted */
export const periodically = (options: {
  every: number
  run(): Promise<unknown>
  onError(error: unknown): void
}): Periodic => {
  let underway: Promise<unknown> | null = null
  const begin = () => {
    underway ??= options
      .run()
      .catch(options.onError)
      .finally(() => {
        underway = null
      })
  }
  const timer = setInterval(begin, options.every).unref()
  return {
    begin,
    close: async () => {
      clearInterval(timer)
      await underway
    },
  }
}
