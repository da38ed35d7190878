import type { App } from '../domain/app.ts'
import { covers, intersect } from '../domain/permissions.ts'
import { isUnclaimed } from '../domain/redirect-uri.ts'
import { reachOf, type WorkspaceLimit } from '../domain/scope.ts'
import { type AuditEvent, auditEvent, type Origin } from './audit.ts'
import type { Answer, Approval, AuthorizationParameters } from './authorization-requests.ts'
import { newGrantId } from './grants.ts'

export interface InstallSummary {
  id: string
  permissions: string[]
  workspaceIds: WorkspaceLimit
  /** Name of who approved it; null when it was the operator. */
  approvedBy: string | null
  createdAt: Date
  suspended: boolean
}

/** An organization of the user, and where the app stands in it. */
export interface Membership {
  organizationId: string
  organizationName: string
  role: 'admin' | 'member'
  install: InstallSummary | null
  consent: {
    installId: string
    offered: string[]
    permissions: string[]
    workspaceIds: WorkspaceLimit
  } | null
  /** When this user asked an admin for the app, while nobody has decided. */
  requestedAt: Date | null
  /** When the latest request of this user was refused. */
  refusedAt: Date | null
  /** When this user took the latest request back. */
  withdrawnAt: Date | null
}

export interface WorkspaceSummary {
  id: string
  name: string
  isMember: boolean
}

export interface ConsentRecord {
  userId: string
  organizationId: string
  clientId: string
  installId: string
  offered: string[]
  permissions: string[]
  workspaceIds: WorkspaceLimit
}

export interface ConsentStore {
  findApp(clientId: string): Promise<App | null>
  memberships(userId: string, clientId: string): Promise<Membership[]>
  workspaces(organizationId: string, userId: string): Promise<WorkspaceSummary[]>
  adminNames(organizationId: string): Promise<string[]>
  remember(consent: ConsentRecord, audit: AuditEvent): Promise<void>
  fileInstallRequest(
    request: {
      organizationId: string
      clientId: string
      userId: string
      permissions: string[]
      reason: string | null
    },
    audit: AuditEvent,
  ): Promise<void>
}

export interface Signed {
  userId: string
  credentialsEpoch: number
  /** Milliseconds since 1970. */
  authenticatedAt: number
}

/** The next thing that has to happen before the app gets its answer. */
export type Step =
  | { kind: 'sign_in' }
  | { kind: 'choose_organization'; memberships: Membership[]; hintRefused: boolean }
  | {
      kind: 'install'
      membership: Membership
      offered: string[]
      workspaces: WorkspaceSummary[]
      canSwitch: boolean
    }
  | {
      kind: 'ask_admin'
      membership: Membership
      admins: string[]
      offered: string[]
      canSwitch: boolean
    }
  | { kind: 'suspended'; membership: Membership }
  | {
      kind: 'consent'
      membership: Membership & { install: InstallSummary }
      offered: string[]
      approvedBefore: string[] | null
      /** Those that the token can reach: approved, and the user's own. */
      workspaces: WorkspaceSummary[]
      /** How many workspaces the organization has. */
      workspaceTotal: number
      /** More than one organization to choose from. */
      canSwitch: boolean
    }
  | { kind: 'answered'; answer: Answer }

/** A request at any age: `createdAt` and the chosen organization are there once it has been begun. */
export type Pending = AuthorizationParameters & {
  createdAt?: number
  organizationId?: string | null
}

export interface Consents {
  findApp(clientId: string): Promise<App | null>
  /** What a request needs next; reads only. */
  next(request: Pending, app: App, signed: Signed | null): Promise<Step>
  /** Takes the ticks of the consent page. @returns null when they are not among what was offered */
  approve(
    step: Step & { kind: 'consent' },
    request: Pending,
    app: App,
    signed: Signed,
    ticked: { permissions: string[]; workspaceIds: string[] },
    origin: Origin,
  ): Promise<Approval | null>
  /** A member asks the admins for the app. */
  askAdmins(
    step: Step & { kind: 'ask_admin' },
    app: App,
    signed: Signed,
    reason: string | null,
    origin: Origin,
  ): Promise<void>
}

const chosenMembership = (request: Pending, memberships: Membership[]) => {
  const find = (id: string | null | undefined) =>
    memberships.find((one) => one.organizationId === id)
  const chosen = find(request.organizationId) ?? find(request.organizationHint)
  if (chosen) return chosen
  const mayBeImplied = !request.organizationHint && !request.prompts.includes('select_account')
  return memberships.length === 1 && mayBeImplied ? memberships[0] : undefined
}

