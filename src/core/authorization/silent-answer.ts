import type { App } from '../clients/app.ts'
import { openidNow } from '../clients/openid.ts'
import { isUnclaimed } from '../clients/redirect-uri.ts'
import { coversResources } from '../clients/resources.ts'
import { newGrantId } from '../grants/issue.ts'
import { covers, intersect } from '../language/permissions.ts'
import { reachOf, type WorkspaceLimit } from '../language/scope.ts'
import { authenticationOf } from '../people/sign-in-method.ts'
import { isWithinConsent } from './offered-workspaces.ts'
import type { AppInOrganization, Asking, InstalledPlace, Pending } from './places.ts'
import type { ConsentAnswer } from './requests.ts'

/** The place that the request is for; undefined: the user has to choose. */
export const chosenOf = <Some extends AppInOrganization>(request: Pending, memberships: Some[]) => {
  const find = (id: string | null | undefined) =>
    memberships.find((one) => one.organizationId === id)
  const chosen = find(request.organizationId)
  // OpenID Connect Core §3.1.2.1: the user chooses, whatever the app names.
  if (chosen || request.prompts.includes('select_account')) return chosen
  if (request.organizationHint) return find(request.organizationHint)
  return memberships.length === 1 ? memberships[0] : undefined
}

/** The requested identity scopes that the app may have. */
export const openidScopesOf = (request: Pending, app: App) =>
  openidNow(app, request.openid?.scopes ?? [])

/** The answer for a user's consent. */
export const approvalOf = (
  { request, app, signed }: Asking,
  membership: InstalledPlace,
  permissions: string[],
  workspaceIds: WorkspaceLimit,
): ConsentAnswer => ({
  kind: 'approved',
  grantId: newGrantId(),
  userId: signed.userId,
  organizationId: membership.organizationId,
  installId: membership.install.id,
  appEpoch: app.familiesEpoch,
  userEpoch: signed.credentialsEpoch,
  ...(membership.connectionEpoch !== undefined && { connectionEpoch: membership.connectionEpoch }),
  permissions,
  workspaceIds: workspaceIds && [...workspaceIds],
  ...(request.resources && { resources: request.resources }),
  authentication: authenticationOf(signed),
  openidScopes: openidScopesOf(request, app),
  signIn: request.openid
    ? {
        nonce: request.openid.nonce,
        authenticatedAt: authenticationOf(signed).authenticatedAt,
        methods: signed.methods,
      }
    : null,
})

/** May the app get its response without a page? */
export const isSilent = (
  { request, app }: Asking,
  membership: InstalledPlace,
  offered: string[],
  defaultAudience: string,
) => {
  if (request.prompts.includes('consent')) return false
  // RFC 8252 §8.6: nothing proves which app receives this redirect, so the user must click. Exception: a platform
  // page, which has that very origin in a frame.
  const isVouchedFor = Boolean(request.webMessage?.platform)
  if (app.clientType === 'public' && isUnclaimed(request.redirectUri) && !isVouchedFor) return false
  const { consent, install } = membership
  // Specification §5.1: the organization is preselected and the app already approved there, so the browser returns at
  // once.
  const approvedThere =
    app.interface === 'legacy' &&
    request.organizationHint === membership.organizationId &&
    install.createdAt.getTime() < (request.createdAt ?? Number.POSITIVE_INFINITY)
  if (approvedThere) return true
  if (consent?.installId !== install.id || !covers(consent.offered, offered)) return false
  if (!covers(consent.openidScopes, openidScopesOf(request, app))) return false
  const seen = consent.resources ?? [defaultAudience]
  if (!coversResources(seen, request.resources ?? [defaultAudience])) return false
  return isWithinConsent(consent, request.workspaceIds)
}

/** The answer of a request that needs no page, within what the user has approved before. */
export const silentAnswer = (
  asking: Asking,
  membership: InstalledPlace,
  offered: string[],
  reachable: string[],
): ConsentAnswer => {
  const { consent, install } = membership
  const remembered = consent?.installId === install.id ? consent : null
  const limit = remembered?.workspaceIds ?? null
  const workspaceIds = asking.request.workspaceIds ? reachOf(reachable, limit) : limit
  const permissions = remembered ? intersect(offered, remembered.permissions) : offered
  return approvalOf(asking, membership, permissions, workspaceIds)
}
