import type { App } from '../clients/app.ts'
import type { OpenidScope } from '../clients/openid.ts'
import type { KeptOut } from '../organizations/audience.ts'
import type { Install, InstallPause } from '../organizations/install.ts'
import { type PolicyStanding, ruleFor } from '../organizations/organization-policies.ts'
import type { SignedIn } from '../people/sign-in-demand.ts'
import type { GivenWorkspaces } from './offered-workspaces.ts'
import type { AuthorizationParameters } from './requests.ts'

export interface InstallSummary
  extends Pick<
    Install,
    'id' | 'permissions' | 'workspaceIds' | 'createdAt' | 'suspended' | 'self'
  > {
  /** Name of the approving user; null for an operator. */
  approvedBy: string | null
}

/** A user's stored consent. */
export interface RememberedConsent extends GivenWorkspaces {
  installId: string
  offered: string[]
  permissions: string[]
  /** The resources that the user has seen on the page; null: the default audience. */
  resources: string[] | null
  openidScopes: OpenidScope[]
}

/** An organization of a user, and how the app stands there. */
export interface AppInOrganization extends Partial<PolicyStanding> {
  organizationId: string
  install: Omit<InstallSummary, 'approvedBy'> | null
  consent: RememberedConsent | null
  /** False: the organization has an admin approve each member first, and none has approved this one. */
  mayConnect?: boolean
  /** Why the user may not use the installed app there; null or absent: they may. */
  keptOut?: KeptOut | null
  /** Its policy asks an admin for connections by the device flow, and the self-install there came later. */
  asksForDevice?: boolean
  /** False: members of the organization may not ask its admins for apps. */
  mayAsk?: boolean
  /** How often the user has disconnected the app there; absent: not read. */
  connectionEpoch?: number
}

/** A place where the app is installed. */
export type InstalledPlace<Of extends AppInOrganization = AppInOrganization> = Of & {
  install: NonNullable<Of['install']>
}

/** May the member ask the admins for the app, or for their approval to connect it? */
export const mayAskFor = ({
  install,
  mayAsk,
  keptOut,
}: Pick<AppInOrganization, 'install' | 'mayAsk' | 'keptOut'>): boolean =>
  keptOut ? keptOut !== 'denied' && mayAsk !== false : install !== null || mayAsk !== false

export type AuthenticatedUser = SignedIn & { credentialsEpoch: number }

/** An authorization request, stored or not: `createdAt` and the chosen organization exist once it is stored. */
export type Pending = AuthorizationParameters & {
  createdAt?: number
  organizationId?: string | null
}

/** A request of an app, and the user who answers it. */
export interface Asking {
  request: Pending
  app: App
  signed: AuthenticatedUser
}

/** Why the app gets nothing there at present; null: it does. */
export const pauseOf = (request: Pending, place: AppInOrganization): InstallPause | null => {
  if (ruleFor(place, Boolean(request.device)) === 'refuse') return 'policy'
  return place.install?.suspended ? 'install_suspended' : null
}

/** Does an admin have to admit the member to the installed app? */
export const mustAsk = ({ mayConnect, keptOut }: AppInOrganization) =>
  mayConnect === false || Boolean(keptOut)

/** A self-install is none where an admin has to decide: about other people, about the organization, or by a rule. */
export const forOrganization = <Of extends AppInOrganization>(request: Pending, place: Of): Of => {
  const { install, keptOut, asksForDevice } = place
  const isEnough = !mustAsk(place) && !request.installLink && !(request.device && asksForDevice)
  if (!install?.self || isEnough) return place
  return { ...place, install: null, keptOut: keptOut === 'denied' ? keptOut : null }
}
