/** The two generations; apps, key sets, permissions and credentials never cross between them. */
export type Interface = 'legacy' | 'current'

/** Specification §2.1 and §2.2, in the order in which they are listed there. */
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

/** True when every one of `asked` is in `allowed`. */
export const covers = (allowed: readonly string[], asked: readonly string[]) =>
  asked.every((one) => allowed.includes(one))

/** Those of `first` that every other list has too, in the order of `first`. */
export const intersect = <Name extends string>(
  first: readonly Name[],
  ...others: readonly (readonly string[])[]
) => first.filter((one) => others.every((other) => other.includes(one)))

/** The same permissions without repetition, in the vocabulary's order. */
export const inOrder = (iface: Interface, permissions: readonly string[]) =>
  vocabulary[iface].filter((one) => permissions.includes(one))
