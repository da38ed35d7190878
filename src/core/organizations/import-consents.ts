import { type AuditEvent, auditEvent } from '../audit/audit.ts'
import { storedInRuns } from './import-attempts.ts'
import type { ConsentLine, LineOutcome } from './import-lines.ts'

type ConsentRow = ConsentLine['row']

export interface ImportedConsentStore {
  /**
   * Stores consents of different people, apps or organizations in one transaction.
   * @param eventOf the audit event of one that is stored
   * @returns an outcome for each; null when a row was removed meanwhile: try again
   */
  consents(
    rows: readonly ConsentRow[],
    eventOf: (row: ConsentRow) => AuditEvent,
  ): Promise<LineOutcome[] | null>
}

const keyOf = ({ row }: ConsentLine) => JSON.stringify([row.user, row.clientId, row.organization])

/** Stores consent lines of an import: asked and given for exactly these permissions. */
export const createConsentImport = (store: ImportedConsentStore) =>
  storedInRuns(keyOf, (lines: readonly ConsentLine[], cause) =>
    store.consents(
      lines.map(({ row }) => row),
      ({ organization, clientId, user, source = '', permissions, workspaceIds }) =>
        auditEvent(cause, 'consent.taken_over', {
          ...{ organizationId: organization, clientId, userId: user },
          detail: { source, permissions, workspace_ids: workspaceIds },
        }),
    ),
  )
