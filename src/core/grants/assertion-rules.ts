// Rules of the grant by identity assertion: which organization it is for, which user, and what the user gets there.
import type { App } from '../clients/app.ts'
import { invalidGrant, invalidRequest } from '../language/errors.ts'
import { intersect } from '../language/permissions.ts'
import type { WorkspaceLimit } from '../language/scope.ts'
import type { KeptOut } from '../organizations/audience.ts'
import type { InstallPause } from '../organizations/install.ts'
import type { Approved } from './approval.ts'
import type { VerifiedAssertion } from './id-jag.ts'
import type { LoadedClient } from './store.ts'

/** An organization that names the provider, and how the app stands there. */
export interface AssertionPlace {
  organizationId: string
  issuer: string
  jwksUri: string | null
  /** The organization lets this app use the provider's assertions. */
  isAllowed: boolean
  /** null: the app is not installed there */
  install: {
    id: string
    /** Why it gives nothing at present; null: it does. */
    paused: InstallPause | null
    permissions: string[]
    workspaceIds: WorkspaceLimit
    /** When it expires, in seconds since 1970; null: never */
    notAfter: number | null
  } | null
}

/** The client, and the first organizations with the provider: those where the app is installed come first. */
export type WithPlaces = LoadedClient & { places: AssertionPlace[] }

/** How an account is found, from the most to the least certain. */
export const userSources = [
  /** The provider names our user id (`aud_sub`). */
  'named',
  /** The user has signed in here at this provider. */
  'identity',
  /** The provider's `externalId` of the user (SCIM). */
  'provisioned',
  /** An earlier assertion linked the subject. */
  'linked',
  /** The subject is our user id: the platform has chosen it. */
  'own_id',
  /** The account has the address that the provider has verified, and no other subject of the provider. */
  'email',
] as const

/** An account that the subject of an assertion may be. */
export interface AssertedUser {
  source: (typeof userSources)[number]
  id: string
  disabled: boolean
  credentialsEpoch: number
  isMember: boolean
  /** Why the user may not use the app there; null: they may. */
  keptOut: KeptOut | null
  /** How often the user has disconnected the app in the organization. */
  connectionEpoch: number
  /** The user's consent has expired, and the sweeper has not ended it yet. */
  consentExpired: boolean
  /** The user's own choice on the consent page, for this install; null: none */
  consent: {
    permissions: string[]
    workspaceIds: WorkspaceLimit
    notAfter: number | null
  } | null
  /** The user's workspaces in the organization. */
  workspaceIds: string[]
}

/**
 * The organization that the token is for.
 * @throws OAuthError invalid_grant when none has the provider; invalid_request when the app is installed in several
 */
export const placeOf = (places: readonly AssertionPlace[]): AssertionPlace => {
  const [first, second] = places
  if (!first) throw invalidGrant('id_jag_issuer')
  if (second?.install)
    throw invalidRequest(
      'organization_id is needed: several organizations have this identity provider',
      'organization_ambiguous',
    )
  return first
}

/** @throws OAuthError invalid_grant */
export const installOf = ({ isAllowed, install }: AssertionPlace) => {
  if (!isAllowed) throw invalidGrant('id_jag_app_not_allowed')
  if (!install) throw invalidGrant('not_installed')
  if (install.paused) throw invalidGrant(install.paused)
  return install
}

/**
 * The account that the assertion names. A source that finds two accounts decides for neither.
 * @throws OAuthError invalid_grant
 */
export const userOf = (found: readonly AssertedUser[], assertion: VerifiedAssertion) => {
  const sources = assertion.userId === null ? userSources : (['named'] as const)
  const source = sources.find((one) => found.some((user) => user.source === one))
  const [user, other] = found.filter((one) => one.source === source)
  if (!user || other) throw invalidGrant('id_jag_user_unknown')
  return user
}

/**
 * Checks what the organization and the user have decided since. A user who has disconnected the app connects it again by
 * allowing it on the page.
 * @throws OAuthError invalid_grant
 */
export const demandStanding = (user: AssertedUser): void => {
  if (user.disabled) throw invalidGrant('user_disabled')
  if (user.keptOut) throw invalidGrant(user.keptOut)
  const isOver = user.consentExpired || (user.connectionEpoch > 0 && user.consent === null)
  if (isOver) throw invalidGrant('user_disconnected')
}

const earlierOf = (one: number | null, other: number | null) =>
  one === null || other === null ? (one ?? other) : Math.min(one, other)

/** The approval of the organization, within the user's own one if there is one, and within the assertion's scope. */
export const approvalOf = (
  app: Pick<App, 'permissions'>,
  install: NonNullable<AssertionPlace['install']>,
  user: AssertedUser,
  { scope }: VerifiedAssertion,
): { approved: Approved; grant: { permissions: string[]; workspaceIds: WorkspaceLimit } } => ({
  approved: {
    installPermissions: install.permissions,
    installWorkspaceIds: install.workspaceIds,
    presentWorkspaceIds: user.workspaceIds,
    notAfter: earlierOf(install.notAfter, user.consent?.notAfter ?? null),
  },
  grant: {
    permissions: intersect(
      app.permissions,
      install.permissions,
      user.consent?.permissions ?? app.permissions,
      scope ?? app.permissions,
    ),
    workspaceIds: user.consent?.workspaceIds ?? null,
  },
})
