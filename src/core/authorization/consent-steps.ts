import type { App } from '../clients/app.ts'
import { type OpenidScope, openidNow } from '../clients/openid.ts'
import { isUnclaimed } from '../clients/redirect-uri.ts'
import { newGrantId } from '../grants/issue.ts'
import { covers, entriesOf, intersect } from '../language/permissions.ts'
import { reachOf, type WorkspaceLimit } from '../language/scope.ts'
import { evaluateSignIn } from '../people/sign-in-demand.ts'
import type { Method } from '../people/sign-in-method.ts'
import { type GivenWorkspaces, isWithinConsent } from './offered-workspaces.ts'
import {
  type Answer,
  type AuthorizationParameters,
  type ConsentAnswer,
  signInDemand,
} from './requests.ts'

export interface InstallSummary {
  id: string
  permissions: string[]
  workspaceIds: WorkspaceLimit
  /** Name of the approving user; null for an operator. */
  approvedBy: string | null
  createdAt: Date
  suspended: boolean
}

/** A user's stored consent. */
export interface RememberedConsent extends GivenWorkspaces {
  installId: string
  offered: string[]
  permissions: string[]
  openidScopes: OpenidScope[]
}

/** A user's membership in an organization, and the state of the app there. */
export interface Membership {
  organizationId: string
  organizationName: string
  role: 'admin' | 'member'
  install: InstallSummary | null
  consent: RememberedConsent | null
  /** Time of this user's open request to the admins. */
  requestedAt: Date | null
  /** Time when this user's latest request was refused. */
  refusedAt: Date | null
  /** Time when this user withdrew the latest request. */
  withdrawnAt: Date | null
}

export interface WorkspaceSummary {
  id: string
  name: string
  isMember: boolean
}

export interface AuthenticatedUser {
  userId: string
  credentialsEpoch: number
  /** Milliseconds since 1970; 0 when unknown. */
  authenticatedAt: number
  methods: Method[]
}

/** The next step before the app gets its response. */
export type Step =
  | { kind: 'sign_in' }
  | { kind: 'choose_organization'; memberships: Membership[]; hintRefused: boolean }
  | {
      kind: 'install'
      membership: Membership
      offered: string[]
      /** Identity scopes that users will be asked to share. */
      openidScopes: OpenidScope[]
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
  | { kind: 'suspended'; membership: Membership; canSwitch: boolean }
  /** The device requests workspaces that this user cannot give; another user may. */
  | { kind: 'out_of_reach'; membership: Membership; canSwitch: boolean }
  | {
      kind: 'consent'
      membership: Membership & { install: InstallSummary }
      offered: string[]
      /** Identity scopes to share. */
      openidScopes: OpenidScope[]
      before: RememberedConsent | null
      /** The approved workspaces that the user is a member of. */
      workspaces: WorkspaceSummary[]
      /** The reach of a request without `workspace_ids`. */
      reach: string[]
      /** Number of workspaces in the organization. */
      workspaceTotal: number
      /** The user has more than one organization to choose from. */
      canSwitch: boolean
    }
  | { kind: 'answered'; answer: Answer }

/** An authorization request, stored or not: `createdAt` and the chosen organization exist once it is stored. */
export type Pending = AuthorizationParameters & {
  createdAt?: number
  organizationId?: string | null
}

/** The queries that find the next step. */
export interface StepStore {
  memberships(userId: string, clientId: string): Promise<Membership[]>
  workspaces(organizationId: string, userId: string): Promise<WorkspaceSummary[]>
  /** Some names: one more than a page shows. */
  adminNames(organizationId: string): Promise<string[]>
}

const chosenMembership = (request: Pending, memberships: Membership[]) => {
  const find = (id: string | null | undefined) =>
    memberships.find((one) => one.organizationId === id)
  const chosen = find(request.organizationId) ?? find(request.organizationHint)
  if (chosen) return chosen
  const mayBeImplied = !request.organizationHint && !request.prompts.includes('select_account')
  return memberships.length === 1 && mayBeImplied ? memberships[0] : undefined
}

/** The requested identity scopes that the app may have. */
const openidScopesOf = (request: Pending, app: App) => openidNow(app, request.openid?.scopes ?? [])

/** The answer for a user's consent. */
export const approvalOf = (
  request: Pending,
  membership: Membership & { install: InstallSummary },
  app: App,
  signed: AuthenticatedUser,
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
  permissions,
  workspaceIds: workspaceIds && [...workspaceIds],
  openidScopes: openidScopesOf(request, app),
  signIn: request.openid
    ? {
        nonce: request.openid.nonce,
        authenticatedAt: Math.floor(signed.authenticatedAt / 1000) || null,
        methods: signed.methods,
      }
    : null,
})

