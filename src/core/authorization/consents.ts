import { type AuditEvent, auditEvent, byServer, type Cause } from '../audit/audit.ts'
import type { App } from '../clients/app.ts'
import { lockedPermissions } from '../clients/required-permissions.ts'
import { coversResources, distinctResources } from '../clients/resources.ts'
import type { Targets } from '../clients/targets.ts'
import type { PermissionCatalogue } from '../language/permission-catalogue.ts'
import { covers, intersect } from '../language/permissions.ts'
import { NotFound } from '../language/service-errors.ts'
import type { EndReason } from '../organizations/install.ts'
import type { Step, StepStore } from './consent-steps.ts'
import { createNextStep } from './next-step.ts'
import { afterPage, isWithinLimit, limitOf } from './offered-workspaces.ts'
import { type Asking, mayAskFor, type RememberedConsent } from './places.ts'
import type { ConsentAnswer } from './requests.ts'
import { approvalOf } from './silent-answer.ts'

export type ConsentKey = Record<'userId' | 'organizationId' | 'clientId', string>

interface AdminQuestion extends Pick<Asking, 'app' | 'signed'> {
  step: Step & { kind: 'ask_admin' }
  reason: string | null
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
    request: ConsentKey & { permissions: string[]; reason: string | null },
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

/** What a page has offered and the user has left selected, for these resources. */
type ForResources = Pick<RememberedConsent, 'offered' | 'permissions'> & { resources: string[] }

const areSame = (one: readonly string[], other: readonly string[]) =>
  coversResources(one, other) && coversResources(other, one)

/**
 * Adds the answers of a page to earlier ones: those about permissions that it did not offer stay.
 * @param before null: the earlier answer does not count for these permissions
 * @param isWithin no earlier answer counts in more workspaces by it; else only those for other resources stay
 */
const afterAnswers = (
  before: RememberedConsent | null,
  page: ForResources,
  defaultAudience: string,
  isWithin: boolean,
): ForResources => {
  const seen = before ? (before.resources ?? [defaultAudience]) : []
  if (!before || (!isWithin && areSame(seen, page.resources))) return page
  const kept = (list: readonly string[]) => list.filter((one) => !page.offered.includes(one))
  return {
    resources: distinctResources([...seen, ...page.resources]),
    offered: [...page.offered, ...kept(before.offered)],
    permissions: [...page.permissions, ...kept(before.permissions)],
  }
}

/** @param now milliseconds since 1970 */
export const createConsents = (
  store: ConsentStore,
  targets: Pick<Targets, 'ofRequest' | 'isDefault' | 'defaultAudience'>,
  catalogue: Pick<PermissionCatalogue, 'find'>,
  now: () => number,
) => ({
  findApp: store.findApp,
  ...createNextStep(store, targets, catalogue, now),

  /** Stores the choices of the consent page. @returns null when they were not offered */
  approve: async (
    step: Step & { kind: 'consent' },
    asking: Asking,
    ticked: Ticked,
    cause: Cause,
  ): Promise<ConsentAnswer | null> => {
    const { request, app, signed } = asking
    const { membership, offered } = step
    const present = step.workspaces.map((one) => one.id)
    if (!covers(offered, ticked.permissions) || !covers(present, ticked.workspaceIds)) return null
    const allowed = [...ticked.permissions, ...lockedPermissions(app, offered)]
    const permissions = intersect(offered, allowed)
    const { openidScopes, reach } = step
    const { workspaceIds: chosen, later = true } = ticked
    const page = { requested: request.workspaceIds, present, ticked: chosen, later, reach }
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
        const isWithin = before !== null && isWithinLimit(given.workspaceIds, before.workspaceIds)
        const shownNow = { resources, offered, permissions }
        const earlier = isWithin ? before : saidElsewhere
        const seen = afterAnswers(earlier, shownNow, targets.defaultAudience, isWithin)
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
    return approvalOf(asking, membership, permissions, workspaceIds)
  },

  /** Sends a member's request for the app to the admins. */
  askAdmins: async ({ step, app, signed, reason }: AdminQuestion, cause: Cause): Promise<void> => {
    // The page offers no such form.
    if (!mayAskFor(step.membership)) throw new NotFound('request to the admins')
    const { organizationId } = step.membership
    const about = { organizationId, clientId: app.clientId, userId: signed.userId }
    await store.fileInstallRequest(
      { ...about, permissions: step.offered, reason },
      auditEvent(cause, 'install.requested', {
        ...about,
        detail: { permissions: step.offered, ...(reason !== null && { reason }) },
      }),
    )
  },
})

export type Consents = ReturnType<typeof createConsents>
