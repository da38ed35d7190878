import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import { type Change, changedFields, type Patch, patched } from '../audit/changes.ts'
import { mostSecrets } from '../clients/app.ts'
import { tooManySecrets } from '../clients/app-secrets.ts'
import type { LivePermissionCatalogue } from '../clients/permission-catalogue.ts'
import { permissionFaults, workspaceLimitFaults } from '../clients/permission-rules.ts'
import {
  type NewSecret,
  newStoredSecret,
  overlapFaults,
  type Secret,
} from '../credentials/secrets.ts'
import { newId } from '../crypto/identifiers.ts'
import type { Keyring } from '../crypto/keyring.ts'
import { descriptionFaults, nameFaults } from '../language/display-text.ts'
import type { Page, PageRequest } from '../language/paging.ts'
import { type Interface, inOrder } from '../language/permissions.ts'
import { anyVersion, type Precondition } from '../language/precondition.ts'
import type { WorkspaceLimit } from '../language/scope.ts'
import { editConflict, found, NotFound, refuse } from '../language/service-errors.ts'
import { isEditConflict } from '../language/version.ts'
import type { KeySet } from './key-set.ts'

/** The data of a key set's secret that can be read after its creation. */
export interface KeySetSecret extends Secret {
  /** The last day on which the secret signed a token without an expiry. */
  endlessTokenSeenAt: Date | null
}

/** A key set as stored, with the data of its active secrets. */
export interface StoredKeySet extends KeySet {
  secrets: KeySetSecret[]
  createdBy: string | null
  createdAt: Date
  updatedAt: Date
}

export type NewKeySet = Pick<KeySet, 'name' | 'interface' | 'permissions'> &
  Patch<Pick<KeySet, 'description' | 'workspaceIds'>>

export type KeySetPatch = Patch<
  Pick<KeySet, 'name' | 'description' | 'permissions' | 'workspaceIds'>
>

/** `sealed`: the secret under the master key, where it verifies signatures (HS256); else null. */
export interface NewKeySetSecret extends NewSecret {
  sealed: Buffer | null
}

export interface KeySetStore {
  /**
   * Locks the organization, calls `admit` with those of the key set's workspaces that belong to it, and adds the key
   * set. `admit` may throw.
   * @returns null when the organization does not exist
   */
  insert(
    keySet: KeySet & { createdBy: string | null },
    secret: NewKeySetSecret,
    admit: (ownWorkspaceIds: readonly string[]) => readonly AuditEvent[],
  ): Promise<StoredKeySet | null>
  find(organizationId: string, id: string): Promise<StoredKeySet | null>
  /** @returns null when the organization does not exist */
  list(organizationId: string, page: PageRequest): Promise<Page<StoredKeySet> | null>
  /**
   * Locks the organization and the key set, calls `decide` and writes.
   * @param asked workspaces; `decide` gets those that belong to the organization
   */
  change(
    organizationId: string,
    id: string,
    asked: readonly string[],
    decide: (keySet: StoredKeySet, ownWorkspaceIds: readonly string[]) => Change<KeySet>,
  ): Promise<StoredKeySet | null>
  /**
   * Locks the key set, lets its active secrets expire in `retireOthersAfter` seconds, calls `admit` and adds the
   * secret. An error of `admit` undoes everything. The lock allows one rotation of a key set at a time.
   */
  rotate(
    organizationId: string,
    id: string,
    secretFor: (generation: Interface) => NewKeySetSecret,
    retireOthersAfter: number,
    admit: (keySet: StoredKeySet, othersActive: number) => readonly AuditEvent[],
  ): Promise<StoredKeySet | null>
  /** Revokes one active secret at once; `eventsOf` makes the audit events from the client id. */
  retire(
    organizationId: string,
    id: string,
    secretId: string,
    eventsOf: (clientId: string) => readonly AuditEvent[],
  ): Promise<boolean>
  /** Locks the key set and calls `admit`, which may throw. */
  remove(
    organizationId: string,
    id: string,
    admit: (keySet: StoredKeySet) => readonly AuditEvent[],
  ): Promise<boolean>
}

