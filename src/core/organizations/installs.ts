import { auditEvent, type Cause } from '../audit/audit.ts'
import { type EventsFrom, patched, removal } from '../audit/changes.ts'
import type { LivePermissionCatalogue } from '../clients/permission-catalogue.ts'
import type { Judge } from '../credentials/secrets.ts'
import { type Editable, isEditConflict, type ReadVersion } from '../language/edit-conflict.ts'
import type { Page, PageRequest } from '../language/paging.ts'
import { intersect } from '../language/permissions.ts'
import { anyVersion, type Precondition } from '../language/precondition.ts'
import {
  editConflict,
  found,
  Invalid,
  NotFound,
  PreconditionFailed,
} from '../language/service-errors.ts'
import { stateOf } from './import-sourced.ts'
import type { InstallKey, StoredInstall } from './install.ts'
import {
  type ApprovalScene,
  createApprovalOf,
  type InstallApproval,
  type Wanted,
  type WantedApproval,
} from './install-approval.ts'
import { type SelfInstaller, selfInstallOf } from './self-installs.ts'

export interface InstallStore {
  /**
   * Locks the organizations, calls each `decide`, inserts the installs or changes the live ones, and answers open
   * requests for the apps as approved, in one transaction. The lock allows one approval of an organization at a time.
   * @param wanted no pair of organization and app twice
   * @returns an install for each; null when the organization or the app does not exist, or `decide` has returned null
   */
  approve(
    wanted: readonly WantedApproval[],
    decidedBy: string | null,
  ): Promise<(StoredInstall | null)[]>
  live(organizationId: string, clientId: string): Promise<StoredInstall | null>
  /** Live installs. @returns null when the organization does not exist */
  list(organizationId: string, page: PageRequest): Promise<Page<StoredInstall> | null>
  /** Locks the organization as `approve` does, calls `admit`, which may throw, and ends the live install. */
  end(install: InstallKey, admit: EventsFrom<StoredInstall>): Promise<boolean>
}

/** An approval of one app in one organization, as part of many. */
export interface NamedApproval extends InstallApproval, InstallKey {}

/** `at`: milliseconds since 1970 of its last change. */
export interface ChangedInstall {
  clientId: string
  at: number
}

export type ApprovalOutcome = 'created' | 'updated' | 'unchanged' | 'refused' | Invalid | NotFound