/** May the app get its response without a page? */
const isSilent = (
  request: Pending,
  app: App,
  membership: Membership & { install: InstallSummary },
  offered: string[],
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
  return isWithinConsent(consent, request.workspaceIds)
}

/** The organization is known and has the app installed. */
interface Installed {
  membership: Membership & { install: InstallSummary }
  /** The requested permissions that the app's registration allows. */
  asked: string[]
  canSwitch: boolean
}

/**
 * Finds the next step of a request; reads only. A silent request without an answer reads the memberships and nothing
 * else, so its response time does not reveal whether the user belongs to an organization.
 */
export const createNextStep = (store: StepStore, now: () => number) => {
  const uninstalled = async (
    membership: Membership,
    offered: string[],
    openidScopes: OpenidScope[],
    signed: AuthenticatedUser,
    canSwitch: boolean,
    isSilent: boolean,
  ): Promise<Step> => {
    const { organizationId } = membership
    if (isSilent) return { kind: 'ask_admin', membership, admins: [], offered, canSwitch }
    if (membership.role === 'admin') {
      const workspaces = await store.workspaces(organizationId, signed.userId)
      return { kind: 'install', membership, offered, openidScopes, workspaces, canSwitch }
    }
    const admins = await store.adminNames(organizationId)
    return { kind: 'ask_admin', membership, admins, offered, canSwitch }
  }

  const silentAnswer = (
    request: Pending,
    app: App,
    signed: AuthenticatedUser,
    { membership }: Installed,
    offered: string[],
    reachable: string[],
  ): Step => {
    const { consent, install } = membership
    const remembered = consent?.installId === install.id ? consent : null
    const limit = remembered?.workspaceIds ?? null
    const workspaceIds = request.workspaceIds ? reachOf(reachable, limit) : limit
    const permissions = remembered ? intersect(offered, remembered.permissions) : offered
    const answer = approvalOf(request, membership, app, signed, permissions, workspaceIds)
    return { kind: 'answered', answer }
  }

  const installed = async (
    request: Pending,
    app: App,
    signed: AuthenticatedUser,
    found: Installed,
  ): Promise<Step> => {
    const { membership, asked, canSwitch } = found
    const { consent, install, organizationId } = membership
    const offered = intersect(asked, install.permissions)
    const isAnswered = isSilent(request, app, membership, offered)
    // Reads the workspaces only where they matter.
    if (isAnswered && !request.workspaceIds)
      return silentAnswer(request, app, signed, found, offered, [])
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
      return { kind: 'answered', answer: { kind: 'refused', error: 'invalid_scope' } }
    }
    if (isAnswered) return silentAnswer(request, app, signed, found, offered, reachable)
    const isReachable = entriesOf(reachable)
    return {
      kind: 'consent',
      membership,
      offered,
      openidScopes: openidScopesOf(request, app),
      before: consent?.installId === install.id ? consent : null,
      workspaces: all.filter((one) => isReachable(one.id)),
      reach,
      workspaceTotal: all.length,
      canSwitch,
    }
  }

  return async (request: Pending, app: App, signed: AuthenticatedUser | null): Promise<Step> => {
    const verdict = evaluateSignIn(signInDemand(request), signed, now())
    if (!signed || verdict === 'sign_in') return { kind: 'sign_in' }
    if (verdict === 'somebody_else')
      return { kind: 'answered', answer: { kind: 'refused', error: 'login_required' } }
    const memberships = await store.memberships(signed.userId, app.clientId)
    const membership = chosenMembership(request, memberships)
    if (!membership) {
      const hintRefused = request.organizationHint !== null
      return { kind: 'choose_organization', memberships, hintRefused }
    }
    const asked = intersect(app.permissions, request.permissions ?? app.permissions)
    const canSwitch = memberships.length > 1
    const { install } = membership
    if (!install) {
      const openidScopes = openidScopesOf(request, app)
      const isSilent = request.isSilent === true
      return uninstalled(membership, asked, openidScopes, signed, canSwitch, isSilent)
    }
    if (install.suspended) return { kind: 'suspended', membership, canSwitch }
    return installed(request, app, signed, {
      membership: { ...membership, install },
      asked,
      canSwitch,
    })
  }
}