export const createConsents = (store: ConsentStore): Consents => {
  const approval = (
    membership: Membership & { install: InstallSummary },
    app: App,
    signed: Signed,
    permissions: string[],
    workspaceIds: WorkspaceLimit,
  ): Approval => ({
    kind: 'approved',
    grantId: newGrantId(),
    userId: signed.userId,
    organizationId: membership.organizationId,
    installId: membership.install.id,
    appEpoch: app.familiesEpoch,
    userEpoch: signed.credentialsEpoch,
    permissions,
    workspaceIds: workspaceIds && [...workspaceIds],
  })

  /** May the app have its answer without a page? */
  const isSilent = (
    request: Pending,
    app: App,
    membership: Membership & { install: InstallSummary },
    offered: string[],
  ) => {
    if (request.prompts.includes('consent')) return false
    // RFC 8252 §8.6: nobody vouches for who receives this, so a person has to click.
    if (app.clientType === 'public' && isUnclaimed(request.redirectUri)) return false
    const { consent, install } = membership
    // Specification §5.1: preselected and already approved there → back at once.
    const approvedThere =
      app.interface === 'legacy' &&
      request.organizationHint === membership.organizationId &&
      install.createdAt.getTime() < (request.createdAt ?? Number.POSITIVE_INFINITY)
    if (approvedThere) return true
    if (consent?.installId !== install.id || !covers(consent.offered, offered)) return false
    // A workspace that is asked for by name and was not in what the person said yes to is something new.
    return (
      request.workspaceIds === null ||
      consent.workspaceIds === null ||
      covers(consent.workspaceIds, request.workspaceIds)
    )
  }

  return {
    findApp: store.findApp,

    next: async (request, app, signed) => {
      if (!signed) return { kind: 'sign_in' }
      const mustSignInAgain = request.prompts.includes('login')
      if (
        mustSignInAgain &&
        signed.authenticatedAt < (request.createdAt ?? Number.POSITIVE_INFINITY)
      ) {
        return { kind: 'sign_in' }
      }

      const memberships = await store.memberships(signed.userId, app.clientId)
      const membership = chosenMembership(request, memberships)
      if (!membership) {
        return {
          kind: 'choose_organization',
          memberships,
          hintRefused: request.organizationHint !== null,
        }
      }

      const asked = intersect(app.permissions, request.permissions ?? app.permissions)
      const { organizationId, install } = membership
      const canSwitch = memberships.length > 1
      if (!install) {
        if (membership.role === 'admin') {
          const workspaces = await store.workspaces(organizationId, signed.userId)
          return { kind: 'install', membership, offered: asked, workspaces, canSwitch }
        }
        const admins = await store.adminNames(organizationId)
        return { kind: 'ask_admin', membership, admins, offered: asked, canSwitch }
      }
      if (install.suspended) return { kind: 'suspended', membership }

      const installed = { ...membership, install }
      const offered = intersect(asked, install.permissions)
      const all =
        app.interface === 'current' ? await store.workspaces(organizationId, signed.userId) : []
      const own = all.filter((one) => one.isMember).map((one) => one.id)
      const reachable = reachOf(own, install.workspaceIds, request.workspaceIds)
      if (request.workspaceIds && reachable.length < request.workspaceIds.length) {
        return { kind: 'answered', answer: { kind: 'refused', error: 'invalid_scope' } }
      }

      if (isSilent(request, app, installed, offered)) {
        const remembered = membership.consent?.installId === install.id ? membership.consent : null
        const limit = remembered?.workspaceIds ?? null
        const workspaceIds = request.workspaceIds ? reachOf(reachable, limit) : limit
        const permissions = remembered ? intersect(offered, remembered.permissions) : offered
        return {
          kind: 'answered',
          answer: approval(installed, app, signed, permissions, workspaceIds),
        }
      }
      return {
        kind: 'consent',
        membership: installed,
        offered,
        approvedBefore:
          membership.consent?.installId === install.id ? membership.consent.permissions : null,
        workspaces: all.filter((one) => reachable.includes(one.id)),
        workspaceTotal: all.length,
        canSwitch,
      }
    },

    approve: async (step, request, app, signed, ticked, origin) => {
      const { membership, offered } = step
      const present = step.workspaces.map((one) => one.id)
      if (!covers(offered, ticked.permissions) || !covers(present, ticked.workspaceIds)) return null
      const everything = covers(ticked.workspaceIds, present)
      const workspaceIds =
        everything && !request.workspaceIds ? null : reachOf(present, ticked.workspaceIds)
      const permissions = intersect(offered, ticked.permissions)
      await store.remember(
        {
          userId: signed.userId,
          organizationId: membership.organizationId,
          clientId: app.clientId,
          installId: membership.install.id,
          offered,
          permissions,
          workspaceIds,
        },
        auditEvent(origin, 'consent.granted', {
          organizationId: membership.organizationId,
          clientId: app.clientId,
          userId: signed.userId,
          detail: { permissions, workspace_ids: workspaceIds },
        }),
      )
      return approval(membership, app, signed, permissions, workspaceIds)
    },

    askAdmins: (step, app, signed, reason, origin) => {
      const { organizationId } = step.membership
      const about = { organizationId, clientId: app.clientId, userId: signed.userId }
      return store.fileInstallRequest(
        { ...about, permissions: step.offered, reason },
        auditEvent(origin, 'install.requested', {
          ...about,
          detail: { permissions: step.offered },
        }),
      )
    },
  }
}
