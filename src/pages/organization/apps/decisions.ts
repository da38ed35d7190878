import type { FastifyReply } from 'fastify'
import { isClientIdShaped, isIdShaped } from '../../../core/crypto/identifiers.ts'
import type { Undoable } from '../../../core/grants/undo.ts'
import { covers, type Interface, intersect } from '../../../core/language/permissions.ts'
import type { WorkspaceLimit } from '../../../core/language/scope.ts'
import { Conflict, found, Invalid, NotFound } from '../../../core/language/service-errors.ts'
import type { InstallKey } from '../../../core/organizations/install.ts'
import type { InstalledAppWithWidening } from '../../../core/organizations/organization-apps.ts'
import type { Text } from '../../../words/text.ts'
import { tell, tellUndo } from '../../rendering/done-notice.ts'
import {
  type ApprovalChoice,
  type ApprovalFault,
  readApproval,
  tamperedForm,
} from '../../rendering/forms/approval-form.ts'
import { field, fields, plainText } from '../../rendering/forms/sent-values.ts'
import type { PageServices } from '../../sign-in/services.ts'
import { type AdminVisit, installIn } from '../gate.ts'
import { requireOwnForm } from '../routes.ts'
import { type AnswerFault, appUrl } from './items.ts'
import { longestReason } from './requests.ts'

/** Pages that show the faults of a form. */
export interface AppPages {
  list(visit: AdminVisit, fault: AnswerFault | null): Promise<FastifyReply>
  change(
    visit: AdminVisit,
    one: InstalledAppWithWidening,
    /** `shown`: the version that the user edits. `choice`: it stands when another person has saved a change. `unused`: proposed to be removed. */
    again: { fault?: AnswerFault; shown?: string; choice?: ApprovalChoice; unused?: string[] },
  ): Promise<FastifyReply>
}

type Done = keyof Text['done']['apps'] | 'outdated'
/** The notice for the list, or what answers instead of the list. */
type Decided = Done | (() => Promise<FastifyReply>)
/** Decisions about requests, which have a page of their own. */
const answers = ['approve', 'refuse']
type Decide = (visit: AdminVisit, install: InstallKey) => Promise<Decided>

