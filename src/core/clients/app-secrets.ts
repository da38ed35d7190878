import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import {
  type NewSecret,
  newStoredSecret,
  overlapFaults,
  type Secret,
} from '../credentials/secrets.ts'
import type { Keyring } from '../crypto/keyring.ts'
import type { Page, PageRequest } from '../language/paging.ts'
import { anyVersion, type Precondition } from '../language/precondition.ts'
import { Conflict, found, NotFound, refuse } from '../language/service-errors.ts'
import { mostSecrets } from './app.ts'
import type { ClientType } from './client-type.ts'

/** The data that `admit` gets under the lock, after the other secrets have their expiry. */
export interface SecretAdmission {
  clientType: ClientType
  othersActive: number
}

/** What ends with a new secret. */
export interface SecretRotation {
  /** Maximum seconds until the other active secrets expire; 0: at once. */
  retireOthersAfter: number
  /** Revoke all grants and access tokens of the app, for a secret that others may know. */
  endTokens: boolean
}

export interface AppSecretStore {
  /**
   * Locks the app, lets its other active secrets expire, ends its tokens if asked, calls `admit` and adds the secret.
   * An error of `admit` undoes everything. The lock allows one rotation of an app at a time.
   * @returns null when the app does not exist
   */
  add(
    clientId: string,
    secret: NewSecret,
    rotation: SecretRotation,
    admit: (room: SecretAdmission) => readonly AuditEvent[],
  ): Promise<Secret | null>
  /** Active secrets. @returns null when the app does not exist */
  list(clientId: string, page: PageRequest): Promise<Page<Secret> | null>
  /** Locks the secret and calls `admit`, which may throw. */
  remove(
    clientId: string,
    id: string,
    admit: (secret: Secret) => readonly AuditEvent[],
  ): Promise<boolean>
}

export interface AppSecretsOptions {
  store: AppSecretStore
  keyring: Pick<Keyring, 'digest' | 'keyIds'>
}

export const tooManySecrets = () =>
  new Conflict(
    'too_many_secrets',
    `${mostSecrets} secrets are active; delete one, or revoke the others at once`,
  )

/** Secrets of confidential apps: the present one and, during a rotation, its successor. */
export const createAppSecrets = ({ store, keyring }: AppSecretsOptions) => ({
  /**
   * @returns the secret, which cannot be read again
   * @throws Invalid, NotFound, Conflict public_app_has_no_secrets, too_many_secrets
   */
  create: async (
    clientId: string,
    rotation: SecretRotation,
    cause: Cause,
  ): Promise<Secret & { clientSecret: string }> => {
    const { retireOthersAfter, endTokens } = rotation
    refuse(overlapFaults(retireOthersAfter))
    const { secret, stored } = newStoredSecret('app', keyring)
    const detail = {
      secret_id: stored.id,
      retire_others_after_seconds: retireOthersAfter,
      ...(endTokens && { end_tokens: true }),
    }
    const added = await store.add(clientId, stored, rotation, (room) => {
      if (room.clientType === 'public')
        throw new Conflict('public_app_has_no_secrets', 'a public app has no secrets')
      if (room.othersActive >= mostSecrets) throw tooManySecrets()
      return [auditEvent(cause, 'app_secret.created', { clientId, detail })]
    })
    return { ...found(added, 'app'), clientSecret: secret }
  },

  /** Active secrets, oldest first. @throws NotFound */
  list: async (clientId: string, page: PageRequest): Promise<Page<Secret>> =>
    found(await store.list(clientId, page), 'app'),

  /** Revokes the secret at once. @throws NotFound, PreconditionFailed */
  remove: async (
    clientId: string,
    id: string,
    cause: Cause,
    precondition: Precondition<Secret> = anyVersion,
  ): Promise<void> => {
    const detail = { secret_id: id }
    const removed = await store.remove(clientId, id, (current) => {
      precondition(current)
      return [auditEvent(cause, 'app_secret.deleted', { clientId, detail })]
    })
    if (!removed) throw new NotFound('secret')
  },
})

export type AppSecrets = ReturnType<typeof createAppSecrets>
