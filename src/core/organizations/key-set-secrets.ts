// The secrets of key sets: made, delivered, rotated and retired.
import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import type { EventsFrom } from '../audit/changes.ts'
import { mostSecrets } from '../clients/app.ts'
import { tooManySecrets } from '../clients/app-secrets.ts'
import { type NewSecret, newStoredSecret, overlapFaults } from '../credentials/secrets.ts'
import type { Keyring } from '../crypto/keyring.ts'
import type { Interface } from '../language/permissions.ts'
import { found, NotFound, refuse } from '../language/service-errors.ts'
import type { KeySetKey, StoredKeySet } from './key-set.ts'

/** `sealed`: the secret under the master key, where it verifies signatures (HS256); else null. */
export type NewKeySetSecret = NewSecret & { sealed: Buffer | null }

export interface KeySetSecretStore {
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
    eventsOf: EventsFrom<string>,
  ): Promise<boolean>
}

export type SecretKeyring = Pick<Keyring, 'digest' | 'keyIds' | 'seal'>

/** A new secret that is not stored yet. */
export type CreatedKeySetSecret = Record<'keySetId' | 'secretId' | 'secret', string>

/**
 * Delivers a new secret to its owner. It runs before anything is written, so that no secret is replaced by one that
 * cannot be delivered.
 */
export type DeliverSecret = (made: CreatedKeySetSecret) => Promise<void>

export const noDelivery: DeliverSecret = async () => undefined

/** The place that a sealed secret is bound to (additional authenticated data). Opening it needs the same value. */
export const sealPlace = (secretId: string) => `key_set_secrets:${secretId}`

/** Visible ASCII. Secrets of the legacy interface travel as they are. */
const secretShape = /^[\x21-\x7e]{16,256}$/
export const isSecretShaped = (text: string) => secretShape.test(text)

/** A new secret, and what is stored of it for an interface. */
export const makeKeySetSecret = (keyring: SecretKeyring) => {
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

/** A secret that an import brings for a new key set. */
export type ImportedKeySetSecret = ReturnType<typeof makeKeySetSecret> & { clientId: string }

export const createKeySetSecrets = (deps: { store: KeySetSecretStore; keyring: SecretKeyring }) => {
  const { store, keyring } = deps
  return {
    /**
     * Adds a secret. Tokens signed with an old secret expire with it.
     * @param retireOthersAfter maximum seconds until the other active secrets expire; 0: at once
     * @returns the key set and the secret, which cannot be read again
     * @throws Invalid, NotFound, Conflict too_many_secrets
     */
    rotate: async (
      { organizationId, id }: KeySetKey,
      retireOthersAfter: number,
      cause: Cause,
      handOver: DeliverSecret = noDelivery,
    ): Promise<{ keySet: StoredKeySet; secret: string }> => {
      refuse(overlapFaults(retireOthersAfter))
      const made = makeKeySetSecret(keyring)
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
    retire: async ({ organizationId, id }: KeySetKey, secretId: string, cause: Cause) => {
      const detail = { key_set_id: id, secret_id: secretId }
      const retired = await store.retire(organizationId, id, secretId, (clientId) => [
        auditEvent(cause, 'key_set.secret_retired', { organizationId, clientId, detail }),
      ])
      if (!retired) throw new NotFound('secret')
    },
  }
}
