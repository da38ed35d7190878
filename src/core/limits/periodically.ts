/**
 * Does work again and again, at most once at a time.
 * @param every milliseconds between two beginnings; a round that takes longer is not interrupted
 */
export const periodically = (options: {
  every: number
  run(): Promise<unknown>
  onError(error: unknown): void
}) => {
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
    /** Begins a round now, unless one is under way. */
    begin,
    /** Begins no further round. Resolves when the one under way has ended. */
    close: async () => {
      clearInterval(timer)
      await underway
    },
  }
}

/** Reports every 15 seconds what waits in an outbox. */
export const measured = (options: {
  outbox: { backlog(): Promise<{ waiting: number; overdue: number }> }
  onBacklog(waiting: number, overdue: number): void
  onError(error: unknown): void
}) =>
  periodically({
    every: 15_000,
    run: async () => {
      const { waiting, overdue } = await options.outbox.backlog()
      options.onBacklog(waiting, overdue)
    },
    onError: options.onError,
  })
