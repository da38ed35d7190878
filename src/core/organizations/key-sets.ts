import { auditEvent, type Cause } from '../audit/audit.ts'
import {
  type Change,
  type EventsFrom,
  eventsOfChange,
  type Patch,
  patched,
  removal,
} from '../audit/changes.ts'
import type { LivePermissionCatalogue } from '../clients/permission-catalogue.ts'
import {
  permissionFaults,
  permissionLengthFaults,
  workspaceLimitFaults,
} from '../clients/permission-rules.ts'
import {
  type Workload,
  type WorkloadRules,
  workloadFaults,
  workloadName,
} from '../clients/workloads.ts'
import { newId } from '../crypto/identifiers.ts'
import { descriptionFaults, nameFaults } from '../language/display-text.ts'
import { isEditConflict, type ReadVersion } from '../language/edit-conflict.ts'
import { faultAt } from '../language/faults.ts'
import type { Page, PageRequest } from '../language/paging.ts'
import { type Interface, inOrder } from '../language/permissions.ts'
import { anyVersion } from '../language/precondition.ts'
import type { WorkspaceLimit } from '../language/scope.ts'
import { editConflict, found, refuse } from '../language/service-errors.ts'
import type { KeySet, KeySetKey, StoredKeySet } from './key-set.ts'
import {
  createKeySetSecrets,
  type DeliverSecret,
  type ImportedKeySetSecret,
  type KeySetSecretStore,
  makeKeySetSecret,
  type NewKeySetSecret,
  noDelivery,
  type SecretKeyring,
} from './key-set-secrets.ts'

export type NewKeySet = Pick<KeySet, 'organizationId' | 'name' | 'interface' | 'permissions'> &
  Patch<Pick<KeySet, 'description' | 'workspaceIds' | 'workloads'>>

export type KeySetPatch = Patch<
  Pick<KeySet, 'name' | 'description' | 'permissions' | 'workspaceIds' | 'workloads'>
>

export interface KeySetStore extends KeySetSecretStore {
  /**
   * Locks the organization, calls `admit` with those of the key set's workspaces that belong to it, and adds the key
   * set. `admit` may throw.
   * @returns null when the organization does not exist
   */
  insert(
    keySet: KeySet & { createdBy: string | null },
    secret: NewKeySetSecret,
    admit: EventsFrom<readonly string[]>,
  ): Promise<StoredKeySet | null>
  find(organizationId: string, id: string): Promise<StoredKeySet | null>
  /** @returns null when no key set has this client id */
  byClientId(clientId: string): Promise<KeySetKey | null>
  /** @returns null when the organization does not exist */
  list(organizationId: string, page: PageRequest): Promise<Page<StoredKeySet> | null>
  /**
   * Locks the organization and the key set, calls `decide` and writes.
   * @param asked workspaces; `decide` gets those that belong to the organization
   */
  change(
    organizationId: string,
    id: string,
    requested: readonly string[],
    decide: (keySet: StoredKeySet, ownWorkspaceIds: readonly string[]) => Change<KeySet>,
  ): Promise<StoredKeySet | null>
  /** Locks the key set and calls `admit`, which may throw. */
  remove(keySet: KeySetKey, admit: EventsFrom<StoredKeySet>): Promise<boolean>
}

const distinct = (limit: WorkspaceLimit) => limit && [...new Set(limit)]

const detailOf = (
  keySet: Omit<KeySet, 'clientId' | 'organizationId' | 'name' | 'description'>,
) => ({
  key_set_id: keySet.id,
  interface: keySet.interface,
  permissions: keySet.permissions,
  workspace_ids: keySet.workspaceIds,
  ...(keySet.workloads.length > 0 && { workloads: keySet.workloads.map(workloadName) }),
})

const trustFaults = (
  generation: Interface,
  workloads: readonly Workload[],
  rules: WorkloadRules,
) =>
  generation === 'legacy' && workloads.length > 0
    ? [faultAt('/workloads', 'current_only', 'are for key sets of the current interface only')]
    : workloadFaults(workloads, rules)

export interface KeySetsOptions extends WorkloadRules {
  store: KeySetStore
  keyring: SecretKeyring
  catalogue: Pick<LivePermissionCatalogue, 'find' | 'meet'>
}

