// Rules of the audit trail. Each service declares the small store interface that it needs.
import { StoreUnavailable } from '../language/errors.ts'

/** The user, client or operator that caused an event. */
export interface Actor {
  kind: 'user' | 'client' | 'operator' | 'system' | 'anonymous'
  id: string | null
}

/** An event of the audit trail. It never contains a secret. */
export interface AuditEvent {
  type: string
  actor: Actor
  organizationId?: string | null
  clientId?: string | null
  userId?: string | null
  address?: string | null
  requestId?: string | null
  /** Not stored. The session that caused the event gets no notice of it. */
  sessionId?: string | undefined
  detail?: Record<string, unknown>
}

/** The request that causes a change, as its entry point knows it. */
export interface Cause {
  actor: Actor
  address: string | null
  requestId: string | null
  /** The browser's User-Agent, if any; not part of an event. */
  userAgent?: string | undefined
  /** The session that sent the request; not part of an event. */
  sessionId?: string | undefined
}

/** Makes an event that this request caused. */
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

/** Events of requests that must not wait for a store: kept in memory and written in batches. */
export interface AuditTrail {
  record(event: AuditEvent): void
  close(): Promise<void>
}

const mostWaiting = 10_000

/** @param onLost called with the number of events that were not written @param flushEvery milliseconds */
export const createAuditTrail = (
  store: AuditStore,
  onLost: (count: number, cause: unknown) => void,
  flushEvery = 1000,
): AuditTrail => {
  let waiting: AuditEvent[] = []
  let writing: Promise<void> = Promise.resolve()

  /** Keeps the batch for the next attempt, when Postgres may be back. Events above the limit are lost. */
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
      // Postgres rejects one of the events. Only that one is lost; the others are written.
      else for (const event of batch) await write([event])
    }
  }

  const writeWaiting = async () => {
    const batch = waiting
    waiting = []
    if (batch.length > 0) await write(batch)
  }

  /** Writes one batch at a time. Events that arrive while the store hangs wait for the next batch. */
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
