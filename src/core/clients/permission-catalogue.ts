import type {
  CataloguePermission,
  PermissionCatalogue,
  PermissionWords,
} from '../language/permission-catalogue.ts'
import {
  type BuiltInPermission,
  type Interface,
  inOrder,
  isBuiltInSensitive,
  vocabulary,
} from '../language/permissions.ts'

/** A permission that the operator has described: one of the platform's own, or a built-in one in other words. */
export interface OwnPermission extends PermissionWords {
  interface: Interface
  name: string
  readPermission: boolean
}

export type StoredPermission = OwnPermission & Record<'createdAt' | 'updatedAt', Date>

export interface CatalogueSource {
  /**
   * All stored permissions, and the version of the catalogue, null if it may be rolled back; null when the version is
   * still this one.
   */
  readSince(
    version: string | null,
  ): Promise<{ version: string | null; permissions: StoredPermission[] } | null>
}

/** The words of the built-in permissions. */
export type BuiltInWords = {
  [Generation in Interface]: Readonly<Record<BuiltInPermission<Generation>, PermissionWords>>
}

/** This process's copy of the catalogue. */
export interface LivePermissionCatalogue extends PermissionCatalogue {
  /**
   * Reads the catalogue again if its version has changed. Calls at the same time share a query that began after the
   * first of them.
   * @throws StoreUnavailable; the copy stays
   */
  refresh(): Promise<void>
  /** Refreshes when the copy lacks one of these names, before they are refused. @throws StoreUnavailable */
  meet(names: readonly string[]): Promise<void>
}

type Entries = Record<Interface, ReadonlyMap<string, CataloguePermission>>

const generations = ['legacy', 'current'] as const

const entriesOf = (builtIn: BuiltInWords, stored: readonly OwnPermission[]): Entries => {
  const entriesFor = (generation: Interface) => {
    const words: Readonly<Record<string, PermissionWords>> = builtIn[generation]
    const own = new Map(
      stored.filter((one) => one.interface === generation).map((one) => [one.name, one]),
    )
    const names = inOrder(generation, [...vocabulary[generation], ...own.keys()])
    return new Map(
      names.map((name): [string, CataloguePermission] => {
        const { sentence, group, mark } = (own.get(name) ?? words[name]) as PermissionWords
        return [
          name,
          {
            interface: generation,
            name,
            sentence,
            group,
            mark,
            builtIn: vocabulary[generation].includes(name),
            readPermission: own.get(name)?.readPermission ?? false,
          },
        ]
      }),
    )
  }
  return { legacy: entriesFor('legacy'), current: entriesFor('current') }
}

/**
 * Keeps a copy of the catalogue in memory. Nothing that decides about access reads it: tokens have the permissions of
 * grants and installs, and a list of permissions is checked by the statement that writes it.
 */
export const createPermissionCatalogue = (deps: {
  store: CatalogueSource
  builtIn: BuiltInWords
}): LivePermissionCatalogue => {
  const { store, builtIn } = deps
  let version: string | null = null
  let entries = entriesOf(builtIn, [])
  let names: Record<Interface, readonly string[]> = vocabulary
  let readPermission: string | null = null
  let reading: Promise<void> | null = null
  let next: Promise<void> | null = null

  const read = async () => {
    const changed = await store.readSince(version)
    if (!changed) return
    entries = entriesOf(builtIn, changed.permissions)
    names = { legacy: [...entries.legacy.keys()], current: [...entries.current.keys()] }
    readPermission = names.current.find((one) => entries.current.get(one)?.readPermission) ?? null
    version = changed.version
  }

  const begin = () => {
    reading = read().finally(() => {
      reading = null
    })
    return reading
  }

  const refresh = () => {
    if (!reading) return begin()
    // A query under way may have read an older version than the caller needs.
    next ??= reading
      .catch(() => undefined)
      .then(() => {
        next = null
        return begin()
      })
    return next
  }

  const isKnown = (name: string) => generations.some((one) => entries[one].has(name))

  return {
    names: (generation) => names[generation],
    find: (generation, name) => entries[generation].get(name) ?? null,
    readPermission: () => readPermission,
    hasSensitive: (generation, requested) =>
      requested.some((name) => {
        const entry = entries[generation].get(name)
        return !entry || entry.mark !== null || isBuiltInSensitive(generation, name)
      }),
    refresh,
    meet: async (requested) => {
      if (!requested.every(isKnown)) await refresh()
    },
  }
}

/** The interface that has a permission. In doubt, names of the current interface have a colon. */
export const interfaceOf = (catalogue: PermissionCatalogue, name: string): Interface => {
  const known = generations.filter((one) => catalogue.find(one, name) !== null)
  const [only] = known
  if (only && known.length === 1) return only
  return name.includes(':') ? 'current' : 'legacy'
}
