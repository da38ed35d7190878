import type { WorkspaceLimit } from '../language/scope.ts'
import { found } from '../language/service-errors.ts'
import type { AudienceLimit } from './audience.ts'
import type { InstallKey } from './install.ts'

/** What an admin would approve. */
interface Approval {
  permissions: readonly string[]
  /** null: all workspaces. */
  workspaceIds: WorkspaceLimit
  /** null: everyone; undefined: as it is. */
  audience?: AudienceLimit | undefined
}

/** Whose access would become smaller, and what the app would lack. */
export interface InstallPreview {
  people: number
  /** Their live authorizations. */
  families: number
  /** 1: the app has used tokens of its own in the last 30 days. */
  jobs: number
  /** What the app requires and the approval lacks. */
  missing: string[]
}

export interface InstallPreviewStore {
  /**
   * One query. Without a live install, the counts are 0.
   * @returns null when the app or the organization does not exist
   */
  find(install: InstallKey, approval: Approval): Promise<InstallPreview | null>
}

/** What an approval would change, before it is given. */
export const createInstallPreviews = (store: InstallPreviewStore) => ({
  /** @throws NotFound */
  find: async (
    install: InstallKey,
    approval: Partial<Approval> & Pick<Approval, 'permissions'>,
  ): Promise<InstallPreview> =>
    found(await store.find(install, { workspaceIds: null, ...approval }), 'organization or app'),
})

export type InstallPreviews = ReturnType<typeof createInstallPreviews>
