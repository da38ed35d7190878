import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import { type Change, changedFields, type Patch, patched } from '../audit/changes.ts'
import { mostSecrets } from '../clients/app.ts'
import { permissionFaults, workspaceLimitFaults } from '../clients/app-rules.ts'
import { tooManySecrets } from '../clients/app-secrets.ts'
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
import type { WorkspaceLimit } from '../language/scope.ts'
import { changedMeanwhile, found, NotFound, refuse } from '../language/service-errors.ts'
import { overwrites } from '../language/version.ts'
import type { KeySet } from './key-set.ts'

/** What may be known of a key set's secret. */
export interface KeySetSecret extends Secret {
  /** The day on which it was last seen to have signed a token without an end. */
  endlessTokenSeenAt: Date | null
}

/** A key set as it is stored, with what may be known of its active secrets. */
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

/** `sealed`: the secret's bytes under the master key, where signatures are checked with them (HS256). */
export interface NewKeySetSecret extends NewSecret {
  sealed: Buffer | null
}

export interface KeySetStore {
  /**
   * Locks the organization, asks `admit`, which is told those of the key set's workspaces that are the
   * organization's own and may throw, and adds the key set.
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
   * Locks the organization and the key set, asks `decide`, writes.
   * @param asked workspaces of which `decide` is told those that are the organization's own
   */
  change(
    organizationId: string,
    id: string,
    asked: readonly string[],
    decide: (keySet: StoredKeySet, ownWorkspaceIds: readonly string[]) => Change<KeySet>,
  ): Promise<StoredKeySet | null>
  /**
   * Locks the key set, ends its active secrets after `retireOthersAfter` seconds, asks `admit`, which may
   * throw and so undo everything, and adds the secret; one at a time for a key set.
   */
  rotate(
    organizationId: string,
    id: string,
    secretFor: (generation: Interface) => NewKeySetSecret,
    retireOthersAfter: number,
    admit: (keySet: StoredKeySet, othersActive: number) => readonly AuditEvent[],
  ): Promise<StoredKeySet | null>
  /** Ends one active secret at once; `eventsOf` makes the trace once the client id is known. */
  retire(
    organizationId: string,
    id: string,
    secretId: string,
    eventsOf: (clientId: string) => readonly AuditEvent[],
  ): Promise<boolean>
  /** `eventsOf` makes the trace once the client id is known. */
  remove(
    organizationId: string,
    id: string,
    eventsOf: (clientId: string) => readonly AuditEvent[],
  ): Promise<boolean>
}

export interface KeySetsOptions {
  store: KeySetStore
  keyring: Pick<Keyring, 'digest' | 'keyIds' | 'seal'>
}

/** A secret that was made and is nowhere yet. */
export interface MadeSecret {
  keySetId: string
  secretId: string
  secret: string
}

/**
 * Puts a new secret where its owner will find it. Called before anything is written, so that no secret is
 * replaced by one that cannot be handed over.
 */
export type HandOver = (made: MadeSecret) => Promise<void>

const nobody: HandOver = async () => undefined

/** The place to which a sealed secret is bound (AAD); whoever opens it needs the same. */
export const sealPlace = (secretId: string) => `key_set_secrets:${secretId}`

const distinct = (limit: WorkspaceLimit) => limit && [...new Set(limit)]

const detailOf = (keySet: Pick<KeySet, 'id' | 'interface' | 'permissions' | 'workspaceIds'>) => ({
  key_set_id: keySet.id,
  interface: keySet.interface,
  permissions: keySet.permissions,
  workspace_ids: keySet.workspaceIds,
})

/** An organization's own credentials. Every call names the organization; a key set of another one is not found. */
export const createKeySets = ({ store, keyring }: KeySetsOptions) => {
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
    /**
     * @returns the key set and its secret, which is never readable again
     * @throws Invalid, NotFound
     */
    create: async (
      organizationId: string,
      draft: NewKeySet,
      cause: Cause,
      handOver: HandOver = nobody,
    ): Promise<{ keySet: StoredKeySet; secret: string }> => {
      const description = draft.description ?? null
      refuse([
        ...nameFaults('/name', draft.name),
        ...descriptionFaults('/description', description),
        ...permissionFaults(draft.interface, draft.permissions),
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

    /** In the order of creation. @throws NotFound */
    list: async (organizationId: string, page: PageRequest): Promise<Page<StoredKeySet>> =>
      found(await store.list(organizationId, page), 'organization'),

    /**
     * @param shown the version from which the change was made; without one it counts in any case
     * @throws Invalid, NotFound, Conflict changed_meanwhile
     */
    change: async (
      organizationId: string,
      id: string,
      patch: KeySetPatch,
      cause: Cause,
      shown?: string,
    ): Promise<StoredKeySet> => {
      refuse([
        ...(patch.name === undefined ? [] : nameFaults('/name', patch.name)),
        ...descriptionFaults('/description', patch.description ?? null),
      ])
      const asked = distinct(patch.workspaceIds ?? null)
      const keySet = await store.change(organizationId, id, asked ?? [], (current, own) => {
        refuse([
          ...permissionFaults(current.interface, patch.permissions ?? []),
          ...workspaceLimitFaults(current.interface, asked, own),
        ])
        const merged = patched<StoredKeySet>(current, patch)
        const values = {
          ...merged,
          permissions: inOrder(merged.interface, merged.permissions),
          workspaceIds: patch.workspaceIds === undefined ? current.workspaceIds : asked,
        }
        if (shown && overwrites(shown, current, values)) throw changedMeanwhile()
        const changed = changedFields(current, values)
        const detail = { ...detailOf(values), changed }
        const about = { organizationId, clientId: current.clientId, detail }
        const events = changed.length > 0 ? [auditEvent(cause, 'key_set.changed', about)] : []
        return { values, events }
      })
      return found(keySet, 'key set')
    },

    /**
     * A new secret; what was signed with an old one ends with it.
     * @param retireOthersAfter seconds until the other active secrets end, at most; 0: at once
     * @returns the key set and the secret, which is never readable again
     * @throws Invalid, NotFound, Conflict too_many_secrets
     */
    rotate: async (
      organizationId: string,
      id: string,
      retireOthersAfter: number,
      cause: Cause,
      handOver: HandOver = nobody,
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

    /** Ends one secret, and what was signed with it, at once. @throws NotFound */
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

    /** Its tokens end at once; its ids are never used again. @throws NotFound */
    remove: async (organizationId: string, id: string, cause: Cause): Promise<void> => {
      const removed = await store.remove(organizationId, id, (clientId) => [
        auditEvent(cause, 'key_set.deleted', {
          organizationId,
          clientId,
          detail: { key_set_id: id },
        }),
      ])
      if (!removed) throw new NotFound('key set')
    },
  }
}

export type KeySets = ReturnType<typeof createKeySets>
