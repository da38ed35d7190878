import type { FastifyReply } from 'fastify'
import { isClientIdShaped, isIdShaped } from '../../../core/crypto/identifiers.ts'
import type { AccessEnd } from '../../../core/grants/access-end.ts'
import type { PermissionCatalogue } from '../../../core/language/permission-catalogue.ts'
import { covers, type Interface, intersect } from '../../../core/language/permissions.ts'
import type { WorkspaceLimit } from '../../../core/language/scope.ts'
import { Conflict, found, Invalid, NotFound } from '../../../core/language/service-errors.ts'
import type { InstallRequests } from '../../../core/organizations/install-requests.ts'
import type { Installs } from '../../../core/organizations/installs.ts'
import type {
  InstalledAppWithWidening,
  OrganizationApps,
} from '../../../core/organizations/organization-apps.ts'
import type { Workspaces } from '../../../core/organizations/workspaces.ts'
import type { Text } from '../../../words/text.ts'
import {
  type ApprovalChoice,
  type ApprovalFault,
  readApproval,
  tamperedForm,
} from '../../rendering/forms/approval-form.ts'
import { field, fields } from '../../rendering/forms/sent-values.ts'
import { textOf } from '../../rendering/reader-text.ts'
import type { RecentSignIn } from '../../sign-in/recent-sign-in.ts'
import type { AdminVisit } from '../gate.ts'
import { type AnswerFault, appUrl } from './items.ts'

export interface AppDecisionDependencies {
  installs: Installs
  accessEnd: AccessEnd
  installRequests: InstallRequests
  organizationApps: OrganizationApps
  workspaces: Pick<Workspaces, 'names'>
  recentSignIn: RecentSignIn
  catalogue: PermissionCatalogue
}

/** Pages that show the faults of a form. */
export interface AppPages {
  list(visit: AdminVisit, fault: AnswerFault | null): Promise<FastifyReply>
  change(
    visit: AdminVisit,
    one: InstalledAppWithWidening,
    again: RedisplayReason,
  ): Promise<FastifyReply>
}

/** Reason to show the form of an app again. */
export interface RedisplayReason {
  fault?: AnswerFault
  /** The version that the user edits. */
  shown?: string
  /** The user's choice when another person has saved a change. */
  choice?: ApprovalChoice
}

export type Done = keyof Text['organization']['apps']['done'] | 'outdated'
/** The notice for the list, or what answers instead of the list. */
type Decided = Done | { answer(): Promise<FastifyReply> }
type Decide = (visit: AdminVisit, clientId: string) => Promise<Decided>

