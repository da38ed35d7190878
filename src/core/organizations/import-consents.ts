import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import { persistently, unavailable } from './import-attempts.ts'
import { type ConsentLine, type LineOutcome, withoutRepeats } from './import-lines.ts'

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
export const createConsentImport =
  (store: ImportedConsentStore) =>
  async (lines: readonly ConsentLine[], cause: Cause): Promise<LineOutcome[]> => {
    const eventOf = (row: ConsentRow) =>
      auditEvent(cause, 'consent.taken_over', {
        organizationId: row.organization,
        clientId: row.clientId,
        userId: row.user,
        detail: {
          source: row.source ?? '',
          permissions: row.permissions,
          workspace_ids: row.workspaceIds,
        },
      })
    const outcomes: LineOutcome[] = []
    for (const run of withoutRepeats(lines, keyOf)) {
      const rows = run.map(({ row }) => row)
      const stored = await persistently(() => store.consents(rows, eventOf))
      outcomes.push(...(stored ?? run.map(() => unavailable)))
    }
    return outcomes
  }
