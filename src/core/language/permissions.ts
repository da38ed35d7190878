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

/** Data can be lost, personal data is read, or the whole organization is reached. */
const sensitive: Record<Interface, readonly string[]> = {
  legacy: ['deleteData', 'readMembers'],
  current: ['records:delete', 'workspace_members:read', 'teams:read', 'rootTable:create'],
}

/** Does one of these let an app do what asks for care? One that is not known here counts too. */
export const hasSensitive = (generation: Interface, permissions: readonly string[]) =>
  permissions.some(
    (one) => sensitive[generation].includes(one) || !vocabulary[generation].includes(one),
  )

/** True when every one of `asked` is in `allowed`. */
export const covers = (allowed: readonly string[], asked: readonly string[]) =>
  asked.every((one) => allowed.includes(one))

/** Those of `first` that every other list has too, in the order of `first`. */
export const intersect = <Name extends string>(
  first: readonly Name[],
  ...others: readonly (readonly string[])[]
) => first.filter((one) => others.every((other) => other.includes(one)))

/** The same permissions without repetition, in the vocabulary's order. */
export const inOrder = (generation: Interface, permissions: readonly string[]) =>
  vocabulary[generation].filter((one) => permissions.includes(one))
