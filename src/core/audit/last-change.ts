import type { Editable } from '../language/version.ts'
import { versionOf } from '../language/version.ts'
import type { AuditLog, LoggedEvent } from './audit-log.ts'

/** Types of events with which an install or a key set gets what a form shows. */
const changeTypes = ['install.approved', 'install.changed', 'key_set.changed'] as const

/** Whether the event left behind what is there now; it says nothing of names and descriptions. */
const matchesState = ({ detail }: LoggedEvent, { id, permissions, workspaceIds }: Editable) => {
  const { permissions: may, workspace_ids: reach } = detail
  if (!Array.isArray(may) || !(reach === null || Array.isArray(reach))) return false
  return (
    versionOf({ id, permissions: may, workspaceIds: reach }) ===
    versionOf({ id, permissions, workspaceIds })
  )
}

/** Who has saved what is there now; null when the trail does not tell. */
export const createLastChange =
  ({ auditLog }: { auditLog: Pick<AuditLog, 'query'> }) =>
  async (
    about: { organizationId: string; clientId: string },
    saved: Editable,
  ): Promise<LoggedEvent | null> => {
    const pages = await Promise.all(
      changeTypes.map((type) => auditLog.query({ ...about, type }, { limit: 1, after: null })),
    )
    const [last] = pages
      .flatMap(({ items }) => items)
      .sort((a, b) => b.at.getTime() - a.at.getTime())
    return last && matchesState(last, saved) ? last : null
  }

export type LastChange = ReturnType<typeof createLastChange>
