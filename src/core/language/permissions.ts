import { entriesOf, type Interface, intersect } from '#verify/rules/permissions'

export { entriesOf, type Interface, intersect }

/**
 * Specification §2.1 and §2.2, in the order in which they are listed there. Sensitive: data can be lost, personal data
 * is read, or the whole organization is reached.
 */
const seed = {
  legacy: {
    readData: 'ordinary',
    insertData: 'ordinary',
    updateData: 'ordinary',
    deleteData: 'sensitive',
    addFields: 'ordinary',
    readMembers: 'sensitive',
  },
  current: {
    'records:create': 'ordinary',
    'records:update': 'ordinary',
    'records:delete': 'sensitive',
    'workspace_members:read': 'sensitive',
    'teams:read': 'sensitive',
    'documents:read': 'ordinary',
    'table:create': 'ordinary',
    'table:modify': 'ordinary',
    'rootTable:create': 'sensitive',
  },
} as const satisfies Record<Interface, Record<string, 'ordinary' | 'sensitive'>>

type Seed = typeof seed

/** A built-in permission of one interface. */
export type BuiltInPermission<Generation extends Interface> = keyof Seed[Generation] & string

/** Whether a built-in permission is sensitive. */
export type Sensitivity<
  Generation extends Interface,
  Name extends BuiltInPermission<Generation>,
> = Seed[Generation][Name]

/** The built-in permissions. The operator adds others to the catalogue (`permission-catalogue.ts`). */
export const vocabulary: Record<Interface, readonly string[]> = {
  legacy: Object.keys(seed.legacy),
  current: Object.keys(seed.current),
}

/** Is this built-in permission sensitive? */
export const isBuiltInSensitive = (generation: Interface, permission: string) =>
  seed[generation][permission as never] === 'sensitive'

/** True when `allowed` contains all of `requested`. */
export const covers = (allowed: readonly string[], requested: readonly string[]) =>
  requested.every(entriesOf(allowed))

/** Without repetition: built-in permissions in the order of the vocabulary, then the platform's own by name. */
export const inOrder = (generation: Interface, permissions: readonly string[]) => {
  const builtIn = vocabulary[generation]
  const own = [...new Set(permissions)].filter((one) => !builtIn.includes(one)).sort()
  return [...builtIn.filter((one) => permissions.includes(one)), ...own]
}
