import { derivedUuid } from '../crypto/identifiers.ts'
import { faultAt } from '../language/faults.ts'
import { covers, inOrder, vocabulary } from '../language/permissions.ts'
import type { App } from './app.ts'

/** Current permissions by the legacy permission that they replace. A legacy permission without an entry is dropped. */
export type PermissionMap = Readonly<Record<string, readonly string[]>>

/** The current app that replaces a legacy app. Its name on the wire is `twin`. */
export interface Successor {
  legacyClientId: string
  clientId: string
  permissionMap: PermissionMap
}

/** The current permissions that replace these legacy permissions. */
export const mappedPermissions = (map: PermissionMap, legacy: readonly string[]): string[] =>
  inOrder(
    'current',
    legacy.flatMap((one) => (Object.hasOwn(map, one) ? (map[one] ?? []) : [])),
  )

/** Every current token can read, so only a grant with `readData` may migrate without the user's consent. */
export const allowsReading = (legacy: readonly string[]) => legacy.includes('readData')

/** Refused: a refresh token that needs a client secret must not become usable without one. */
export const isLessAuthenticated = (
  successor: Pick<App, 'clientType'>,
  legacy: Pick<App, 'clientType'>,
) => successor.clientType === 'public' && legacy.clientType === 'confidential'

/** @param own permissions of the legacy app @param allowed permissions that the successor may request */
export const mapFaults = (map: PermissionMap, own: readonly string[], allowed: readonly string[]) =>
  Object.entries(map).flatMap(([legacy, mapped]) => {
    const unknown = 'contains a name that is not a permission of the legacy app'
    if (!vocabulary.legacy.includes(legacy) && !own.includes(legacy))
      return [faultAt('/worth', 'permission_map', unknown)]
    const pointer = `/worth/${legacy}`
    return covers(allowed, mapped)
      ? []
      : [faultAt(pointer, 'permission_map', 'is more than the twin may have')]
  })

/** The same map, in the order of the vocabularies and without repetition. */
export const mapInOrder = (map: PermissionMap): PermissionMap =>
  Object.fromEntries(
    inOrder('legacy', Object.keys(map)).map((one) => [one, inOrder('current', map[one] ?? [])]),
  )

/** The id of the only grant that a legacy grant can become. It is the same for every request. */
export const successorGrantId = (grantId: string): string =>
  derivedUuid(`latchkey moved grant ${grantId}`)