export interface KeySetsOptions {
  store: KeySetStore
  keyring: Pick<Keyring, 'digest' | 'keyIds' | 'seal'>
  catalogue: Pick<LivePermissionCatalogue, 'find' | 'meet'>
}

/** A new secret that is not stored yet. */
export interface CreatedKeySetSecret {
  keySetId: string
  secretId: string
  secret: string
}

/**
 * Delivers a new secret to its owner. It runs before anything is written, so that no secret is replaced by one that
 * cannot be delivered.
 */
export type DeliverSecret = (made: CreatedKeySetSecret) => Promise<void>

/** The version that a caller has read; without it a change applies to any version. */
export interface KeySetVersion {
  /** The version that an admin has edited. @see versionOf */
  shown?: string | undefined
  precondition?: Precondition<StoredKeySet>
}

const noDelivery: DeliverSecret = async () => undefined

/** The place that a sealed secret is bound to (additional authenticated data). Opening it needs the same value. */
export const sealPlace = (secretId: string) => `key_set_secrets:${secretId}`

const distinct = (limit: WorkspaceLimit) => limit && [...new Set(limit)]

const detailOf = (keySet: Pick<KeySet, 'id' | 'interface' | 'permissions' | 'workspaceIds'>) => ({
  key_set_id: keySet.id,
  interface: keySet.interface,
  permissions: keySet.permissions,
  workspace_ids: keySet.workspaceIds,
})

