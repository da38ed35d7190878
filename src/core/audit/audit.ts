// What lives here: what the system does. Each service declares the small store interface that it needs.
import { StoreUnavailable } from '../language/errors.ts'

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
  /** Is not written: whoever did it in this session need not be told of it. */
  sessionId?: string | undefined
  detail?: Record<string, unknown>
}

/** What an entry point knows of the request that causes a change. */
export interface Cause {
  actor: Actor
  address: string | null
  requestId: string | null
  /** Of the browser, where there is one; it is no part of an event. */
  userAgent?: string | undefined
  /** The session in which it was done; no part of an event either. */
  sessionId?: string | undefined
}

/** An event caused by this request. */
export const auditEvent = (
  cause: Cause,
  type: string,
  about: Omit<AuditEvent, 'type' | keyof Cause> = {},
): AuditEvent => {
  const { actor, address, requestId, sessionId } = cause
  return { ...about, actor, address, requestId, type, ...(sessionId && { sessionId }) }
}

export interface AuditStore {
  append(events: readonly AuditEvent[]): Promise<void>
}

/** Events of the request path, where no store may be asked for them: kept in memory, written in batches. */
export interface AuditTrail {
  record(event: AuditEvent): void
  close(): Promise<void>
}

const mostWaiting = 10_000

/**
 * @param onLost called with the number of events that could not be written
 * @param flushEvery milliseconds
 */
export const createAuditTrail = (
  store: AuditStore,
  onLost: (count: number, cause: unknown) => void,
  flushEvery = 1000,
): AuditTrail => {
  let waiting: AuditEvent[] = []
  let writing: Promise<void> = Promise.resolve()

  /** Postgres may be back at the next turn; what does not fit any more is counted as lost. */
  const keep = (batch: AuditEvent[], cause: unknown) => {
    const room = Math.max(0, mostWaiting - waiting.length)
    if (batch.length > room) onLost(batch.length - room, cause)
    waiting = [...batch.slice(0, room), ...waiting]
  }

  const write = async (batch: AuditEvent[]): Promise<void> => {
    try {
      await store.append(batch)
    } catch (cause) {
      if (cause instanceof StoreUnavailable) keep(batch, cause)
      else if (batch.length === 1) onLost(1, cause)
      // One of them will never be taken: only that one is lost, and it holds up nobody.
      else for (const event of batch) await write([event])
    }
  }

  const writeWaiting = async () => {
    const batch = waiting
    waiting = []
    if (batch.length > 0) await write(batch)
  }

  /** One batch at a time, taken when its turn comes: what a store that hangs keeps from being written still waits. */
  const flush = () => {
    writing = writing.then(writeWaiting)
    return writing
  }

  const timer = setInterval(() => void flush(), flushEvery)
  timer.unref()

  return {
    record: (event) => {
      if (waiting.length < mostWaiting) waiting.push(event)
      else onLost(1, 'full')
    },
    close: async () => {
      clearInterval(timer)
      await flush()
      if (waiting.length > 0) onLost(waiting.length, 'closed')
    },
  }
}
