import type { AuditEvent } from '../audit/audit.ts'
import type { AcceptedDocumentState } from '../clients/app-store.ts'

/** What is stored about the document of an app. */
export interface DocumentState extends Omit<AcceptedDocumentState, 'freshSeconds'> {
  clientId: string
  /** null: the last attempt to read it succeeded. */
  failingSince: Date | null
}

/** The documents of apps. */
export interface DocumentStore {
  find(clientId: string): Promise<DocumentState | null>
  /**
   * Claims due documents for `lease` seconds, of owners by turns, or of hosts where an app has no owner. No other
   * instance gets them then.
   */
  claim(most: number, lease: number): Promise<DocumentState[]>
  /** A document was read again. */
  followed(
    clientId: string,
    state: Pick<DocumentState, 'scopes' | 'hasScope' | 'etag'>,
    freshSeconds: number,
  ): Promise<void>
  /** A document could not be read. The events are written for the first failure only. @param after seconds */
  failed(clientId: string, after: number, events: readonly AuditEvent[]): Promise<void>
}