/** The decisions of an admin about an app, by the form's `decision`. */
export const createAppDecisions = (deps: PageServices, pages: AppPages) => {
  const { installs, installRequests, organizationApps, workspaces, recentSignIn, catalogue } = deps

  /** @returns null when the sign-in is recent enough for the new permissions; else a redirect to sign in again */
  const askAgain = (
    { session, reply, base }: AdminVisit,
    api: Interface,
    fresh: readonly string[],
    page = `${base}/apps`,
  ) =>
    catalogue.hasSensitive(api, fresh) && !recentSignIn.isRecent(session)
      ? async () => recentSignIn.askAgain(reply, page)
      : null

  const offerUndo = async ({ request }: AdminVisit, undoable: Undoable) =>
    tell(request, { undo: await deps.undo.offer([undoable], deps.browser.sessionMark(request)) })

  /** Null: all workspaces, or the app knows none. */
  const namesOf = async ({ organization }: AdminVisit, limit: WorkspaceLimit) => {
    if (limit === null) return null
    const present = await workspaces.names(organization.id)
    return present.filter(({ id }) => limit.includes(id)).map(({ name }) => name)
  }

  /** The name of an installed or a requested app; null: neither. */
  const appName = async ({ organization: { id } }: AdminVisit, clientId: string) => {
    const present = await organizationApps.find(id, clientId)
    const requested = present ? [] : await installRequests.list(id)
    const one = present ?? requested.find(({ app }) => app.clientId === clientId)
    return one?.app.name ?? null
  }

  const workspaceIds = async ({ organization }: AdminVisit) =>
    (await workspaces.names(organization.id)).map(({ id }) => id)

  const installed = async ({ organizationId, clientId }: InstallKey) =>
    found(await organizationApps.find(organizationId, clientId), 'install')

  const faultOf = (
    fault: ApprovalFault,
    clientId: string,
    { request, text }: AdminVisit,
    workspaceIds: WorkspaceLimit,
  ): AnswerFault => ({
    clientId,
    error: fault === 'outdated' ? text.organization.outdated : text.workspaces.chooseOne,
    permissions: fields(request, 'permissions'),
    workspaceIds: fault === 'outdated' ? workspaceIds : [],
  })

  /** The requests that were on the page; null: all for the app. */
  const requestsIn = ({ request }: AdminVisit) => {
    const seen = fields(request, 'request_id').filter(isIdShaped)
    return seen.length > 0 ? seen : null
  }

  const approve: Decide = async (visit, about) => {
    const { request, cause } = visit
    const { organizationId, clientId } = about
    const requested = await installRequests.list(organizationId)
    const one = requested.find(({ app }) => app.clientId === clientId)
    if (!one) throw new NotFound('install request')
    if (one.cut.length > 0) return 'outdated'
    if (one.isInstalled) {
      await installRequests.approve({ ...about, ids: requestsIn(visit) }, cause)
      return 'admitted'
    }
    const present = await workspaceIds(visit)
    const approval = readApproval(request, one.app, one.permissions, present)
    if (typeof approval === 'string')
      return () => pages.list(visit, faultOf(approval, clientId, visit, null))
    const again = askAgain(visit, one.app.interface, approval.permissions)
    if (again) return again
    const install = await installs.approveRequested({ ...approval, ...about }, cause)
    const requestIds = one.requests.map(({ id }) => id)
    await offerUndo(visit, {
      ...{ kind: 'uninstall', install: about, at: install.updatedAt.getTime(), requestIds },
    })
    tell(request, {
      names: { where: await namesOf(visit, install.workspaceIds) },
      open: appUrl(visit.base, clientId),
    })
    return 'approved'
  }

  /** Approves what members have installed for themselves, as it is, for everyone. */
  const adopt: Decide = async (visit, about) => {
    const { app, install } = await installed(about)
    if (!install.self) return 'outdated'
    const permissions = intersect(app.permissions, install.permissions)
    const again = askAgain(visit, app.interface, permissions, appUrl(visit.base, about.clientId))
    if (again) return again
    const approval = { permissions, offered: permissions, workspaceIds: null }
    await installs.approve({ ...approval, ...about }, visit.cause)
    return 'adopted'
  }

  const refuse: Decide = async (visit, install) => {
    const reason = plainText(field(visit.request, 'refusal_reason'), longestReason) || null
    const refused = { ...install, ids: requestsIn(visit), reason }
    const requestIds = await installRequests.refuse(refused, visit.cause)
    await offerUndo(visit, { kind: 'reopen', install, requestIds })
    return 'refused'
  }

  const change: Decide = async (visit, install) => {
    const { request, cause } = visit
    const one = await installed(install)
    const [{ app }, { clientId }] = [one, install]
    const shown = field(request, 'version')
    const present = await workspaceIds(visit)
    const { permissions: granted } = one.install
    const choice = readApproval(request, app, app.permissions, present, granted)
    if (typeof choice === 'string') {
      const fault = faultOf(choice, clientId, visit, one.install.workspaceIds)
      const again = choice === 'outdated' ? { fault } : { fault, shown }
      return () => pages.change(visit, one, again)
    }
    const fresh = choice.permissions.filter((name) => !granted.includes(name))
    const again = askAgain(visit, app.interface, fresh, `${appUrl(visit.base, clientId)}/change`)
    if (again) return again
    try {
      await installs.change(install, choice, cause, { shown })
      return 'changed'
    } catch (error) {
      if (!(error instanceof Conflict)) throw error
      return async () => pages.change(visit, await installed(install), { choice })
    }
  }

  /** Approves the ticked permissions of those that the page showed, and stores that the others were declined. */
  const widen = async (visit: AdminVisit, install: InstallKey, ticked: string[]) => {
    const { app, widening } = await installed(install)
    if (!covers(app.permissions, ticked)) throw tamperedForm()
    const missing = [...widening.fresh, ...widening.declined]
    const shown = fields(visit.request, 'offered')
    const permissions = intersect(missing, ticked)
    const again = askAgain(visit, app.interface, permissions)
    if (again) return again
    const declined = shown.length > 0 ? intersect(missing, shown) : widening.fresh
    await installs.widen(install, { permissions, declined }, visit.cause)
    return permissions.length > 0 ? 'widened' : 'kept'
  }

  const hold =
    (suspended: boolean): Decide =>
    async (visit, install) => {
      await installs.change(install, { suspended }, visit.cause)
      if (!suspended) return 'resumed'
      await tellUndo(visit, deps)
      return 'suspended'
    }

  const personIn = async ({ request }: AdminVisit, install: InstallKey) => {
    const userId = field(request, 'user_id')
    if (!isIdShaped(userId)) throw new NotFound('user')
    const names = await deps.memberships.names([userId])
    tell(request, { names: { person: names.get(userId) ?? null } })
    return { ...install, userId }
  }

  const decisions: Record<string, Decide> = {
    approve,
    adopt,
    refuse,
    change,
    widen: (visit, install) => widen(visit, install, fields(visit.request, 'permissions')),
    keep: (visit, install) => widen(visit, install, []),
    suspend: hold(true),
    resume: hold(false),
    end: async (visit, install) => {
      const hasEnded = await deps.accessEnd(await personIn(visit, install), visit.cause)
      return hasEnded ? 'ended' : 'outdated'
    },
    deny: async (visit, install) => {
      const isNew = await deps.audiencePeople.deny(await personIn(visit, install), visit.cause)
      return isNew ? 'denied' : 'outdated'
    },
    admit: async (visit, install) => {
      await deps.audiencePeople.admit(await personIn(visit, install), visit.cause)
      return 'readmitted'
    },
    uninstall: async ({ cause }, install) => {
      await installs.end(install, cause)
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
    const sent = field(visit.request, 'client_id')
    const clientId = ofAddress ?? sent
    if (!isClientIdShaped(clientId) || (sent !== '' && sent !== clientId)) throw new NotFound('app')
    requireOwnForm(visit)
    const decision = field(visit.request, 'decision')
    const decide = Object.hasOwn(decisions, decision) ? decisions[decision] : undefined
    const app = await appName(visit, clientId)
    const names = { app, organization: visit.organization.name }
    const from = `${visit.base}/requests/${encodeURIComponent(clientId)}`
    tell(visit.request, { names, ...(answers.includes(decision) && { from }) })
    try {
      return decide ? await decide(visit, installIn(visit, clientId)) : null
    } catch (error) {
      if (await isOutdated(error, visit, clientId)) return 'outdated'
      throw error
    }
  }
}
