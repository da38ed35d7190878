import { auditEvent, type Cause } from '../audit/audit.ts'
import { type Change, type EventsFrom, eventsOfChange, removal } from '../audit/changes.ts'
import { fetchedUrlFaults } from '../clients/workloads.ts'
import { type Fault, faultAt } from '../language/faults.ts'
import { anyVersion, type Precondition, type Put } from '../language/precondition.ts'
import { found, refuse } from '../language/service-errors.ts'
import type { AddressRules } from '../outbound/addresses.ts'

/** What an operator says about the identity provider of an organization. */
export interface ProviderSettings {
  /** The exact `iss` of its assertions. */
  issuer: string
  /** The apps that may use its assertions; null: every installed app whose registration allows it. */
  clientIds: string[] | null
  /** Its public keys; null: found by discovery from the issuer. */
  jwksUri: string | null
}

/** The identity provider that an organization trusts to name its members (draft ID-JAG §2). */
export interface IdentityProvider extends ProviderSettings {
  organizationId: string
  createdAt: Date
  updatedAt: Date
}

export interface IdentityProviderStore {
  find(organizationId: string): Promise<IdentityProvider | null>
  /** The ids that no app has. */
  unknownApps(clientIds: readonly string[]): Promise<string[]>
  /**
   * Locks the organization, calls `decide` with its present provider and writes. Another issuer unlinks the subjects of
   * the former one.
   * @returns null when the organization does not exist
   */
  put(
    organizationId: string,
    decide: (current: IdentityProvider | null) => Change<ProviderSettings>,
  ): Promise<Put<IdentityProvider> | null>
  /** Locks the provider, calls `admit`, which may throw, and deletes. @returns false when there is none */
  remove(organizationId: string, admit: EventsFrom<IdentityProvider>): Promise<boolean>
}

export const mostClientIds = 100

/** RFC 8414 §2: an issuer has no query and no fragment. */
const issuerFaults = (issuer: string, rules: AddressRules): Fault[] => {
  const faults = fetchedUrlFaults('/issuer', issuer, rules, 'issuer')
  const isQuery = faults.length === 0 && issuer.includes('?')
  return isQuery ? [faultAt('/issuer', 'issuer', 'has a query')] : faults
}

const settingsFaults = (
  { issuer, jwksUri }: ProviderSettings,
  ownIssuer: string,
  rules: AddressRules,
): Fault[] => {
  // This server must not accept its own tokens as assertions (draft ID-JAG §7.3).
  if (issuer === ownIssuer) return [faultAt('/issuer', 'issuer', 'is this server')]
  return [...issuerFaults(issuer, rules), ...fetchedUrlFaults('/jwks_uri', jwksUri, rules)]
}

export const createIdentityProviders = (deps: {
  store: IdentityProviderStore
  /** The issuer of this server. */
  issuer: string
  addresses: AddressRules
}) => {
  const { store, issuer: ownIssuer, addresses } = deps

  const unknownAppFaults = async ({ clientIds }: ProviderSettings): Promise<Fault[]> => {
    const unknown = clientIds === null ? [] : await store.unknownApps(clientIds)
    return unknown.map((id) =>
      faultAt(`/client_ids/${clientIds?.indexOf(id)}`, 'unknown_app', 'is not an app'),
    )
  }

  return {
    /** @throws NotFound */
    read: async (organizationId: string): Promise<IdentityProvider> =>
      found(await store.find(organizationId), 'identity provider'),

    /** Names the provider, or replaces it. @throws Invalid, NotFound, PreconditionFailed */
    put: async (
      organizationId: string,
      settings: ProviderSettings,
      cause: Cause,
      precondition: Precondition<IdentityProvider> = anyVersion,
    ): Promise<Put<IdentityProvider>> => {
      refuse(settingsFaults(settings, ownIssuer, addresses))
      refuse(await unknownAppFaults(settings))
      const { issuer } = settings
      const put = await store.put(organizationId, (current) => {
        precondition(current)
        const about = { organizationId, detail: { issuer } }
        const events = current
          ? eventsOfChange(cause, 'identity_provider.changed', current, settings, about)
          : [auditEvent(cause, 'identity_provider.set', about)]
        return { values: settings, events }
      })
      return found(put, 'organization')
    },

    /** Its assertions are refused at once. Access tokens stay valid until they expire. @throws NotFound, PreconditionFailed */
    remove: removal('identity provider', store.remove, (cause, { organizationId, issuer }) =>
      auditEvent(cause, 'identity_provider.removed', { organizationId, detail: { issuer } }),
    ),
  }
}

export type IdentityProviders = ReturnType<typeof createIdentityProviders>