/** An organization's own credentials. Every call names the organization; a key set of another one is not found. */
export const createKeySets = ({ store, keyring, catalogue }: KeySetsOptions) => {
  const makeSecret = () => {
    const { secret, stored } = newStoredSecret('keySet', keyring)
    const storedFor = (generation: Interface): NewKeySetSecret => ({
      ...stored,
      sealed:
        generation === 'current'
          ? keyring.seal(Buffer.from(secret, 'utf8'), sealPlace(stored.id))
          : null,
    })
    return { secret, id: stored.id, storedFor }
  }

  return {
    /** @returns the key set and its secret, which cannot be read again @throws Invalid, NotFound */
    create: async (
      organizationId: string,
      draft: NewKeySet,
      cause: Cause,
      handOver: DeliverSecret = noDelivery,
    ): Promise<{ keySet: StoredKeySet; secret: string }> => {
      const description = draft.description ?? null
      await catalogue.meet(draft.permissions)
      refuse([
        ...nameFaults('/name', draft.name),
        ...descriptionFaults('/description', description),
        ...permissionFaults(catalogue, draft.interface, draft.permissions),
      ])
      const keySet = {
        id: newId('keySet'),
        clientId: newId('keySetClient'),
        organizationId,
        interface: draft.interface,
        name: draft.name,
        description,
        permissions: inOrder(draft.interface, draft.permissions),
        workspaceIds: distinct(draft.workspaceIds ?? null),
        createdBy: cause.actor.kind === 'user' ? cause.actor.id : null,
      }
      const { secret, id: secretId, storedFor } = makeSecret()
      const about = { organizationId, clientId: keySet.clientId, detail: detailOf(keySet) }
      await handOver({ keySetId: keySet.id, secretId, secret })
      const stored = await store.insert(keySet, storedFor(keySet.interface), (own) => {
        refuse(workspaceLimitFaults(keySet.interface, keySet.workspaceIds, own))
        return [auditEvent(cause, 'key_set.created', about)]
      })
      return { keySet: found(stored, 'organization'), secret }
    },

    /** @throws NotFound */
    read: async (organizationId: string, id: string): Promise<StoredKeySet> =>
      found(await store.find(organizationId, id), 'key set'),

    /** Oldest first. @throws NotFound */
    list: async (organizationId: string, page: PageRequest): Promise<Page<StoredKeySet>> =>
      found(await store.list(organizationId, page), 'organization'),

    /**
     * @throws Invalid, NotFound, PreconditionFailed, Conflict changed_meanwhile
     */
    change: async (
      organizationId: string,
      id: string,
      patch: KeySetPatch,
      cause: Cause,
      { shown, precondition = anyVersion }: KeySetVersion = {},
    ): Promise<StoredKeySet> => {
      refuse([
        ...(patch.name === undefined ? [] : nameFaults('/name', patch.name)),
        ...descriptionFaults('/description', patch.description ?? null),
      ])
      await catalogue.meet(patch.permissions ?? [])
      const asked = distinct(patch.workspaceIds ?? null)
      const keySet = await store.change(organizationId, id, asked ?? [], (current, own) => {
        precondition(current)
        refuse([
          ...permissionFaults(catalogue, current.interface, patch.permissions ?? []),
          ...workspaceLimitFaults(current.interface, asked, own),
        ])
        const merged = patched<StoredKeySet>(current, patch)
        const values = {
          ...merged,
          permissions: inOrder(merged.interface, merged.permissions),
          workspaceIds: patch.workspaceIds === undefined ? current.workspaceIds : asked,
        }
        if (shown && isEditConflict(shown, current, values)) throw editConflict()
        const changed = changedFields(current, values)
        const detail = { ...detailOf(values), changed }
        const about = { organizationId, clientId: current.clientId, detail }
        const events = changed.length > 0 ? [auditEvent(cause, 'key_set.changed', about)] : []
        return { values, events }
      })
      return found(keySet, 'key set')
    },

    /**
     * Adds a secret. Tokens signed with an old secret expire with it.
     * @param retireOthersAfter maximum seconds until the other active secrets expire; 0: at once
     * @returns the key set and the secret, which cannot be read again
     * @throws Invalid, NotFound, Conflict too_many_secrets
     */
    rotate: async (
      organizationId: string,
      id: string,
      retireOthersAfter: number,
      cause: Cause,
      handOver: DeliverSecret = noDelivery,
    ): Promise<{ keySet: StoredKeySet; secret: string }> => {
      refuse(overlapFaults(retireOthersAfter))
      const made = makeSecret()
      const admit = (current: StoredKeySet, othersActive: number) => {
        if (othersActive >= mostSecrets) throw tooManySecrets()
        const detail = {
          key_set_id: id,
          secret_id: made.id,
          retire_others_after_seconds: retireOthersAfter,
        }
        const about = { organizationId, clientId: current.clientId, detail }
        return [auditEvent(cause, 'key_set.rotated', about)]
      }
      await handOver({ keySetId: id, secretId: made.id, secret: made.secret })
      const keySet = await store.rotate(
        organizationId,
        id,
        made.storedFor,
        retireOthersAfter,
        admit,
      )
      return { keySet: found(keySet, 'key set'), secret: made.secret }
    },

    /** Revokes one secret, and tokens signed with it, at once. @throws NotFound */
    retire: async (
      organizationId: string,
      id: string,
      secretId: string,
      cause: Cause,
    ): Promise<void> => {
      const detail = { key_set_id: id, secret_id: secretId }
      const retired = await store.retire(organizationId, id, secretId, (clientId) => [
        auditEvent(cause, 'key_set.secret_retired', { organizationId, clientId, detail }),
      ])
      if (!retired) throw new NotFound('secret')
    },

    /** Revokes its tokens at once. Its ids are never used again. @throws NotFound, PreconditionFailed */
    remove: async (
      organizationId: string,
      id: string,
      cause: Cause,
      precondition: Precondition<StoredKeySet> = anyVersion,
    ): Promise<void> => {
      const detail = { key_set_id: id }
      const removed = await store.remove(organizationId, id, (current) => {
        precondition(current)
        const about = { organizationId, clientId: current.clientId, detail }
        return [auditEvent(cause, 'key_set.deleted', about)]
      })
      if (!removed) throw new NotFound('key set')
    },
  }
}

export type KeySets = ReturnType<typeof createKeySets>
