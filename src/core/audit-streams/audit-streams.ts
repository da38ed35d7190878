import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import { type Change, changedFields, type EventsFrom, removal } from '../audit/changes.ts'
import { fetchedUrlFaults } from '../clients/workloads.ts'
import { newId } from '../crypto/identifiers.ts'
import type { Keyring } from '../crypto/keyring.ts'
import type { EventType } from '../language/event-types.ts'
import { faultAt } from '../language/faults.ts'
import type { Page, PageRequest } from '../language/paging.ts'
import { anyVersion, type Precondition, type Put } from '../language/precondition.ts'
import {
  Conflict,
  Forbidden,
  found,
  Invalid,
  idTaken,
  NotFound,
  refuse,
} from '../language/service-errors.ts'
import type { AddressRules } from '../outbound/addresses.ts'
import { webhookSecretFaults } from '../webhooks/signature.ts'

export const streamFormats = ['latchkey', 'ocsf'] as const

export interface StreamSettings {
  url: string
  format: (typeof streamFormats)[number]
  /** The signing secret. */
  sealed: Buffer
}

/** A receiver of the audit trail. */
export interface AuditStream extends StreamSettings {
  id: string
  /** It receives the events of this organization; null: all. It never changes. */
  organizationId: string | null
  /** The last event that the receiver has accepted. */
  lastEventId: string | null
  lastSuccessAt: Date | null
  /** Number of events that the receiver has not accepted, up to `mostCounted`. */
  behind: number
  /** See `StreamOutbox`; null: the last attempt succeeded. */
  lastError: string | null
  createdAt: Date
}

/** The organizations whose streams a caller reaches; null: all, and streams of no organization. */
export type Reach = readonly string[] | null

type StreamChange = Change<StreamSettings & Pick<AuditStream, 'organizationId'>>

export interface AuditStreamStore {
  find(id: string): Promise<AuditStream | null>
  list(page: PageRequest, reach: Reach): Promise<Page<AuditStream>>
  /**
   * Locks the stream, calls `decide` and writes; a change begins a new batch, which is due at once.
   * @param most streams of one organization
   * @returns 'full' when the organization has so many; null when there is no such organization
   */
  put(
    id: string,
    from: StreamDraft['from'],
    most: number,
    decide: (current: AuditStream | null) => StreamChange,
  ): Promise<Put<AuditStream> | 'full' | null>
  /** Locks the stream and calls `admit`, which may throw. */
  remove(id: string, admit: EventsFrom<AuditStream>): Promise<boolean>
  /** Makes a test message due, unless one is waiting. */
  addTest(id: string, messageId: string): Promise<boolean>
}

export interface StreamDraft {
  url: string
  format: StreamSettings['format']
  /** Absent: as it is; null for a new one. */
  organizationId?: string | null | undefined
  /** Absent: as it is. */
  secret?: string | undefined
  /** Of a new one: all events that are kept; absent: those after its creation. */
  from?: 'start' | undefined
}

/** An organization's streams share its slots. */
const mostStreamsOfOrganization = 100

export const streamSealPlace = (id: string) => `audit_streams:${id}`

const isReached = ({ organizationId }: Pick<AuditStream, 'organizationId'>, reach: Reach) =>
  reach === null || (organizationId !== null && reach.includes(organizationId))

