import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import type { EventsFrom } from '../audit/changes.ts'
import {
  type NewSecret,
  newStoredSecret,
  overlapFaults,
  type Secret,
} from '../credentials/secrets.ts'
import { isClientUrl } from '../crypto/identifiers.ts'
import type { Keyring } from '../crypto/keyring.ts'
import type { Page, PageRequest } from '../language/paging.ts'
import { anyVersion, type Precondition } from '../language/precondition.ts'
import { Conflict, editConflict, found, NotFound, refuse } from '../language/service-errors.ts'
import { mostSecrets } from './app.ts'
import type { ClientType } from './client-type.ts'

/** The data that `admit` gets under the lock, after the other secrets have their expiry. */
export interface SecretAdmission {
  clientType: ClientType
  /** Id of the newest secret that was active before; null: there was none. */
  newest: string | null
  othersActive: number
}

/** What ends with a new secret. */
export interface SecretRotation {
  /** Maximum seconds until the other active secrets expire; 0: at once. */
  retireOthersAfter: number
  /** Revoke all grants and access tokens of the app, for a secret that others may know. */
  endTokens: boolean
}

/** A new secret that is not stored yet. */
export type CreatedAppSecret = Record<'clientId' | 'secretId' | 'secret', string>

/** A rotation that an owner of the app began on a page that showed its secrets. */
export interface RotationByOwner {
  userId: string
  /** The newest active secret on that page; null: it showed none. Another one since then is a conflict. */
  newestShown: string | null
  /**
   * Keeps the secret for its owner, before anything is written.
   * @returns false when this page has been sent before. Then no second secret is made.
   */
  deliver(made: CreatedAppSecret): Promise<boolean>
}

interface RequestedRotation extends SecretRotation {
  clientId: string
  /** Absent: the operator rotates. */
  owner?: RotationByOwner
}

/** A deletion that an owner of the app confirmed on a page. */
export interface RemovalByOwner {
  userId: string
  /** The page did not say that this secret is the last active one. If it is now, the deletion is a conflict. */
  hasOthersShown: boolean
}

export interface AppSecretStore {
  /**
   * Locks the app, lets its other active secrets expire, ends its tokens if asked, calls `admit` and adds the secret.
   * An error of `admit` undoes everything. The lock allows one rotation of an app at a time.
   * @param ownerId the user must be an owner of the app then
   * @returns null when the app does not exist or has no such owner
   */
  add(
    clientId: string,
    secret: NewSecret,
    rotation: SecretRotation,
    admit: EventsFrom<SecretAdmission>,
    ownerId: string | null,
  ): Promise<Secret | null>
  /** Active secrets. @returns null when the app does not exist */
  list(clientId: string, page: PageRequest): Promise<Page<Secret> | null>
  /**
   * Locks the app and deletes the active secret, then calls `admit` with the number of the other active ones. An error
   * of `admit` undoes everything.
   * @param ownerId the user must be an owner of the app then
   * @returns what does not exist, or has no such owner; null: the secret is deleted
   */
  remove(
    clientId: string,
    id: string,
    admit: (secret: Secret, othersActive: number) => readonly AuditEvent[],
    ownerId: string | null,
  ): Promise<'app' | 'secret' | null>
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
   * @throws Invalid, NotFound, Conflict public_app_has_no_secrets, too_many_secrets, changed_meanwhile
   */
  create: async ({ clientId, owner, ...rotation }: RequestedRotation, cause: Cause) => {
    const { retireOthersAfter, endTokens } = rotation
    refuse(overlapFaults(retireOthersAfter))
    const { secret, stored } = newStoredSecret('app', keyring)
    const detail = {
      secret_id: stored.id,
      retire_others_after_seconds: retireOthersAfter,
      ...(endTokens && { end_tokens: true }),
    }
    const isFirst = !owner || (await owner.deliver({ clientId, secretId: stored.id, secret }))
    const admit = (room: SecretAdmission) => {
      if (!isFirst || (owner && room.newest !== owner.newestShown)) throw editConflict()
      if (room.clientType === 'public')
        throw new Conflict('public_app_has_no_secrets', 'a public app has no secrets')
      if (isClientUrl(clientId))
        throw new Conflict(
          'document_app_has_no_secrets',
          'an app with a metadata document has keys in it, and no secrets',
        )
      if (room.othersActive >= mostSecrets) throw tooManySecrets()
      return [auditEvent(cause, 'app_secret.created', { clientId, detail })]
    }
    const added = await store.add(clientId, stored, rotation, admit, owner?.userId ?? null)
    return { ...found(added, 'app'), clientSecret: secret }
  },

  /** Active secrets, oldest first. @throws NotFound */
  list: async (clientId: string, page: PageRequest): Promise<Page<Secret>> =>
    found(await store.list(clientId, page), 'app'),

  /**
   * Revokes the secret at once. `owner`: absent for the operator.
   * @throws NotFound, PreconditionFailed, Conflict changed_meanwhile
   */
  remove: async (
    { clientId, secretId, owner }: Omit<CreatedAppSecret, 'secret'> & { owner?: RemovalByOwner },
    cause: Cause,
    precondition: Precondition<Secret> = anyVersion,
  ): Promise<void> => {
    const detail = { secret_id: secretId }
    const admit = (current: Secret, othersActive: number) => {
      precondition(current)
      if (owner?.hasOthersShown && othersActive === 0) throw editConflict()
      return [auditEvent(cause, 'app_secret.deleted', { clientId, detail })]
    }
    const missing = await store.remove(clientId, secretId, admit, owner?.userId ?? null)
    if (missing) throw new NotFound(missing)
  },
})

export type AppSecrets = ReturnType<typeof createAppSecrets>
