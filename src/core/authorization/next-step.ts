import type { App } from '../clients/app.ts'
import { knownByTarget, servesAll, type Target, type Targets } from '../clients/targets.ts'
import { OAuthError } from '../language/errors.ts'
import type { PermissionCatalogue } from '../language/permission-catalogue.ts'
import { covers, entriesOf, intersect } from '../language/permissions.ts'
import { reachOf } from '../language/scope.ts'
import { ruleFor } from '../organizations/organization-policies.ts'
import { onlyReads } from '../organizations/self-installs.ts'
import { evaluateSignIn } from '../people/sign-in-demand.ts'
import type { Membership, Step, StepStore } from './consent-steps.ts'
import {
  type AppInOrganization,
  type Asking,
  type AuthenticatedUser,
  forOrganization,
  type InstalledPlace,
  mustAsk,
  type Pending,
  pauseOf,
} from './places.ts'
import { type AppAnswer, type RefusedBy, signInDemand } from './requests.ts'
import { chosenOf, isSilent, openidScopesOf, silentAnswer } from './silent-answer.ts'
import type { RequestStanding } from './standing.ts'

/** What a request asks for, before the user is known. */
interface Wanted {
  /** null: the default audience */
  target: Target | null
  permissions: string[]
}

/** The organization is known and has the app installed. */
interface Installed<Of extends AppInOrganization> {
  membership: InstalledPlace<Of>
  target: Target | null
  /** The requested permissions that the app's registration allows. */
  requested: string[]
  canSwitch: boolean
}

const answered = (answer: AppAnswer) => ({ kind: 'answered' as const, answer })

/**
 * Finds the next step of a request; reads only. A silent request without an answer reads the memberships and nothing
 * else, so its response time does not reveal whether the user belongs to an organization.
 */
