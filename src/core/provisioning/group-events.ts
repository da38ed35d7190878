import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import type { ScimProvider } from './scim-tokens.ts'

/** Makes the audit event of so many members who are added to a group or removed from it; the store writes it for each. */
export type MemberEvent = (
  groupId: string,
  change: 'added' | 'removed',
  count: number,
) => AuditEvent

const subjects = {
  workspaces: { group: 'workspace', member: 'workspace_member', key: 'workspace_id' },
  groups: { group: 'group', member: 'group_member', key: 'group_id' },
} as const

/** Audit events of the groups of a provider. */
export const groupEvents = ({ organizationId, groupKind }: ScimProvider, cause: Cause) => {
  const { group, member, key } = subjects[groupKind === 'groups' ? 'groups' : 'workspaces']
  const about = (id: string) => ({ [key]: id, by: 'scim' })
  const memberEvent: MemberEvent = (id, change) => {
    if (groupKind !== 'roles')
      return auditEvent(cause, `${member}.${change}`, { organizationId, detail: about(id) })
    const detail = { role: change === 'added' ? 'admin' : 'member', by: 'scim' }
    return auditEvent(cause, 'member.changed', { organizationId, detail })
  }
  return {
    created: (id: string) =>
      auditEvent(cause, `${group}.created`, { organizationId, detail: about(id) }),
    renamed: (id: string) =>
      auditEvent(cause, `${group}.changed`, {
        organizationId,
        detail: { ...about(id), changed: ['name'] },
      }),
    deleted: (id: string) =>
      auditEvent(cause, `${group}.deleted`, { organizationId, detail: about(id) }),
    memberEvent,
  }
}
