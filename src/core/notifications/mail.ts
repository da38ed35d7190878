// A queued mail, and its store.
import type { AuditEvent } from '../audit/audit.ts'
import type { Person } from '../people/person.ts'
import type { MailCategory, MailLane, MailType } from './mail-rules.ts'
import type { QueuedPasswordRequest } from './password-requests.ts'

/** A due mail that this instance has claimed. */
export interface DueMail {
  /** `locale`: BCP 47; null: the default language. */
  recipient: Person & { locale: string | null }
  eventId: string
  type: MailType
  category: MailCategory
  organizationId: string | null
  /** Names by id may be null: the object was deleted since. */
  organization: string | null
  clientId: string | null
  /** Name of the app or key set. */
  client: string | null
  /** Name of the member whose request this is. */
  asker: string | null
  /** Name of the user who sent the invitation. */
  inviter: string | null
  /** Names of the organizations of the invited user. */
  invitedTo: string | null
  detail: Record<string, unknown>
  createdAt: Date
  /** Includes this one. */
  attempts: number
  /** Seconds since the event. */
  age: number
  /** Mails of one bundle are sent as one message; null: not bundled. */
  bundle: string | null
}

/** The mails of one message. */
export interface MailBundle {
  /** The claim of this instance. An instance that has lost its claim changes nothing. */
  claim: string
  mails: readonly [DueMail, ...DueMail[]]
}

/** Queue of mails. A write under a lost claim does nothing. */
export interface MailOutbox {
  /** Says that an instance can send, so that events are queued. */
  announce(): Promise<void>
  /**
   * Queues the mails of new events, up to `most` of each type.
   * @param requested makes the audit event of a request for a password, written with its mail
   * @returns the number of events
   */
  expand(most: number, requested: (request: QueuedPasswordRequest) => AuditEvent): Promise<number>
  /**
   * Claims due mails of one user in this lane: of the turn after `turn`, or of the first one. Each organization has its
   * turn, and so has each app and type of mail without one.
   * @param next `most` mails, a unique `claim`, and a `lease` in seconds
   * @returns no mails when other instances hold those of the turn; null when none are due
   */
  claim(next: {
    lane: MailLane
    turn: string
    most: number
    claim: string
    lease: number
  }): Promise<{ turn: string; mails: DueMail[] } | null>
  /** Makes these mails one message, now and when it is retried. */
  bundle(bundle: MailBundle, name: string): Promise<void>
  sent(bundle: MailBundle): Promise<void>
  /** @param after seconds */
  retry(bundle: MailBundle, error: string, after: number): Promise<void>
  giveUp(bundle: MailBundle, error: string): Promise<void>
  /** Undoes the claim. @param after seconds */
  release(bundle: MailBundle, after: number): Promise<void>
  /** @returns the number of waiting mails, and the seconds that the oldest one is overdue */
  backlog(): Promise<{ waiting: number; overdue: number }>
}
