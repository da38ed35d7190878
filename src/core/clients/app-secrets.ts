import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import {
  type NewSecret,
  newStoredSecret,
  overlapFaults,
  type Secret,
} from '../credentials/secrets.ts'
import type { Keyring } from '../crypto/keyring.ts'
import type { Page, PageRequest } from '../language/paging.ts'
import { Conflict, found, NotFound, refuse } from '../language/service-errors.ts'
import { type ClientType, mostSecrets } from './app.ts'

/** What a store sees under the lock, once the other secrets have their end. */
export interface SecretRoom {
  clientType: ClientType
  othersActive: number
}

export interface AppSecretStore {
  /**
   * Locks the app, ends its other active secrets after `retireOthersAfter` seconds, asks `admit`, which may
   * throw and so undo everything, and adds the secret; one at a time for an app.
   * @returns null when the app does not exist
   */
  add(
    clientId: string,
    secret: NewSecret,
    retireOthersAfter: number,
    admit: (room: SecretRoom) => readonly AuditEvent[],
  ): Promise<Secret | null>
  /** Active secrets. @returns null when the app does not exist */
  list(clientId: string, page: PageRequest): Promise<Page<Secret> | null>
  remove(clientId: string, id: string, events: readonly AuditEvent[]): Promise<boolean>
}

export interface AppSecretsOptions {
  store: AppSecretStore
  keyring: Pick<Keyring, 'digest' | 'keyIds'>
}

export const tooManySecrets = () =>
  new Conflict(
    'too_many_secrets',
    `${mostSecrets} secrets are active; delete one, or end the others at once`,
  )

/** Secrets of confidential apps: the one in use and, for a while, its successor. */
export const createAppSecrets = ({ store, keyring }: AppSecretsOptions) => ({
  /**
   * @param retireOthersAfter seconds until the other active secrets end, at most; 0: at once
   * @returns the secret, which is never readable again
   * @throws Invalid, NotFound, Conflict public_app_has_no_secrets, too_many_secrets
   */
  create: async (
    clientId: string,
    retireOthersAfter: number,
    cause: Cause,
  ): Promise<Secret & { clientSecret: string }> => {
    refuse(overlapFaults(retireOthersAfter))
    const { secret, stored } = newStoredSecret('app', keyring)
    const detail = { secret_id: stored.id, retire_others_after_seconds: retireOthersAfter }
    const added = await store.add(clientId, stored, retireOthersAfter, (room) => {
      if (room.clientType === 'public')
        throw new Conflict('public_app_has_no_secrets', 'a public app has no secrets')
      if (room.othersActive >= mostSecrets) throw tooManySecrets()
      return [auditEvent(cause, 'app_secret.created', { clientId, detail })]
    })
    return { ...found(added, 'app'), clientSecret: secret }
  },

  /** Active ones, in the order of creation. @throws NotFound */
  list: async (clientId: string, page: PageRequest): Promise<Page<Secret>> =>
    found(await store.list(clientId, page), 'app'),

  /** It ends at once. @throws NotFound */
  remove: async (clientId: string, id: string, cause: Cause): Promise<void> => {
    const detail = { secret_id: id }
    const events = [auditEvent(cause, 'app_secret.deleted', { clientId, detail })]
    if (!(await store.remove(clientId, id, events))) throw new NotFound('secret')
  },
})

export type AppSecrets = ReturnType<typeof createAppSecrets>
