// Organizations in which owners of apps try their apps, without an admin of a customer.
import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import { newId } from '../crypto/identifiers.ts'
import { nameFaults } from '../language/display-text.ts'
import { Conflict, found, refuse } from '../language/service-errors.ts'
import type { Organizations } from './organizations.ts'
import type { WorkspaceName } from './workspaces.ts'

export interface Sandbox {
  organizationId: string
  name: string
  createdAt: Date
}

/** The names of a new sandbox, in the language of its owner. */
export interface SandboxNames {
  organization: string
  workspaces: readonly string[]
}

export interface NewSandbox {
  organizationId: string
  name: string
  workspaces: readonly WorkspaceName[]
}

export interface SandboxStore {
  /** The sandbox of this user. */
  ofOwner(userId: string): Promise<Sandbox | null>
  /**
   * Creates the organization with the user as its admin and as a member of its workspaces, in one transaction.
   * @returns 'taken': the user has a sandbox; null: the user owns no app, or is disabled
   */
  insert(
    userId: string,
    sandbox: NewSandbox,
    events: readonly AuditEvent[],
  ): Promise<Sandbox | 'taken' | null>
}

export interface SandboxDeps {
  store: SandboxStore
  organizations: Pick<Organizations, 'remove'>
}

/** One sandbox for each user who owns an app. */
export const createSandboxes = ({ store, organizations }: SandboxDeps) => ({
  /** null: the user has none. */
  ofOwner: (userId: string): Promise<Sandbox | null> => store.ofOwner(userId),

  /**
   * Creates an organization with the user as its admin.
   * @throws Invalid, Conflict sandbox_exists, NotFound for a user who owns no app
   */
  create: async (userId: string, names: SandboxNames, cause: Cause): Promise<Sandbox> => {
    refuse([
      ...nameFaults('/name', names.organization),
      ...names.workspaces.flatMap((name, at) => nameFaults(`/workspaces/${at}`, name)),
    ])
    const organizationId = newId('organization')
    const workspaces = names.workspaces.map((name) => ({ id: newId('workspace'), name }))
    const about = { organizationId, userId }
    const events = [
      auditEvent(cause, 'organization.created', { organizationId, detail: { sandbox: true } }),
      auditEvent(cause, 'member.added', { ...about, detail: { role: 'admin' } }),
      ...workspaces.flatMap(({ id }) => [
        auditEvent(cause, 'workspace.created', { organizationId, detail: { workspace_id: id } }),
        auditEvent(cause, 'workspace_member.added', { ...about, detail: { workspace_id: id } }),
      ]),
    ]
    const sandbox = { organizationId, name: names.organization, workspaces }
    const created = await store.insert(userId, sandbox, events)
    if (created === 'taken')
      throw new Conflict('sandbox_exists', 'the user has a sandbox; delete it first')
    return found(created, 'app')
  },

  /** Deletes the sandbox of the user with everything in it. @throws NotFound */
  remove: async (userId: string, cause: Cause): Promise<void> => {
    const { organizationId } = found(await store.ofOwner(userId), 'sandbox')
    await organizations.remove(organizationId, cause)
  },
})

export type Sandboxes = ReturnType<typeof createSandboxes>
