import { type AuditEvent, auditEvent, byServer, type Cause } from '../audit/audit.ts'
import type { App } from '../clients/app.ts'
import type { Targets } from '../clients/targets.ts'
import { covers, intersect } from '../language/permissions.ts'
import { NotFound } from '../language/service-errors.ts'
import type { EndReason } from '../organizations/ended-install.ts'
import { createNextStep, type Step, type StepStore } from './consent-steps.ts'
import { afterPage, limitOf } from './offered-workspaces.ts'
import {
  type AppInOrganization,
  type AuthenticatedUser,
  mayAskFor,
  type Pending,
  type RememberedConsent,
} from './places.ts'
import type { ConsentAnswer } from './requests.ts'
import { approvalOf } from './silent-answer.ts'
import type { RequestStanding } from './standing.ts'

export interface ConsentKey {
  userId: string
  organizationId: string
  clientId: string
}

export interface ConsentStore extends StepStore {
  findApp(clientId: string): Promise<App | null>
  /** @param after computes the new consent from the stored one, under a row lock */
  remember(
    key: ConsentKey,
    after: (before: RememberedConsent | null) => RememberedConsent,
    events: { granted: AuditEvent /** When it replaces an expired one. */; expired: AuditEvent },
  ): Promise<void>
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

/** What the user has ticked on the consent page. */
export interface Ticked {
  permissions: string[]
  workspaceIds: string[]
  /** False: only these workspaces, even if they are all. Absent: all of them stand for those joined later too. */
  later?: boolean
}

export interface Consents {
  findApp(clientId: string): Promise<App | null>
  /** The next step of a request; reads only. */
  next(request: Pending, app: App, signed: AuthenticatedUser | null): Promise<Step>
  /** The answer of a request that needs no page, or which kind of page it needs; reads only. */
  decide(request: Pending, standing: RequestStanding): Promise<Step<AppInOrganization>>
  /** Stores the choices of the consent page. @returns null when they were not offered */
  approve(
    step: Step & { kind: 'consent' },
    request: Pending,
    app: App,
    signed: AuthenticatedUser,
    ticked: Ticked,
    cause: Cause,
  ): Promise<ConsentAnswer | null>
  /** Sends a member's request for the app to the admins. */
  askAdmins(
    step: Step & { kind: 'ask_admin' },
    app: App,
    signed: AuthenticatedUser,
    reason: string | null,
    cause: Cause,
  ): Promise<void>
}

/** What a page has offered and the user has left selected, for these resources. */
type ForResources = Pick<RememberedConsent, 'offered' | 'permissions'> & { resources: string[] }

/**
 * Adds the resources of a page to those of an earlier one. The page offers only permissions that its resources know, so
 * the answer about the others stays.
 * @param before null: the earlier answer does not count for these permissions
 */
const afterResources = (
  before: RememberedConsent | null,
  page: ForResources,
  defaultAudience: string,
): ForResources => {
  const seen = before ? (before.resources ?? [defaultAudience]) : []
  if (!before || (covers(seen, page.resources) && covers(page.resources, seen))) return page
  const kept = (list: readonly string[]) => list.filter((one) => !page.offered.includes(one))
  return {
    resources: [...new Set([...seen, ...page.resources])],
    offered: [...page.offered, ...kept(before.offered)],
    permissions: [...page.permissions, ...kept(before.permissions)],
  }
}

/** @param now milliseconds since 1970 */
export const createConsents = (
  store: ConsentStore,
  targets: Pick<Targets, 'ofRequest' | 'isDefault' | 'defaultAudience'>,
  now: () => number,
): Consents => ({
  findApp: store.findApp,
  ...createNextStep(store, targets, now),

  approve: async (step, request, app, signed, ticked, cause) => {
    const { membership, offered } = step
    const present = step.workspaces.map((one) => one.id)
    if (!covers(offered, ticked.permissions) || !covers(present, ticked.workspaceIds)) return null
    const permissions = intersect(offered, ticked.permissions)
    const { openidScopes, reach } = step
    const { workspaceIds: chosen, later = true } = ticked
    const page = { asked: request.workspaceIds, present, ticked: chosen, later, reach }
    const workspaceIds = limitOf(page)
    const installId = membership.install.id
    const { resources = [targets.defaultAudience] } = request
    const about = {
      organizationId: membership.organizationId,
      clientId: app.clientId,
      userId: signed.userId,
    }
    await store.remember(
      about,
      (latest) => {
        const before = latest?.installId === installId ? latest : null
        // The stored answer for other workspaces covers only the permissions of that time.
        const saidElsewhere = before && covers(before.permissions, permissions) ? before : null
        // A request for fewer scopes does not revoke the others.
        const shared = [...new Set([...(before?.openidScopes ?? []), ...openidScopes])]
        const given = afterPage(saidElsewhere, page)
        const seen = afterResources(
          saidElsewhere,
          { resources, offered, permissions },
          targets.defaultAudience,
        )
        const shown = targets.isDefault(seen.resources) ? null : seen.resources
        return { installId, ...seen, ...given, resources: shown, openidScopes: shared }
      },
      {
        expired: auditEvent(byServer, 'connection.ended', {
          ...about,
          detail: { reason: 'expired' satisfies EndReason },
        }),
        granted: auditEvent(cause, 'consent.granted', {
          ...about,
          detail: {
            permissions,
            workspace_ids: workspaceIds,
            ...(request.resources && { resources }),
            ...(openidScopes.length > 0 && { openid_scopes: openidScopes }),
          },
        }),
      },
    )
    return approvalOf(request, membership, app, signed, permissions, workspaceIds)
  },

  askAdmins: async (step, app, signed, reason, cause) => {
    // The page offers no such form.
    if (!mayAskFor(step.membership)) throw new NotFound('request to the admins')
    const { organizationId } = step.membership
    const about = { organizationId, clientId: app.clientId, userId: signed.userId }
    await store.fileInstallRequest(
      { ...about, permissions: step.offered, reason },
      auditEvent(cause, 'install.requested', {
        ...about,
        detail: { permissions: step.offered },
      }),
    )
  },
})