/** Receivers of the audit trail. The trail never contains a URL, because the URLs of some services are credentials. */
export const createAuditStreams = (
  deps: AddressRules & { store: AuditStreamStore; keyring: Pick<Keyring, 'seal' | 'open'> },
) => {
  const { store, keyring } = deps

  /** @throws NotFound */
  const read = async (id: string, reach: Reach): Promise<AuditStream> => {
    const stream = await store.find(id)
    return found(stream && isReached(stream, reach) ? stream : null, 'audit stream')
  }

  const eventOf = (
    cause: Cause,
    type: EventType,
    { id, organizationId }: Pick<AuditStream, 'id' | 'organizationId'>,
    detail: Record<string, unknown> = {},
  ): AuditEvent =>
    auditEvent(cause, type, { organizationId, detail: { audit_stream_id: id, ...detail } })

  const isSecretOf = ({ id, sealed }: AuditStream, secret: string) => {
    try {
      return keyring.open(sealed, streamSealPlace(id)).toString('utf8') === secret
    } catch {
      return false // of an unknown master key
    }
  }

  const sealedIn = (id: string, { secret }: StreamDraft, current: AuditStream | null): Buffer => {
    if (current && (secret === undefined || isSecretOf(current, secret))) return current.sealed
    if (secret === undefined) throw new Invalid([faultAt('/secret', 'required', 'is required')])
    return keyring.seal(Buffer.from(secret, 'utf8'), streamSealPlace(id))
  }

  /** A limited caller does not learn whether an id exists. @throws Forbidden, Conflict id_taken */
  const organizationOf = (
    { organizationId }: StreamDraft,
    current: AuditStream | null,
    reach: Reach,
  ) => {
    const own = current && isReached(current, reach) ? current.organizationId : null
    const wanted = organizationId === undefined ? own : organizationId
    if (!isReached({ organizationId: wanted }, reach))
      throw new Forbidden('webhooks:write', 'the operator token is limited to organizations')
    if (current && current.organizationId !== wanted) throw idTaken('another stream')
    return wanted
  }

  return {
    read,

    /** Oldest first. */
    list: (page: PageRequest, reach: Reach): Promise<Page<AuditStream>> => store.list(page, reach),

    /**
     * Creates a stream, or replaces its settings.
     * @throws Invalid, Forbidden, PreconditionFailed, Conflict id_taken, too_many_streams
     */
    put: async (
      id: string,
      draft: StreamDraft,
      reach: Reach,
      cause: Cause,
      precondition: Precondition<AuditStream> = anyVersion,
    ): Promise<Put<AuditStream>> => {
      const { url, format, secret, from } = draft
      refuse([
        ...fetchedUrlFaults('/url', url, deps, 'webhook_url'),
        ...webhookSecretFaults(secret),
      ])
      const put = await store.put(id, from, mostStreamsOfOrganization, (current) => {
        const organizationId = organizationOf(draft, current, reach)
        precondition(current)
        const sealed = sealedIn(id, draft, current)
        const values = { url, format, organizationId, sealed }
        const stream = { id, organizationId }
        if (!current)
          return { values, events: [eventOf(cause, 'audit_stream.created', stream, { format })] }
        const changed = [
          ...changedFields({ url: current.url, format: current.format }, { url, format }),
          ...(sealed === current.sealed ? [] : ['secret']),
        ]
        const event = eventOf(cause, 'audit_stream.changed', stream, { changed })
        return { values, events: changed.length > 0 ? [event] : [] }
      })
      if (put === 'full')
        throw new Conflict('too_many_streams', 'the organization has as many streams as it may')
      if (put) return put
      const detail = 'is not an organization'
      throw new Invalid([faultAt('/organization_id', 'unknown_organization', detail)])
    },

    /** @throws NotFound, PreconditionFailed */
    remove: removal(
      'audit stream',
      ({ id, reach }: { id: string; reach: Reach }, admit: EventsFrom<AuditStream>) =>
        store.remove(id, (stream) => {
          if (!isReached(stream, reach)) throw new NotFound('audit stream')
          return admit(stream)
        }),
      (cause, stream) => eventOf(cause, 'audit_stream.deleted', stream),
    ),

    /** Sends one event of the type `audit_stream.test`, once. It is not in the trail. @throws NotFound */
    test: async (id: string, reach: Reach): Promise<AuditStream> => {
      // A stream keeps its organization, so no lock is needed.
      const stream = await read(id, reach)
      if (!(await store.addTest(id, newId('webhookMessage')))) throw new NotFound('audit stream')
      return stream
    },
  }
}

export type AuditStreams = ReturnType<typeof createAuditStreams>
