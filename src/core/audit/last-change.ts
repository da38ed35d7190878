import type { Editable } from '../language/edit-conflict.ts'
import { versionOf } from '../language/edit-conflict.ts'
import type { AuditLog, LoggedEvent } from './audit-log.ts'

/** Event types that change what the form of an install or key set shows. */
const changeTypes = ['install.approved', 'install.changed', 'key_set.changed'] as const

/** Did the event produce the present permissions and workspaces? It says nothing about name and description. */
const matchesState = ({ detail }: LoggedEvent, { id, permissions, workspaceIds }: Editable) => {
  const { permissions: may, workspace_ids: reach } = detail
  if (!Array.isArray(may) || !(reach === null || Array.isArray(reach))) return false
  return (
    versionOf({ id, permissions: may, workspaceIds: reach }) ===
    versionOf({ id, permissions, workspaceIds })
  )
}

/** Finds the user who saved the present version; null when the audit trail does not contain it. */
export const createLastChange =
  ({ auditLog }: { auditLog: Pick<AuditLog, 'query'> }) =>
  async (about: { organizationId: string; clientId: string }, saved: Editable) => {
    const pages = await Promise.all(
      changeTypes.map((type) => auditLog.query({ ...about, type }, { limit: 1, after: null })),
    )
    const [last] = pages
      .flatMap(({ items }) => items)
      .sort((a, b) => b.at.getTime() - a.at.getTime())
    return last && matchesState(last, saved) ? last : null
  }

export type LastChange = ReturnType<typeof createLastChange>
