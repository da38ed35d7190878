import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import type { SecretShown } from '../credentials/digest-renewal.ts'
import { newId, newSecret, secretHint } from '../crypto/identifiers.ts'
import type { Keyring } from '../crypto/keyring.ts'
import { nameFaults } from '../language/display-text.ts'
import { invalidClient } from '../language/errors.ts'
import type { Page, PageRequest } from '../language/paging.ts'
import { found, NotFound, refuse } from '../language/service-errors.ts'
import type { ClientCredentials } from './authenticate.ts'

/** A data API that may introspect tokens. */
export interface ResourceServer {
  clientId: string
  name: string
  hint: string
  createdAt: Date
}

export interface ResourceServerStore {
  insert(
    server: Pick<ResourceServer, 'clientId' | 'name' | 'hint'> & {
      digest: Buffer
      digestKeyId: string
    },
    events: readonly AuditEvent[],
  ): Promise<ResourceServer>
  /** The keyed digest of its secret. */
  digestOf(clientId: string): Promise<Buffer | null>
  byId(clientId: string): Promise<ResourceServer | null>
  list(page: PageRequest): Promise<Page<ResourceServer>>
  remove(clientId: string, events: readonly AuditEvent[]): Promise<boolean>
}

export interface ResourceServersOptions {
  store: ResourceServerStore
  keyring: Pick<Keyring, 'digest' | 'keyIds' | 'digestMatches'>
  shown?: SecretShown
}

/** Data APIs. To replace a secret, the operator registers the data API anew and deletes the old entry. */
export const createResourceServers = ({ store, keyring, shown }: ResourceServersOptions) => ({
  /** @returns the server and its secret, which cannot be read again @throws Invalid */
  register: async (
    name: string,
    cause: Cause,
  ): Promise<{ server: ResourceServer; clientSecret: string }> => {
    refuse(nameFaults('/name', name))
    const clientId = newId('resourceServer')
    const clientSecret = newSecret('resourceServer')
    const server = await store.insert(
      {
        clientId,
        name,
        hint: secretHint(clientSecret),
        digest: keyring.digest(clientSecret),
        digestKeyId: keyring.keyIds[0],
      },
      [auditEvent(cause, 'resource_server.created', { clientId })],
    )
    return { server, clientSecret }
  },

  /**
   * Authenticates a resource server. An unknown one takes as much time as a known one.
   * @throws OAuthError invalid_client
   */
  authenticate: async (credentials: ClientCredentials): Promise<void> => {
    const { clientId } = credentials
    const secret = 'secret' in credentials ? credentials.secret : null
    const digest = await store.digestOf(clientId)
    const matches = keyring.digestMatches(secret ?? '', digest ?? keyring.digest(''))
    if (digest === null) throw invalidClient('unknown_client')
    if (secret === null) throw invalidClient('secret_missing')
    if (!matches) throw invalidClient('secret_wrong')
    shown?.('resource_servers', clientId, secret, digest)
  },

  /** @throws NotFound */
  read: async (clientId: string): Promise<ResourceServer> =>
    found(await store.byId(clientId), 'resource server'),

  /** Oldest first. */
  list: (page: PageRequest): Promise<Page<ResourceServer>> => store.list(page),

  /** Revokes its secret at once. @throws NotFound */
  remove: async (clientId: string, cause: Cause): Promise<void> => {
    const events = [auditEvent(cause, 'resource_server.deleted', { clientId })]
    if (!(await store.remove(clientId, events))) throw new NotFound('resource server')
  },
})

export type ResourceServers = ReturnType<typeof createResourceServers>
