import type { Access } from '@latchkey-auth/verify'
import type { Events, TableEvent } from '../data/events.ts'
import type { Check } from './guard.ts'

export interface Watched<Payload> {
  tableId: string
  /** The message for subscribers; null if there is none. @param access of the token as it is now */
  load(event: TableEvent, access: Access): Promise<Payload | null>
  check: Check
}

/** Milliseconds between two checks of the token while nothing happens. */
const interval = 1000
/** Events that a slow subscriber may lag behind. */
const mostWaiting = 1000

/**
 * Sends the events of a table while the token is valid. The token is verified each second and
 * before each event, so no event reaches a caller whose access has ended. The checks are cheap,
 * because verified tokens are cached. @throws Refusal into the stream when the token is no longer
 * valid; the stream just ends when events may have been missed
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
      const access = await check()
      const event = waiting.shift()
      const payload = event && (await load(event, access))
      if (payload) yield payload
      if (!event) await next()
    }
  } finally {
    stop()
  }
}