export const createNextStep = (
  store: StepStore,
  targets: Pick<Targets, 'ofRequest' | 'defaultAudience'>,
  catalogue: Pick<PermissionCatalogue, 'find'>,
  now: () => number,
) => {
  /** An install from a link is one for the organization. */
  const maySelfInstall = (
    { request, app }: Pick<Asking, 'request' | 'app'>,
    place: AppInOrganization,
    offered: string[],
  ) =>
    place.maySelfInstall === true &&
    !place.keptOut &&
    !request.installLink &&
    ruleFor(place, Boolean(request.device)) === 'allow' &&
    onlyReads(catalogue, app.interface, offered)

  const uninstalled = async (
    asking: Asking,
    membership: Membership,
    offered: string[],
    canSwitch: boolean,
  ): Promise<Step> => {
    const { request, app, signed } = asking
    const { organizationId } = membership
    const isAdmin = membership.role === 'admin' && !membership.keptOut
    if (isAdmin || maySelfInstall(asking, membership, offered)) {
      const openidScopes = openidScopesOf(request, app)
      const workspaces = await store.workspaces(organizationId, signed.userId)
      const kind = isAdmin ? 'install' : 'self_install'
      return { kind, membership, offered, openidScopes, workspaces, canSwitch }
    }
    const admins = await store.adminNames(organizationId)
    return { kind: 'ask_admin', membership, admins, offered, canSwitch }
  }

  const installed = async <Of extends AppInOrganization>(
    asking: Asking,
    { membership, target, requested, canSwitch }: Installed<Of>,
  ): Promise<Step<Of>> => {
    const { request, app, signed } = asking
    const { consent, install, organizationId } = membership
    const offered = intersect(requested, install.permissions)
    const isAnswered = isSilent(asking, membership, offered, targets.defaultAudience)
    // Reads the workspaces only where they matter.
    if (isAnswered && !request.workspaceIds)
      return answered(silentAnswer(asking, membership, offered, []))
    const isRead = app.interface === 'current' && (isAnswered || !request.isSilent)
    const all = isRead ? await store.workspaces(organizationId, signed.userId) : []
    const own = all.filter((one) => one.isMember).map((one) => one.id)
    const reach = reachOf(own, install.workspaceIds)
    const reachable = reachOf(reach, request.workspaceIds)
    const isTooMuch = reachable.length < (request.workspaceIds?.length ?? 0)
    // An app with the user's consent there knows of the membership; a silent request of another app must not learn of
    // it.
    if (isTooMuch && (isAnswered || !request.isSilent)) {
      // The wrong user may have entered the code and must not consume it: in RFC 8628 §3.3 the right user enters it.
      if (request.device) return { kind: 'out_of_reach', membership, canSwitch }
      return answered({ kind: 'refused', error: 'invalid_scope' })
    }
    if (isAnswered) return answered(silentAnswer(asking, membership, offered, reachable))
    const isReachable = entriesOf(reachable)
    return {
      kind: 'consent',
      membership,
      offered,
      withheld: request.permissions
        ? requested.filter((one) => !install.permissions.includes(one))
        : [],
      resources: target?.known ?? null,
      openidScopes: openidScopesOf(request, app),
      before: consent?.installId === install.id ? consent : null,
      workspaces: all.filter((one) => isReachable(one.id)),
      reach,
      workspaceTotal: all.length,
      canSwitch,
    }
  }

  /** The target of the request, and the requested permissions that the registration allows and the target knows. */
  const wantedBy = async (request: Pending, app: App): Promise<Wanted | { error: RefusedBy }> => {
    const named = intersect(app.permissions, request.permissions ?? app.permissions)
    if (!request.resources) return { target: null, permissions: named }
    try {
      const target = await targets.ofRequest(request.resources)
      const permissions = knownByTarget(target, named)
      if (request.permissions && named.length > 0 && permissions.length === 0)
        return { error: 'invalid_scope' }
      return { target, permissions }
    } catch (error) {
      if (error instanceof OAuthError && error.code === 'invalid_target')
        return { error: 'invalid_target' }
      throw error
    }
  }

  /** A requested data API does not serve the organization. */
  const unserved = <Of extends AppInOrganization>(
    request: Pending,
    membership: Of,
    canSwitch: boolean,
  ): Step<Of> => {
    // Another user may enter the code.
    if (request.device) return { kind: 'out_of_reach', membership, canSwitch }
    // An app without the user's consent must not learn of the membership.
    if (request.isSilent) return unrequested(membership, [], canSwitch)
    return answered({ kind: 'refused', error: 'invalid_target' })
  }

  /** @param ask finds the page for an organization without the app */
  const stepAmong = async <Of extends AppInOrganization>(
    request: Pending,
    app: App,
    signed: AuthenticatedUser | null,
    read: () => Promise<Of[]>,
    ask: (membership: Of, requested: string[], canSwitch: boolean) => Step<Of> | Promise<Step<Of>>,
  ): Promise<Step<Of>> => {
    const wanted = await wantedBy(request, app)
    if ('error' in wanted) return answered({ kind: 'refused', error: wanted.error })
    const { target, permissions: requested } = wanted
    const verdict = evaluateSignIn(signInDemand(request), signed, now())
    if (!signed || verdict === 'sign_in') return { kind: 'sign_in' }
    if (verdict === 'somebody_else') return answered({ kind: 'refused', error: 'login_required' })
    const memberships = await read()
    const served = memberships.filter((one) => !target || servesAll(target, one.organizationId))
    const membership = chosenOf(request, memberships)
    if (!membership) {
      const { organizationHint: hint } = request
      const hintRefused = hint !== null && !memberships.some((one) => one.organizationId === hint)
      return { kind: 'choose_organization', memberships: served, hintRefused }
    }
    const canSwitch = served.length > 1 || !served.includes(membership)
    if (!served.includes(membership)) return unserved(request, membership, canSwitch)
    const reason = pauseOf(request, membership)
    if (reason) return { kind: 'paused', reason, membership, canSwitch }
    const place = forOrganization(request, membership)
    const { install } = place
    if (!install) return ask(place, requested, canSwitch)
    const asksForMore = request.permissions !== null && !covers(install.permissions, requested)
    const isOwn = install.self && !mustAsk(place) && !request.isSilent
    if (isOwn && asksForMore && maySelfInstall({ request, app }, place, requested))
      return ask({ ...place, install: null }, requested, canSwitch)
    const found = place as InstalledPlace<Of>
    if (mustAsk(place) && !request.installLink)
      return ask(place, intersect(requested, install.permissions), canSwitch)
    if (request.installLink)
      return { kind: 'installed', membership: found, approvedWorkspaces: null, canSwitch }
    const asking = { request, app, signed }
    return installed(asking, { membership: found, target, requested, canSwitch })
  }

  /** Adds the approved workspaces, where the admin has chosen some. */
  const withWorkspaces = async (
    step: Step & { kind: 'installed' },
    { userId }: AuthenticatedUser,
  ): Promise<Step> => {
    const { organizationId, install } = step.membership
    if (install.workspaceIds === null) return step
    const isApproved = entriesOf(install.workspaceIds)
    const all = await store.workspaces(organizationId, userId)
    return { ...step, approvedWorkspaces: all.filter(({ id }) => isApproved(id)) }
  }

  /** If the operator does not allow an app a permission that it requires, new users cannot install or connect it. */
  const unlessCut = async (request: Pending, app: App, step: Step): Promise<Step> => {
    const isNew =
      step.kind === 'consent' ? !step.before : 'membership' in step && !step.membership.install
    if (!isNew || !app.admitted || app.optionalPermissions === null) return step
    const cut = await store.cutPermissions(app.clientId)
    const { membership, canSwitch } = step as Step & { kind: 'install' }
    const permissions = request.permissions ? intersect(cut, request.beyond ?? []) : cut
    return permissions.length > 0 ? { kind: 'cut', membership, permissions, canSwitch } : step
  }

  /** The page is not shown, or not yet: nothing is read for it. */
  const unrequested = <Of extends AppInOrganization>(
    membership: Of,
    offered: string[],
    canSwitch: boolean,
  ) => ({ kind: 'ask_admin', membership, admins: [], offered, canSwitch }) satisfies Step<Of>

  return {
    /** The next step of a request; reads only. */
    next: async (request: Pending, app: App, signed: AuthenticatedUser | null): Promise<Step> => {
      const read = () => store.memberships(signed?.userId ?? '', app.clientId)
      const step = await stepAmong(
        request,
        app,
        signed,
        read,
        (membership, requested, canSwitch) => {
          if (!signed || request.isSilent) return unrequested(membership, requested, canSwitch)
          return uninstalled({ request, app, signed }, membership, requested, canSwitch)
        },
      )
      if (step.kind === 'installed' && signed) return withWorkspaces(step, signed)
      return request.isSilent ? step : unlessCut(request, app, step)
    },
    /** The answer of a request that needs no page, or which kind of page it needs; reads only. */
    decide: (request: Pending, { app, signed, places }: RequestStanding) =>
      stepAmong(request, app, signed, async () => places, unrequested),
  }
}
