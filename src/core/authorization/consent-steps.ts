import type { App } from '../clients/app.ts'
import { type OpenidScope, openidNow } from '../clients/openid.ts'
import { isUnclaimed } from '../clients/redirect-uri.ts'
import { newGrantId } from '../grants/issue.ts'
import { covers, intersect } from '../language/permissions.ts'
import { reachOf, type WorkspaceLimit } from '../language/scope.ts'
import { judgeSignIn } from '../people/sign-in-demand.ts'
import type { Method } from '../people/sign-in-method.ts'
import { asksForNoMore, type GivenWorkspaces } from './offered-workspaces.ts'
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
  /** Name of who approved it; null when it was the operator. */
  approvedBy: string | null
  createdAt: Date
  suspended: boolean
}

/** What a person has said yes to before. */
export interface RememberedConsent extends GivenWorkspaces {
  installId: string
  offered: string[]
  permissions: string[]
  openidScopes: OpenidScope[]
}

/** An organization of the user, and where the app stands in it. */
export interface Membership {
  organizationId: string
  organizationName: string
  role: 'admin' | 'member'
  install: InstallSummary | null
  consent: RememberedConsent | null
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

export interface Signed {
  userId: string
  credentialsEpoch: number
  /** Milliseconds since 1970; 0: nobody can say. */
  authenticatedAt: number
  methods: Method[]
}

/** The next thing that has to happen before the app gets its answer. */
export type Step =
  | { kind: 'sign_in' }
  | { kind: 'choose_organization'; memberships: Membership[]; hintRefused: boolean }
  | {
      kind: 'install'
      membership: Membership
      offered: string[]
      /** What people will be asked to share of who they are. */
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
  /** A device asks for workspaces that this person cannot give it; another one may. */
  | { kind: 'out_of_reach'; membership: Membership; canSwitch: boolean }
  | {
      kind: 'consent'
      membership: Membership & { install: InstallSummary }
      offered: string[]
      /** What is to be shared of who the person is. */
      openidScopes: OpenidScope[]
      before: RememberedConsent | null
      /** Those that the token can reach: approved, and the user's own. */
      workspaces: WorkspaceSummary[]
      /** What it could reach if the request named none. */
      reach: string[]
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

/** What is asked to find the next step. */
export interface StepStore {
  memberships(userId: string, clientId: string): Promise<Membership[]>
  workspaces(organizationId: string, userId: string): Promise<WorkspaceSummary[]>
  /** Some of them: one more than a page names. */
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

/** The part of who somebody is that the request asks for and the app may have. */
const openidScopesOf = (request: Pending, app: App) => openidNow(app, request.openid?.scopes ?? [])

/** The answer that a person's yes becomes. */
export const approvalOf = (
  request: Pending,
  membership: Membership & { install: InstallSummary },
  app: App,
  signed: Signed,
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

/** May the app have its answer without a page? */
const isSilent = (
  request: Pending,
  app: App,
  membership: Membership & { install: InstallSummary },
  offered: string[],
) => {
  if (request.prompts.includes('consent')) return false
  // RFC 8252 §8.6: nobody vouches for who receives this, so a person has to click; unless a platform page does, which
  // has that very origin in a frame.
  const isVouchedFor = Boolean(request.webMessage?.platform)
  if (app.clientType === 'public' && isUnclaimed(request.redirectUri) && !isVouchedFor) return false
  const { consent, install } = membership
  // Specification §5.1: preselected and already approved there → back at once.
  const approvedThere =
    app.interface === 'legacy' &&
    request.organizationHint === membership.organizationId &&
    install.createdAt.getTime() < (request.createdAt ?? Number.POSITIVE_INFINITY)
  if (approvedThere) return true
  if (consent?.installId !== install.id || !covers(consent.offered, offered)) return false
  if (!covers(consent.openidScopes, openidScopesOf(request, app))) return false
  return asksForNoMore(consent, request.workspaceIds)
}

/** The organization is known, and the app is installed there. */
interface Installed {
  membership: Membership & { install: InstallSummary }
  /** What the app asks for and its registration allows. */
  asked: string[]
  canSwitch: boolean
}

/**
 * Finds what a request needs next; reads only. A silent request that gets no answer reads the memberships and nothing
 * else, so that its time does not tell a member of an organization from a stranger.
 */
export const createNextStep = (store: StepStore, now: () => number) => {
  const uninstalled = async (
    membership: Membership,
    offered: string[],
    openidScopes: OpenidScope[],
    signed: Signed,
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
    signed: Signed,
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
    signed: Signed,
    found: Installed,
  ): Promise<Step> => {
    const { membership, asked, canSwitch } = found
    const { consent, install, organizationId } = membership
    const offered = intersect(asked, install.permissions)
    const isAnswered = isSilent(request, app, membership, offered)
    // Which workspaces there are is asked only where it matters.
    if (isAnswered && !request.workspaceIds)
      return silentAnswer(request, app, signed, found, offered, [])
    const isRead = app.interface === 'current' && (isAnswered || !request.isSilent)
    const all = isRead ? await store.workspaces(organizationId, signed.userId) : []
    const own = all.filter((one) => one.isMember).map((one) => one.id)
    const reach = reachOf(own, install.workspaceIds)
    const reachable = reachOf(reach, request.workspaceIds)
    const isTooMuch = reachable.length < (request.workspaceIds?.length ?? 0)
    // An app that the person has allowed there knows of the membership; a silent request of any other learns nothing.
    if (isTooMuch && (isAnswered || !request.isSilent)) {
      // Whoever types a code may be the wrong person, who must not spend it: RFC 8628 §3.3 has the right one type it.
      if (request.device) return { kind: 'out_of_reach', membership, canSwitch }
      return { kind: 'answered', answer: { kind: 'refused', error: 'invalid_scope' } }
    }
    if (isAnswered) return silentAnswer(request, app, signed, found, offered, reachable)
    return {
      kind: 'consent',
      membership,
      offered,
      openidScopes: openidScopesOf(request, app),
      before: consent?.installId === install.id ? consent : null,
      workspaces: all.filter((one) => reachable.includes(one.id)),
      reach,
      workspaceTotal: all.length,
      canSwitch,
    }
  }

  return async (request: Pending, app: App, signed: Signed | null): Promise<Step> => {
    const verdict = judgeSignIn(signInDemand(request), signed, now())
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