/** Installs of organizations: apps and their limits. */
export const createInstalls = (deps: {
  store: InstallStore
  /** Milliseconds since 1970. */
  now: () => number
  catalogue: Pick<LivePermissionCatalogue, 'refresh' | 'find'>
}) => {
  const { store } = deps
  const approvalOf = createApprovalOf(deps.now)

  const read = async (organizationId: string, clientId: string): Promise<StoredInstall> =>
    found(await store.live(organizationId, clientId), 'install')

  const write = async (approval: Parameters<typeof approvalOf>[0]) => {
    const [install] = await store.approve([approvalOf(approval)], approval.cause.actor.id)
    return found(install ?? null, 'organization or app')
  }

  return {
    /**
     * Installs the app, or replaces the approval of the live install; a suspended one stays suspended. Answers open
     * requests for the app. After an uninstall, a new install has a new id.
     * @throws Invalid for more permissions than the app has, and for foreign workspaces; NotFound; PreconditionFailed
     */
    approve: (
      approval: NamedApproval,
      cause: Cause,
      precondition: Precondition<StoredInstall> = anyVersion,
    ) => {
      const wantedIn = ({ live }: ApprovalScene) => {
        precondition(live)
        return approval
      }
      return write({ ...approval, wantedIn, mode: 'replace', cause })
    },

    /**
     * Approves many apps at once, as `approve` does. A refused one does not affect the others.
     * @param approvals no pair of organization and app twice
     * @returns an outcome for each, `refused` by its judge, and the installs that were written or are the same
     * @throws Invalid when a permission was retired meanwhile: nothing is stored, and each can be tried alone
     */
    approveMany: async (
      approvals: readonly (NamedApproval & { judge?: Judge | undefined })[],
      cause: Cause,
    ) => {
      const outcomes: ApprovalOutcome[] = approvals.map(() => new NotFound('organization or app'))
      const wanted = approvals.map(({ judge, ...approval }, at) => {
        const one = approvalOf({ ...approval, wantedIn: () => approval, mode: 'replace', cause })
        const decide = (scene: ApprovalScene) => {
          try {
            const verdict = judge?.(stateOf(scene.live)) ?? 'applies'
            const change = verdict === 'unchanged' ? null : one.decide(scene)
            const isSame = change?.events.length === 0
            const written = !scene.live ? 'created' : isSame ? 'unchanged' : 'updated'
            outcomes[at] = verdict === 'applies' || (change && isSame) ? written : verdict
            return outcomes[at] === 'refused' ? null : change
          } catch (error) {
            if (!(error instanceof Invalid)) throw error
            outcomes[at] = error
            return null
          }
        }
        return { ...one, decide }
      })
      const installs = await store.approve(wanted, cause.actor.id)
      return { outcomes, installs }
    },

    /**
     * Installs the app unless a live install exists: an approval by another admin in the meantime stays.
     * @throws Invalid, NotFound
     */
    install: (approval: NamedApproval, cause: Cause) =>
      write({ ...approval, wantedIn: () => approval, mode: 'install', cause }),

    /** Installs the app as the answer to members' requests. @throws Invalid; NotFound when no request is open */
    approveRequested: (approval: NamedApproval, cause: Cause) => {
      const wantedIn = ({ live, requestedBy }: ApprovalScene) => {
        if (live?.self === false || requestedBy.length === 0) throw new NotFound('install request')
        return approval
      }
      return write({ ...approval, wantedIn, mode: 'replace', cause })
    },

    /**
     * Installs the app for a member alone, or adds them to the members who have done so. The policy decides, and what the
     * app asks for.
     * @returns false when they may not, or an admin has installed it meanwhile
     */
    installForSelf: async (
      { organizationId, clientId, ...person }: InstallKey & SelfInstaller,
      cause: Cause,
    ): Promise<boolean> => {
      await deps.catalogue.refresh()
      const wanted = selfInstallOf({ organizationId, clientId }, person, deps, cause)
      const [install = null] = await store.approve([wanted], null)
      return install !== null
    },

    /**
     * Changes parts of a live install. Of a self-install, a change of what it is for or may do is an approval.
     * @throws Invalid, NotFound, PreconditionFailed, Conflict changed_meanwhile
     */
    change: (
      install: InstallKey,
      patch: Wanted,
      cause: Cause,
      { shown, precondition = anyVersion }: ReadVersion<StoredInstall> = {},
    ) => {
      const wantedIn = ({ live }: ApprovalScene) => {
        precondition(live)
        if (live && shown && isEditConflict(shown, live, patched<Editable>(live, patch)))
          throw editConflict()
        return patch
      }
      const { workspaceIds, audience } = patch
      return write({ ...install, workspaceIds, audience, wantedIn, mode: 'change', cause })
    },

    /** Resumes these installs, if none of them has changed since. All or none. @throws NotFound, PreconditionFailed */
    resume: async (organizationId: string, installs: readonly ChangedInstall[], cause: Cause) => {
      const wanted = installs.map(({ clientId, at }) => {
        const wantedIn = ({ live }: ApprovalScene) => {
          if (live?.updatedAt.getTime() !== at) throw new PreconditionFailed()
          return { suspended: false }
        }
        return approvalOf({ organizationId, clientId, wantedIn, mode: 'change', cause })
      })
      await store.approve(wanted, cause.actor.id)
    },

    /**
     * Approves more of the app's permissions and declines the rest, whatever else has changed.
     * @throws Invalid, NotFound
     */
    widen: (
      install: InstallKey,
      { permissions, declined }: Pick<InstallApproval, 'permissions' | 'declined'>,
      cause: Cause,
    ) => {
      const wantedIn = ({ app, live }: ApprovalScene) => {
        if (permissions.length === 0) return { declined }
        const kept = intersect(app.permissions, live?.permissions ?? [])
        return { permissions: [...kept, ...permissions], declined }
      }
      return write({ ...install, wantedIn, mode: 'change', cause })
    },

    /** @throws NotFound */
    read,

    /** null: there is none. */
    live: (organizationId: string, clientId: string) => store.live(organizationId, clientId),

    /** In the order of approval. @throws NotFound */
    list: async (organizationId: string, page: PageRequest): Promise<Page<StoredInstall>> =>
      found(await store.list(organizationId, page), 'organization'),

    /** Ends every grant of the install for good; a later install revives none. @throws NotFound, PreconditionFailed */
    end: removal('install', store.end, (cause, _, { organizationId, clientId }: InstallKey) =>
      auditEvent(cause, 'install.ended', { organizationId, clientId }),
    ),
  }
}

export type Installs = ReturnType<typeof createInstalls>
