/** The two generations of the interface. Apps, key sets, permissions and credentials belong to one of them. */
export type Interface = 'legacy' | 'current'

/** Specification §2.1 and §2.2, in their order. */
export const vocabulary: Record<Interface, readonly string[]> = {
  legacy: ['readData', 'insertData', 'updateData', 'deleteData', 'addFields', 'readMembers'],
  current: [
    'records:create',
    'records:update',
    'records:delete',
    'workspace_members:read',
    'teams:read',
    'documents:read',
    'table:create',
    'table:modify',
    'rootTable:create',
  ],
}

/** Permissions that can lose data, read personal data or reach the whole organization. */
const sensitive: Record<Interface, readonly string[]> = {
  legacy: ['deleteData', 'readMembers'],
  current: ['records:delete', 'workspace_members:read', 'teams:read', 'rootTable:create'],
}

/** Is one of these permissions sensitive? An unknown permission counts as sensitive. */
export const hasSensitive = (generation: Interface, permissions: readonly string[]) =>
  permissions.some(
    (one) => sensitive[generation].includes(one) || !vocabulary[generation].includes(one),
  )

/** True when `allowed` contains all of `asked`. */
export const covers = (allowed: readonly string[], asked: readonly string[]) =>
  asked.every((one) => allowed.includes(one))

/** The entries of `first` that all other lists contain, in the order of `first`. */
export const intersect = <Name extends string>(
  first: readonly Name[],
  ...others: readonly (readonly string[])[]
) => first.filter((one) => others.every((other) => other.includes(one)))

/** The known permissions without repetition, in the vocabulary's order. */
export const inOrder = (generation: Interface, permissions: readonly string[]) =>
  vocabulary[generation].filter((one) => permissions.includes(one))
