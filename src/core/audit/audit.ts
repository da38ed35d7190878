// Rules of the audit trail. Each service declares the small store interface that it needs.
import type { EventType } from '../language/event-types.ts'
import { equalShares } from './equal-shares.ts'
import { createWriteBehind } from './write-behind.ts'

/** The user, client or operator that caused an event. */
export interface Actor {
  kind: 'user' | 'client' | 'operator' | 'system' | 'anonymous'
  id: string | null
}

/** An event of the audit trail. It never contains a secret. */
export interface AuditEvent {
  type: EventType
  actor: Actor
  organizationId?: string | null
  clientId?: string | null
  userId?: string | null
  address?: string | null
  requestId?: string | null
  /** Not stored. The session that caused the event gets no notice of it. */
  sessionId?: string | undefined
  /** Not stored. It causes no mail and no webhook message. */
  quiet?: true | undefined
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
  /** Its events cause no mail and no webhook message: an import changes too much at once. */
  quiet?: true | undefined
}

/** The server itself acts. */
export const byServer: Cause = {
  actor: { kind: 'system', id: null },
  address: null,
  requestId: null,
}

/** Makes an event that this request caused. */
export const auditEvent = (
  cause: Cause,
  type: EventType,
  about: Omit<AuditEvent, 'type' | keyof Cause> = {},
): AuditEvent => {
  const { actor, address, requestId, sessionId, quiet } = cause
  const unstored = { ...(sessionId && { sessionId }), ...(quiet && { quiet }) }
  return { ...about, actor, address, requestId, type, ...unstored }
}

export interface AuditStore {
  append(events: readonly AuditEvent[]): Promise<void>
}

/** While the store is away. What comes on top waits until some more have come, and then shares are made. */
const mostWaiting = 10_000
const mostOnTop = 1000
/** In one write: what waits must not be too much for the time that a write may take. */
const mostAtOnce = 500

type Source = Pick<AuditEvent, 'organizationId' | 'clientId' | 'address'>

/** What has a share of the places: an organization, an app, or an address. */
const sourceOf = ({ organizationId, clientId, address }: Source) =>
  organizationId ?? clientId ?? address ?? ''

/**
 * Events of requests that must not wait for a store: kept in memory and written in batches.
 * @param onLost called with the number of events that were not written
 * @param flushEvery milliseconds
 */
export const createAuditTrail = <Event extends Source = AuditEvent>(
  store: { append(events: readonly Event[]): Promise<void> },
  onLost: (count: number, cause: unknown) => void,
  flushEvery = 1000,
) => {
  let waiting: Event[] = []

  const share = (events: readonly Event[], cause: unknown) => {
    waiting = equalShares(events, mostWaiting, sourceOf)
    if (events.length > waiting.length) onLost(events.length - waiting.length, cause)
  }

  const writeBehind = createWriteBehind<Event[]>({
    flushEvery,
    take: () => {
      const batches: Event[][] = []
      while (waiting.length > 0) batches.push(waiting.splice(0, mostAtOnce))
      return batches
    },
    write: (batch) => store.append(batch),
    keep: (batches, cause) => share([...batches.flat(), ...waiting], cause),
    drop: (batch, cause) => onLost(batch.length, cause),
    split: (batch) => batch.map((event) => [event]),
  })

  return {
    record: (event: Event) => {
      waiting.push(event)
      if (waiting.length >= mostWaiting + mostOnTop) share(waiting, 'full')
      writeBehind.added()
    },
    close: writeBehind.close,
  }
}

export type AuditTrail = ReturnType<typeof createAuditTrail<AuditEvent>>