/** The decisions of an admin about an app, by the form's `decision`. */
export const createAppDecisions = (deps: AppDecisionDependencies, pages: AppPages) => {
  const { installs, installRequests, organizationApps, workspaces, recentSignIn, catalogue } = deps

  /** @returns null when the sign-in is recent enough for the new permissions; else a redirect to sign in again */
  const askAgain = (
    { session, reply, base }: AdminVisit,
    api: Interface,
    fresh: readonly string[],
    page = `${base}/apps`,
  ) =>
    catalogue.hasSensitive(api, fresh) && !recentSignIn.isRecent(session)
      ? { answer: async () => recentSignIn.askAgain(reply, page) }
      : null

  const workspaceIds = async ({ organization }: AdminVisit) =>
    (await workspaces.names(organization.id)).map(({ id }) => id)

  const installed = async ({ organization }: AdminVisit, clientId: string) =>
    found(await organizationApps.find(organization.id, clientId), 'install')

  const faultOf = (
    fault: ApprovalFault,
    clientId: string,
    { request }: AdminVisit,
    workspaceIds: WorkspaceLimit,
  ): AnswerFault => ({
    clientId,
    error:
      fault === 'outdated'
        ? textOf(request).organization.outdated
        : textOf(request).workspaces.chooseOne,
    permissions: fields(request, 'permissions'),
    workspaceIds: fault === 'outdated' ? workspaceIds : [],
  })

  const approve: Decide = async (visit, clientId) => {
    const { request, organization, cause } = visit
    const asked = await installRequests.list(organization.id)
    const one = asked.find(({ app }) => app.clientId === clientId)
    if (!one) throw new NotFound('install request')
    if (one.isInstalled) {
      const seen = fields(request, 'request_id').filter(isIdShaped)
      const ids = seen.length > 0 ? seen : null
      await installRequests.approve(organization.id, clientId, ids, cause)
      return 'admitted'
    }
    const present = await workspaceIds(visit)
    const approval = readApproval(request, one.app.interface, one.permissions, present)
    if (typeof approval === 'string')
      return { answer: () => pages.list(visit, faultOf(approval, clientId, visit, null)) }
    const again = askAgain(visit, one.app.interface, approval.permissions)
    if (again) return again
    await installs.approveRequested(organization.id, clientId, approval, cause)
    return 'approved'
  }

  const refuse: Decide = async ({ request, organization, cause }, clientId) => {
    const seen = fields(request, 'request_id').filter(isIdShaped)
    const ids = seen.length > 0 ? seen : null
    await installRequests.refuse(organization.id, clientId, ids, cause)
    return 'refused'
  }

  const change: Decide = async (visit, clientId) => {
    const { request, organization, cause } = visit
    const one = await installed(visit, clientId)
    const { app } = one
    const shown = field(request, 'version')
    const present = await workspaceIds(visit)
    const choice = readApproval(request, app.interface, app.permissions, present)
    if (typeof choice === 'string') {
      const fault = faultOf(choice, clientId, visit, one.install.workspaceIds)
      const again = choice === 'outdated' ? { fault } : { fault, shown }
      return { answer: () => pages.change(visit, one, again) }
    }
    const fresh = choice.permissions.filter((name) => !one.install.permissions.includes(name))
    const again = askAgain(visit, app.interface, fresh, `${appUrl(visit.base, clientId)}/change`)
    if (again) return again
    try {
      await installs.change(organization.id, clientId, choice, cause, { shown })
      return 'changed'
    } catch (error) {
      if (!(error instanceof Conflict)) throw error
      return {
        answer: async () => pages.change(visit, await installed(visit, clientId), { choice }),
      }
    }
  }

  /** Approves the ticked permissions of those that the page showed, and stores that the others were declined. */
  const widen = async (visit: AdminVisit, clientId: string, ticked: string[]): Promise<Decided> => {
    const { request, organization, cause } = visit
    const { app, widening } = await installed(visit, clientId)
    if (!covers(app.permissions, ticked)) throw tamperedForm()
    const missing = [...widening.fresh, ...widening.declined]
    const shown = fields(request, 'offered')
    const permissions = intersect(missing, ticked)
    const again = askAgain(visit, app.interface, permissions)
    if (again) return again
    const declined = shown.length > 0 ? intersect(missing, shown) : widening.fresh
    await installs.widen(organization.id, clientId, { permissions, declined }, cause)
    return permissions.length > 0 ? 'widened' : 'kept'
  }

  const hold =
    (suspended: boolean): Decide =>
    async ({ organization, cause }, clientId) => {
      await installs.change(organization.id, clientId, { suspended }, cause)
      return suspended ? 'suspended' : 'resumed'
    }

  const end: Decide = async ({ request, organization, cause }, clientId) => {
    const userId = field(request, 'user_id')
    if (!isIdShaped(userId)) throw new NotFound('user')
    const about = { organizationId: organization.id, clientId, userId }
    return (await deps.accessEnd(about, cause)) ? 'ended' : 'outdated'
  }

  const decisions: Record<string, Decide> = {
    approve,
    refuse,
    change,
    widen: (visit, clientId) => widen(visit, clientId, fields(visit.request, 'permissions')),
    keep: (visit, clientId) => widen(visit, clientId, []),
    suspend: hold(true),
    resume: hold(false),
    end,
    uninstall: async ({ organization, cause }, clientId) => {
      await installs.end(organization.id, clientId, cause)
      return 'uninstalled'
    },
  }

  /** True when the page was out of date: its subject existed, but another person has changed it. */
  const isOutdated = async (error: unknown, { organization }: AdminVisit, clientId: string) =>
    error instanceof Invalid ||
    // An unknown user is never a page that is out of date.
    (error instanceof NotFound &&
      error.what !== 'user' &&
      (await organizationApps.knows(organization.id, clientId)))

  /** @param ofAddress the app of the address; null: the form names it @returns null for an unknown decision */
  return async (visit: AdminVisit, ofAddress: string | null): Promise<Decided | null> => {
    const { request, organization } = visit
    const sent = field(request, 'client_id')
    const clientId = ofAddress ?? sent
    if (sent !== '' && sent !== clientId) throw new NotFound('app')
    const decision = field(request, 'decision')
    const named = field(request, 'organization_id')
    if (!isClientIdShaped(clientId) || (named !== '' && named !== organization.id))
      throw new NotFound('app')
    const decide = Object.hasOwn(decisions, decision) ? decisions[decision] : undefined
    try {
      return decide ? await decide(visit, clientId) : null
    } catch (error) {
      if (await isOutdated(error, visit, clientId)) return 'outdated'
      throw error
    }
  }
}
