// What lives here: what the system does. Each service declares the small store interface that it needs.

/** Who did it. */
export interface Actor {
  kind: 'user' | 'client' | 'operator' | 'system' | 'anonymous'
  id: string | null
}

/** One line of the audit trail: who, what, when, from where; never a secret. */
export interface AuditEvent {
  type: string
  actor: Actor
  organizationId?: string | null
  clientId?: string | null
  userId?: string | null
  address?: string | null
  requestId?: string | null
  detail?: Record<string, unknown>
}

/** What an entry point knows of the request that causes a change. */
export interface Origin {
  actor: Actor
  address: string | null
  requestId: string | null
}

/** An event caused by this request. */
export const auditEvent = (
  origin: Origin,
  type: string,
  about: Omit<AuditEvent, 'type' | keyof Origin> = {},
): AuditEvent => ({ ...about, ...origin, type })

export interface AuditStore {
  append(events: readonly AuditEvent[]): Promise<void>
}

/** Events of the request path, where no store may be asked for them: kept in memory, written in batches. */
export interface AuditTrail {
  record(event: AuditEvent): void
  close(): Promise<void>
}

const mostWaiting = 10_000
const flushEvery = 1000 // ms

/**
 * @param onLost called with the number of events that could not be written
 */
export const createAuditTrail = (
  store: AuditStore,
  onLost: (count: number, cause: unknown) => void,
): AuditTrail => {
  let waiting: AuditEvent[] = []
  let writing: Promise<void> = Promise.resolve()

  const flush = () => {
    if (waiting.length === 0) return writing
    const batch = waiting
    waiting = []
    writing = writing
      .then(() => store.append(batch))
      .catch((cause) => {
        // Postgres may be back at the next turn; what does not fit any more is counted as lost.
        const room = Math.max(0, mostWaiting - waiting.length)
        if (batch.length > room) onLost(batch.length - room, cause)
        waiting = [...batch.slice(0, room), ...waiting]
      })
    return writing
  }

  const timer = setInterval(flush, flushEvery)
  timer.unref()

  return {
    record: (event) => {
      if (waiting.length < mostWaiting) waiting.push(event)
      else onLost(1, 'full')
    },
    close: async () => {
      clearInterval(timer)
      await flush()
    },
  }
}