/** An organization's own credentials. Every call names the organization; a key set of another one is not found. */
export const createKeySets = ({ store, keyring, catalogue, ...rules }: KeySetsOptions) => ({
  /** @returns the key set and its secret, which cannot be read again @throws Invalid, NotFound */
  create: async (
    draft: NewKeySet,
    cause: Cause,
    handOver: DeliverSecret = noDelivery,
    imported?: ImportedKeySetSecret,
  ): Promise<{ keySet: StoredKeySet; secret: string }> => {
    const { organizationId, description = null } = draft
    await catalogue.meet(draft.permissions)
    refuse([
      ...nameFaults('/name', draft.name),
      ...descriptionFaults('/description', description),
      ...permissionFaults(catalogue, draft.interface, draft.permissions),
      ...permissionLengthFaults(draft.permissions),
      ...trustFaults(draft.interface, draft.workloads ?? [], rules),
    ])
    const keySet = {
      id: newId('keySet'),
      clientId: imported?.clientId ?? newId('keySetClient'),
      organizationId,
      interface: draft.interface,
      name: draft.name,
      description,
      permissions: inOrder(draft.interface, draft.permissions),
      workspaceIds: distinct(draft.workspaceIds ?? null),
      workloads: draft.workloads ?? [],
      createdBy: cause.actor.kind === 'user' ? cause.actor.id : null,
    }
    const { secret, id: secretId, storedFor } = imported ?? makeKeySetSecret(keyring)
    const about = { organizationId, clientId: keySet.clientId, detail: detailOf(keySet) }
    await handOver({ keySetId: keySet.id, secretId, secret })
    const stored = await store.insert(keySet, storedFor(keySet.interface), (own) => {
      refuse(workspaceLimitFaults(keySet.interface, keySet.workspaceIds, own))
      return [auditEvent(cause, 'key_set.created', about)]
    })
    return { keySet: found(stored, 'organization'), secret }
  },

  byClientId: store.byClientId,

  /** @throws NotFound */
  read: async (organizationId: string, id: string): Promise<StoredKeySet> =>
    found(await store.find(organizationId, id), 'key set'),

  /** Oldest first. @throws NotFound */
  list: async (organizationId: string, page: PageRequest): Promise<Page<StoredKeySet>> =>
    found(await store.list(organizationId, page), 'organization'),

  /** @throws Invalid, NotFound, PreconditionFailed, Conflict changed_meanwhile */
  change: async (
    { organizationId, id }: KeySetKey,
    patch: KeySetPatch,
    cause: Cause,
    { shown, precondition = anyVersion }: ReadVersion<StoredKeySet> = {},
  ): Promise<StoredKeySet> => {
    refuse([
      ...(patch.name === undefined ? [] : nameFaults('/name', patch.name)),
      ...descriptionFaults('/description', patch.description ?? null),
    ])
    await catalogue.meet(patch.permissions ?? [])
    const requested = distinct(patch.workspaceIds ?? null)
    const keySet = await store.change(organizationId, id, requested ?? [], (current, own) => {
      precondition(current)
      refuse([
        ...permissionFaults(catalogue, current.interface, patch.permissions ?? []),
        ...permissionLengthFaults(patch.permissions ?? []),
        ...workspaceLimitFaults(current.interface, requested, own),
        ...trustFaults(current.interface, patch.workloads ?? [], rules),
      ])
      const merged = patched<StoredKeySet>(current, patch)
      const values = {
        ...merged,
        permissions: inOrder(merged.interface, merged.permissions),
        workspaceIds: patch.workspaceIds === undefined ? current.workspaceIds : requested,
      }
      if (shown && isEditConflict(shown, current, values)) throw editConflict()
      const about = { organizationId, clientId: current.clientId, detail: detailOf(values) }
      return { values, events: eventsOfChange(cause, 'key_set.changed', current, values, about) }
    })
    return found(keySet, 'key set')
  },

  ...createKeySetSecrets({ store, keyring }),

  /** Revokes its tokens at once. Its ids are never used again. @throws NotFound, PreconditionFailed */
  remove: removal('key set', store.remove, (cause, { organizationId, clientId, id }) =>
    auditEvent(cause, 'key_set.deleted', { organizationId, clientId, detail: { key_set_id: id } }),
  ),
})

export type KeySets = ReturnType<typeof createKeySets>
