import type { Events, TableEvent } from '../data/events.ts'
import type { Check } from './guard.ts'

export interface Watched<Payload> {
  tableId: string
  /** What subscribers are told; null when there is nothing to tell. */
  load(event: TableEvent): Promise<Payload | null>
  check: Check
}

/** Milliseconds between two looks at the token while nothing happens. */
const interval = 1000
/** Events that a slow subscriber may be behind. */
const mostWaiting = 1000

/**
 * Tells what happens to a table for as long as the token is good: it is verified each second and before each event, so
 * nothing is told to somebody whose access has ended. That costs nothing, as verified tokens are remembered.
 * @throws Refusal into the stream when the token has died; the stream just ends when events may have been missed
 */
export async function* watch<Payload>(
  events: Events,
  { tableId, load, check }: Watched<Payload>,
): AsyncGenerator<Payload> {
  const waiting: TableEvent[] = []
  let isLost = false
  let wake = () => {}
  const stop = events.listen(tableId, {
    onEvent: (event) => {
      isLost ||= waiting.push(event) > mostWaiting
      wake()
    },
    onLost: () => {
      isLost = true
      wake()
    },
  })
  const next = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, interval)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  try {
    while (!isLost) {
      await check()
      const event = waiting.shift()
      const payload = event && (await load(event))
      if (payload) yield payload
      if (!event) await next()
    }
  } finally {
    stop()
  }
}
