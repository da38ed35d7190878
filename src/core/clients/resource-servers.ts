import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import {
  type Change,
  type EventsFrom,
  eventsOfChange,
  given,
  type Patch,
  patched,
  removal,
} from '../audit/changes.ts'
import type { SecretShown } from '../credentials/digest-renewal.ts'
import { type ChosenCredentials, type Digested, digested } from '../credentials/secrets.ts'
import { newId, newSecret } from '../crypto/identifiers.ts'
import type { Keyring } from '../crypto/keyring.ts'
import { nameFaults } from '../language/display-text.ts'
import { invalidClient } from '../language/errors.ts'
import { faultAt, faultsOfItems } from '../language/faults.ts'
import type { Page, PageRequest } from '../language/paging.ts'
import type { PermissionCatalogue } from '../language/permission-catalogue.ts'
import { anyVersion, type Precondition } from '../language/precondition.ts'
import { Conflict, found, idTaken, refuse } from '../language/service-errors.ts'
import type { ClientCredentials } from './authenticate.ts'
import { distinctLimits, limitFaults, type ResourceLimits, unlimited } from './resource-limits.ts'
import { hasResource, type ResourceRivals, rivalsOf } from './resources.ts'

/** What the operator decides about a data API. */
export type ResourceServerSettings = ResourceLimits & { name: string }

/** Why the store refuses settings. */
export type SettingsRefusal = 'resource_taken' | 'unknown_organization' | 'id_taken'

/** A resource server that asks: the keyed digest of its secret, and its limits. */
export type ResourceServerCredentials = ResourceLimits & { digest: Buffer }

/** A data API that may introspect tokens. */
export interface ResourceServer extends ResourceServerSettings {
  clientId: string
  hint: string
  createdAt: Date
}

export interface ResourceServerStore {
  insert(
    server: Omit<ResourceServer, 'createdAt'> & Digested,
    rivals: ResourceRivals,
    events: readonly AuditEvent[],
  ): Promise<ResourceServer | SettingsRefusal>
  credentialsOf(clientId: string): Promise<ResourceServerCredentials | null>
  /** Changes it under a lock. */
  change(
    clientId: string,
    decide: (server: ResourceServer) => Change<ResourceServerSettings> & { rivals: ResourceRivals },
  ): Promise<ResourceServer | SettingsRefusal | null>
  byId(clientId: string): Promise<ResourceServer | null>
  list(page: PageRequest): Promise<Page<ResourceServer>>
  /** Locks the entry and calls `admit`, which may throw. */
  remove(clientId: string, admit: EventsFrom<ResourceServer>): Promise<boolean>
}

export interface ResourceServersOptions {
  store: ResourceServerStore
  keyring: Pick<Keyring, 'digest' | 'keyIds' | 'digestMatches'>
  catalogue: Pick<PermissionCatalogue, 'find'>
  /** `aud` of a token whose request names no resource. */
  defaultAudience: string
  shown?: SecretShown
}

/** @throws Conflict resource_taken, Invalid */
const accepted = <Stored extends ResourceServer | null>(stored: Stored | SettingsRefusal) => {
  if (stored === 'resource_taken')
    throw new Conflict('resource_taken', 'another resource server has this resource URI')
  if (stored === 'id_taken') throw idTaken('a client or a user')
  if (stored === 'unknown_organization')
    refuse([faultAt('/organization_ids', 'unknown_organization', 'names an unknown organization')])
  return stored as Stored
}

/** The default audience belongs to every data API without a resource, so none may limit its tokens. */
const defaultAudienceFaults = (
  defaultAudience: string,
  resource: readonly string[] | null | undefined,
  before: readonly string[] = [],
) => {
  const isDefault = (uri: string) => hasResource([defaultAudience], uri) && !before.includes(uri)
  const detail = 'is the default audience (TOKEN_AUDIENCE), which stands for null alone'
  return faultsOfItems(resource ?? [], isDefault, '/resource', 'resource_default', detail)
}

/** Data APIs. To replace a secret, the operator registers the data API anew and deletes the old entry. */
export const createResourceServers = ({
  store,
  keyring,
  catalogue,
  defaultAudience,
  shown,
}: ResourceServersOptions) => ({
  /**
   * @param limits those that are absent are null
   * @returns the server and its secret, which cannot be read again
   * @throws Invalid, Conflict resource_taken, id_taken
   */
  register: async (
    name: string,
    limits: Patch<ResourceLimits>,
    cause: Cause,
    chosen: ChosenCredentials = {},
  ) => {
    refuse([
      ...nameFaults('/name', name),
      ...limitFaults(catalogue, given(limits)),
      ...defaultAudienceFaults(defaultAudience, limits.resource),
    ])
    const { clientId = newId('resourceServer'), clientSecret = newSecret('resourceServer') } =
      chosen
    const distinct = distinctLimits(patched(unlimited, limits))
    const server = await store.insert(
      { clientId, name, ...distinct, ...digested(keyring, clientSecret) },
      rivalsOf(distinct.resource ?? []),
      [auditEvent(cause, 'resource_server.created', { clientId })],
    )
    return { server: accepted(server), clientSecret }
  },

  /** Effective with its next request. @throws NotFound, Invalid, PreconditionFailed, Conflict resource_taken */
  change: async (
    clientId: string,
    patch: Patch<ResourceServerSettings>,
    cause: Cause,
    precondition: Precondition<ResourceServer> = anyVersion,
  ): Promise<ResourceServer> => {
    refuse([
      ...(patch.name === undefined ? [] : nameFaults('/name', patch.name)),
      ...limitFaults(catalogue, given(patch)),
    ])
    const server = await store.change(clientId, (current) => {
      precondition(current)
      const { name, resource, permissions, organizationIds } = current
      const before = { name, resource, permissions, organizationIds }
      const requested = patched<ResourceServerSettings>(before, patch)
      refuse(defaultAudienceFaults(defaultAudience, requested.resource, resource ?? []))
      const values = { name: requested.name, ...distinctLimits(requested) }
      const events = eventsOfChange(cause, 'resource_server.changed', before, values, { clientId })
      // An earlier version may have registered what it has twice: that hinders no other change.
      const added = values.resource?.filter((uri) => !resource?.includes(uri)) ?? []
      return { values, events, rivals: rivalsOf(added) }
    })
    return found(accepted(server), 'resource server')
  },

  /**
   * Authenticates a resource server. An unknown one takes as much time as a known one.
   * @returns what it may learn
   * @throws OAuthError invalid_client
   */
  authenticate: async (credentials: ClientCredentials): Promise<ResourceLimits> => {
    const { clientId } = credentials
    const secret = 'secret' in credentials ? credentials.secret : null
    const resourceServer = await store.credentialsOf(clientId)
    const matches = keyring.digestMatches(
      secret ?? '',
      resourceServer?.digest ?? keyring.digest(''),
    )
    if (resourceServer === null) throw invalidClient('unknown_client')
    if (secret === null) throw invalidClient('secret_missing')
    if (!matches) throw invalidClient('secret_wrong')
    shown?.('resource_servers', clientId, secret, resourceServer.digest)
    return resourceServer
  },

  /** @throws NotFound */
  read: async (clientId: string) => found(await store.byId(clientId), 'resource server'),

  /** Oldest first. */
  list: (page: PageRequest): Promise<Page<ResourceServer>> => store.list(page),

  /** Revokes its secret at once. @throws NotFound, PreconditionFailed */
  remove: removal('resource server', store.remove, (cause, { clientId }) =>
    auditEvent(cause, 'resource_server.deleted', { clientId }),
  ),
})

export type ResourceServers = ReturnType<typeof createResourceServers>
