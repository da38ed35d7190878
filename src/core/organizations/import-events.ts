// The audit events of an import.
import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import type { BulkLine, BulkType } from './import-lines.ts'

/** A change of a stored object, for the audit trail. */
export interface BulkChange {
  line: BulkLine
  status: 'created' | 'updated'
  /** Names of the changed fields. */
  changed: string[]
  /** The organization of a changed workspace or member. */
  organizationId?: string
}

/** The event of a change; an addition of an admin has one too, and other additions are counted only. */
const changeEvent = ({ line, status, changed, organizationId }: BulkChange, cause: Cause) => {
  switch (line.type) {
    case 'organization':
      return auditEvent(cause, 'organization.changed', {
        organizationId: line.row.id,
        detail: { changed },
      })
    case 'workspace':
      return auditEvent(cause, 'workspace.changed', {
        organizationId: line.row.organization,
        detail: { workspace_id: line.row.id, changed },
      })
    case 'member':
      return auditEvent(cause, status === 'created' ? 'member.added' : 'member.changed', {
        organizationId: line.row.organization,
        userId: line.row.user,
        detail: { role: line.row.role },
      })
    case 'user': {
      const about = { userId: line.row.id }
      const type = line.row.disabled ? 'user.disabled' : 'user.enabled'
      return changed.includes('disabled') && changed.length === 1
        ? auditEvent(cause, type, about)
        : auditEvent(cause, 'user.changed', { ...about, detail: { changed } })
    }
    case 'workspaceMember':
      return auditEvent(cause, 'workspace_member.added', {
        organizationId: organizationId ?? null,
        userId: line.row.user,
        detail: { workspace_id: line.row.workspace },
      })
  }
}

const names: Record<BulkType, string> = {
  organization: 'organizations',
  user: 'users',
  member: 'members',
  workspace: 'workspaces',
  workspaceMember: 'workspace_members',
}

/** @returns a function that makes the events of the changes of one transaction */
export const eventsOf =
  (cause: Cause) =>
  (changes: readonly BulkChange[]): AuditEvent[] => {
    const created: Record<string, number> = {}
    const single: AuditEvent[] = []
    for (const change of changes) {
      const { line, status } = change
      const isAdmin = line.type === 'member' && line.row.role === 'admin'
      if (status === 'updated' || isAdmin) single.push(changeEvent(change, cause))
      else created[names[line.type]] = (created[names[line.type]] ?? 0) + 1
    }
    const isCounted = Object.keys(created).length > 0
    const counted = auditEvent(cause, 'import.stored', { detail: { created } })
    return isCounted ? [counted, ...single] : single
  }
