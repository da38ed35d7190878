// Finds what has a name: the search of the Operator API and of the pages.
import { isPermitted, type Operator } from '../credentials/operator-permissions.ts'

const permissionFor = {
  organization: 'organizations:read',
  workspace: 'organizations:read',
  app: 'apps:read',
  user: 'users:read',
  key_set: 'key_sets:read',
  resource_server: 'apps:read',
} as const

export type FoundKind = keyof typeof permissionFor
export const foundKinds = Object.keys(permissionFor) as FoundKind[]

/** The most characters of a search text. A client id can be an address. */
export const longestSearch = 500

/** The most items of an answer. */
export const mostFound = 20

export interface Found<Kind extends string = FoundKind> {
  kind: Kind
  /** The client id of apps and resource servers. */
  id: string
  name: string
  /** Of workspaces and key sets. */
  organizationId: string | null
}

/** What an organization's admin can find. `request`: its `id` is that of the request, its name the app's. */
export const adminKinds = ['app', 'user', 'workspace', 'key_set', 'request'] as const
export type AdminKind = (typeof adminKinds)[number]

export interface SearchStore {
  /**
   * Each word of the text begins a word of the name, or the text begins an id or e-mail address. Case and accents do not
   * count. Exact matches come first; then the kinds take turns.
   * @param organizationIds only what belongs to these: their members, and the apps installed there; null: everything
   */
  find<Kind extends FoundKind | AdminKind>(
    text: string,
    kinds: readonly Kind[],
    organizationIds: readonly string[] | null,
    limit: number,
  ): Promise<Found<Kind>[]>
}

export type Search = ReturnType<typeof createSearch>

export const createSearch = (store: SearchStore) => ({
  /** What the operator may read. @param only this kind */
  forOperator: (text: string, operator: Operator, only?: FoundKind): Promise<Found[]> => {
    const kinds = foundKinds.filter(
      (kind) => (only ?? kind) === kind && isPermitted(operator, permissionFor[kind]),
    )
    return store.find(text, kinds, operator.organizationIds, mostFound)
  },

  inOrganization: (text: string, organizationId: string): Promise<Found<AdminKind>[]> =>
    store.find(text, adminKinds, [organizationId], mostFound),
})
