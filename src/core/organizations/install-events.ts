// The audit events of an approval of an app.
import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import { changedFields } from '../audit/changes.ts'
import type { AccessEnd } from '../language/access-end.ts'
import { orderedAudience } from './audience.ts'
import type { Install, InstallKey, InstallValues, StoredInstall } from './install.ts'

/** The fields that differ, of those that an approval decides. */
const changedBy = (live: InstallValues, after: InstallValues) => {
  const ordered = ({ audience }: InstallValues) => audience && orderedAudience(audience)
  const { permissions, workspaceIds, self, expiresAt, idleSeconds } = after
  const ends = { expiresAt, idleSeconds }
  const decided = { permissions, workspaceIds, audience: ordered(after), self, ...ends }
  return changedFields<typeof decided>({ ...live, audience: ordered(live) }, decided)
}

/** Only if it is limited: most installs are for everyone. */
const audienceDetail = ({ audience }: Pick<Install, 'audience'>) => audience && { audience }

/** Only the ends that there are: most installs have none. */
const endDetail = ({ expiresAt, idleSeconds }: AccessEnd) => ({
  ...(expiresAt && { expires_at: expiresAt.toISOString() }),
  ...(idleSeconds !== null && { idle_seconds: idleSeconds }),
})

/** What people may have lost by a change; null: nothing. */
const narrowingOf = (live: InstallValues, after: InstallValues, changed: readonly string[]) => {
  const permissions = live.permissions.filter((one) => !after.permissions.includes(one))
  const [had, kept] = [live.workspaceIds, after.workspaceIds]
  const workspaces = kept !== null && (had === null || had.some((id) => !kept.includes(id)))
  const audience = changed.includes('audience') && after.audience !== null
  return permissions.length > 0 || workspaces || audience
    ? { permissions, workspaces, audience }
    : null
}

/** @param live null: no admin had approved the app */
export const approvalEvents = (
  live: StoredInstall | null,
  after: InstallValues,
  subject: InstallKey,
  cause: Cause,
): AuditEvent[] => {
  const detail = {
    install_id: after.id,
    permissions: after.permissions,
    workspace_ids: after.workspaceIds,
    ...audienceDetail(after),
    ...endDetail(after),
  }
  if (!live) return [auditEvent(cause, 'install.approved', { ...subject, detail })]
  const changed = changedBy(live, after)
  const previous = {
    permissions: live.permissions,
    workspace_ids: live.workspaceIds,
    ...audienceDetail(live),
    ...endDetail(live),
  }
  const events: AuditEvent[] = []
  if (changed.length > 0) {
    const narrowed = narrowingOf(live, after, changed)
    const about = { ...detail, changed, previous, ...(narrowed && { narrowed }) }
    events.push(auditEvent(cause, 'install.changed', { ...subject, detail: about }))
  }
  const declined = after.declinedPermissions.filter(
    (one) => !live.declinedPermissions.includes(one) && !live.permissions.includes(one),
  )
  if (declined.length > 0) {
    const about = { install_id: live.id, permissions: declined }
    events.push(auditEvent(cause, 'install.permissions_declined', { ...subject, detail: about }))
  }
  if (live.suspended !== after.suspended) {
    const type = after.suspended ? 'install.suspended' : 'install.resumed'
    events.push(auditEvent(cause, type, { ...subject, detail: { install_id: live.id } }))
  }
  return events
}
