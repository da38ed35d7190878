import closeWithGrace from 'close-with-grace'

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

export interface ShutdownLog {
  info(about: object, message: string): void
  error(about: object, message: string): void
  /** Waits until all lines are written. */
  end?(): Promise<void>
}

/**
 * Closes at the first signal and exits with 0, or with 1 after 10 s or after an uncaught error. Further signals are
 * ignored: orchestrators and impatient users send them.
 * @param timeout milliseconds
 */
export const closeOnSignal = (close: () => Promise<void>, log: ShutdownLog, timeout = 10_000) => {
  const grace = closeWithGrace(
    {
      delay: timeout,
      logger: false,
      skip: [...signals, 'beforeExit'],
      onTimeout: () => log.error({ patience: timeout }, 'not closed in time'),
      onSecondError: (err) => log.error({ err }, 'failed while closing'),
    },
    async ({ err }) => {
      if (err) log.error({ err }, 'closing after an error')
      try {
        await close()
      } catch (err) {
        log.error({ err }, 'failed while closing')
        throw err
      } finally {
        await log.end?.()
      }
    },
  )
  let closing = false
  for (const signal of signals) {
    process.on(signal, () => {
      if (closing) return
      closing = true
      log.info({ signal }, 'closing')
      grace.close()
    })
  }
}
