// The resources that a request names (RFC 8707): the data APIs that its tokens are for.
import { invalidTarget } from '../language/errors.ts'
import { listLength } from './permission-rules.ts'
import { isResource, knownOf, type ResourceLimits, serves, unlimited } from './resource-limits.ts'
import { coversResources, distinctResources, hasResource, stemsOf } from './resources.ts'

/** A data API by its name. */
export type NamedServer = ResourceLimits & { name: string }

export interface TargetStore {
  /** The resource servers that may have a resource with one of these stems (`stemsOf`), oldest first. */
  withResource(stems: readonly string[]): Promise<NamedServer[]>
}

/** A known resource, and the data API that has it; `name` null: this is the default audience. */
export interface KnownResource extends Pick<ResourceLimits, 'permissions' | 'organizationIds'> {
  uri: string
  name: string | null
}

/** What a token is for. The default audience alone, as it is configured, is null everywhere. */
export interface Target {
  /** `aud` of the token. */
  resources: string[]
  known: KnownResource[]
}

// Each request of a browser is stored, and the token has to fit into a header (`compact-jws.ts`).
const mostRequested = 10
const longestRequested = 500 // characters of all, quotes and commas included

/**
 * Checks the form of `resource`.
 * @param sent each value of the parameter
 * @returns each resource once; empty: none was sent
 * @throws OAuthError invalid_target (RFC 8707 §2)
 */
export const parseResources = (sent: readonly string[]): string[] => {
  if (sent.length > mostRequested) throw invalidTarget('too_many_resources')
  if (!sent.every(isResource)) throw invalidTarget('resource_malformed')
  const requested = distinctResources(sent)
  if (listLength(requested) > longestRequested) throw invalidTarget('too_many_resources')
  return requested
}

/** Does each resource of the target serve the organization? */
export const servesAll = ({ known }: Target, organizationId: string): boolean =>
  known.every((one) => serves(one, organizationId))

/** The permissions that one of the resources knows, in their order. @param target null: the default audience */
export const knownByTarget = (target: Target | null, permissions: readonly string[]): string[] =>
  permissions.filter((one) => !target || target.known.some((of) => knownOf(of, [one]).length > 0))

/** Reads the resource servers anew for each request that is not for the default audience alone. */
export const createTargets = (deps: { store: TargetStore; defaultAudience: string }) => {
  const { store, defaultAudience } = deps

  /** The default audience is known whether a resource server is registered or not, and has no limits. */
  const read = async (uris: readonly string[]): Promise<KnownResource[]> => {
    const others = uris.filter((uri) => !hasResource([defaultAudience], uri))
    const servers = others.length > 0 ? await store.withResource(stemsOf(others)) : []
    return uris.flatMap((uri): KnownResource[] => {
      if (!others.includes(uri)) return [{ ...unlimited, uri, name: null }]
      // Two may have it if they were registered by a version that compared text.
      const server =
        servers.find(({ resource }) => resource?.includes(uri)) ??
        servers.find(({ resource }) => hasResource(resource ?? [], uri))
      if (!server) return []
      const { name, permissions, organizationIds } = server
      return [{ uri, name, permissions, organizationIds }]
    })
  }

  const targetOf = (known: KnownResource[]): Target => ({
    resources: known.map(({ uri }) => uri),
    known,
  })

  /** Are these, or none at all, the default audience as it is configured? */
  const isDefault = (uris: readonly string[]) => uris.every((uri) => uri === defaultAudience)

  /**
   * The target of a new grant.
   * @returns null for the default audience
   * @throws OAuthError invalid_target for an unknown resource
   */
  const ofRequest = async (requested: readonly string[]) => {
    if (isDefault(requested)) return null
    const known = await read(requested)
    if (known.length < requested.length) throw invalidTarget('resource_unknown')
    return targetOf(known)
  }

  /** The same for a token that the app gets for itself. @throws OAuthError also when one does not serve the organization */
  const ofApp = async (requested: readonly string[], organizationId: string) => {
    const target = await ofRequest(requested)
    if (target && !servesAll(target, organizationId)) throw invalidTarget('resource_not_serving')
    return target
  }

  return {
    /** `aud` of a token whose request names no resource. */
    defaultAudience,
    isDefault,
    ofRequest,
    ofApp,
    /**
     * The target of a token of a grant: the asked resources, or all of the grant that are still known and serve the
     * organization.
     * @param named those of the grant; absent: the default audience
     * @throws OAuthError invalid_target, also for more than was granted
     */
    ofGrant: async (
      named: readonly string[] | null | undefined,
      requested: readonly string[],
      organizationId: string,
    ) => {
      const granted = named ?? [defaultAudience]
      if (!coversResources(granted, requested)) throw invalidTarget('resource_not_granted')
      if (requested.length > 0) return ofApp(requested, organizationId)
      if (isDefault(granted)) return null
      const known = await read(granted)
      if (known.length === 0) throw invalidTarget('resource_unknown')
      const serving = known.filter((one) => serves(one, organizationId))
      if (serving.length === 0) throw invalidTarget('resource_not_serving')
      return targetOf(serving)
    },
  }
}

export type Targets = ReturnType<typeof createTargets>
