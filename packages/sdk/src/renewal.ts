import type { Connected, ConnectResponse, Failure } from './outcome.ts'

export interface Renewal {
  /** Receives the outcome of a try. */
  accept(outcome: Connected | Failure): void
  /** Tries now, unless a try is under way. */
  run(): void
  /** Drops the try under way and starts a new one. */
  restart(): void
  /** Drops the token. */
  forget(): void
  /** The user is being asked in a window. Pauses automatic tries for a while. */
  personAsked(): void
  /** The valid token; null when there is none. */
  token(): Connected | null
  stop(): void
}

const firstPause = 1_000
const longestPause = 60_000
const shortestRest = 5_000 // ms between two tries that only a return to the page causes
const longestAnswer = 600_000 // ms that a user may take
const answerOnItsWay = 2_000 // ms after the return from the window of `ask`

/** Milliseconds from a token until the next one is fetched: with a tenth of its lifetime left, randomized. */
const renewAfter = (expiresIn: number) => {
  const spare = Math.min(expiresIn / 2, Math.max(60, expiresIn / 10))
  return (expiresIn - spare - Math.random() * spare * 0.5) * 1000
}

/** Milliseconds until the next try after this many failures. */
const pauseAfter = (failures: number) =>
  Math.min(firstPause * 2 ** (failures - 1), longestPause) * (0.75 + Math.random() * 0.5)

/**
 * Keeps a token fresh: renews it before it expires, after temporary failures, and when the user returns to the page.
 */
export const createRenewal = (
  attempt: () => Promise<void>,
  report: (response: ConnectResponse) => void,
): Renewal => {
  let token: Connected | null = null
  let failures = 0
  let timer = 0
  /** Time of the next automatic try; null when none is planned. */
  let dueAt: number | null = null
  let isUnderWay = false
  let triedAt = 0
  let askedAt: number | null = null
  let returnTimer = 0
  let hasReturned = false

  const run = () => {
    if (isUnderWay) return
    isUnderWay = true
    clearTimeout(timer)
    triedAt = Date.now()
    void attempt()
  }

  const restart = () => {
    isUnderWay = false
    run()
  }

  const plan = (pause: number | null) => {
    clearTimeout(timer)
    dueAt = pause === null ? null : Date.now() + pause
    if (pause !== null) timer = window.setTimeout(run, pause)
  }

  const accept = (outcome: Connected | Failure) => {
    isUnderWay = false
    // A user who returned without an answer may still give it.
    if ('connected' in outcome || !hasReturned) askedAt = null
    hasReturned = false
    if ('connected' in outcome) {
      token = outcome
      failures = 0
      plan(renewAfter(outcome.expiresIn))
      return report(outcome)
    }
    failures += 1
    const retryIn = outcome.isPassing ? pauseAfter(failures) : null
    plan(retryIn)
    const { error, description, canAsk } = outcome
    report({ connected: false, error, description, canAsk, retryIn })
  }

  const isPersonBusy = () => askedAt !== null && Date.now() - askedAt < longestAnswer

  /**
   * WebKit keeps the answer in the window: its channels do not reach from there into a frame of a page on another origin.
   * A user who returns from the window may have allowed the app.
   */
  const onReturn = () => {
    clearTimeout(returnTimer)
    if (!isPersonBusy()) return
    returnTimer = window.setTimeout(() => {
      if (!isPersonBusy()) return
      hasReturned = true
      run()
    }, answerOnItsWay)
  }
  const onLeave = () => clearTimeout(returnTimer)

  // Timers stop while a machine sleeps and are slow in hidden tabs.
  const onVisible = () => {
    if (document.visibilityState !== 'visible') return onLeave()
    if (isPersonBusy()) return onReturn()
    const isOverdue = dueAt !== null && Date.now() >= dueAt
    const hasGivenUp = dueAt === null && failures > 0
    if ((isOverdue || hasGivenUp) && Date.now() - triedAt >= shortestRest) run()
  }
  const backOnline = () => {
    if (failures > 0 && !isPersonBusy()) run()
  }
  document.addEventListener('visibilitychange', onVisible)
  window.addEventListener('online', backOnline)
  window.addEventListener('focus', onReturn)
  window.addEventListener('blur', onLeave)

  return {
    accept,
    run,
    restart,
    forget: () => {
      token = null
    },
    personAsked: () => {
      askedAt = Date.now()
      plan(null)
    },
    token: () => (token && token.expiresAt > Date.now() ? token : null),
    stop: () => {
      clearTimeout(timer)
      clearTimeout(returnTimer)
      document.removeEventListener('visibilitychange', onVisible)
      window.removeEventListener('online', backOnline)
      window.removeEventListener('focus', onReturn)
      window.removeEventListener('blur', onLeave)
    },
  }
}
