import { type FeedAnswer, readFeedAnswer } from './changes.ts'
import { VerificationUnavailable } from './errors.ts'
import type { Pace } from './pace.ts'
import { type AuthorizationServer, type Report, UnexpectedStatus } from './server.ts'
import type { Settings } from './settings.ts'

/** Reads the revocation feed. */
export interface Feed {
  /** Resolves when all revocations that existed at the start are applied. */
  ready: Promise<void>
  /** Time of the last complete answer, in `ticks`. */
  heardAt(): number
  /** Reads the feed until the pace is stopped. */
  run(): Promise<void>
}

/** Seconds for which the server may hold a request; less when a short maximum age is set. */
const waitFor = (maxRevocationAge: number) =>
  Math.max(1, Math.min(20, Math.floor(maxRevocationAge / 2)))

/** Milliseconds. A server or proxy that answers at once without changes is not asked more often. */
const shortestTurn = 500

/** The server does not know the cursor, for example after its database was restored. */
const isCursorRefused = ({ cause }: VerificationUnavailable) =>
  cause instanceof UnexpectedStatus && [400, 404, 410, 422].includes(cause.status)

const read = (body: Parameters<typeof readFeedAnswer>[0]): FeedAnswer => {
  try {
    return readFeedAnswer(body)
  } catch (cause) {
    throw new VerificationUnavailable('bad_answer', cause)
  }
}

/**
 * @param deps.apply applies an answer and returns whether the state is complete
 * @param deps.isDoubtful whether the whole state must be read again
 */
export const createFeed = (deps: {
  server: AuthorizationServer
  settings: Pick<Settings, 'maxRevocationAge' | 'ticks'>
  pace: Pace
  report: Report
  apply: (answer: FeedAnswer) => boolean
  isDoubtful: () => boolean
}): Feed => {
  const { server, pace, report, apply, isDoubtful } = deps
  const { ticks } = deps.settings
  const wait = waitFor(deps.settings.maxRevocationAge)
  let cursor: string | null = null
  // At the beginning, while more is available and after a failure, the server must answer at once, because requests may
  // be waiting.
  let isUrgent = true
  let heardAt = Number.NEGATIVE_INFINITY
  let isReady = () => {}
  const ready = new Promise<void>((resolve) => {
    isReady = resolve
  })

  const turn = async () => {
    const began = ticks()
    const answer = read(await server.revocations(cursor, isUrgent ? 0 : wait))
    // Without a cursor the answer is a complete new state, whatever it says.
    const isComplete = apply({ ...answer, reset: answer.reset || cursor === null })
    cursor = isDoubtful() ? null : answer.cursor
    report(null)
    if (isComplete) {
      heardAt = ticks()
      isReady()
    }
    const isIdle = !isUrgent && !answer.more && answer.changes.length === 0
    isUrgent = answer.more || cursor === null
    if (isIdle && ticks() - began < shortestTurn) await pace.pause(shortestTurn)
  }

  const fail = (error: unknown) => {
    const problem =
      error instanceof VerificationUnavailable
        ? error
        : new VerificationUnavailable('bad_answer', error)
    if (isCursorRefused(problem)) cursor = null
    isUrgent = true
    report(problem)
  }

  return {
    ready,
    heardAt: () => heardAt,
    run: async () => {
      for (let failures = 0; !pace.isStopped(); ) {
        try {
          await turn()
          failures = 0
        } catch (error) {
          fail(error)
          failures++
          await pace.pause(pace.backoff(failures))
        }
      }
    },
  }
}
