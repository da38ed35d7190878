import { type AuditEvent, auditEvent, type Cause } from '../audit/audit.ts'
import { type EventsFrom, eventsOfChange } from '../audit/changes.ts'
import { type Fault, faultAt, faultIf } from '../language/faults.ts'
import { type PageRequest, pageOfAll } from '../language/paging.ts'
import {
  type CataloguePermission,
  ownNameShape,
  sentenceFaultsAt,
} from '../language/permission-catalogue.ts'
import { type Interface, vocabulary } from '../language/permissions.ts'
import { anyVersion, type Precondition } from '../language/precondition.ts'
import { Conflict, found, NotFound, refuse } from '../language/service-errors.ts'
import { reservedScopes } from './openid.ts'
import type {
  CatalogueSource,
  LivePermissionCatalogue,
  OwnPermission,
  StoredPermission,
} from './permission-catalogue.ts'

/** How many apps, live installs and key sets have a permission. */
export type PermissionUses = Record<'apps' | 'installs' | 'keySets', number>

export interface OwnPermissionStore extends CatalogueSource {
  /**
   * Locks the catalogue and calls `decide` with the stored permission and the number of stored ones of the interface;
   * it may throw. Writes unless a stored permission has no events.
   */
  put(
    permission: OwnPermission,
    decide: (before: StoredPermission | null, count: number) => readonly AuditEvent[],
  ): Promise<StoredPermission>
  /**
   * Locks the permission, calls `admit`, which may throw, and deletes it unless something uses it. It decides together
   * with everything that writes lists of permissions.
   * @returns the uses; any of them prevents the deletion; null when there is no such permission
   */
  remove(
    generation: Interface,
    name: string,
    admit: EventsFrom<StoredPermission>,
  ): Promise<PermissionUses | null>
}

/** Permissions that the operator may describe for each interface. */
const mostPermissions = 1000

const isBuiltIn = (generation: Interface, name: string) => vocabulary[generation].includes(name)

const nameFaults = (generation: Interface, name: string): Fault[] => {
  const fault = (detail: string) => [faultAt('/name', 'permission_name', detail)]
  if (!ownNameShape.test(name))
    return fault('has characters that a permission must not have, or is too long')
  // A consent page must not confuse access to data with the user's identity.
  if (reservedScopes.includes(name)) return fault('is a scope of OpenID Connect')
  const other = generation === 'legacy' ? 'current' : 'legacy'
  return isBuiltIn(other, name) ? fault(`is a built-in permission of the ${other} interface`) : []
}

const faultsOf = (permission: OwnPermission): Fault[] => [
  ...nameFaults(permission.interface, permission.name),
  ...sentenceFaultsAt('/sentence', permission.sentence),
  ...faultIf(
    permission.readPermission && permission.interface === 'legacy',
    '/read_permission',
    'current_only',
    'must be false: readData is the legacy permission',
  ),
]

const eventsOf = (before: StoredPermission | null, after: OwnPermission, cause: Cause) => {
  const detail = { interface: after.interface, permission: after.name }
  if (!before) return [auditEvent(cause, 'permission.added', { detail })]
  const { createdAt: _created, updatedAt: _updated, ...was } = before
  return eventsOfChange(cause, 'permission.changed', was, after, { detail })
}

const textsOf = ({ name, sentence }: CataloguePermission) => [
  name,
  ...(typeof sentence === 'string' ? [sentence] : Object.values(sentence)),
]

const inUse = (uses: PermissionUses) =>
  new Conflict(
    'permission_in_use',
    `the permission is used: apps ${uses.apps}, installs ${uses.installs}, key sets ${uses.keySets}`,
    { apps: uses.apps, installs: uses.installs, key_sets: uses.keySets },
  )

/** The operator's changes of the permission catalogue. */
export const createOwnPermissions = (deps: {
  store: OwnPermissionStore
  catalogue: LivePermissionCatalogue
}) => {
  const { store, catalogue } = deps

  const fresh = async (generation: Interface, name: string) => {
    await catalogue.refresh()
    return found(catalogue.find(generation, name), 'permission')
  }

  return {
    /** Legacy permissions first; built-in ones first, then by name. `q` is a part of the name or the sentence. */
    list: async (generation: Interface | null, page: PageRequest) => {
      await catalogue.refresh()
      const all = (generation === null ? (['legacy', 'current'] as const) : [generation]).flatMap(
        (one) => catalogue.names(one).flatMap((name) => catalogue.find(one, name) ?? []),
      )
      return pageOfAll(all, page, { interface: null, name: ({ name }) => name }, textsOf)
    },

    /** @throws NotFound */
    read: (generation: Interface, name: string) => fresh(generation, name),

    /**
     * Adds a permission, or replaces its words. The new read permission replaces the previous one.
     * @throws Invalid, PreconditionFailed
     */
    put: async (
      permission: OwnPermission,
      cause: Cause,
      precondition: Precondition<CataloguePermission> = anyVersion,
    ): Promise<CataloguePermission> => {
      refuse(faultsOf(permission))
      const { interface: generation, name } = permission
      const builtIn = isBuiltIn(generation, name)
      await store.put(permission, (before, count) => {
        // A built-in permission without words of the operator has those of the catalogue.
        const current = builtIn ? catalogue.find(generation, name) : null
        precondition(before ? { ...before, builtIn } : current)
        if (!before && count >= mostPermissions)
          refuse([
            faultAt('', 'too_many', `an interface has at most ${mostPermissions} permissions`),
          ])
        return eventsOf(before, permission, cause)
      })
      return fresh(permission.interface, permission.name)
    },

    /** @throws NotFound, PreconditionFailed, Conflict built_in_permission, permission_in_use */
    remove: async (
      generation: Interface,
      name: string,
      cause: Cause,
      precondition: Precondition<CataloguePermission> = anyVersion,
    ): Promise<void> => {
      if (isBuiltIn(generation, name))
        throw new Conflict('built_in_permission', 'a built-in permission cannot be deleted')
      const detail = { interface: generation, permission: name }
      const uses = await store.remove(generation, name, (current) => {
        precondition({ ...current, builtIn: false })
        return [auditEvent(cause, 'permission.removed', { detail })]
      })
      if (!uses) throw new NotFound('permission')
      if (uses.apps + uses.installs + uses.keySets > 0) throw inUse(uses)
      await catalogue.refresh()
    },
  }
}

export type OwnPermissions = ReturnType<typeof createOwnPermissions>
